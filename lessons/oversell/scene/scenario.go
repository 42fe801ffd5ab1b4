package scene

import (
	"context"
	"fmt"
	"strconv"

	"flashlab/lessons/oversell"
	"flashlab/lessons/shop"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

// buy is the form of every variant's code.
type buy func(s *oversell.Shop, ctx context.Context, user, voucher int64) error

// params are the sizes of this lesson. Crashes are off by default: without a
// transaction every variant loses conservation under a crash.
func params(stock int) []scenario.Param {
	return []scenario.Param{
		scenario.Standard("buyers", 2),
		scenario.Standard("stock", stock),
		scenario.Standard("nodes", 1),
		scenario.Standard("crashes", 0),
	}
}

// sale makes the scenario: each buyer is a different user who wants one voucher.
func sale(variant string, engine world.Engine, f buy) func(scenario.Params) *scenario.Scenario {
	return func(p scenario.Params) *scenario.Scenario {
		stock := p.Get("stock")
		return &scenario.Scenario{
			Lesson: "oversell", Variant: variant, Params: p,
			World: world.Config{
				Engine: engine, Begin: sqlgate.Immediate,
				Schema: shop.Schema(stock, true),
			},
			Sells: true,
			Actors: func(w *world.World) []scenario.Actor {
				s := &oversell.Shop{DB: w.DB}
				var out []scenario.Actor
				for i := range p.Get("buyers") {
					user := int64(i + 1)
					out = append(out, scenario.Actor{
						Name: trace.Say("actor.buyer", "buyer {n}", "n", user),
						User: strconv.FormatInt(user, 10),
						Node: fmt.Sprintf("n%d", i%p.Get("nodes")+1),
						Body: func(ctx context.Context) error { return f(s, ctx, user, store.Voucher) },
					})
				}
				return out
			},
			Lights: shop.DatabaseLights(stock),
			Notes:  []trace.Phrase{shop.UniqueIndex(true)},
		}
	}
}
