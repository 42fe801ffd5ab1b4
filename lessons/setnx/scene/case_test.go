package scene_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons/lessontest"
	"flashlab/lessons/setnx"
	"flashlab/sim/scenario"
	store "flashlab/store/shop"
)

const key = "lock:order:7"

// node is a shop outside the lab: an embedded Redis that only the test moves on,
// and a database file.
func node(t *testing.T) (s *setnx.Shop, pass func(time.Duration)) {
	t.Helper()
	rdb, pass := lessontest.Redis(t)
	return &setnx.Shop{Redis: rdb, DB: lessontest.Database(t, 1, true, ""), Work: 1}, pass
}

func request() setnx.Order { return setnx.Order{User: 7, Voucher: store.Voucher} }

// deadLocks is the monitor of the card: locks that will never end by themselves.
func deadLocks(t *testing.T, rdb *redis.Client) (keys []string) {
	t.Helper()
	ctx := context.Background()
	it := rdb.Scan(ctx, 0, "lock:*", 100).Iterator()
	for it.Next(ctx) {
		if rdb.TTL(ctx, it.Val()).Val() == -1 {
			keys = append(keys, it.Val())
		}
	}
	if err := it.Err(); err != nil {
		t.Fatal(err)
	}
	return keys
}

// TestAnHourLater: the first request has set the key and is dead. Without a time
// to live the next one is refused an hour later too, and the monitor sees why;
// with one it gets in as soon as the lease is over.
func TestAnHourLater(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		what string
		take func(rdb *redis.Client) error
		buy  func(s *setnx.Shop, ctx context.Context, o setnx.Order) error
		dead bool
	}{
		{"SETNX", func(rdb *redis.Client) error { return rdb.Do(ctx, "SETNX", key, "1").Err() }, (*setnx.Shop).NoTTL, true},
		{"SETNX before its EXPIRE", func(rdb *redis.Client) error { return rdb.Do(ctx, "SETNX", key, "1").Err() }, (*setnx.Shop).SetnxThenExpire, true},
		{"SetNX with 0", func(rdb *redis.Client) error { return rdb.SetNX(ctx, key, "1", 0).Err() }, (*setnx.Shop).SetNXPX, true},
		{"SET NX with a lease", func(rdb *redis.Client) error { return rdb.SetNX(ctx, key, "1", setnx.Lease).Err() }, (*setnx.Shop).SetNXPX, false},
	} {
		s, pass := node(t)
		if err := c.take(s.Redis); err != nil {
			t.Fatal(err)
		}
		pass(setnx.Lease - time.Millisecond)
		if err := c.buy(s, ctx, request()); !errors.Is(err, setnx.ErrBusy) {
			t.Errorf("%s: within the lease: %v", c.what, err)
		}
		if got := slices.Contains(deadLocks(t, s.Redis), key); got != c.dead {
			t.Errorf("%s: the monitor finds a lock without an end: %v, want %v", c.what, got, c.dead)
		}
		pass(time.Millisecond)
		if c.dead {
			pass(time.Hour)
		}
		if err := c.buy(s, ctx, request()); errors.Is(err, setnx.ErrBusy) != c.dead || err != nil && !c.dead {
			t.Errorf("%s: after the lease: %v", c.what, err)
		}
		if !c.dead && s.Redis.Exists(ctx, key).Val() != 0 {
			t.Errorf("%s: the key is still there after the release", c.what)
		}
	}
}

// hangUp cancels a request as soon as its first command is done.
type hangUp struct{ cancel context.CancelFunc }

func (h hangUp) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

func (h hangUp) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		defer h.cancel()
		return next(ctx, cmd)
	}
}

func (h hangUp) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// TestHungUp: the client goes away while its request is at work. A release on the
// request's context is not sent, one without its cancellation is.
func TestHungUp(t *testing.T) {
	for _, c := range []struct {
		what string
		buy  func(s *setnx.Shop, ctx context.Context, o setnx.Order) error
		left bool
	}{
		{"no-ttl, on the context of the request", (*setnx.Shop).NoTTL, true},
		{"set-nx-px, without cancellation", (*setnx.Shop).SetNXPX, false},
	} {
		s, _ := node(t)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		watch := s.Redis.WithTimeout(0) // shares the connections, not the hook
		s.Redis.AddHook(hangUp{cancel})
		if err := c.buy(s, ctx, request()); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the request ends with %v", c.what, err)
		}
		if got := watch.Exists(context.Background(), key).Val() == 1; got != c.left {
			t.Errorf("%s: the key is left behind: %v, want %v", c.what, got, c.left)
		}
	}
}

// TestUnits: what go-redis makes of durations, and what becomes of a lock whose
// lease somebody has rounded.
func TestUnits(t *testing.T) {
	ctx := context.Background()
	rdb, _ := lessontest.Redis(t)
	half := 500 * time.Millisecond
	take := func(f func() redis.Cmder) (sent string, left time.Duration) {
		t.Helper()
		rdb.Del(ctx, "k")
		cmd := f()
		if err := cmd.Err(); err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(fmt.Sprintln(cmd.Args()...)), rdb.PTTL(ctx, "k").Val()
	}
	setNX := func(d time.Duration) func() redis.Cmder {
		return func() redis.Cmder { return rdb.SetNX(ctx, "k", "1", d) }
	}
	expire := func(f func() redis.Cmder) func() redis.Cmder {
		return func() redis.Cmder { rdb.Set(ctx, "k", "1", 0); return f() }
	}
	for _, c := range []struct {
		f    func() redis.Cmder
		sent string
		left time.Duration
	}{
		{setNX(0), "set k 1 nx", -1},
		{setNX(10), "set k 1 px 1 nx", time.Millisecond},
		{setNX(10 * time.Second), "set k 1 ex 10 nx", 10 * time.Second},
		{setNX(setnx.Lease), "set k 1 ex 30 nx", setnx.Lease},
		{setNX(1500 * time.Millisecond), "set k 1 px 1500 nx", 1500 * time.Millisecond},
		{expire(func() redis.Cmder { return rdb.Expire(ctx, "k", 1500*time.Millisecond) }), "expire k 1", time.Second},
		{expire(func() redis.Cmder { return rdb.Expire(ctx, "k", half) }), "expire k 1", time.Second},
		{expire(func() redis.Cmder { return rdb.Do(ctx, "expire", "k", int(half.Seconds())) }), "expire k 0", -2},
		{expire(func() redis.Cmder { return rdb.PExpire(ctx, "k", half) }), "pexpire k 500", half},
	} {
		if sent, left := take(c.f); sent != c.sent || left != c.left {
			t.Errorf("sends %q and leaves %v, want %q and %v", sent, left, c.sent, c.left)
		}
	}
}

// TestRefused: B waits a second, is told no and touches nothing; whatever the
// schedule, every light holds. The same with three requests that do not wait.
func TestRefused(t *testing.T) {
	for _, sets := range []string{"wait=1000,crashes=0", "buyers=3,wait=0,crashes=0"} {
		s := scene(t, "set-nx-px", sets)
		for i, l := range lessontest.Search(t, s).Lights {
			if l.Broken {
				t.Errorf("set-nx-px %s breaks %s", sets, s.Lights[i].Name)
			}
		}
	}
}

// TestThirdParty: with three requests unlock-unheld lets two in although nobody's
// own lease has run out.
func TestThirdParty(t *testing.T) {
	s := scene(t, "unlock-unheld", "buyers=3")
	s.Lights = append(s.Lights, scenario.ThirdParty())
	l := lessontest.Search(t, s).Lights[s.Light(scenario.ThirdPartyLight)]
	if got := lessontest.Decimal(l.Violating); got != "36" || l.Shortest != 4 || lessontest.Decimal(l.Ties) != "6" {
		t.Errorf("third party in %s schedules, shortest %d (%s ties); want 36, 4 (6)", got, l.Shortest, lessontest.Decimal(l.Ties))
	}
}
