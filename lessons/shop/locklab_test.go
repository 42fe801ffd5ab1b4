package shop_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons/lessontest"
	"flashlab/lessons/shop"
	"flashlab/lua"
	"flashlab/sim"
	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// The lock in the lab: virtual time, every schedule.

// body is what one request does on its node.
type body func(ctx context.Context, l *shop.Locks, w *world.World) error

// lockLab makes a scenario of requests on nodes of their own. Where ticks are set, time
// is lazy.
func lockLab(sets string, bodies ...body) *scenario.Scenario {
	p := scenario.NewParams([]scenario.Param{
		scenario.Standard("ticks", 0), scenario.Standard("crashes", 0), scenario.Standard("losses", 0),
		scenario.Standard("pauses", 0), scenario.Standard("pause", 40_000),
	})
	if sets != "" {
		var err error
		if p, err = p.Set(sets); err != nil {
			panic(err)
		}
	}
	s := &scenario.Scenario{
		Lesson: "shop", Variant: "lock", Params: p,
		World: world.Config{
			Engine: world.Memory, Begin: sqlgate.Immediate, Schema: shop.Schema(1, true),
			Redis: true, Scripts: lua.Sources(),
		},
		Time: scenario.Eager, EagerTicks: 400,
		Faults: scenario.Faults{CrashNodes: []string{"n1"}, PauseNodes: []string{"n1"}},
		Locks: []scenario.Lock{{Key: lockName, Roles: map[string]scenario.Role{
			"reentrant_acquire": scenario.AcquireOrWait, "reentrant_release": scenario.Release, "reentrant_renew": scenario.Renew,
		}}},
		Lights: []scenario.Light{
			scenario.MutualExclusion(), scenario.NoMisdeletion(), scenario.LockReleased(), scenario.Progress(),
		},
	}
	if p.Get("ticks") > 0 {
		s.Time = scenario.Lazy
	}
	s.Actors = func(w *world.World) []scenario.Actor {
		var out []scenario.Actor
		for i, f := range bodies {
			node := fmt.Sprintf("n%d", i+1)
			l := &shop.Locks{Redis: w.Redis, ID: node, Topics: w.Topics}
			out = append(out, scenario.Actor{Name: trace.Verbatim("request"), Node: node, Body: func(ctx context.Context) error { return f(ctx, l, w) }})
		}
		return out
	}
	return s
}

// under does some work under the lock.
func under(o shop.Options, work func(ctx context.Context, w *world.World) error) body {
	return func(ctx context.Context, l *shop.Locks, w *world.World) (err error) {
		h, err := l.Lock(ctx, lockName, o)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, h.Unlock(ctx)) }()
		return work(h.Context(), w)
	}
}

func takes(d time.Duration) func(context.Context, *world.World) error {
	return func(ctx context.Context, _ *world.World) error { return proc.Sleep(ctx, d) }
}

func read(ctx context.Context, w *world.World) error {
	var stock int
	return w.DB.QueryRowContext(ctx, "SELECT stock FROM voucher WHERE id = 1").Scan(&stock)
}

var patient = shop.Options{Wait: shop.Forever}

// TestEverySchedule: the finished lock, waiters woken by messages, keeps all lights
// green in every schedule - whatever the clock does, whoever dies, whichever answer
// gets lost.
func TestEverySchedule(t *testing.T) {
	quick, slow := under(patient, read), under(patient, takes(70*time.Second))
	nested := func(ctx context.Context, l *shop.Locks, w *world.World) error {
		return under(patient, func(ctx context.Context, w *world.World) error {
			return under(patient, read)(ctx, l, w)
		})(ctx, l, w)
	}
	for _, c := range []struct {
		what, sets string
		bodies     []body
		want       string
	}{
		{"two requests", "", []body{quick, quick}, "20"},
		{"70 s of work", "", []body{slow, slow}, "2"},
		{"a clock that goes at any time", "ticks=3", []body{quick, quick}, "2356"},
		{"a crash", "crashes=1", []body{quick, quick}, "103"},
		{"a lost answer", "losses=1", []body{quick, quick}, "220"},
		{"a nested lock", "", []body{nested, quick}, "45"},
		{"three requests", "", []body{quick, quick, quick}, "24504"},
	} {
		s := lockLab(c.sets, c.bodies...)
		res := lessontest.Search(t, s)
		got := lessontest.Decimal(res.Interleavings)
		for i, l := range res.Lights {
			if l.Broken {
				t.Errorf("%s breaks %s: %v", c.what, s.Lights[i].Name, l.Schedule)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s interleavings, want %s", c.what, got, c.want)
		}
		// Messages and subscriptions are in the key of a state: without merging
		// any two, there are just as many.
		if n := res.Interleavings.Int64(); n < 1000 {
			if one := int64(oneByOne(t, s)); one != n {
				t.Errorf("%s: %d interleavings one by one, %d in the graph", c.what, one, n)
			}
		}
	}
}

// oneByOne counts the interleavings of a scenario by executing each.
func oneByOne(t *testing.T, s *scenario.Scenario) (n int) {
	t.Helper()
	r, err := scenario.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for path := []int{}; path != nil; n++ {
		if err := r.Reset(); err != nil {
			t.Fatal(err)
		}
		var widths []int
		for moves := r.Moves(nil); len(moves) > 0; moves = r.Moves(nil) {
			if len(widths) == len(path) {
				path = append(path, 0)
			}
			i := path[len(widths)]
			widths = append(widths, len(moves))
			if err := r.Do(moves[i]); err != nil {
				t.Fatal(err)
			}
		}
		path = nextPath(path, widths)
	}
	return n
}

// nextPath turns the last choice that can be another one.
func nextPath(path, widths []int) []int {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i]++; path[i] < widths[i] {
			return path[:i+1]
		}
	}
	return nil
}

// final plays one schedule, the first move every time, and returns where it ends.
func final(t *testing.T, s *scenario.Scenario) trace.State {
	t.Helper()
	return lessontest.Last(lessontest.Play(t, s, lessontest.First))
}

// TestWhenTheNextOneIsIn: B comes while A works for 35 s. A message lets it in at
// once; if messages get lost, it is in when the lease is over that it was told of,
// and no later.
func TestWhenTheNextOneIsIn(t *testing.T) {
	for _, c := range []struct {
		what   string
		topics func(w *world.World) shop.Topics
		at     time.Duration
	}{
		{"woken by a message", func(w *world.World) shop.Topics { return w.Topics }, 35 * time.Second},
		{"the message gets lost", func(w *world.World) shop.Topics { return deaf{w.Topics} }, 60 * time.Second},
		{"no messages", func(*world.World) shop.Topics { return nil }, 60 * time.Second},
	} {
		in := time.Duration(0)
		s := lockLab("", under(patient, takes(35*time.Second)), func(ctx context.Context, l *shop.Locks, w *world.World) error {
			l.Topics = c.topics(w)
			return under(patient, func(ctx context.Context, w *world.World) error { in = w.Kernel.Now; return nil })(ctx, l, w)
		})
		if st := final(t, s); lessontest.Ends(st) == "" || st.AnyRed() {
			t.Errorf("%s: %s, lights %v", c.what, lessontest.Ends(st), st.Lights)
		}
		if in != c.at {
			t.Errorf("%s: in after %v, not %v", c.what, in, c.at)
		}
	}
}

// deaf listens to a channel on which nobody speaks.
type deaf struct{ shop.Topics }

func (d deaf) Subscribe(ctx context.Context, channel string) (func(context.Context, time.Duration) (bool, error), func(), error) {
	return d.Topics.Subscribe(ctx, channel+"-elsewhere")
}

// TestNoLease: a key that never expires, whose deletion nobody announces, is asked
// for again all the same, now and then.
func TestNoLease(t *testing.T) {
	in := time.Duration(0)
	s := lockLab("",
		func(ctx context.Context, _ *shop.Locks, w *world.World) error {
			if err := proc.Sleep(ctx, 50*time.Second); err != nil {
				return err
			}
			return w.Redis.Del(ctx, lockName).Err()
		},
		under(patient, func(ctx context.Context, w *world.World) error { in = w.Kernel.Now; return nil }))
	s.Setup = func(w *world.World) error { return w.Direct().HSet(context.Background(), lockName, "java:1", 1).Err() }
	final(t, s)
	if in != 60*time.Second {
		t.Errorf("in after %v", in)
	}
}

// failing is a Redis that does not answer renewals for a while.
type failing struct {
	redis.Scripter
	from, to time.Duration // virtual
	k        *sim.Kernel
	tries    *[]time.Duration
}

var errDown = errors.New("connection refused")

func (f failing) EvalSha(ctx context.Context, sha string, keys []string, args ...any) *redis.Cmd {
	if sha != redis.NewScript(lua.Sources()["reentrant_renew"]).Hash() {
		return f.Scripter.EvalSha(ctx, sha, keys, args...)
	}
	now := f.k.Now
	*f.tries = append(*f.tries, now)
	if now >= f.from && now < f.to {
		cmd := redis.NewCmd(ctx)
		cmd.SetErr(errDown)
		return cmd
	}
	return f.Scripter.EvalSha(ctx, sha, keys, args...)
}

// TestRenewalErrors: renewals that fail are tried again every second. If one comes
// through before the lease ends, nothing is lost; if none does, the work ends in the
// instant in which the lease does, and the next lock is renewed as ever.
func TestRenewalErrors(t *testing.T) {
	for _, c := range []struct {
		what     string
		from, to time.Duration
		ends     time.Duration // of the work
		lost     bool
		tries    int // up to then
	}{
		{"no error", 0, 0, 100 * time.Second, false, 10},
		{"one try fails", 10 * time.Second, 11 * time.Second, 100 * time.Second, false, 10},
		{"all but the last try fail", 10 * time.Second, 29 * time.Second, 100 * time.Second, false, 27},
		// Renewed at 20 s for the last time, hence until 50 s.
		{"all fail", 30 * time.Second, 90 * time.Second, 50 * time.Second, true, 23},
	} {
		var tries []time.Duration
		var ended time.Duration
		again := -1
		s := lockLab("", func(ctx context.Context, l *shop.Locks, w *world.World) error {
			tries = tries[:0]
			l.Redis = failing{w.Redis, c.from, c.to, w.Kernel, &tries}
			h, err := l.Lock(ctx, lockName, patient)
			if err != nil {
				return err
			}
			err = proc.Sleep(h.Context(), 100*time.Second)
			ended = w.Kernel.Now
			if h.Lost() != c.lost || (err != nil) != c.lost {
				t.Errorf("%s: lost %v, the work ends with %v", c.what, h.Lost(), err)
			}
			if n := len(tries); n != c.tries {
				t.Errorf("%s: %d tries: %v", c.what, n, tries)
			}
			if err := h.Unlock(ctx); errors.Is(err, shop.ErrExpired) != c.lost {
				t.Errorf("%s: released with %v", c.what, err)
			}
			if err := proc.Sleep(ctx, 100*time.Second); err != nil {
				return err
			}
			// The next lock, with a watchdog of its own.
			tries = tries[:0]
			if h, err = l.Lock(ctx, lockName, patient); err != nil {
				return err
			}
			if err := proc.Sleep(h.Context(), 65*time.Second); err != nil {
				return err
			}
			again = len(tries)
			return h.Unlock(ctx)
		})
		if st := final(t, s); lessontest.Ends(st)[:2] != "ok" {
			t.Errorf("%s: %s", c.what, lessontest.Ends(st))
		}
		if ended != c.ends || again != 6 {
			t.Errorf("%s: the work ends after %v, not %v; the next lock is renewed %d times", c.what, ended, c.ends, again)
		}
	}
}

// TestLosses: however a lock is lost, its work is cancelled: by the first renewal that
// is refused, by the end of an explicit lease, by the maximum hold.
func TestLosses(t *testing.T) {
	for _, c := range []struct {
		what  string
		o     shop.Options
		gone  time.Duration // when the key is deleted; 0: never
		ends  time.Duration
		after error // of the release
	}{
		{"renewal refused", shop.Options{}, 15 * time.Second, 20 * time.Second, shop.ErrExpired},
		{"explicit lease", shop.Options{Lease: 5 * time.Second}, 0, 5 * time.Second, shop.ErrExpired},
		{"maximum hold", shop.Options{MaxHold: 45 * time.Second}, 0, 45 * time.Second, nil},
		{"maximum hold between renewals", shop.Options{MaxHold: 3 * time.Second}, 0, 3 * time.Second, nil},
		{"nothing", shop.Options{MaxHold: 2 * time.Minute}, 0, 100 * time.Second, nil},
	} {
		var ended time.Duration
		s := lockLab("", func(ctx context.Context, l *shop.Locks, w *world.World) error {
			h, err := l.Lock(ctx, lockName, c.o)
			if err != nil {
				return err
			}
			if c.gone > 0 {
				if err := proc.Sleep(ctx, c.gone); err != nil {
					return err
				}
				w.Expire(lockName)
			}
			err = proc.Sleep(h.Context(), 100*time.Second-c.gone)
			ended = w.Kernel.Now
			if lost := ended < 100*time.Second; h.Lost() != lost || (err != nil) != lost {
				t.Errorf("%s: lost %v, the work ends with %v", c.what, h.Lost(), err)
			}
			if err := h.Unlock(ctx); !errors.Is(err, c.after) {
				t.Errorf("%s: released with %v", c.what, err)
			}
			return nil
		})
		if st := final(t, s); lessontest.Ends(st)[:2] != "ok" {
			t.Errorf("%s: %s", c.what, lessontest.Ends(st))
		}
		if ended != c.ends {
			t.Errorf("%s: the work ends after %v, not %v", c.what, ended, c.ends)
		}
	}
}

// TestPartlyReleased: three holds, two given back, and the watchdog goes on for the
// last one; after that the lease never grows again.
func TestPartlyReleased(t *testing.T) {
	s := lockLab("", func(ctx context.Context, l *shop.Locks, w *world.World) error {
		outer, err := l.Lock(ctx, lockName, patient)
		if err != nil {
			return err
		}
		for range 2 {
			inner, err := l.Lock(outer.Context(), lockName, patient)
			if err != nil {
				return err
			}
			defer func() { inner.Unlock(ctx) }()
			if err := inner.Unlock(ctx); err != nil {
				return err
			}
		}
		if err := proc.Sleep(outer.Context(), 60*time.Second); err != nil {
			return err
		}
		if ttl := w.TTL(lockName); ttl < 20*time.Second {
			t.Errorf("after two leases %v are left", ttl)
		}
		if err := outer.Unlock(ctx); err != nil {
			return err
		}
		for range 6 {
			if w.Exists(lockName) {
				t.Error("the lock rises again")
			}
			if err := proc.Sleep(ctx, 10*time.Second); err != nil {
				return err
			}
		}
		return nil
	})
	if st := final(t, s); lessontest.Ends(st)[:2] != "ok" {
		t.Error(lessontest.Ends(st))
	}
}
