package scene

import (
	"context"
	"fmt"
	"time"

	"flashlab/lessons/luaunlock"
	"flashlab/lessons/shop"
	"flashlab/lua"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

const (
	user  = 7 // clicks more than once, and each click comes to another node
	units = 1
	key   = "lock:order:7"
)

// buy is the form of every variant's code.
type buy func(s *luaunlock.Shop, ctx context.Context, user, voucher int64) error

// params are the sizes of this lesson: one lease runs out while somebody works.
func params(crashes int) []scenario.Param {
	return []scenario.Param{
		scenario.Standard("buyers", 2),
		scenario.Standard("work", 1),
		scenario.Standard("expiries", 1),
		scenario.Standard("crashes", crashes),
	}
}

// clicks makes the scenario: requests of one user, each on a node of its own. A
// crash takes the first node. With a long lease only the key of a dead holder runs
// out: the lease is longer than the work.
func clicks(variant string, lease time.Duration, f buy) func(scenario.Params) *scenario.Scenario {
	return func(p scenario.Params) *scenario.Scenario {
		return &scenario.Scenario{
			Lesson: "lua-unlock", Variant: variant, Params: p,
			World: world.Config{
				Engine: world.Memory, Begin: sqlgate.Immediate,
				Schema: shop.Schema(units, true),
				Redis:  true, Scripts: lua.Sources(),
			},
			Time:  scenario.Free,
			Lease: lease,
			Faults: scenario.Faults{
				CrashNodes:     []string{"n1"},
				ExpireOnlyDead: lease == luaunlock.LongLease,
			},
			Locks: []scenario.Lock{{Key: key, Roles: map[string]scenario.Role{"unlock": scenario.Release}}},
			Actors: func(w *world.World) []scenario.Actor {
				s := &luaunlock.Shop{
					Redis: w.Redis, DB: w.DB, Work: p.Get("work"),
					Unlock: luaunlock.PickUnlock(context.Background(), w.Direct()),
				}
				var out []scenario.Actor
				for i := range p.Get("buyers") {
					out = append(out, scenario.Actor{
						Name: trace.Say("actor.request", "request {n}", "n", i+1),
						Node: fmt.Sprintf("n%d", i+1),
						Body: func(ctx context.Context) error { return f(s, ctx, user, store.Voucher) },
					})
				}
				return out
			},
			Lights: append(shop.DatabaseLights(units),
				scenario.NoMisdeletion(), scenario.LockReleased(),
				scenario.MutualExclusion(), scenario.Progress()),
			Notes: []trace.Phrase{shop.UniqueIndex(true)},
		}
	}
}
