package showdown

import (
	"context"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"

	"flashlab/lessons/shop"
	"flashlab/lua"
	"flashlab/sim/live"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/storm"
	"flashlab/sim/trace"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

// Path is a way to sell.
type Path string

// The three ways.
const (
	Synchronous Path = "synchronous" // lock and transaction per request
	Optimistic  Path = "optimistic"  // guarded update in a transaction
	Script      Path = "script"      // script, stream and consumers
)

// Paths are all of them, the slowest by reputation first.
func Paths() []Path { return []Path{Synchronous, Optimistic, Script} }

// Setting is one sale to be measured.
type Setting struct {
	Path        Path
	Limited     bool // a limiter stands in front
	Requests    int
	Concurrency int
	Stock       int
	perVoucher  bool // one lock for all, which everybody waits for
	perUser     bool // a lock for each user, with the same code
}

// consumers is how many book in the background.
const consumers = 3

// users is how many different people the requests are of: one in ten clicks twice.
func (s Setting) users() int { return max(1, s.Requests-s.Requests/10) }

// Permits is how many calls the limiter lets pass in a second: a quarter of them all.
func (s Setting) Permits() int {
	if !s.Limited {
		return 0
	}
	return max(1, s.Requests/4)
}

// Cell is what was measured. Times of answers are in us.
type Cell struct {
	Setting
	Rate     float64 // answers a second
	P50, P99 int64
	Elapsed  time.Duration // from the first request to the last answer
	Sold     int64         // requests that got a unit
	Orders   int64         // in the database in the end
	Refused  map[string]int64
	// Drain is how long consumers went on booking after the last answer.
	Drain   time.Duration
	Verdict scenario.Verdict
	Lights  []scenario.FreeVerdict
	Lost    *live.Trouble
}

// Settled is how many requests a second were not only answered but also finished.
func (c Cell) Settled() float64 {
	all := (c.Elapsed + c.Drain).Seconds()
	if all <= 0 {
		return 0
	}
	return float64(c.Requests) / all
}

// Holds reports whether the run counts: every promise was kept.
func (c Cell) Holds() bool { return c.Verdict == scenario.Holds }

// Broken names the promises that the run broke.
func (c Cell) Broken() []string {
	out := []string{}
	for _, l := range c.Lights {
		if l.Verdict == scenario.Breaks {
			out = append(out, l.Light)
		}
	}
	return out
}

// Find is the cell of a path at one place; nil: it was not measured.
func Find(cells []Cell, path Path, limited bool, concurrency, stock int) *Cell {
	for i := range cells {
		if c := &cells[i]; c.Path == path && c.Limited == limited && c.Concurrency == concurrency && c.Stock == stock {
			return c
		}
	}
	return nil
}

// sale is a setting at work.
type sale struct {
	Setting
	answered, booked atomic.Int64 // ns since 1970, of the last one
}

// Measure runs one sale; server nil: on the embedded Redis.
func Measure(ctx context.Context, server *live.Target, s Setting, limit time.Duration) (Cell, error) {
	x := &sale{Setting: s}
	r, err := storm.Run(ctx, x.scenario(), storm.Options{
		Requests: s.Requests, Concurrency: s.Concurrency, Limit: limit, Drain: limit, Seed: 1, Server: server,
	})
	if err != nil {
		return Cell{}, fmt.Errorf("measuring the %s path: %w", s.Path, err)
	}
	c := Cell{
		Setting: s, Rate: r.Rate(), P50: r.Latency.P50, P99: r.Latency.P99, Elapsed: r.Elapsed,
		Sold: r.OK, Orders: r.Figures["orders"], Refused: r.Refused,
		Verdict: r.Verdict, Lights: r.Lights, Lost: r.Lost,
	}
	if s.Path == Script {
		c.Drain = max(0, time.Duration(x.booked.Load()-x.answered.Load()))
	}
	return c, nil
}

// scenario is the sale as a storm runs it.
func (x *sale) scenario() *scenario.Scenario {
	keys := lua.KeysOf(store.Voucher)
	cfg := world.Config{
		Engine: world.WAL, Begin: sqlgate.Immediate, Redis: true,
		Schema: shop.Schema(x.Stock, true), Scripts: lua.Sources(),
	}
	if x.Path == Optimistic {
		cfg.Begin = sqlgate.Deferred // it begins with a write
	}
	s := &scenario.Scenario{
		Lesson: "showdown", Variant: string(x.Path), World: cfg, Lease: patience,
		Params: scenario.NewParams([]scenario.Param{scenario.Standard("stock", x.Stock)}),
		Lights: shop.DatabaseLights(x.Stock),
	}
	if x.Path == Script {
		flow := shop.Flow{Initial: x.Stock, Keys: keys, Group: group}
		s.Lights, s.InFlight, s.Accepts = flow.Lights(), flow.InFlight, shop.Accepted
	}
	s.Setup = func(w *world.World) error {
		if x.Path != Script {
			return nil
		}
		ctx := context.Background()
		if err := w.Direct().Set(ctx, keys.Stock, x.Stock, 0).Err(); err != nil {
			return err
		}
		return w.Direct().XGroupCreateMkStream(ctx, keys.Stream, group, "0").Err()
	}
	s.Actors = func(w *world.World) []scenario.Actor {
		return x.actors(&Shop{
			Redis: w.Redis, DB: w.DB, Keys: keys, Voucher: store.Voucher, Permits: x.Permits(),
			Locks: &shop.Locks{Redis: w.Redis, ID: "n1"},
		})
	}
	return s
}

func (x *sale) actors(code *Shop) []scenario.Actor {
	var out []scenario.Actor
	for i := range x.Requests {
		user, order := int64(i%x.users()+1), int64(1001+i)
		out = append(out, scenario.Actor{
			Name: trace.Say("actor.user", "user {n}", "n", user), Node: "n1", User: strconv.FormatInt(user, 10),
			Body: func(ctx context.Context) error {
				err := x.buy(ctx, code, user, order)
				x.answered.Store(time.Now().UnixNano())
				return err
			},
		})
	}
	if x.Path != Script {
		return out
	}
	for i := range consumers {
		name := fmt.Sprintf("c%d", i+1)
		out = append(out, scenario.Actor{
			Name: trace.Say("actor.consumer", "consumer {n}", "n", i+1), Node: "n1", Daemon: true,
			Body: func(ctx context.Context) error {
				return code.Consume(ctx, name, func() { x.booked.Store(time.Now().UnixNano()) })
			},
		})
	}
	return out
}

func (x *sale) buy(ctx context.Context, code *Shop, user, order int64) error {
	switch {
	case x.perVoucher:
		return code.patient(ctx, fmt.Sprintf("lock:voucher:%d", code.Voucher), user, order)
	case x.perUser:
		return code.patient(ctx, fmt.Sprintf("lock:order:%d", user), user, order)
	case x.Path == Synchronous:
		return code.Synchronous(ctx, user, order)
	case x.Path == Optimistic:
		return code.Optimistic(ctx, user, order)
	}
	return code.Script(ctx, user, order)
}
