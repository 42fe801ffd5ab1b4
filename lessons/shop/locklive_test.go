package shop_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons/shop"
	"flashlab/lua"
	"flashlab/sim/live/livetest"
)

// The lock on a real server, in real time.

// conversation is a list of what two clients do to one lock, with all answers: the
// same on every server.
func conversation(t *testing.T, rdb *redis.Client) string {
	t.Helper()
	var b strings.Builder
	ctx := context.Background()
	n1, n2 := &shop.Locks{Redis: rdb, ID: "n1"}, &shop.Locks{Redis: rdb, ID: "n2"}
	note := func(what string, err error) {
		holds := rdb.HVals(ctx, lockName).Val()
		ttl := rdb.PTTL(ctx, lockName).Val().Round(10 * time.Second)
		says := "ok"
		for _, e := range []error{shop.ErrBusy, shop.ErrExpired, shop.ErrTaken, shop.ErrLost} {
			if errors.Is(err, e) {
				says = e.Error()
			}
		}
		if says == "ok" && err != nil {
			// What is behind the name of the error: that differs by server.
			says = "an error"
			if strings.Contains(err.Error(), "WRONGTYPE") {
				says = "WRONGTYPE"
			}
		}
		fmt.Fprintf(&b, "%-12s %-48s holds %v ttl %v\n", what, says, holds, ttl)
	}
	lock := func(l *shop.Locks, ctx context.Context, o shop.Options) *shop.Hold {
		h, err := l.Lock(ctx, lockName, o)
		note(l.ID+" locks", err)
		return h
	}
	a := lock(n1, ctx, shop.Options{})
	lock(n2, ctx, shop.Options{})
	inner := lock(n1, a.Context(), shop.Options{})
	note("inner out", inner.Unlock(ctx))
	note("outer out", a.Unlock(ctx))
	note("once more", a.Unlock(ctx))
	b1 := lock(n2, ctx, shop.Options{Lease: time.Minute})
	note("not mine", a.Unlock(ctx))
	note("mine", b1.Unlock(ctx))
	c := lock(n1, ctx, shop.Options{})
	rdb.Del(ctx, lockName)
	lock(n1, c.Context(), shop.Options{}) // gets in anew
	d, _ := n2.Lock(ctx, lockName, shop.Options{})
	note("no second", nil)
	if d != nil {
		t.Error("two holders")
	}
	note("gone", c.Unlock(ctx))
	rdb.Set(ctx, lockName, "a-token", 0)
	lock(n1, ctx, shop.Options{})
	rdb.Del(ctx, lockName)
	return b.String()
}

// TestSameAnswers: the embedded Redis and a real one say the same.
func TestSameAnswers(t *testing.T) {
	real := livetest.Start(t).Client(t)
	_, rdb := embedded(t)
	want, got := conversation(t, real), conversation(t, rdb)
	if got != want {
		t.Errorf("the embedded Redis says\n%s\na real one\n%s", got, want)
	}
}

// TestLiveWatchdog: a lease of 600 ms under work of 2.5 s on a real server: it never
// runs out, nobody else gets in, and the waiter is woken by the message.
func TestLiveWatchdog(t *testing.T) {
	srv := livetest.Start(t)
	ctx := context.Background()
	node := func(id string) *shop.Locks {
		rdb := srv.Client(t)
		return &shop.Locks{Redis: rdb, ID: id, Topics: shop.RedisTopics{Client: rdb}, Lease: 600 * time.Millisecond}
	}
	a := mustLock(t, node("n1"), ctx, shop.Options{})
	type entry struct {
		at  time.Time
		err error
	}
	in := make(chan entry, 1)
	go func() {
		h, err := node("n2").Lock(ctx, lockName, shop.Options{Wait: shop.Forever})
		in <- entry{time.Now(), err}
		if err == nil {
			h.Unlock(ctx)
		}
	}()
	rdb := srv.Client(t)
	for end := time.Now().Add(2500 * time.Millisecond); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if ttl := rdb.PTTL(ctx, lockName).Val(); ttl <= 0 || a.Lost() {
			t.Fatalf("%v are left, lost %v", ttl, a.Lost())
		}
	}
	select {
	case e := <-in:
		t.Fatalf("the other one is in while the lock is held: %v", e.err)
	default:
	}
	freed := time.Now()
	if err := a.Unlock(ctx); err != nil {
		t.Fatal(err)
	}
	e := <-in
	if d := e.at.Sub(freed); e.err != nil || d > 500*time.Millisecond {
		t.Errorf("in after %v, %v", d, e.err)
	}
}

// TestLiveCrash: nobody renews or releases any more, and the next one is in when the
// lease is over.
func TestLiveCrash(t *testing.T) {
	srv := livetest.Start(t)
	ctx := context.Background()
	rdb := srv.Client(t)
	dead := lua.Owner{ID: "n1", N: 1}
	if got, err := lua.AcquireReentrant(ctx, rdb, lockName, dead, 700*time.Millisecond); err != nil || !got.Granted {
		t.Fatal(got, err)
	}
	start := time.Now()
	l := &shop.Locks{Redis: rdb, ID: "n2", Topics: shop.RedisTopics{Client: rdb}}
	h := mustLock(t, l, ctx, shop.Options{Wait: 20 * time.Second})
	if d := time.Since(start); d < 600*time.Millisecond || d > 5*time.Second {
		t.Errorf("in after %v", d)
	}
	if err := h.Unlock(ctx); err != nil {
		t.Error(err)
	}
}

// TestLiveCrowd: a count that eight clients read and write back, 25 times each, with
// connections that are closed under them now and then.
func TestLiveCrowd(t *testing.T) {
	srv := livetest.Start(t)
	ctx := context.Background()
	admin := srv.Client(t)
	var wg sync.WaitGroup
	for c := range 8 {
		rdb := srv.Client(t)
		l := &shop.Locks{Redis: rdb, ID: fmt.Sprintf("n%d", c), Topics: shop.RedisTopics{Client: rdb}}
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n := range 25 {
				h, err := l.Lock(ctx, lockName, shop.Options{Wait: shop.Forever})
				if err != nil {
					t.Error(err)
					return
				}
				v, _ := rdb.Get(h.Context(), "count").Int()
				if err := rdb.Set(h.Context(), "count", v+1, 0).Err(); err != nil {
					t.Error(err)
				}
				if err := h.Unlock(ctx); err != nil {
					t.Error(err)
				}
				if c == 0 && n%8 == 0 { // subscriptions break
					admin.Do(ctx, "CLIENT", "KILL", "TYPE", "pubsub")
				}
			}
		}()
	}
	wg.Wait()
	if n, err := admin.Get(ctx, "count").Int(); n != 200 || err != nil {
		t.Errorf("count %d, %v", n, err)
	}
}
