package scene_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	_ "modernc.org/sqlite"

	"flashlab/lessons/lessontest"
	"flashlab/lessons/luaunlock"
	"flashlab/lua"
	"flashlab/sim"
	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

const lock = "lock:order:7"

var variants = map[string]func(s *luaunlock.Shop, ctx context.Context, user, voucher int64) error{
	"lua":            (*luaunlock.Shop).Lua,
	"delex":          (*luaunlock.Shop).Delex,
	"lua-long-lease": (*luaunlock.Shop).LuaLongLease,
}

// outside is the shop outside the lab: the plain driver, nobody watching.
func outside(t *testing.T, rdb *redis.Client) *luaunlock.Shop {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(t.TempDir(), "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for _, q := range append(store.DDL(true), store.Seed(1)...) {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	return &luaunlock.Shop{Redis: rdb, DB: db, Work: 1, Unlock: luaunlock.PickUnlock(context.Background(), rdb)}
}

// TestReleased: the token that locks is the one that unlocks, so nothing is left and
// the next order gets in at once.
func TestReleased(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		s := outside(t, rdb)
		for name, f := range variants {
			for range 2 {
				if err := f(s, context.Background(), 7, store.Voucher); err != nil {
					t.Errorf("%s: %v", name, err)
				}
				if left := rdb.PTTL(context.Background(), lock).Val(); left != -2 {
					t.Errorf("%s: PTTL %d after the release", name, left)
				}
			}
		}
	})
}

// during runs an order of user 7; what happens while it works, happens once it has
// the lock.
func during(t *testing.T, variant string, rdb *redis.Client, ctx context.Context, do func()) error {
	t.Helper()
	s := outside(t, rdb)
	s.DB.SetMaxOpenConns(1)
	conn, err := s.DB.Conn(context.Background()) // the work waits for it
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	go func() {
		for rdb.Exists(context.Background(), lock).Val() == 0 {
			time.Sleep(time.Millisecond)
		}
		do()
		conn.Close()
	}()
	return variants[variant](s, ctx, 7, store.Voucher)
}

// TestThreeOutcomes: a lease of 5 s and 6 s of work, somebody else's lock, and a
// server that is gone are three different things. Only DELEX cannot tell the first
// two apart.
func TestThreeOutcomes(t *testing.T) {
	ctx := context.Background()
	expire := func(m *miniredis.Miniredis, _ *redis.Client) { m.SetTime(start.Add(6 * time.Second)) }
	take := func(m *miniredis.Miniredis, rdb *redis.Client) {
		expire(m, rdb)
		rdb.SetNX(ctx, lock, "B1", luaunlock.Lease)
	}
	gone := func(m *miniredis.Miniredis, _ *redis.Client) { m.Close() }
	for _, c := range []struct {
		what, variant        string
		do                   func(*miniredis.Miniredis, *redis.Client)
		lost, expired, taken bool
		left                 string // in the lock afterwards
	}{
		{"expired", "lua", expire, true, true, false, ""},
		{"taken", "lua", take, true, false, true, "B1"},
		{"no answer", "lua", gone, false, false, false, ""},
		{"expired", "delex", expire, true, false, false, ""},
		{"taken", "delex", take, true, false, false, "B1"},
		{"no answer", "delex", gone, false, false, false, ""},
	} {
		m, rdb := engine(t)
		err := during(t, c.variant, rdb, ctx, func() { c.do(m, rdb) })
		if err == nil || errors.Is(err, luaunlock.ErrLost) != c.lost ||
			errors.Is(err, luaunlock.ErrExpired) != c.expired || errors.Is(err, luaunlock.ErrTaken) != c.taken {
			t.Errorf("%s, %s: ends with %v", c.variant, c.what, err)
		}
		if left := rdb.Get(ctx, lock).Val(); left != c.left {
			t.Errorf("%s, %s: the lock holds %q, want %q", c.variant, c.what, left, c.left)
		}
	}
}

// TestReleasedTwice: a release whose answer was lost can be sent again. It does no
// harm, and answers that there is no lock.
func TestReleasedTwice(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		ctx := context.Background()
		rdb.Set(ctx, lock, "A1", time.Minute)
		var got []lua.Outcome
		for range 2 {
			o, err := lua.Unlock(ctx, rdb, lock, "A1")
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, o)
		}
		if s := fmt.Sprint(got); s != "[done expired]" {
			t.Errorf("released twice: %s", s)
		}
	})
}

// TestClientLeaves: a request that is cancelled during its work releases its lock
// all the same.
func TestClientLeaves(t *testing.T) {
	for name := range variants {
		rdb := embedded(t)
		ctx, cancel := context.WithCancel(context.Background())
		if err := during(t, name, rdb, ctx, cancel); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if n := rdb.Exists(context.Background(), lock).Val(); n != 0 {
			t.Errorf("%s: the lock is still there", name)
		}
	}
}

// shared is the mistake of the card token-and-handle: one object for everybody, with
// the token of the last TryLock.
type shared struct {
	rdb   *redis.Client
	token string
}

func (l *shared) tryLock(ctx context.Context) bool {
	l.token = proc.Token(ctx)
	return l.rdb.SetNX(ctx, lock, l.token, time.Minute).Val()
}

func (l *shared) unlock(ctx context.Context) (lua.Outcome, error) {
	return lua.Unlock(ctx, l.rdb, lock, l.token)
}

// TestHandlePerAcquisition: the second TryLock on a shared object is refused and
// spoils the release of the first; with an object for each both do what they should.
func TestHandlePerAcquisition(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		ctx := context.Background()
		one := &shared{rdb: rdb}
		if first, second := one.tryLock(ctx), one.tryLock(ctx); !first || second {
			t.Fatalf("granted: %v, %v", first, second)
		}
		if o, err := one.unlock(ctx); o != lua.Foreign || err != nil {
			t.Errorf("the shared object releases: %v, %v", o, err)
		}
		rdb.Del(ctx, lock)

		a, b := &shared{rdb: rdb}, &shared{rdb: rdb}
		if first, second := a.tryLock(ctx), b.tryLock(ctx); !first || second {
			t.Fatalf("granted: %v, %v", first, second)
		}
		if o, err := a.unlock(ctx); o != lua.Done || err != nil {
			t.Errorf("its own object releases: %v, %v", o, err)
		}
	})
}

// TestHandedOver: a name made of a UUID and the number of the worker is refused once
// another worker goes on with the task; a token goes along with it.
func TestHandedOver(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		ctx := context.Background()
		name := func(worker int) string { return fmt.Sprintf("uuid-of-this-process-%d", worker) }
		rdb.SetNX(ctx, lock, name(1), time.Minute)
		if o, err := lua.Unlock(ctx, rdb, lock, name(2)); o != lua.Foreign || err != nil {
			t.Errorf("worker 2 releases what worker 1 took: %v, %v", o, err)
		}
		rdb.Del(ctx, lock)

		token := proc.Token(ctx)
		rdb.SetNX(ctx, lock, token, time.Minute)
		done := make(chan lua.Outcome)
		go func() {
			o, _ := lua.Unlock(ctx, rdb, lock, token)
			done <- o
		}()
		if o := <-done; o != lua.Done {
			t.Errorf("another goroutine with the token: %v", o)
		}
		if other := proc.Token(ctx); other == token || len(token) != 32 {
			t.Errorf("tokens %q and %q", token, other)
		}
	})
}

// TestFallback: with the script in place of DELEX every figure is the same.
func TestFallback(t *testing.T) {
	l := lessontest.Lesson(t, "lua-unlock")
	for _, sets := range []string{"", "buyers=3", "crashes=1"} {
		command, script := lessontest.Scene(t, l, "delex", sets), lessontest.Scene(t, l, "delex", sets)
		script.Actors = func(w *world.World) []scenario.Actor {
			// A server that is gone cannot say who it is.
			gone := redis.NewClient(&redis.Options{Addr: "gone:0", MaxRetries: -1})
			gone.Close()
			s := &luaunlock.Shop{Redis: w.Redis, DB: w.DB, Work: 1, Unlock: luaunlock.PickUnlock(context.Background(), gone)}
			var out []scenario.Actor
			for i := range script.Params.Get("buyers") {
				out = append(out, scenario.Actor{
					Name: trace.Verbatim("request"), Node: fmt.Sprintf("n%d", i+1),
					Body: func(ctx context.Context) error { return s.Delex(ctx, 7, store.Voucher) },
				})
			}
			return out
		}
		if op := lessontest.Play(t, script, lessontest.First)[3].Event.Op; op != "EVALSHA" {
			t.Errorf("the fallback sends %s", op)
		}
		if op := lessontest.Play(t, command, lessontest.First)[3].Event.Op; op != "DELEX" {
			t.Errorf("the embedded engine gets %s", op)
		}
		a, b := lessontest.Search(t, command), lessontest.Search(t, script)
		if a.Interleavings.Cmp(b.Interleavings) != 0 {
			t.Errorf("%s: %s interleavings with the command, %s with the script", sets, a.Interleavings, b.Interleavings)
		}
		for k := range a.Lights {
			x, y := a.Lights[k], b.Lights[k]
			if lessontest.Decimal(x.Violating) != lessontest.Decimal(y.Violating) || x.Shortest != y.Shortest {
				t.Errorf("%s, %s: %s with the command, %s with the script", sets, command.Lights[k].Name, x.Violating, y.Violating)
			}
		}
	}
}

// TestWholeLease is the price: the node of the holder dies at once, and the next
// order gets in exactly when the lease is over.
func TestWholeLease(t *testing.T) {
	l := lessontest.Lesson(t, "lua-unlock")
	for name, lease := range map[string]time.Duration{"lua": luaunlock.Lease, "lua-long-lease": luaunlock.LongLease} {
		s := lessontest.Scene(t, l, name, "crashes=1,expiries=0")
		s.Time = scenario.Eager // leases run out by the clock
		actors := s.Actors
		s.Actors = func(w *world.World) []scenario.Actor {
			out := actors(w)
			once := out[1].Body
			out[1].Body = func(ctx context.Context) error {
				for {
					if err := once(ctx); !errors.Is(err, luaunlock.ErrBusy) {
						return err
					}
					if err := proc.Sleep(ctx, time.Second); err != nil {
						return err
					}
				}
			}
			return out
		}
		frames := lessontest.Play(t, s, func(moves []sim.Move, n int) int {
			if n == 1 {
				for i, m := range moves {
					if m.Kind == sim.MoveKillNode {
						return i
					}
				}
				t.Fatal("the node cannot crash")
			}
			return 0
		})
		last := lessontest.Last(frames)
		if lessontest.Ends(last) != "died, ok" || last.Now != lease {
			t.Errorf("%s: %s after %v, want the next one in after %v", name, lessontest.Ends(last), last.Now, lease)
		}
	}
}

// TestAssumption: what lua-long-lease relies on. If a live holder's lease can run
// out as well, two are inside together again; misdeletion stays away.
func TestAssumption(t *testing.T) {
	s := lessontest.Scene(t, lessontest.Lesson(t, "lua-unlock"), "lua-long-lease", "")
	s.Faults.ExpireOnlyDead = false
	res := lessontest.Search(t, s)
	if !res.Lights[s.Light(scenario.MutualExclusionLight)].Broken {
		t.Error("mutual-exclusion holds")
	}
	if res.Lights[s.Light(scenario.NoMisdeletionLight)].Broken {
		t.Error("no-misdeletion breaks")
	}
}
