package scene

import (
	"context"
	"fmt"
	"time"

	"flashlab/lessons/shop"
	"flashlab/lessons/watchdog"
	"flashlab/lua"
	"flashlab/sim"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

const (
	user  = 7 // clicks more than once, and each click comes to another node
	stock = 1
	key   = "lock:order:7"
)

// roles is what the scripts do to the lock.
var roles = map[string]scenario.Role{
	"reentrant_acquire": scenario.AcquireOrWait,
	"reentrant_release": scenario.Release,
	"reentrant_renew":   scenario.Renew,
	"unlock":            scenario.Release,
	"renew":             scenario.Renew,
}

// leases is which argument of theirs is a lease.
var leases = map[string]int{"reentrant_acquire": 1, "reentrant_renew": 1, "renew": 2}

// buy is the form of every variant's code.
type buy func(s *watchdog.Shop, ctx context.Context, user, voucher int64) error

// set is what scenes differ in, besides the code.
type set struct {
	ticks int  // how often the clock moves at most in eager time; 0: the engine's default
	stuck bool // A's order is its payment alone, which is never answered; the others only read
	notes []trace.Phrase
}

// params are the sizes that all variants have: how many reads an order makes and how
// long its payment takes where time waits for everybody, and how often time does not
// wait.
func params(buyers, work, worktime int, more ...scenario.Param) []scenario.Param {
	return append([]scenario.Param{
		scenario.Standard("buyers", buyers),
		scenario.Standard("work", work),
		scenario.Standard("worktime", worktime),
		scenario.Standard("ticks", 0),
	}, more...)
}

// orders makes the scenario: the same user buys on several nodes at once.
//
// In eager time an order reads the voucher work times and its payment takes
// worktime. With ticks the time is lazy, and an order is reads only, at least one:
// there every step may take as long as it likes.
func orders(variant string, f buy, x set) func(scenario.Params) *scenario.Scenario {
	return func(p scenario.Params) *scenario.Scenario {
		s := &scenario.Scenario{
			Lesson: "watchdog", Variant: variant, Params: p,
			World: world.Config{
				Engine: world.Memory, Begin: sqlgate.Immediate,
				Schema: shop.Schema(stock, true), Redis: true, Scripts: lua.Sources(),
			},
			Time: scenario.Eager, EagerTicks: x.ticks,
			Faults: scenario.Faults{CrashNodes: []string{"n1"}, PauseNodes: []string{"n1"}},
			Locks:  []scenario.Lock{{Key: key, Roles: roles, Leases: leases}},
			Lease:  watchdog.Lease,
			Lights: append(shop.DatabaseLights(stock),
				scenario.MutualExclusion(), scenario.NoMisdeletion(),
				scenario.LockReleased(), scenario.Progress()),
			Notes: append([]trace.Phrase{shop.UniqueIndex(true)}, x.notes...),
		}
		work, takes := p.Get("work"), milliseconds(p, "worktime")
		if p.Get("ticks") > 0 {
			s.Time, work = scenario.Lazy, max(work, 1)
			if !x.stuck {
				takes = 0
			}
		}
		if x.stuck {
			s.Faults.Hangs = stuck
		}
		s.Actors = func(w *world.World) []scenario.Actor {
			var out []scenario.Actor
			for i := range p.Get("buyers") {
				node := &watchdog.Shop{
					Node:  fmt.Sprintf("n%d", i+1),
					Redis: w.Redis, DB: w.DB,
					Lease: milliseconds(p, "lease"), Work: work, Takes: takes,
				}
				if x.stuck && i == 0 {
					node.Work = 0
				} else if x.stuck {
					node.Takes = 0
				}
				out = append(out, scenario.Actor{
					Name: trace.Say("actor.request", "request {n}", "n", i+1), Node: node.Node,
					Body: func(ctx context.Context) error { return f(node, ctx, user, store.Voucher) },
				})
			}
			return out
		}
		return s
	}
}

// stuck tells the payment that is never answered from the waits for a lock, which
// end with a lease.
func stuck(a *sim.Actor) bool {
	return a.ID == 0 && a.Op.Kind == sim.KindSleep && a.Op.Wake-a.Kernel().Now > watchdog.Lease
}

func milliseconds(p scenario.Params, name string) time.Duration {
	return time.Duration(p.Get(name)) * time.Millisecond
}
