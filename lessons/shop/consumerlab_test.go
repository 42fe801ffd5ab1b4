package shop_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"flashlab/lessons/lessontest"
	"flashlab/lessons/shop"
	"flashlab/lua"
	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

const (
	saleGroup = "g1"
	saleDead  = "stream.saleDead"
)

// saleFlow is the sale of the tests.
func saleFlow(units int) shop.Flow {
	return shop.Flow{Initial: units, Keys: lua.KeysOf(store.Voucher), Group: saleGroup, Dead: saleDead}
}

// saleLab is a scene of the shop's own sale and consumers: buyers on a node of their
// own, two consumers on n1 and n2. change, if not nil, alters it.
func saleLab(t *testing.T, sets string, change func(s *scenario.Scenario, c *shop.Consumer)) *scenario.Scenario {
	t.Helper()
	p := scenario.NewParams([]scenario.Param{
		scenario.Standard("buyers", 1), scenario.Standard("stock", 2), scenario.Standard("crashes", 0),
		scenario.Standard("redeliveries", 0), scenario.Standard("losses", 0), scenario.Standard("ticks", 0),
	})
	if sets != "" {
		var err error
		if p, err = p.Set(sets); err != nil {
			t.Fatal(err)
		}
	}
	buyers, units := p.Get("buyers"), p.Get("stock")
	f := saleFlow(units)
	config := shop.Consumer{Stream: f.Keys.Stream, Dead: saleDead, Group: saleGroup}
	s := &scenario.Scenario{
		Lesson: "shop", Variant: "consumer", Params: p,
		World: world.Config{Engine: world.WAL, Begin: sqlgate.Deferred, Redis: true, Schema: shop.Schema(units, true), Scripts: lua.Sources()},
		Setup: func(w *world.World) error {
			ctx := context.Background()
			if err := w.Direct().Set(ctx, f.Keys.Stock, units, 0).Err(); err != nil {
				return err
			}
			return w.Direct().XGroupCreateMkStream(ctx, f.Keys.Stream, saleGroup, "0").Err()
		},
		Actors: func(w *world.World) []scenario.Actor {
			sale := &shop.Sale{Redis: w.Redis}
			var out []scenario.Actor
			for i := range buyers {
				out = append(out, scenario.Actor{Name: trace.Verbatim("buyer"), Node: "n3", Body: func(ctx context.Context) error {
					_, err := sale.Buy(ctx, int64(i+1), store.Voucher, int64(101+i))
					return err
				}})
			}
			for i := range 2 {
				c := config
				c.Redis, c.DB, c.Name = w.Redis, w.DB, fmt.Sprintf("c%d", i+1)
				out = append(out, scenario.Actor{Name: trace.Verbatim("consumer " + c.Name), Node: fmt.Sprintf("n%d", i+1), Daemon: true, Body: c.Run})
			}
			return out
		},
		Time: scenario.Eager, EagerTicks: 2,
		Faults:   scenario.Faults{CrashNodes: []string{"n1"}, Redelivery: shop.Redelivery(buyers, buyers+1)},
		InFlight: f.InFlight, Accepts: shop.Accepted, Lights: f.Lights(),
	}
	if p.Get("ticks") > 0 {
		s.Time = scenario.Lazy
	}
	if change != nil {
		change(s, &config)
	}
	return s
}

// allHold explores a scene in which no light may break.
func allHold(t *testing.T, what string, s *scenario.Scenario) {
	t.Helper()
	res := lessontest.Search(t, s)
	t.Logf("%s: %v interleavings, %d states, %v", what, res.Interleavings, res.States, res.Elapsed)
	for i, l := range res.Lights {
		if l.Broken {
			t.Errorf("%s: %s breaks in %v of %v", what, s.Lights[i].Name, l.Violating, res.Interleavings)
		}
	}
}

// TestConsumerHolds: crashes, redeliveries, lost replies and a consumer that is
// slower than the patience of the other, at any point.
func TestConsumerHolds(t *testing.T) {
	for _, sets := range []string{
		"", "crashes=1", "crashes=1,redeliveries=1", "crashes=1,ticks=1", "redeliveries=2", "losses=1", "crashes=1,buyers=2",
	} {
		allHold(t, sets, saleLab(t, sets, nil))
	}
}

// TestConsumerPoison: an order that cannot be booked is given up after its fourth
// delivery and its unit returned; the other buyer is served. Also when a consumer
// dies on the way.
func TestConsumerPoison(t *testing.T) {
	for _, sets := range []string{"crashes=1", "buyers=2", "redeliveries=1"} {
		if testing.Short() && sets != "crashes=1" {
			continue // thousands of states
		}
		allHold(t, sets, saleLab(t, sets, func(s *scenario.Scenario, _ *shop.Consumer) {
			s.World.Schema.DDL = append(s.World.Schema.DDL, `CREATE TRIGGER refuse BEFORE INSERT ON orders
				WHEN NEW.user_id = 1 BEGIN SELECT RAISE(ABORT, 'refused'); END`)
			s.EagerTicks = 3 // the run-out goes on until it is given up
		}))
	}
}

// TestImpatient: a claim after one second while booking takes five hands the order
// to both consumers. It is booked once, thanks to the index; the work is done twice.
func TestImpatient(t *testing.T) {
	s := saleLab(t, "", func(s *scenario.Scenario, c *shop.Consumer) {
		s.EagerTicks = 30
		c.Patience = time.Second
		c.Deliveries = 100
		c.Book = func(ctx context.Context, db *sql.DB, o shop.Order) error {
			if err := proc.Sleep(ctx, 5*time.Second); err != nil {
				return err
			}
			return shop.Book(ctx, db, o)
		}
	})
	allHold(t, "min-idle 1 s, work 5 s", s)
	r, err := scenario.Open(s)
	noError(t, err)
	defer r.Close()
	r.Record(true)
	f, err := r.Start()
	noError(t, err)
	inserts := 0
	for moves := r.Moves(nil); len(moves) > 0; moves = r.Moves(nil) {
		f, err = r.Play(moves[0], f.State.Lights)
		noError(t, err)
		if f.Event.Op == "INSERT" {
			inserts++
		}
	}
	if inserts < 2 {
		t.Errorf("the order was worked on %d times", inserts)
	}
}
