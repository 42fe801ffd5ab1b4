package redisgate_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim"
	"flashlab/sim/memredis"
	"flashlab/sim/proc"
	"flashlab/sim/redisgate"
	"flashlab/sim/source"
	"flashlab/sim/world"
)

const script = `return redis.call('INCR', KEYS[1])`

// open starts a world with Redis whose errors name lines of these tests.
func open(t *testing.T) *world.World {
	t.Helper()
	w, err := world.Open(world.Config{Redis: true, Scripts: map[string]string{"count": script}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	w.Kernel.FreeTime = true
	w.Kernel.Sources = source.NewResolver("flashlab/sim/redisgate_test")
	w.Kernel.OnDid = w.Observe
	return w
}

// steps runs one actor to its end and lists its operations as they were done.
func steps(t *testing.T, w *world.World, body func(ctx context.Context) error) (names []string, a *sim.Actor) {
	t.Helper()
	if err := w.Reset(); err != nil {
		t.Fatal(err)
	}
	w.Kernel.OnDid = func(a *sim.Actor, op *sim.Op, err error) {
		w.Observe(a, op, err)
		names = append(names, op.Name)
	}
	a, err := w.Kernel.Spawn("actor", "n1", false, body)
	if err != nil {
		t.Fatal(err)
	}
	for a.State() == sim.Parked {
		if err := w.Kernel.Step(a); err != nil {
			t.Fatal(err)
		}
	}
	return names, a
}

// TestSteps: what is one step and what is none.
func TestSteps(t *testing.T) {
	w := open(t)
	rdb := w.Redis
	count := redis.NewScript(script)
	two := func(p redis.Pipeliner) error {
		p.Incr(context.Background(), "a")
		p.Incr(context.Background(), "b")
		return nil
	}
	for _, c := range []struct {
		want string
		body func(ctx context.Context) error
	}{
		// The first command opens a connection: its handshake is no step.
		{"GET", func(ctx context.Context) error { rdb.Get(ctx, "a"); return nil }},
		{"SET SET DEL", func(ctx context.Context) error {
			rdb.Set(ctx, "a", 1, 0)
			rdb.SetNX(ctx, "a", 1, time.Second)
			rdb.Del(ctx, "a")
			return nil
		}},
		{"EVALSHA", func(ctx context.Context) error { return count.Run(ctx, rdb, []string{"n"}).Err() }},
		{"PIPELINE", func(ctx context.Context) error { rdb.Pipelined(ctx, two); return nil }},
		{"MULTI..EXEC", func(ctx context.Context) error { rdb.TxPipelined(ctx, two); return nil }},
		{"WATCH+GET MULTI..EXEC", func(ctx context.Context) error {
			return rdb.Watch(ctx, func(tx *redis.Tx) error {
				tx.Get(ctx, "a")
				tx.TxPipelined(ctx, two)
				return nil
			}, "a")
		}},
		{"WATCH+MULTI..EXEC", func(ctx context.Context) error {
			return rdb.Watch(ctx, func(tx *redis.Tx) error { tx.TxPipelined(ctx, two); return nil }, "a")
		}},
		{"WATCH GET", func(ctx context.Context) error { // what follows is not of the transaction
			rdb.Watch(ctx, func(*redis.Tx) error { return nil }, "a")
			rdb.Get(ctx, "a")
			return nil
		}},
		{"WATCH", func(ctx context.Context) error {
			return rdb.Watch(ctx, func(*redis.Tx) error { return nil }, "a")
		}},
		{"WATCH sleep GET", func(ctx context.Context) error {
			return rdb.Watch(ctx, func(tx *redis.Tx) error {
				proc.Sleep(ctx, 1)
				tx.Get(ctx, "a")
				return nil
			}, "a")
		}},
	} {
		for range 2 { // on a fresh connection and on a used one
			if got, _ := steps(t, w, c.body); strings.Join(got, " ") != c.want {
				t.Errorf("steps %v, want %s", got, c.want)
			}
		}
	}
}

// TestNoActor: a command on another context than the actor's own is a hard error
// that names the line.
func TestNoActor(t *testing.T) {
	for name, stray := range map[string]func(rdb *redis.Client){
		"DEL":        func(rdb *redis.Client) { rdb.Del(context.Background(), "lock") },
		"a pipeline": func(rdb *redis.Client) { rdb.Pipelined(context.Background(), ping) },
	} {
		w := open(t)
		a, err := w.Kernel.Spawn("actor", "n1", false, func(ctx context.Context) error {
			defer func() { stray(w.Redis) }()
			return w.Redis.Get(ctx, "a").Err()
		})
		if err != nil {
			t.Fatal(err)
		}
		err = w.Kernel.Step(a)
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "hook_test.go:") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func ping(p redis.Pipeliner) error {
	p.Ping(context.Background())
	return nil
}

// TestFreeRun: without a kernel and an actor the hook is not there.
func TestFreeRun(t *testing.T) {
	m, err := memredis.Start(proc.Epoch())
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	rdb := memredis.Client(m)
	defer rdb.Close()
	rdb.AddHook(&redisgate.Hook{})
	ctx := t.Context()
	if err := rdb.Set(ctx, "a", 1, 0).Err(); err != nil {
		t.Error(err)
	}
	if _, err := rdb.TxPipelined(ctx, func(p redis.Pipeliner) error { p.Incr(ctx, "a"); return nil }); err != nil {
		t.Error(err)
	}
	err = rdb.Watch(ctx, func(tx *redis.Tx) error {
		if n, err := tx.Get(ctx, "a").Int(); n != 2 {
			t.Errorf("a = %d, %v", n, err)
		}
		return nil
	}, "a")
	if err != nil {
		t.Error(err)
	}
}

// TestWatches: after each step the world knows who watches what.
func TestWatches(t *testing.T) {
	w := open(t)
	for _, again := range []bool{false, true} {
		_, a := steps(t, w, func(ctx context.Context) error {
			err := w.Redis.Watch(ctx, func(tx *redis.Tx) error {
				tx.Get(ctx, "a")
				if again {
					tx.Set(ctx, "a", 5, 0) // not in the transaction: spoils it
				}
				_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error { p.Incr(ctx, "a"); return nil })
				return err
			}, "a")
			return err
		})
		if failed := errors.Is(a.Err, redis.TxFailedErr); failed != again {
			t.Errorf("written in between %v: %v", again, a.Err)
		}
	}
}

// TestRepliesDecideHistory: answers that a caller can tell apart make different
// histories, equal ones the same.
func TestRepliesDecideHistory(t *testing.T) {
	w := open(t)
	get := func(ctx context.Context) { w.Redis.Get(ctx, "a") }
	set := func(v string) func(ctx context.Context) {
		return func(ctx context.Context) { w.Direct().Set(ctx, "a", v, 0) }
	}
	hset := func(kv ...any) func(ctx context.Context) {
		return func(ctx context.Context) { w.Direct().HSet(ctx, "h", kv...) }
	}
	push := func(v ...any) func(ctx context.Context) {
		return func(ctx context.Context) { w.Direct().RPush(ctx, "l", v...) }
	}
	none := func(context.Context) {}
	for _, c := range []struct {
		name   string
		do     func(ctx context.Context)
		states []func(ctx context.Context)
	}{
		{"GET", get, []func(context.Context){none, set(""), set("1"), set("!redis: nil"), set("!redis: nil\x01"), set("redis: nil")}},
		{"MGET", func(ctx context.Context) { w.Redis.MGet(ctx, "a", "b") }, []func(context.Context){none, set(""), set("b")}},
		{"HGETALL", func(ctx context.Context) { w.Redis.HGetAll(ctx, "h") },
			[]func(context.Context){none, hset("a", "b", "c", "d"), hset("a", "b c:d"), hset("a", "b")}},
		{"LRANGE", func(ctx context.Context) { w.Redis.LRange(ctx, "l", 0, -1) },
			[]func(context.Context){none, push("a b"), push("a", "b"), push("", ""), push("")}},
		{"pipeline", func(ctx context.Context) {
			w.Redis.Pipelined(ctx, func(p redis.Pipeliner) error { p.Get(ctx, "a"); p.Get(ctx, "b"); return nil })
		}, []func(context.Context){none, set(""), func(ctx context.Context) { w.Direct().Set(ctx, "b", "", 0) }}},
		{"TTL", func(ctx context.Context) { w.Redis.PTTL(ctx, "a") }, []func(context.Context){none, set("1"),
			func(ctx context.Context) { w.Direct().Set(ctx, "a", 1, time.Second) }}},
	} {
		var seen []sim.HistoryID
		for i, prepare := range c.states {
			for range 2 {
				if err := w.Reset(); err != nil {
					t.Fatal(err)
				}
				prepare(t.Context())
				a, err := w.Kernel.Spawn("actor", "n1", false, func(ctx context.Context) error { c.do(ctx); return nil })
				if err != nil {
					t.Fatal(err)
				}
				if err := w.Kernel.Step(a); err != nil {
					t.Fatal(err)
				}
				switch at := slices.Index(seen, a.History); {
				case at < 0 && len(seen) == i:
					seen = append(seen, a.History)
				case at != i:
					t.Errorf("%s in state %d: the answer is taken for that in state %d", c.name, i, at)
				}
			}
		}
	}
}
