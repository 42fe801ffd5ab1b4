package explore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// timed is a small scene in which time passes or faults strike.
type timed struct {
	name   string
	time   scenario.Time
	params string // "pauses=1,pause=40000"
	faults scenario.Faults
	one    bool // all on one node
	bodies []func(w *world.World, ctx context.Context) error
	setup  func(w *world.World) error
	// daemons is how many of the last bodies are consumers.
	daemons  int
	inFlight func(v *scenario.View) (int, error)
}

func (x timed) scenario(t testing.TB) *scenario.Scenario {
	var decl []scenario.Param
	for _, name := range []string{"crashes", "expiries", "pauses", "losses", "ticks"} {
		decl = append(decl, scenario.Standard(name, 0))
	}
	p := scenario.NewParams(append(decl, scenario.Standard("pause", 40_000)))
	if x.params != "" {
		var err error
		if p, err = p.Set(x.params); err != nil {
			t.Fatal(err)
		}
	}
	return &scenario.Scenario{
		Lesson: "test", Variant: "timed", Params: p, Time: x.time, Faults: x.faults,
		World: world.Config{Redis: true, Scripts: lockScripts, Schema: world.Schema{
			DDL:    []string{orders},
			Tables: []world.Table{{Name: "orders", Columns: []string{"buyer"}, Query: "SELECT buyer FROM orders ORDER BY buyer"}},
		}},
		Setup: x.setup,
		Locks: []scenario.Lock{{Key: lockKey, Roles: map[string]scenario.Role{"compare-and-delete": scenario.Release}, LossCancels: true}},
		Actors: func(w *world.World) []scenario.Actor {
			var out []scenario.Actor
			for i, f := range x.bodies {
				node := i + 1
				if x.one {
					node = 1
				}
				out = append(out, scenario.Actor{
					Name: trace.Verbatim(fmt.Sprintf("actor %d", i+1)), Node: fmt.Sprintf("n%d", node), Daemon: i >= len(x.bodies)-x.daemons,
					Body: func(ctx context.Context) error { return f(w, ctx) },
				})
			}
			return out
		},
		InFlight: x.inFlight,
		Lights: []scenario.Light{
			scenario.NoMisdeletion(), scenario.MutualExclusion(), scenario.ThirdParty(), scenario.LockReleased(), scenario.Progress(),
			{Name: "one-order", Check: func(v *scenario.View) (bool, error) {
				rows, err := v.Rows("orders")
				return len(rows) <= 1, err
			}},
		},
	}
}

// The code of these scenes.

type body = func(w *world.World, ctx context.Context) error

// holder works for a while under a lease and releases it if it is still its own.
func holder(lease, work time.Duration) body {
	return func(w *world.World, ctx context.Context) error {
		me := proc.Token(ctx)
		ok, err := w.Redis.SetNX(ctx, lockKey, me, lease).Result()
		if err != nil || !ok {
			return errors.Join(err, errConflict)
		}
		if err := proc.Sleep(ctx, work); err != nil {
			return err
		}
		return redis.NewScript(compareAndDelete).EvalSha(ctx, w.Redis, []string{lockKey}, me).Err()
	}
}

// patient tries again until it gets the lock, and deletes it without a look.
func patient(wait time.Duration) body {
	return func(w *world.World, ctx context.Context) error {
		for {
			ok, err := w.Redis.SetNX(ctx, lockKey, "me", 10*time.Second).Result()
			if err != nil {
				return err
			}
			if ok {
				return w.Redis.Del(ctx, lockKey).Err()
			}
			if err := proc.Sleep(ctx, wait); err != nil {
				return err
			}
		}
	}
}

// renewed holds a lease that a task extends while the work goes on.
func renewed(work time.Duration) body {
	return func(w *world.World, ctx context.Context) error {
		ok, err := w.Redis.SetNX(ctx, lockKey, "me", 30*time.Second).Result()
		if err != nil || !ok {
			return errors.Join(err, errConflict)
		}
		stop, cancel := proc.WithCancel(ctx)
		proc.Go(stop, proc.WatchdogName, func(ctx context.Context) {
			for proc.Sleep(ctx, 10*time.Second) == nil {
				if w.Redis.PExpire(ctx, lockKey, 30*time.Second).Err() != nil {
					return
				}
			}
		})
		err = proc.Sleep(ctx, work)
		cancel()
		return errors.Join(err, w.Redis.Del(ctx, lockKey).Err())
	}
}

// hasty gives up after some time and books only if it has not.
func hasty(limit, work time.Duration) body {
	return func(w *world.World, ctx context.Context) error {
		ctx, cancel := proc.WithTimeout(ctx, limit)
		defer cancel()
		if err := proc.Sleep(ctx, work); err != nil {
			return err
		}
		_, err := w.DB.ExecContext(ctx, "INSERT INTO orders (buyer) VALUES (1)")
		return err
	}
}

// sender puts an order into the stream, reader takes orders out and books them.
func sender(w *world.World, ctx context.Context) error {
	return w.Redis.XAdd(ctx, &redis.XAddArgs{Stream: orderStream, Values: []any{"buyer", 1}}).Err()
}

func reader(name string) body {
	return func(w *world.World, ctx context.Context) error {
		for {
			got, err := w.Redis.XReadGroup(ctx, &redis.XReadGroupArgs{
				Group: orderGroup, Consumer: name, Streams: []string{orderStream, ">"}, Count: 1, Block: 30 * time.Second,
			}).Result()
			if errors.Is(err, redis.Nil) {
				continue
			}
			if err != nil {
				return err
			}
			if _, err := w.DB.ExecContext(ctx, "INSERT INTO orders (buyer) VALUES (1)"); err != nil {
				return err
			}
			if err := w.Redis.XAck(ctx, orderStream, orderGroup, got[0].Messages[0].ID).Err(); err != nil {
				return err
			}
		}
	}
}

// watcher watches a key that it does not read.
func watcher(w *world.World, ctx context.Context) error {
	err := w.Redis.Watch(ctx, func(tx *redis.Tx) error {
		tx.Get(ctx, "another")
		_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error { p.Incr(ctx, "n"); return nil })
		return err
	}, lockKey)
	if err == nil {
		return bystander(w, ctx)
	}
	return err
}

func bystander(w *world.World, ctx context.Context) error {
	w.Redis.Get(ctx, "n")
	return w.Redis.Get(ctx, "n").Err()
}

func withLease(w *world.World) error {
	return w.Direct().Set(context.Background(), lockKey, 1, time.Second).Err()
}

func withGroup(w *world.World) error {
	return w.Direct().XGroupCreateMkStream(context.Background(), orderStream, orderGroup, "0").Err()
}

func entriesLeft(v *scenario.View) (int, error) {
	left, err := v.World().InFlight(orderStream, orderGroup)
	return len(left), err
}

// TestTimedScenes compares the graph with plain enumeration where virtual time,
// leases and faults are at work.
func TestTimedScenes(t *testing.T) {
	const second = time.Second
	n1 := scenario.Faults{CrashNodes: []string{"n1"}, PauseNodes: []string{"n1"}}
	queue := &proc.Queue[int]{}
	put := func(w *world.World, ctx context.Context) error { return queue.Put(ctx, 1) }
	take := func(w *world.World, ctx context.Context) error {
		_, err := queue.Take(ctx)
		return err
	}
	for _, x := range []timed{
		{name: "lease, free", params: "expiries=2", bodies: []body{holder(30*second, second), holder(30*second, second)}},
		{name: "lease, free, crash", params: "expiries=1,crashes=1", bodies: []body{holder(30*second, second), holder(30*second, second)}},
		{name: "only of the dead", params: "expiries=1,crashes=1", faults: scenario.Faults{ExpireOnlyDead: true}, bodies: []body{holder(30*second, second), holder(30*second, second)}},
		{name: "lease, eager", time: scenario.Eager, bodies: []body{holder(5*second, 8*second), patient(2 * second)}},
		{name: "lease, eager, crash", time: scenario.Eager, params: "crashes=1", faults: n1, bodies: []body{holder(5*second, 2*second), patient(4 * second)}},
		{name: "lease, lazy", time: scenario.Lazy, params: "ticks=2", bodies: []body{holder(5*second, 2*second), holder(5*second, 2*second)}},
		{name: "patience, lazy", time: scenario.Lazy, params: "ticks=3", bodies: []body{holder(5*second, 2*second), patient(4 * second)}},
		{name: "pause, eager", time: scenario.Eager, params: "pauses=1,pause=7000", faults: n1, bodies: []body{holder(5*second, 2*second), patient(3 * second)}},
		{name: "lost reply", params: "losses=1", bodies: []body{holder(5*second, 2*second), holder(5*second, 2*second)}},
		{name: "watchdog, eager", time: scenario.Eager, bodies: []body{renewed(45 * second), holder(5*second, second)}},
		{name: "watchdog, pause", time: scenario.Eager, params: "pauses=1,pause=35000", faults: n1, bodies: []body{renewed(15 * second), patient(20 * second)}},
		{name: "watchdog, crash, lazy", time: scenario.Lazy, params: "crashes=1,ticks=2", faults: n1, bodies: []body{renewed(15 * second), holder(5*second, second)}},
		{name: "timeout, eager", time: scenario.Eager, bodies: []body{hasty(5*second, 8*second), hasty(5*second, 3*second)}},
		{name: "timeout, lazy", time: scenario.Lazy, params: "ticks=2", bodies: []body{hasty(5*second, 3*second), hasty(5*second, 3*second)}},
		{name: "stream, eager", time: scenario.Eager, setup: withGroup, bodies: []body{sender, sender, reader("c1")}, daemons: 1, inFlight: entriesLeft},
		{name: "stream, crash", time: scenario.Eager, params: "crashes=1", setup: withGroup, bodies: []body{sender, reader("c1"), reader("c2")}, daemons: 2, inFlight: entriesLeft,
			faults: scenario.Faults{CrashNodes: []string{"n2"}}},
		{name: "watched key expires", time: scenario.Lazy, params: "ticks=1", setup: withLease, bodies: []body{watcher, bystander}},
		{name: "queue", one: true, bodies: []body{put, take, put, take}},
		{name: "queue on another node", bodies: []body{put, take}},
		{name: "queue, crash", one: true, params: "crashes=1", bodies: []body{put, take, take}},
	} {
		t.Run(x.name, func(t *testing.T) {
			sc := x.scenario(t)
			r := mustAgree(t, openScenario(t, sc), len(sc.Lights), 5000)
			t.Logf("%v interleavings, %d states", r.Interleavings, r.States)
		})
	}
}
