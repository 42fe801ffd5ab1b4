package lua

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

var (
	ownerA = Owner{"8743c9c0-0795-4907-87fd-6c719a6b4586", 61}
	ownerB = Owner{"8743c9c0-0795-4907-87fd-6c719a6b4586", 62} // same client, another thread
	ownerC = Owner{"1c9c0874-9507-4749-87fd-6b45866c719a", 61} // same thread number, another client
)

func acquire(t *testing.T, e *engine, o Owner, lease time.Duration) Acquisition {
	t.Helper()
	return must[Acquisition](t)(AcquireReentrant(ctx, e, lock, o, lease))
}

func release(t *testing.T, e *engine, o Owner, want Outcome) {
	t.Helper()
	if got, err := ReleaseReentrant(ctx, e, lock, o, time.Minute); got != want || err != nil {
		t.Errorf("release by %v: %v, %v; want %v", o, got, err, want)
	}
}

func TestReentrantDepthThree(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e *engine) {
		for depth := 1; depth <= 3; depth++ {
			if a := acquire(t, e, ownerA, time.Minute); !a.Granted || a.Wait != 0 {
				t.Fatalf("hold %d: %+v", depth, a)
			}
		}
		h := must[map[string]string](t)(e.HGetAll(ctx, lock).Result())
		if len(h) != 1 || h[ownerA.String()] != "3" {
			t.Errorf("the hash is %v", h)
		}
		for _, o := range []Owner{ownerB, ownerC} {
			if a := acquire(t, e, o, time.Minute); a.Granted || a.Wait <= 0 || a.Wait > time.Minute {
				t.Errorf("%v: %+v", o, a)
			}
			release(t, e, o, Foreign)
		}
		release(t, e, ownerA, StillHeld)
		release(t, e, ownerA, StillHeld)
		if a := acquire(t, e, ownerB, time.Minute); a.Granted {
			t.Error("granted while one hold is left")
		}
		release(t, e, ownerA, Done)
		release(t, e, ownerA, Expired)
		if a := acquire(t, e, ownerC, time.Minute); !a.Granted {
			t.Errorf("a free lock: %+v", a)
		}
	})
}

func TestReentrantLease(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e *engine) {
		pttl := func() time.Duration {
			t.Helper()
			return must[time.Duration](t)(e.PTTL(ctx, lock).Result())
		}
		acquire(t, e, ownerA, time.Hour)
		// A nested hold sets the lease of all: here it truncates the outer one.
		acquire(t, e, ownerA, time.Second)
		if d := pttl(); d <= 0 || d > time.Second {
			t.Errorf("after a nested hold: %v", d)
		}
		release(t, e, ownerA, StillHeld) // sets it anew
		if d := pttl(); d <= time.Second || d > time.Minute {
			t.Errorf("after a partial release: %v", d)
		}

		renew := func(o Owner, lease time.Duration, want Outcome) {
			t.Helper()
			if got, err := RenewReentrant(ctx, e, lock, o, lease); got != want || err != nil {
				t.Errorf("renewal by %v: %v, %v; want %v", o, got, err, want)
			}
		}
		renew(ownerB, time.Hour, Foreign)
		renew(ownerA, 500*time.Millisecond, Done)
		if d := pttl(); d <= 0 || d > 500*time.Millisecond {
			t.Errorf("after a renewal: %v", d)
		}
		renew(ownerA, tick, Done)
		e.pass(tick)
		renew(ownerA, time.Hour, Expired)
		release(t, e, ownerA, Expired)
		if a := acquire(t, e, ownerB, time.Hour); !a.Granted {
			t.Errorf("after the lease: %+v", a)
		}
		// The late one must do no harm.
		renew(ownerA, time.Hour, Foreign)
		release(t, e, ownerA, Foreign)
		release(t, e, ownerB, Done)

		// A lock without a lease, as a fault may leave it.
		e.HSet(ctx, lock, ownerB.String(), 1)
		if a := acquire(t, e, ownerA, time.Hour); a.Granted || a.Wait != NoLease {
			t.Errorf("a lock without a lease: %+v", a)
		}
	})
}

// The last release says "0" on the lock's channel, and only the last.
func TestReleaseIsPublished(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e *engine) {
		messages := e.subscribe(t, Channel(lock))
		acquire(t, e, ownerA, time.Minute)
		acquire(t, e, ownerA, time.Minute)
		release(t, e, ownerA, StillHeld)
		release(t, e, ownerB, Foreign)
		acquire(t, e, ownerB, time.Minute)
		release(t, e, ownerA, Done)
		release(t, e, ownerA, Expired)
		e.Publish(ctx, Channel(lock), "end")

		for _, want := range []string{"0", "end"} {
			var m *redis.Message
			select {
			case m = <-messages:
			case <-time.After(10 * time.Second):
				t.Fatalf("no message; want %q", want)
			}
			if m.Channel != "redisson_lock__channel:{lock:order:7}" || m.Payload != want {
				t.Errorf("received %q on %q, want %q", m.Payload, m.Channel, want)
			}
		}
	})
}

func TestChannel(t *testing.T) {
	for name, want := range map[string]string{
		"lock:order:7":   "redisson_lock__channel:{lock:order:7}",
		"lock:{order}:7": "redisson_lock__channel:lock:{order}:7",
	} {
		if got := Channel(name); got != want {
			t.Errorf("Channel(%q) = %q, want %q", name, got, want)
		}
	}
}

// The commands by which Redisson takes, renews and gives back a lock, issued one by
// one: each side respects what the other has written.
func TestAlongsideRedisson(t *testing.T) {
	const theirs = "b9b0b8c0-4b7a-4f0e-9d57-3f1b9a1f6d11:1"
	onEveryEngine(t, func(t *testing.T, e *engine) {
		// Redisson holds it twice.
		e.HIncrBy(ctx, lock, theirs, 1)
		e.HIncrBy(ctx, lock, theirs, 1)
		e.PExpire(ctx, lock, 30*time.Second)
		if a := acquire(t, e, ownerA, time.Minute); a.Granted || a.Wait <= 0 || a.Wait > 30*time.Second {
			t.Errorf("against Redisson: %+v", a)
		}
		release(t, e, ownerA, Foreign)
		e.Del(ctx, lock)

		// We hold it; Redisson looks at EXISTS and HEXISTS, then at PTTL.
		acquire(t, e, ownerA, time.Minute)
		cmds, err := e.Pipelined(ctx, func(p redis.Pipeliner) error {
			p.Exists(ctx, lock)
			p.HExists(ctx, lock, theirs)
			p.PTTL(ctx, lock)
			return nil
		})
		if err != nil || cmds[0].(*redis.IntCmd).Val() != 1 || cmds[1].(*redis.BoolCmd).Val() || cmds[2].(*redis.DurationCmd).Val() <= 0 {
			t.Errorf("Redisson would see %v, %v", cmds, err)
		}
	})
}
