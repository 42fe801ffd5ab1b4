package scene

import (
	"context"
	"fmt"
	"strconv"

	"flashlab/lessons/shop"
	"flashlab/lessons/synchronized"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

// user is the one who clicks.
const user = 7

// buy is the form of every variant's code.
type buy func(s *synchronized.Shop, ctx context.Context, user, voucher int64) error

// params are the sizes of this lesson; buyers is the number of clicks. There is
// stock for all of them: with less, "sold out" would hide a second order.
func params(nodes int) []scenario.Param {
	return []scenario.Param{
		scenario.Standard("buyers", 2),
		scenario.Standard("stock", 2),
		scenario.Standard("nodes", nodes),
		scenario.Standard("crashes", 0),
	}
}

// In a storm one user's clicks would be over at once: there every tenth request
// brings another user.
const (
	schedules = 8 // more buyers than this are a storm
	perUser   = 10
)

// clicker is who makes a click, counted from 0, of so many.
func clicker(i, clicks int) int64 {
	if clicks <= schedules {
		return user
	}
	return int64(user + i/perUser)
}

// clicks makes the scenario: one user clicks several times, and every click comes
// to the next node.
func clicks(variant string, unique bool, f buy) func(scenario.Params) *scenario.Scenario {
	return func(p scenario.Params) *scenario.Scenario {
		stock := p.Get("stock")
		return &scenario.Scenario{
			Lesson: "synchronized", Variant: variant, Params: p,
			World: world.Config{
				Engine: world.WAL, Begin: sqlgate.Immediate,
				Schema: shop.Schema(stock, unique),
			},
			Sells: true,
			Actors: func(w *world.World) []scenario.Actor {
				nodes := make([]*synchronized.Shop, p.Get("nodes")) // processes share no memory
				for i := range nodes {
					nodes[i] = &synchronized.Shop{DB: w.DB}
				}
				var out []scenario.Actor
				for i := range p.Get("buyers") {
					n := i % len(nodes)
					s := nodes[n]
					user := clicker(i, p.Get("buyers"))
					out = append(out, scenario.Actor{
						Name: trace.Say("actor.click", "click {n}", "n", i+1),
						User: strconv.FormatInt(user, 10),
						Node: fmt.Sprintf("n%d", n+1),
						Body: func(ctx context.Context) error { return f(s, ctx, user, store.Voucher) },
					})
				}
				return out
			},
			Lights: shop.DatabaseLights(stock),
			Notes:  []trace.Phrase{shop.UniqueIndex(unique)},
		}
	}
}
