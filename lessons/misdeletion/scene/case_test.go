package scene_test

import (
	"context"
	"database/sql"
	"errors"
	"math/big"
	"path/filepath"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"flashlab/lessons/lessontest"
	"flashlab/lessons/misdeletion"
	"flashlab/sim"
	"flashlab/sim/memredis"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
	store "flashlab/store/shop"
)

const lock = "lock:order:7"

var variants = []string{"delete-blind", "bare-thread-id", "fresh-token", "get-then-del"}

// value is the value of a key in a picture of the world, "" without it.
func value(s trace.State, key string) string {
	for _, k := range s.Keys {
		if k.Name == key {
			return k.Value
		}
	}
	return ""
}

// TestRefusedDeletesNothing: A holds the lock and B is refused. B leaves A's lock
// alone, whatever the variant, and C is refused too.
func TestRefusedDeletesNothing(t *testing.T) {
	l := lessontest.Lesson(t, "misdeletion")
	for _, name := range variants {
		frames := lessontest.Play(t, lessontest.Scene(t, l, name, "buyers=3"), func(_ []sim.Move, n int) int {
			return []int{0, 1, 1, -1}[n] // A, B, C, stop
		})
		s := lessontest.Last(frames)
		if got := lessontest.Ends(s); got != "waits, an order is under way, an order is under way" {
			t.Errorf("%s: the requests end with %s", name, got)
		}
		if taken := value(frames[1].State, lock); value(s, lock) != taken || taken == "" {
			t.Errorf("%s: the lock held %q, now %q", name, taken, value(s, lock))
		}
	}
}

// TestEqualValues: two owners with the same constant value. In bare-thread-id
// nothing but the value 1 is ever in the lock, so that comparing values sees no
// misdeletion at all.
func TestEqualValues(t *testing.T) {
	s := lessontest.Scene(t, lessontest.Lesson(t, "misdeletion"), "bare-thread-id", "")
	s.Lights = append(s.Lights, scenario.Light{Name: "always-1", Check: func(v *scenario.View) (bool, error) {
		for _, k := range v.World().Keys() {
			if k.Name == lock && k.Value != "1" {
				return false, nil
			}
		}
		return true, nil
	}})
	res := lessontest.Search(t, s)
	if x := res.Lights[s.Light("always-1")]; x.Broken {
		t.Errorf("another value than 1 in %s interleavings", x.Violating)
	}
	if x := res.Lights[s.Light(scenario.NoMisdeletionLight)]; !x.Broken {
		t.Error("and nobody deleted a stranger's lock")
	}
}

// TestDice is the card how-rare: everybody who can move is equally likely at every
// step.
func TestDice(t *testing.T) {
	s := lessontest.Scene(t, lessontest.Lesson(t, "misdeletion"), "get-then-del", "")
	r, err := scenario.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	red, bad := s.Light(scenario.NoMisdeletionLight), new(big.Rat)
	var walk func(path []sim.Move, odds *big.Rat)
	walk = func(path []sim.Move, odds *big.Rat) {
		if err := r.Reset(); err != nil {
			t.Fatal(err)
		}
		for _, m := range path {
			if err := r.Do(m); err != nil {
				t.Fatal(err)
			}
			if _, err := r.Judge(); err != nil {
				t.Fatal(err)
			}
		}
		moves := r.Moves(nil)
		if len(moves) == 0 {
			if r.Broken().Has(red) {
				bad.Add(bad, odds)
			}
			return
		}
		share := new(big.Rat).Quo(odds, big.NewRat(int64(len(moves)), 1))
		for _, m := range moves {
			walk(append(path[:len(path):len(path)], m), share)
		}
	}
	walk(nil, big.NewRat(1, 1))
	if bad.Cmp(big.NewRat(7, 432)) != 0 {
		t.Errorf("%s of the runs go wrong, want 7/432", bad)
	}
}

// TestNoExpiry: where no lease runs out nothing goes wrong but with fresh-token, whose
// lock is never released.
func TestNoExpiry(t *testing.T) {
	l := lessontest.Lesson(t, "misdeletion")
	for _, name := range variants {
		s := lessontest.Scene(t, l, name, "expiries=0")
		res := lessontest.Search(t, s)
		for k, x := range res.Lights {
			if want := name == "fresh-token" && s.Lights[k].Name == scenario.LockReleasedLight; x.Broken != want {
				t.Errorf("%s without an expiry: %s broken %v", name, s.Lights[k].Name, x.Broken)
			}
		}
	}
}

// TestOutsideTheLab runs the business code as a shop would, with nobody watching:
// who releases for real makes way at once, fresh-token only after the lease.
func TestOutsideTheLab(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, f := range map[string]func(s *misdeletion.Shop, ctx context.Context, user, voucher int64) error{
		"delete-blind":   (*misdeletion.Shop).DeleteBlind,
		"bare-thread-id": (*misdeletion.Shop).BareThreadID,
		"fresh-token":    (*misdeletion.Shop).FreshToken,
		"get-then-del":   (*misdeletion.Shop).GetThenDel,
	} {
		m, err := memredis.Start(start)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		rdb := memredis.Client(m)
		defer rdb.Close()
		s := &misdeletion.Shop{Redis: rdb, DB: database(t), Worker: 1, Work: 1}
		order := func() error { return f(s, context.Background(), 7, store.Voucher) }
		if err := order(); err != nil {
			t.Errorf("%s: the first order: %v", name, err)
		}
		left := rdb.PTTL(context.Background(), lock).Val()
		if name != "fresh-token" {
			if err := order(); err != nil || left != -2 {
				t.Errorf("%s: PTTL %d after the release, the second order: %v", name, left, err)
			}
			continue
		}
		if err := order(); !errors.Is(err, misdeletion.ErrBusy) || left != misdeletion.Lease {
			t.Errorf("%s: %v of the lease left, the second order: %v", name, left, err)
		}
		m.SetTime(start.Add(misdeletion.Lease))
		if err := order(); err != nil {
			t.Errorf("%s: after the lease: %v", name, err)
		}
	}
}

// database is the shop's, in a file, without the lab.
func database(t *testing.T) *sql.DB {
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
	return db
}
