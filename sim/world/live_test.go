package world_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim"
	"flashlab/sim/live"
	"flashlab/sim/live/livetest"
	"flashlab/sim/world"
)

// liveWorld opens a world on a server.
func liveWorld(t *testing.T, s *livetest.Server, scripts map[string]string) *world.World {
	t.Helper()
	target, err := live.Parse(live.Flags{URL: "redis://" + s.Addr()}, os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.Open(world.Config{Redis: true, Live: target, Scripts: scripts})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	w.Kernel.OnDid = w.Observe
	if err := w.Reset(); err != nil {
		t.Fatal(err)
	}
	return w
}

// play runs a body as an actor until it waits or ends.
func play(t *testing.T, w *world.World, body func(ctx context.Context) error) *sim.Actor {
	t.Helper()
	a, err := w.Kernel.Spawn("actor", "n1", false, body)
	for err == nil && a.Alive() && w.Kernel.Enabled(a) {
		err = w.Kernel.Step(a)
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestLivePubSub: however an actor publishes on a server, those that listen hear it
// once and are counted.
func TestLivePubSub(t *testing.T) {
	w := liveWorld(t, livetest.Start(t), nil)
	for name, publish := range publishers {
		if err := w.Reset(); err != nil {
			t.Fatal(err)
		}
		var heard [2]int
		var ears []*sim.Actor
		for i := range heard {
			a, err := w.Kernel.Spawn("ear", "n1", true, func(ctx context.Context) error {
				wait, hangUp, err := w.Topics.Subscribe(ctx, "c")
				if err != nil {
					return err
				}
				defer hangUp()
				for {
					ok, err := wait(ctx, time.Second)
					if err != nil || !ok {
						return err
					}
					heard[i]++
				}
			})
			if err == nil {
				err = w.Kernel.Step(a)
			}
			if err != nil {
				t.Fatal(err)
			}
			ears = append(ears, a)
		}
		var n int64
		a := play(t, w, func(ctx context.Context) (err error) { n, err = publish(ctx, w.Redis); return err })
		if a.Err != nil {
			t.Fatalf("%s: %v", name, a.Err)
		}
		for _, e := range ears {
			for e.Alive() && w.Kernel.Enabled(e) {
				if err := w.Kernel.Step(e); err != nil {
					t.Fatal(err)
				}
			}
		}
		want := int64(2)
		if name == "transaction" {
			want = 3 // it adds one, for an engine that has no listeners
		}
		if heard != [2]int{1, 1} || n != want {
			t.Errorf("%s: heard %v, answer %d, want %d", name, heard, n, want)
		}
	}
}

// TestLiveThinking: real time is no time. Leases and idle times stand still while
// nobody steps, and move exactly as far as virtual time does.
func TestLiveThinking(t *testing.T) {
	w := liveWorld(t, livetest.Start(t), nil)
	ctx := context.Background()
	rdb := w.Direct()
	if err := errors.Join(
		rdb.Set(ctx, "k", 1, 50*time.Millisecond).Err(),
		rdb.XGroupCreateMkStream(ctx, "s", "g", "0").Err(),
		rdb.XAdd(ctx, &redis.XAddArgs{Stream: "s", Values: []string{"a", "b"}}).Err(),
		rdb.XReadGroup(ctx, &redis.XReadGroupArgs{Group: "g", Consumer: "c", Streams: []string{"s", ">"}}).Err(),
	); err != nil {
		t.Fatal(err)
	}
	idle := func() time.Duration {
		p, err := rdb.XPendingExt(ctx, &redis.XPendingExtArgs{Stream: "s", Group: "g", Start: "-", End: "+", Count: 1}).Result()
		if err != nil || len(p) != 1 {
			t.Fatal(p, err)
		}
		list, err := w.InFlight("s", "g")
		if err != nil || len(list) != 1 || list[0].Idle != p[0].Idle || p[0].RetryCount != 1 {
			t.Errorf("in flight %v, %v; pending %v", list, err, p)
		}
		return p[0].Idle
	}
	time.Sleep(1200 * time.Millisecond)
	if d := w.TTL("k"); d != 50*time.Millisecond || rdb.PTTL(ctx, "k").Val() != d || idle() != 0 {
		t.Errorf("left %v, %v, idle %v", d, rdb.PTTL(ctx, "k").Val(), idle())
	}
	w.Advance(49 * time.Millisecond)
	if !w.Exists("k") || w.TTL("k") != time.Millisecond || idle() != 49*time.Millisecond {
		t.Errorf("after 49 ms: %v left, idle %v", w.TTL("k"), idle())
	}
	got, _, err := rdb.XAutoClaim(ctx, &redis.XAutoClaimArgs{Stream: "s", Group: "g", Consumer: "d", MinIdle: 50 * time.Millisecond, Start: "0"}).Result()
	if err != nil || len(got) != 0 {
		t.Errorf("claimed 1 ms too early: %v, %v", got, err)
	}
	w.Advance(50 * time.Millisecond)
	if w.Exists("k") || rdb.Exists(ctx, "k").Val() != 0 {
		t.Error("after 50 ms the key is still there")
	}
	got, _, err = rdb.XAutoClaim(ctx, &redis.XAutoClaimArgs{Stream: "s", Group: "g", Consumer: "d", MinIdle: 50 * time.Millisecond, Start: "0"}).Result()
	if err != nil || len(got) != 1 {
		t.Errorf("not claimed: %v, %v", got, err)
	}
	if list, err := w.InFlight("s", "g"); err != nil || len(list) != 1 || list[0].Idle != 0 || list[0].Consumer != "d" || list[0].Count != 2 {
		t.Errorf("after the claim: %+v, %v", list, err)
	}
}

// TestLiveLost: a server that dies or hangs in mid-run is one sentence within 3 s, and
// so is every later look at it.
func TestLiveLost(t *testing.T) {
	for name, end := range map[string]func(*livetest.Server){"dies": (*livetest.Server).Kill, "hangs": (*livetest.Server).Pause} {
		t.Run(name, func(t *testing.T) {
			s := livetest.Start(t)
			w := liveWorld(t, s, nil)
			a, err := w.Kernel.Spawn("actor", "n1", false, func(ctx context.Context) error {
				w.Redis.Set(ctx, "k", 1, time.Minute)
				w.Redis.Get(ctx, "k")
				return w.Redis.Del(ctx, "k").Err()
			})
			if err == nil {
				err = w.Kernel.Step(a)
			}
			if err != nil || !w.Exists("k") {
				t.Fatal(err)
			}
			end(s)
			began := time.Now()
			for a.Alive() {
				if err := w.Kernel.Step(a); err != nil {
					break
				}
			}
			err = w.Kernel.Err()
			var trouble *live.Trouble
			if !errors.As(err, &trouble) || trouble.Kind != "lost" || !strings.Contains(err.Error(), "lost in mid-run") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v", err)
			}
			w.Keys()
			w.Advance(time.Hour)
			w.Exists("k")
			w.Close()
			if took := time.Since(began); took > 3*time.Second {
				t.Errorf("it took %v", took)
			}
			t.Log(err)
		})
	}
}

// TestLiveOOM: a server that takes no more writes ends the run, for no code is to
// blame.
func TestLiveOOM(t *testing.T) {
	s := livetest.Start(t)
	w := liveWorld(t, s, nil)
	if err := s.Client(t).ConfigSet(t.Context(), "maxmemory", "1").Err(); err != nil {
		t.Fatal(err)
	}
	a, err := w.Kernel.Spawn("actor", "n1", false, func(ctx context.Context) error { return w.Redis.Set(ctx, "k", 1, 0).Err() })
	if err == nil {
		err = w.Kernel.Step(a)
	}
	var trouble *live.Trouble
	if err = errors.Join(err, w.Kernel.Err()); !errors.As(err, &trouble) || trouble.Kind != "memory" {
		t.Errorf("%v", err)
	}
}
