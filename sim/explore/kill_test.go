package explore_test

import (
	"context"
	"database/sql"
	"fmt"
	"math/big"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"flashlab/sim"
	"flashlab/sim/explore"
	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/world"
)

// engines is what the engines hold, as one text.
func engines(t *testing.T, w *world.World) string {
	t.Helper()
	var b strings.Builder
	for _, k := range w.Keys() {
		fmt.Fprintf(&b, "%s=%s ttl %v\n", k.Name, k.Value, k.TTL)
	}
	tables, err := w.Tables()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range tables {
		fmt.Fprintf(&b, "%s %v\n", x.Name, x.Rows)
	}
	return b.String()
}

// tidy ends all actors and checks that everything has been given back.
func tidy(t *testing.T, r *scenario.Run, when string) {
	t.Helper()
	if err := r.W.Reset(); err != nil {
		t.Fatalf("%s: %v", when, err)
	}
	if s := r.W.DB.Stats(); s.InUse != 0 {
		t.Fatalf("%s: %d connections of the database are in use", when, s.InUse)
	}
	if w := r.W.Store.Writer(); w != nil {
		t.Fatalf("%s: %s holds the write lock", when, w.Letter())
	}
	if r.W.Redis != nil {
		if s := r.W.Redis.PoolStats(); s.TotalConns != s.IdleConns {
			t.Fatalf("%s: %d of %d connections to Redis are in use", when, s.TotalConns-s.IdleConns, s.TotalConns)
		}
	}
}

// killScenes have something to lose at every gate: transactions, watches, locks,
// mutexes, deferred releases, code that will not die.
var killScenes = []sale{
	{name: "set", buy: redisSet, redis: true},
	{name: "cas", buy: redisCAS, redis: true},
	{name: "lock", buy: locked, redis: true},
	{name: "guarded", buy: txGuarded, engine: world.WAL},
	{name: "read and write", buy: txReadWrite, engine: world.WAL},
	{name: "deferred", buy: txReadWrite, engine: world.WAL, begin: sqlgate.Deferred},
	{name: "snapshot", buy: txSnapshot, engine: world.WAL},
	{name: "mutex", buy: func(s *shop, ctx context.Context, buyer int) error { return s.mutexed(ctx, buyer, 0) },
		mutexes: func(int) []*proc.Mutex { return []*proc.Mutex{{}} }},
	{name: "recovers", buy: recovers, redis: true},
	{name: "deferred query", buy: deferredQuery, engine: world.WAL},
	{name: "task", buy: withTask, redis: true},
}

// recovers takes a lock and will not be stopped by a panic.
func recovers(s *shop, ctx context.Context, buyer int) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.rdb.Set(ctx, "last words", buyer, 0)
			s.order(ctx, buyer)
			err = nil
		}
	}()
	return locked(s, ctx, buyer)
}

// deferredQuery has a cursor and a transaction to close.
func deferredQuery(s *shop, ctx context.Context, buyer int) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT stock FROM voucher`)
		if err != nil {
			return err
		}
		defer func() { rows.Close() }()
		defer func() { book(ctx, tx, buyer) }()
		return take(ctx, tx)
	})
}

// withTask leaves a task behind.
func withTask(s *shop, ctx context.Context, buyer int) error {
	proc.Go(ctx, "task", func(ctx context.Context) {
		defer func() { s.rdb.Decr(ctx, "tasks") }()
		s.rdb.Incr(ctx, "tasks")
		s.more(ctx, 1)
	})
	return redisSet(s, ctx, buyer)
}

// TestKillAtEveryGate kills every actor at every gate of some schedules: nothing
// of it reaches an engine, the others can be run to their end, and nothing leaks.
func TestKillAtEveryGate(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, x := range killScenes {
		x.buyers, x.stock = 2, 1
		r, err := scenario.Open(x.scenario(t))
		if err != nil {
			t.Fatal(err)
		}
		kills := 0
		res, err := explore.Run(t.Context(), r, saleLights, explore.Limits{}, nil)
		if err != nil {
			t.Fatalf("%s: %v", x, err)
		}
		n := res.Interleavings.Int64()
		tidy(t, r, x.String())
		time.Sleep(10 * time.Millisecond)
		goroutines := runtime.NumGoroutine()
		for i := int64(1); i <= n; i += max(1, n/12) {
			moves, err := res.Unrank(big.NewInt(i))
			if err != nil {
				t.Fatal(err)
			}
			for at := range moves {
				for victim := 0; ; victim++ {
					when := fmt.Sprintf("%s, %c killed after %q", x, 'A'+victim, spell(moves[:at]))
					more := kill(t, r, moves[:at], victim, when)
					tidy(t, r, when)
					kills++
					if !more {
						break
					}
				}
			}
		}
		// database/sql ends a goroutine of its own a little after each transaction.
		for wait := 0; runtime.NumGoroutine() > goroutines && wait < 200; wait++ {
			time.Sleep(10 * time.Millisecond)
		}
		if now := runtime.NumGoroutine(); now > goroutines {
			t.Errorf("%s: %d goroutines before, %d after %d kills", x, goroutines, now, kills)
		}
		t.Logf("%s: %d kills", x, kills)
		if err := r.Close(); err != nil {
			t.Errorf("%s: closing: %v", x, err)
		}
	}
}

// kill replays a prefix and kills one actor; it reports whether there are more.
func kill(t *testing.T, r *scenario.Run, prefix []sim.Move, victim int, when string) (more bool) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", when, err)
		}
	}
	must(r.Reset())
	for _, m := range prefix {
		must(r.Do(m))
	}
	k := r.W.Kernel
	a := k.Actors[victim]
	if !a.Alive() {
		return victim+1 < len(k.Actors)
	}
	before := engines(t, r.W)
	must(k.Kill(a))
	if a.State() != sim.Dead {
		t.Fatalf("%s: it is %v", when, a.State())
	}
	if after := engines(t, r.W); after != before {
		t.Fatalf("%s: something of it reached an engine.\nBefore:\n%sAfter:\n%s", when, before, after)
	}
	for !k.Finished() { // whoever is left can finish: no lock of the database is in its way
		moves := r.Moves(nil)
		if len(moves) == 0 {
			t.Fatalf("%s: the others cannot go on: %s", when, waiting(k))
		}
		must(r.Do(moves[0]))
	}
	must(k.Err())
	return victim+1 < len(k.Actors)
}

func waiting(k *sim.Kernel) string {
	var b strings.Builder
	for _, a := range k.Actors {
		if why, ok := a.Why(); ok {
			fmt.Fprintf(&b, "%s waits for %s %s held by %s; ", a.Letter(), why.Kind, why.Name, why.By)
		}
	}
	return b.String()
}

// TestKillStubborn: code that tries for ever, whatever the error, on each gate.
func TestKillStubborn(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for name, try := range map[string]func(s *shop, ctx context.Context) error{
		"redis":      func(s *shop, ctx context.Context) error { return s.rdb.Incr(ctx, "n").Err() },
		"pipeline":   func(s *shop, ctx context.Context) error { _, err := s.rdb.Pipelined(ctx, twice); return err },
		"watch":      func(s *shop, ctx context.Context) error { return redisCAS(s, ctx, 1) },
		"exec":       func(s *shop, ctx context.Context) error { return s.order(ctx, 1) },
		"query":      func(s *shop, ctx context.Context) error { _, err := stock(ctx, s.db); return err },
		"begin":      func(s *shop, ctx context.Context) error { return txGuarded(s, ctx, 1) },
		"sleep":      func(s *shop, ctx context.Context) error { return proc.Sleep(ctx, time.Second) },
		"mutex":      func(s *shop, ctx context.Context) error { s.mutexes[0].Lock(ctx); return sim.ErrKilled },
		"with sleep": func(s *shop, ctx context.Context) error { stock(ctx, s.db); return proc.Sleep(ctx, time.Second) },
	} {
		t.Run(name, func(t *testing.T) {
			x := sale{name: name, buyers: 1, stock: 1, engine: world.WAL, redis: true,
				mutexes: func(int) []*proc.Mutex { return []*proc.Mutex{{}} }}
			x.buy = func(s *shop, ctx context.Context, buyer int) error {
				defer func() { s.rdb.Set(ctx, "last words", 1, 0) }()
				for {
					func() {
						defer func() { recover() }()
						if try(s, ctx) == nil {
							panic("again")
						}
					}()
				}
			}
			r := x.open(t)
			for range 3 {
				if err := r.Reset(); err != nil {
					t.Fatal(err)
				}
				a := r.W.Kernel.Actors[0]
				before := engines(t, r.W)
				if err := r.W.Kernel.Kill(a); err != nil {
					t.Fatal(err)
				}
				if a.State() != sim.Dead || engines(t, r.W) != before {
					t.Fatalf("state %d, engines:\n%s", a.State(), engines(t, r.W))
				}
			}
		})
	}
}

func twice(p redis.Pipeliner) error {
	p.Incr(context.Background(), "n")
	p.Incr(context.Background(), "n")
	return nil
}
