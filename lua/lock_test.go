package lua

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

const lock = "lock:order:7"

func TestUnlock(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e *engine) {
		outcome := func(token string, want Outcome) {
			t.Helper()
			if got, err := Unlock(ctx, e, lock, token); got != want || err != nil {
				t.Errorf("Unlock by %s: %v, %v; want %v", token, got, err, want)
			}
		}
		outcome("A", Expired) // never taken

		must[bool](t)(e.SetNX(ctx, lock, "A", time.Minute).Result())
		outcome("B", Foreign)
		outcome("a", Foreign) // case counts
		if v := must[string](t)(e.Get(ctx, lock).Result()); v != "A" {
			t.Errorf("after the release by others: %q", v)
		}
		outcome("A", Done)
		if n := must[int64](t)(e.Exists(ctx, lock).Result()); n != 0 {
			t.Error("the lock is still there")
		}
		outcome("A", Expired) // a second time

		// A's lease runs out, then B takes the lock: A must not touch it.
		e.Set(ctx, lock, "A", tick)
		e.pass(tick)
		outcome("A", Expired)
		e.Set(ctx, lock, "B", time.Minute)
		outcome("A", Foreign)
		outcome("B", Done)
	})
}

func TestRenew(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e *engine) {
		outcome := func(token string, lease time.Duration, want Outcome) {
			t.Helper()
			if got, err := Renew(ctx, e, lock, token, lease); got != want || err != nil {
				t.Errorf("Renew by %s: %v, %v; want %v", token, got, err, want)
			}
		}
		outcome("A", time.Minute, Expired)
		if n := must[int64](t)(e.Exists(ctx, lock).Result()); n != 0 {
			t.Error("renewing what is gone has made a lock")
		}
		e.Set(ctx, lock, "A", tick)
		outcome("B", time.Minute, Foreign)
		// Half a second stays half a second: EXPIRE would make it 0 and delete the lock.
		outcome("A", 500*time.Millisecond, Done)
		if d := must[time.Duration](t)(e.PTTL(ctx, lock).Result()); d <= tick || d > 500*time.Millisecond {
			t.Errorf("the lease is %v", d)
		}
		outcome("A", time.Hour+1500*time.Millisecond, Done)
		if d := must[time.Duration](t)(e.PTTL(ctx, lock).Result()); d < time.Hour || d > time.Hour+1500*time.Millisecond {
			t.Errorf("the lease is %v", d)
		}
		outcome("A", tick, Done) // shorter is possible as well
		e.pass(tick)
		outcome("A", time.Minute, Expired)
	})
}

func TestLeaseBelowAMillisecond(t *testing.T) {
	owner := Owner{"c", 1}
	for _, lease := range []time.Duration{0, -time.Second, 999 * time.Microsecond} {
		_, err1 := Renew(ctx, nil, lock, "A", lease)
		_, err2 := AcquireReentrant(ctx, nil, lock, owner, lease)
		_, err3 := ReleaseReentrant(ctx, nil, lock, owner, lease)
		_, err4 := RenewReentrant(ctx, nil, lock, owner, lease)
		for i, err := range []error{err1, err2, err3, err4} {
			if !errors.Is(err, ErrLease) {
				t.Errorf("lease %v, call %d: %v", lease, i, err)
			}
		}
	}
}

// What a script gets wrong is refused before anything is written, whoever sends it.
func TestArgumentsOfLocks(t *testing.T) {
	calls := []struct {
		name string
		keys []string
		args []any
	}{
		{"unlock", []string{lock}, nil},
		{"unlock", []string{lock}, []any{""}},
		{"unlock", nil, []any{"A"}},
		{"unlock", []string{lock, "other"}, []any{"A"}},
		{"renew", []string{lock}, []any{"A"}},
		{"renew", []string{lock}, []any{"A", 0}},
		{"renew", []string{lock}, []any{"A", -5}},
		{"renew", []string{lock}, []any{"A", "soon"}},
		{"renew", []string{lock}, []any{"", 1000}},
		{"reentrant_acquire", []string{lock}, []any{1000}},
		{"reentrant_acquire", []string{lock}, []any{0, "c:1"}},
		{"reentrant_acquire", []string{lock}, []any{1000, ""}},
		{"reentrant_release", []string{lock}, []any{1000, "c:1"}},
		{"reentrant_release", []string{lock, "ch"}, []any{1000}},
		{"reentrant_renew", []string{lock}, []any{"c:1"}},
	}
	onEveryEngine(t, func(t *testing.T, e *engine) {
		for _, c := range calls {
			err := script(c.name).Run(ctx, e, c.keys, c.args...).Err()
			if err == nil || !strings.HasPrefix(err.Error(), "BADARGS ") {
				t.Errorf("%s %v %v: %v", c.name, c.keys, c.args, err)
			}
		}
		if n := must[int64](t)(e.DBSize(ctx).Result()); n != 0 {
			t.Errorf("%d keys were made", n)
		}
	})
}

// A key of another type is an error, not one of the outcomes, and stays as it is.
func TestLocksOfAnotherType(t *testing.T) {
	owner := Owner{"c", 1}
	onEveryEngine(t, func(t *testing.T, e *engine) {
		e.RPush(ctx, "list", "A")
		e.Set(ctx, "text", "A", 0)
		_, err1 := Unlock(ctx, e, "list", "A")
		_, err2 := Renew(ctx, e, "list", "A", time.Second)
		_, err3 := AcquireReentrant(ctx, e, "text", owner, time.Second)
		_, err4 := ReleaseReentrant(ctx, e, "text", owner, time.Second)
		_, err5 := RenewReentrant(ctx, e, "text", owner, time.Second)
		for i, err := range []error{err1, err2, err3, err4, err5} {
			if err == nil || !strings.Contains(err.Error(), "WRONGTYPE") {
				t.Errorf("call %d: %v", i+1, err)
			}
		}
		if v := must[string](t)(e.Get(ctx, "text").Result()); v != "A" {
			t.Errorf("text: %q", v)
		}
		if n := must[int64](t)(e.LLen(ctx, "list").Result()); n != 1 {
			t.Errorf("list: %d elements", n)
		}
	})
}

// A server that cannot be reached is told apart from all outcomes.
func TestServerGone(t *testing.T) {
	rdb := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", MaxRetries: -1, DialerRetries: 1, DialTimeout: time.Second})
	defer rdb.Close()
	owner := Owner{"c", 1}
	_, err1 := Unlock(ctx, rdb, lock, "A")
	_, err2 := Renew(ctx, rdb, lock, "A", time.Second)
	a, err3 := AcquireReentrant(ctx, rdb, lock, owner, time.Second)
	_, err4 := ReleaseReentrant(ctx, rdb, lock, owner, time.Second)
	_, err5 := Sell(ctx, rdb, KeysOf(1), 7, 1, 1)
	_, _, err6 := Bury(ctx, rdb, Letter{Keys: KeysOf(1), Dead: "dead", Group: "g", ID: "1-0"})
	for i, err := range []error{err1, err2, err3, err4, err5, err6} {
		if err == nil || errors.Is(err, redis.Nil) {
			t.Errorf("call %d: %v", i+1, err)
		}
	}
	if a.Granted {
		t.Error("granted by nobody")
	}
	gone, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := Unlock(gone, rdb, lock, "A"); !errors.Is(err, context.Canceled) {
		t.Errorf("on a cancelled context: %v", err)
	}
}
