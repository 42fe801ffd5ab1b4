package scene

import (
	"context"
	"fmt"
	"time"

	"flashlab/lessons/setnx"
	"flashlab/lessons/shop"
	"flashlab/sim"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

const (
	user    = 7              // whose lock it is
	key     = "lock:order:7" // its key
	missing = 2              // a voucher that does not exist
)

// forEver is how long a request waits that waits for ever, in ms: an hour, which is
// more than a run-out takes.
const forEver = 3_600_000

// order is the form of every variant's code.
type order func(s *setnx.Shop, ctx context.Context, o setnx.Order) error

// params are the sizes of this lesson. wait is for all requests but the first,
// which never waits; crashes take node n1.
func params(wait, crashes int) []scenario.Param {
	return []scenario.Param{
		scenario.Standard("buyers", 2),
		scenario.Standard("work", 1),
		scenario.Standard("wait", wait),
		scenario.Standard("crashes", crashes),
		scenario.Standard("expiries", 0),
	}
}

// requests makes the scenario: one user's requests come in at the same time, each
// on a node of its own. The first one asks for the given voucher.
func requests(variant string, first int64, f order) func(scenario.Params) *scenario.Scenario {
	return func(p scenario.Params) *scenario.Scenario {
		return &scenario.Scenario{
			Lesson: "setnx", Variant: variant, Params: p,
			World: world.Config{
				Engine: world.Memory, Begin: sqlgate.Immediate, Redis: true,
				Schema: shop.Schema(stock, true),
			},
			Actors: func(w *world.World) []scenario.Actor {
				var out []scenario.Actor
				for i := range p.Get("buyers") {
					s := &setnx.Shop{Redis: w.Redis, DB: w.DB, Work: p.Get("work")}
					o := setnx.Order{User: user, Voucher: store.Voucher, Wait: time.Duration(p.Get("wait")) * time.Millisecond}
					if i == 0 {
						o.Voucher, o.Wait = first, 0
					}
					out = append(out, scenario.Actor{
						Name: trace.Say("actor.request", "request {n}", "n", i+1),
						Node: fmt.Sprintf("n%d", i+1),
						Body: func(ctx context.Context) error { return f(s, ctx, o) },
					})
				}
				return out
			},
			Time:       scenario.Eager,
			EagerTicks: 4, // as many as it takes to wait for a lease
			Lease:      setnx.Lease,
			Faults:     scenario.Faults{CrashNodes: []string{"n1"}},
			Locks:      []scenario.Lock{{Key: key}},
			Lights: append(shop.DatabaseLights(stock),
				scenario.MutualExclusion(), scenario.NoMisdeletion(), scenario.Progress(), scenario.LockReleased()),
			Notes: []trace.Phrase{shop.UniqueIndex(true)},
		}
	}
}

// atWork is how many requests stand in the slow part of an order.
func atWork(v *scenario.View) int {
	n := 0
	for i := 0; v.Actor(i) != nil; i++ {
		if a := v.Actor(i); a.State() == sim.Parked && a.Op.Kind == sim.KindSQL {
			n++
		}
	}
	return n
}

// stock is for looking at: nothing is sold in this lesson.
const stock = 1
