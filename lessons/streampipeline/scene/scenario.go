package scene

import (
	"context"
	"fmt"
	"strconv"

	"flashlab/lessons/shop"
	"flashlab/lessons/streampipeline"
	"flashlab/lua"
	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

// seller is the form of every variant's code.
type seller interface {
	Buy(ctx context.Context, user, voucher, id int64) error
	Consume(ctx context.Context, consumer string) error
}

// rival is code with another job for a user, under the user's lock.
type rival interface {
	Statement(ctx context.Context, user int64) error
}

// setting is what a variant's scene has of its own.
type setting struct {
	variant string
	code    func(s *streampipeline.Shop) seller
	// repeats says that the index UNIQUE(user, voucher) is missing.
	repeats bool
	// poisoned says that no order of user 1 can be booked.
	poisoned bool
	// memory says that buyers and consumers share the node n1 and its memory.
	memory bool
	// rival says that another job of user 1 holds the user's lock for a while.
	rival bool
	// ticks is how often the clock moves in eager time; the run-out goes on after it.
	ticks int
}

// sizes are the defaults of a variant's parameters.
type sizes struct{ buyers, users, consumers, crashes int }

// params are the sizes of this lesson. users is how many different users the
// buyers are: with buyers=2,users=1 one user clicks twice.
func params(d sizes) []scenario.Param {
	return []scenario.Param{
		scenario.Standard("buyers", d.buyers),
		{Name: "users", Default: d.users, Min: 1, Max: 8},
		scenario.Standard("stock", 2),
		scenario.Standard("consumers", d.consumers),
		scenario.Standard("crashes", d.crashes),
		scenario.Standard("redeliveries", 0),
		scenario.Standard("ticks", 0),
	}
}

// sale makes the scenario: buyers on a node of their own, consumer c1 on n1 and so
// on. A crash takes n1. Time moves when nobody can; with ticks also before that,
// so that a consumer can be slower than the patience of the others.
func (s setting) sale() func(scenario.Params) *scenario.Scenario {
	return func(p scenario.Params) *scenario.Scenario {
		keys := lua.KeysOf(store.Voucher)
		queue := &proc.Queue[streampipeline.Order]{}
		flow := shop.Flow{Initial: p.Get("stock"), Keys: keys, Group: streampipeline.Group, Dead: streampipeline.Dead}
		if s.memory {
			flow.Queued = func(v *scenario.View) []int64 {
				var users []int64
				for _, o := range queue.Waiting(v.World().Kernel, "n1") {
					users = append(users, o.User)
				}
				return users
			}
		}
		out := &scenario.Scenario{
			Lesson: "stream-pipeline", Variant: s.variant, Params: p,
			World: world.Config{
				Engine: world.WAL, Begin: sqlgate.Deferred, Redis: true,
				Schema: s.schema(p.Get("stock")), Scripts: streampipeline.Scripts(),
			},
			Setup: func(w *world.World) error { return s.warmUp(w, keys, p.Get("stock")) },
			Sells: true,
			Actors: func(w *world.World) []scenario.Actor {
				return s.actors(&streampipeline.Shop{Redis: w.Redis, DB: w.DB, Queue: queue}, p)
			},
			Time: scenario.Eager, EagerTicks: s.ticks,
			Lease:    streampipeline.Patience,
			Faults:   scenario.Faults{CrashNodes: []string{"n1"}, Redelivery: shop.Redelivery(consumers(p)...)},
			InFlight: flow.InFlight,
			Accepts:  shop.Accepted,
			Lights:   flow.Lights(),
			Notes:    s.notes(),
		}
		if p.Get("ticks") > 0 {
			out.Time = scenario.Lazy
		}
		return out
	}
}

func (s setting) schema(stock int) world.Schema {
	schema := shop.Schema(stock, !s.repeats)
	if s.poisoned {
		schema.DDL = append(schema.DDL, `CREATE TRIGGER user_must_exist BEFORE INSERT ON orders
			WHEN NEW.user_id = 1 BEGIN SELECT RAISE(ABORT, 'user 1 does not exist'); END`)
	}
	return schema
}

func (s setting) notes() []trace.Phrase {
	notes := []trace.Phrase{shop.UniqueIndex(!s.repeats)}
	if s.poisoned {
		notes = append(notes, trace.Say("note.refused", "orders of user {n} are refused", "n", 1))
	}
	return notes
}

// warmUp puts the voucher on sale.
func (s setting) warmUp(w *world.World, keys lua.SaleKeys, stock int) error {
	ctx := context.Background()
	if err := w.Direct().Set(ctx, keys.Stock, strconv.Itoa(stock), 0).Err(); err != nil {
		return err
	}
	if s.memory {
		return nil
	}
	return w.Direct().XGroupCreateMkStream(ctx, keys.Stream, streampipeline.Group, "0").Err()
}

func (s setting) actors(base *streampipeline.Shop, p scenario.Params) []scenario.Actor {
	code := s.code(base)
	n := p.Get("consumers")
	counter := fmt.Sprintf("n%d", n+1) // where the buyers are served
	if s.memory {
		counter = "n1"
	}
	var out []scenario.Actor
	for i := range p.Get("buyers") {
		user, id := int64(i%p.Get("users")+1), int64(101+i)
		out = append(out, scenario.Actor{
			Name: trace.Say("actor.user", "user {n}", "n", user), Node: counter, User: strconv.FormatInt(user, 10),
			Body: func(ctx context.Context) error { return code.Buy(ctx, user, store.Voucher, id) },
		})
	}
	for i := range n {
		name := fmt.Sprintf("c%d", i+1)
		out = append(out, scenario.Actor{
			Name: trace.Say("actor.consumer", "consumer {name}", "name", name), Node: fmt.Sprintf("n%d", i+1), Daemon: true,
			Body: func(ctx context.Context) error { return code.Consume(ctx, name) },
		})
	}
	if other, ok := code.(rival); ok && s.rival {
		out = append(out, scenario.Actor{
			Name: trace.Say("actor.statement", "statement of user {n}", "n", 1), Node: fmt.Sprintf("n%d", n+2),
			Body: func(ctx context.Context) error { return other.Statement(ctx, 1) },
		})
	}
	return out
}

// consumers are the places of the consumers among the actors: after the buyers.
func consumers(p scenario.Params) []int {
	var out []int
	for i := range p.Get("consumers") {
		out = append(out, p.Get("buyers")+i)
	}
	return out
}
