package shop_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"flashlab/lessons/shop"
	"flashlab/lua"
	"flashlab/sim/memredis"
	"flashlab/sim/proc"
)

// The lock outside the lab: real goroutines, nobody watching.

const lockName = "lock:order:7"

// embedded is a Redis in memory whose time stands still. Its clients end before the
// test does.
func embedded(t testing.TB) (*miniredis.Miniredis, *redis.Client) {
	t.Helper()
	m, err := memredis.Start(proc.Epoch())
	if err != nil {
		t.Fatal(err)
	}
	rdb := client(m)
	t.Cleanup(func() { rdb.Close(); m.Close() })
	return m, rdb
}

// client has connections of miniredis' own: one of package memredis cannot subscribe.
// It waits for each answer however long the machine takes, and asks once. A request
// that it had given up would be executed all the same, later; a lock taken by one is
// nobody's and ends with its lease, which here, where time stands still, is never.
func client(m *miniredis.Miniredis) *redis.Client {
	return redis.NewClient(&redis.Options{
		Dialer:      func(context.Context, string, string) (net.Conn, error) { return m.Dial() },
		ReadTimeout: -1, WriteTimeout: -1, MaxRetries: -1,
	})
}

func locks(rdb *redis.Client, id string) *shop.Locks {
	return &shop.Locks{Redis: rdb, ID: id, Topics: shop.RedisTopics{Client: rdb}}
}

func mustLock(t testing.TB, l *shop.Locks, ctx context.Context, o shop.Options) *shop.Hold {
	t.Helper()
	h, err := l.Lock(ctx, lockName, o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestNothingIsLeftBehind: after 1000 locks, some of which were lost, all goroutines
// are gone, and no key is left.
func TestNothingIsLeftBehind(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	m, err := memredis.Start(proc.Epoch())
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	rdb := memredis.Client(m)
	defer rdb.Close()
	l := &shop.Locks{Redis: rdb, ID: "n1"}
	ctx := context.Background()
	for n := range 1000 {
		h := mustLock(t, l, ctx, shop.Options{Lease: time.Duration(n%2) * time.Minute})
		if n%10 == 0 {
			m.Del(lockName) // its lease has run out
		}
		if err := h.Unlock(ctx); errors.Is(err, shop.ErrExpired) != (n%10 == 0) {
			t.Fatalf("unlock %d: %v", n, err)
		}
		if !h.Lost() {
			t.Fatal("the work goes on after the release")
		}
	}
	if keys := m.Keys(); len(keys) > 0 {
		t.Errorf("left behind: %v", keys)
	}
}

// TestCrowdLeavesNothing: the same for those that wait and are woken, or give up.
func TestCrowdLeavesNothing(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	m, err := memredis.Start(proc.Epoch())
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	rdb := client(m)
	defer rdb.Close()
	var wg sync.WaitGroup
	in, inside := 0, atomic.Int32{}
	for n := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			l := locks(rdb, fmt.Sprint("n", n))
			l.Lease = 10 * time.Second // also how long a waiter naps whose message got lost
			for range 10 {
				h, err := l.Lock(context.Background(), lockName, shop.Options{Wait: shop.Forever})
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) > 1 {
					t.Error("two are in")
				}
				in++
				inside.Add(-1)
				if err := h.Unlock(context.Background()); err != nil {
					t.Error(err)
				}
				if h, err = l.Lock(context.Background(), "lock:order:8", shop.Options{Wait: time.Millisecond}); err == nil {
					h.Unlock(context.Background())
				}
			}
		}()
	}
	wg.Wait()
	if in != 80 {
		t.Errorf("in %d times", in)
	}
}

// hanging is a Redis whose answers to renewals do not come.
type hanging struct {
	redis.Scripter
	free chan struct{}
}

func (h hanging) EvalSha(ctx context.Context, sha string, keys []string, args ...any) *redis.Cmd {
	if sha == redis.NewScript(lua.Sources()["reentrant_renew"]).Hash() {
		<-h.free
	}
	return h.Scripter.EvalSha(ctx, sha, keys, args...)
}

// TestHangingRenewal: the work ends when the lease does, not when the call comes back.
func TestHangingRenewal(t *testing.T) {
	_, rdb := embedded(t)
	slow := hanging{rdb, make(chan struct{})}
	defer close(slow.free)
	l := &shop.Locks{Redis: slow, ID: "n1", Lease: 300 * time.Millisecond}
	start := time.Now()
	h := mustLock(t, l, context.Background(), shop.Options{})
	select {
	case <-h.Context().Done():
		if d := time.Since(start); d < 250*time.Millisecond {
			t.Errorf("lost after %v", d)
		}
	case <-time.After(10 * time.Second):
		t.Error("the work goes on under a lock that is gone")
	}
}

// TestThreeEndings: a release that finds no lock, another's or no server says so, in
// three ways that differ.
func TestThreeEndings(t *testing.T) {
	m, rdb := embedded(t)
	l, ctx := locks(rdb, "n1"), context.Background()

	gone := mustLock(t, l, ctx, shop.Options{})
	m.Del(lockName)
	err := gone.Unlock(ctx)
	if !errors.Is(err, shop.ErrExpired) || errors.Is(err, shop.ErrTaken) {
		t.Errorf("after its lease: %v", err)
	}

	taken := mustLock(t, l, ctx, shop.Options{})
	m.Del(lockName)
	next := mustLock(t, locks(rdb, "n2"), ctx, shop.Options{})
	err = taken.Unlock(ctx)
	if !errors.Is(err, shop.ErrTaken) || errors.Is(err, shop.ErrExpired) {
		t.Errorf("of another's lock: %v", err)
	}
	if v := m.HGet(lockName, next.Owner().String()); v != "1" {
		t.Errorf("the next holder has %q holds", v)
	}
	if err := next.Unlock(ctx); err != nil {
		t.Error(err)
	}

	last := mustLock(t, l, ctx, shop.Options{})
	m.SetError("server down")
	err = last.Unlock(ctx)
	if err == nil || errors.Is(err, shop.ErrExpired) || errors.Is(err, shop.ErrTaken) {
		t.Errorf("without a server: %v", err)
	}
}

// TestNotMine: who was refused has nothing to release, and waiting has an end.
func TestNotMine(t *testing.T) {
	m, rdb := embedded(t)
	ctx := context.Background()
	a := mustLock(t, locks(rdb, "n1"), ctx, shop.Options{})
	for _, wait := range []time.Duration{0, 50 * time.Millisecond} {
		start := time.Now()
		h, err := locks(rdb, "n2").Lock(ctx, lockName, shop.Options{Wait: wait})
		if h != nil || !errors.Is(err, shop.ErrBusy) {
			t.Errorf("waiting %v: %v, %v", wait, h, err)
		}
		if d := time.Since(start); d < wait {
			t.Errorf("waited %v, not %v", d, wait)
		}
	}
	if a.Lost() || m.HGet(lockName, a.Owner().String()) != "1" {
		t.Error("the holder was disturbed")
	}
}

// TestWokenByMessage: a waiter is in long before the lease of 30 s is over, and a
// waiter whose request is cancelled goes away at once.
func TestWokenByMessage(t *testing.T) {
	_, rdb := embedded(t)
	ctx := context.Background()
	a := mustLock(t, locks(rdb, "n1"), ctx, shop.Options{})
	got := make(chan error)
	go func() {
		h, err := locks(rdb, "n2").Lock(ctx, lockName, shop.Options{Wait: shop.Forever})
		if err == nil {
			err = h.Unlock(ctx)
		}
		got <- err
	}()
	hasty, cancel := context.WithCancel(ctx)
	gone := make(chan error)
	go func() {
		_, err := locks(rdb, "n3").Lock(hasty, lockName, shop.Options{Wait: shop.Forever})
		gone <- err
	}()
	waitFor(t, func() bool { return listeners(rdb) == 2 })
	cancel()
	if err := within(t, gone); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled waiter gets %v", err)
	}
	if err := a.Unlock(ctx); err != nil {
		t.Fatal(err)
	}
	if err := within(t, got); err != nil {
		t.Error(err)
	}
}

// listeners counts who waits for the lock.
func listeners(rdb *redis.Client) int64 {
	channel := lua.Channel(lockName)
	return rdb.PubSubNumSub(context.Background(), channel).Val()[channel]
}

func within(t *testing.T, c <-chan error) error {
	t.Helper()
	select {
	case err := <-c:
		return err
	case <-time.After(10 * time.Second):
		t.Fatal("nothing happens")
		return nil
	}
}

func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	for range 1000 {
		if ok() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatal("it does not come to that")
}

// TestReleaseIsDetached: the client hangs up in the middle of the work, and the lock
// is released all the same.
func TestReleaseIsDetached(t *testing.T) {
	m, rdb := embedded(t)
	ctx, cancel := context.WithCancel(context.Background())
	h := mustLock(t, locks(rdb, "n1"), ctx, shop.Options{})
	cancel()
	if !h.Lost() {
		t.Error("the work goes on without its request")
	}
	if err := h.Unlock(ctx); err != nil {
		t.Error(err)
	}
	if m.Exists(lockName) {
		t.Error("the lock is left behind")
	}
}

// TestReentry goes by the context of the hold, not by the goroutine: calls side by
// side compete, calls under the hold get in, and the last release frees the lock.
func TestReentry(t *testing.T) {
	m, rdb := embedded(t)
	l, ctx := locks(rdb, "n1"), context.Background()
	outer := mustLock(t, l, ctx, shop.Options{})
	if _, err := l.Lock(ctx, lockName, shop.Options{}); !errors.Is(err, shop.ErrBusy) {
		t.Errorf("the same goroutine, another call: %v", err)
	}
	var inner [2]*shop.Hold
	for i := range inner {
		// A lease of one's own would cut that of the outer lock.
		inner[i] = mustLock(t, l, outer.Context(), shop.Options{Lease: time.Second})
	}
	if v := m.HGet(lockName, outer.Owner().String()); v != "3" {
		t.Errorf("%s holds, not 3", v)
	}
	if ttl := m.TTL(lockName); ttl != shop.DefaultLease {
		t.Errorf("the inner lock leaves %v", ttl)
	}
	for i := range inner {
		if err := inner[i].Unlock(ctx); err != nil || outer.Lost() {
			t.Errorf("release %d: %v, lost %v", i, err, outer.Lost())
		}
	}
	if v := m.HGet(lockName, outer.Owner().String()); v != "1" {
		t.Errorf("%s holds, not 1", v)
	}
	if err := outer.Unlock(ctx); err != nil || m.Exists(lockName) {
		t.Errorf("the last release: %v, key left %v", err, m.Exists(lockName))
	}
	if _, err := l.Lock(outer.Context(), lockName, shop.Options{}); !errors.Is(err, shop.ErrLost) {
		t.Errorf("under a hold that is over: %v", err)
	}
}

// TestLostUnderneath: an inner lock finds that somebody else has come in meanwhile,
// and the whole work is told.
func TestLostUnderneath(t *testing.T) {
	m, rdb := embedded(t)
	l, ctx := locks(rdb, "n1"), context.Background()
	outer := mustLock(t, l, ctx, shop.Options{})
	m.Del(lockName)
	mustLock(t, locks(rdb, "n2"), ctx, shop.Options{})
	if _, err := l.Lock(outer.Context(), lockName, shop.Options{}); !errors.Is(err, shop.ErrLost) || !outer.Lost() {
		t.Errorf("%v, lost %v", err, outer.Lost())
	}
}

// TestRepeated: a client that repeats an acquisition whose answer was lost holds the
// lock twice without knowing; the last release gives back all.
func TestRepeated(t *testing.T) {
	m, rdb := embedded(t)
	ctx := context.Background()
	h := mustLock(t, locks(rdb, "n1"), ctx, shop.Options{})
	m.HIncr(lockName, h.Owner().String(), 1)
	if err := h.Unlock(ctx); err != nil || m.Exists(lockName) {
		t.Errorf("%v, key left %v", err, m.Exists(lockName))
	}
}

// TestMilliseconds: a lease of half a second is one, and less than a millisecond is
// refused instead of deleting the key.
func TestMilliseconds(t *testing.T) {
	m, rdb := embedded(t)
	ctx := context.Background()
	h := mustLock(t, locks(rdb, "n1"), ctx, shop.Options{Lease: 500 * time.Millisecond})
	if ttl := m.TTL(lockName); ttl != 500*time.Millisecond {
		t.Errorf("TTL %v", ttl)
	}
	if err := h.Unlock(ctx); err != nil {
		t.Error(err)
	}
	if _, err := locks(rdb, "n1").Lock(ctx, lockName, shop.Options{Lease: time.Microsecond}); !errors.Is(err, lua.ErrLease) {
		t.Errorf("a lease of 1 us: %v", err)
	}
	// What the card of that name warns of.
	half := 500 * time.Millisecond
	m.Set("k", "v")
	if ok, err := rdb.Do(ctx, "EXPIRE", "k", int(half.Seconds())).Int(); ok != 1 || err != nil || m.Exists("k") {
		t.Errorf("EXPIRE 0 answers %d, %v, key left %v", ok, err, m.Exists("k"))
	}
}

// TestWrongType: the token lock of lesson 5 under the same name.
func TestWrongType(t *testing.T) {
	m, rdb := embedded(t)
	m.Set(lockName, "a-token")
	_, err := locks(rdb, "n1").Lock(context.Background(), lockName, shop.Options{Wait: shop.Forever})
	if err == nil || !strings.Contains(err.Error(), "WRONGTYPE") {
		t.Errorf("%v", err)
	}
}
