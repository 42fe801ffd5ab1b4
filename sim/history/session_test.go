package history_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"flashlab/sim"
	"flashlab/sim/history"
	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/token"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

const lockKey = "lock:1"

// tills is a scene with something of everything: two tills sell under a lock in
// Redis that can run out, in a transaction, with a pause and a task; tills can die.
func tills(t testing.TB) *scenario.Scenario {
	p := scenario.NewParams([]scenario.Param{scenario.Standard("crashes", 1), scenario.Standard("expiries", 1)})
	sell := func(ctx context.Context, w *world.World, name string) error {
		me := proc.Token(ctx)
		ok, err := w.Redis.SetNX(ctx, lockKey, me, 30*time.Second).Result()
		if err != nil || !ok {
			return errors.Join(err, fmt.Errorf("till %s is not served", name))
		}
		proc.Go(ctx, "bell", func(ctx context.Context) { w.Redis.Incr(ctx, "bell") })
		defer func() { w.Redis.Del(ctx, lockKey) }()
		tx, err := w.DB.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { tx.Rollback() }()
		if _, err := tx.ExecContext(ctx, "INSERT INTO sold VALUES (?)", name); err != nil {
			return err
		}
		if err := proc.Sleep(ctx, time.Second); err != nil {
			return err
		}
		return tx.Commit()
	}
	return &scenario.Scenario{
		Lesson: "test", Variant: "tills", Params: p,
		World: world.Config{
			Engine: world.WAL, Begin: sqlgate.Immediate, Redis: true,
			Schema: world.Schema{
				DDL:    []string{"CREATE TABLE sold (till TEXT)"},
				Tables: []world.Table{{Name: "sold", Columns: []string{"till"}, Query: "SELECT till FROM sold ORDER BY till"}},
			},
		},
		Locks: []scenario.Lock{{Key: lockKey}},
		Actors: func(w *world.World) []scenario.Actor {
			var out []scenario.Actor
			for _, name := range []string{"one", "two"} {
				out = append(out, scenario.Actor{Name: trace.Verbatim(name), Node: "n1", Body: func(ctx context.Context) error { return sell(ctx, w, name) }})
			}
			return out
		},
		Lights: []scenario.Light{
			{Name: "at-most-one", Check: func(v *scenario.View) (bool, error) {
				rows, err := v.Rows("sold")
				return len(rows) <= 1, err
			}},
			scenario.MutualExclusion(), scenario.LockReleased(), scenario.Progress(),
		},
		Notes: []trace.Phrase{trace.Verbatim("a note")},
	}
}

func open(t testing.TB) *history.Session {
	t.Helper()
	s, err := history.Open(tills(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// moves reads a schedule in the form of tokens.
func moves(t testing.TB, text string) []sim.Move {
	t.Helper()
	m, err := token.ParseSteps(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// whole is a schedule of the scene from start to end, with an expiry and a crash.
const whole = "A2eaBxAB5"

func load(t testing.TB, s *history.Session, text string) {
	t.Helper()
	if err := s.Load(moves(t, text)); err != nil {
		t.Fatalf("loading %s: %v", text, err)
	}
}

// picture is everything that can be seen of the present branch, as text.
func picture(t testing.TB, s *history.Session) string {
	t.Helper()
	var b bytes.Buffer
	if err := trace.WriteText(&b, s.Log()); err != nil {
		t.Fatal(err)
	}
	for _, n := range s.Path()[:s.Cursor().Depth+1] {
		fmt.Fprintf(&b, "%d %s %+v\n", n.Depth, n.Move, n.Frame.State)
		if e := n.Frame.Event; e != nil {
			fmt.Fprintf(&b, "%+v\n", *e)
		}
	}
	return b.String()
}

// TestSameTwice: the same schedule gives the same bytes, in the same session and
// in another one.
func TestSameTwice(t *testing.T) {
	a, b := open(t), open(t)
	load(t, a, whole)
	first := picture(t, a)
	if !a.Cursor().Ended() {
		t.Fatalf("%s is not a whole schedule:\n%s", whole, first)
	}
	load(t, b, whole)
	if diff := cmp.Diff(first, picture(t, b)); diff != "" {
		t.Errorf("another session (-one +other):\n%s", diff)
	}
	load(t, a, "B")
	load(t, a, whole)
	if diff := cmp.Diff(first, picture(t, a)); diff != "" {
		t.Errorf("the same session (-first +second):\n%s", diff)
	}
	if a.Hash() != b.Hash() || a.Token() != b.Token() {
		t.Errorf("tokens %s, %s", a.Token(), b.Token())
	}
}

func TestBackAndForward(t *testing.T) {
	s := open(t)
	load(t, s, "A3B")
	end := s.Cursor()
	if n := s.Back(2); n != 2 || s.Cursor().Depth != 2 {
		t.Errorf("went %d back to %d", n, s.Cursor().Depth)
	}
	if n := s.Forward(10); n != 2 || s.Cursor() != end {
		t.Errorf("went %d forward to %d", n, s.Cursor().Depth)
	}
	if n := s.Back(100); n != 4 || s.Cursor() != s.Root() {
		t.Errorf("went %d back to %d", n, s.Cursor().Depth)
	}
	for _, c := range []struct{ to, want int }{{3, 3}, {99, 4}, {1, 1}, {-5, 0}, {2, 2}, {2, 2}} {
		if s.Seek(c.to); s.Cursor().Depth != c.want {
			t.Errorf("Seek(%d) ends at %d", c.to, s.Cursor().Depth)
		}
	}
	if got := len(s.Path()); got != 5 {
		t.Errorf("the path has %d nodes", got)
	}
	load(t, s, "A2") // ends where it ends, though more was done there before
	if got := len(s.Path()); got != 3 || s.Forward(1) != 0 || s.Branches() != 1 {
		t.Errorf("the path has %d nodes, the tree %d branches", got, s.Branches())
	}
}

// TestSince: a light tells which step broke it, however long ago that was.
func TestSince(t *testing.T) {
	s := open(t)
	load(t, s, whole)
	since := map[string]int{}
	for _, l := range s.Cursor().State().Lights {
		since[l.Name] = l.Since
	}
	want := map[string]int{"at-most-one": 0, "mutual-exclusion": 4, "lock-released": 0, "progress": 0}
	if diff := cmp.Diff(want, since); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, n := range s.Path() {
		if e := n.Frame.Event; e != nil && (len(e.Broken) > 0) != (e.Seq == 4) {
			t.Errorf("step %d has broken %v", e.Seq, e.Broken)
		}
	}
}

// TestFork: another turn from an earlier point; both ways stay in the tree, and the
// world stands where the cursor does.
func TestFork(t *testing.T) {
	s := open(t)
	load(t, s, "A3")
	s.Back(1)
	if err := s.Step(moves(t, "B")[0]); err != nil {
		t.Fatal(err)
	}
	if s.Branches() != 2 || s.Cursor().Depth != 3 {
		t.Errorf("%d branches, depth %d", s.Branches(), s.Cursor().Depth)
	}
	fresh := open(t)
	load(t, fresh, "A2B")
	if diff := cmp.Diff(picture(t, fresh), picture(t, s)); diff != "" {
		t.Errorf("the fork differs from a straight walk:\n%s", diff)
	}
	// The way taken before is walked to, not executed again.
	s.Back(1)
	old := s.Cursor().Children[0]
	if err := s.Step(old.Move); err != nil || s.Cursor() != old || s.Branches() != 2 {
		t.Errorf("%v, %d branches", err, s.Branches())
	}
	// On from there the world has to be rebuilt.
	if err := s.Step(moves(t, "A")[0]); err != nil {
		t.Fatal(err)
	}
	load(t, fresh, "A4")
	if diff := cmp.Diff(picture(t, fresh), picture(t, s)); diff != "" {
		t.Errorf("after the rebuild:\n%s", diff)
	}
}

func TestImpossibleSteps(t *testing.T) {
	s := open(t)
	for _, m := range []string{"C", "eb", "t", "k1", "p1", "ea", "rA"} {
		if err := s.Step(moves(t, m)[0]); !errors.Is(err, history.ErrNotPossible) {
			t.Errorf("%s: %v", m, err)
		}
	}
	if s.Cursor() != s.Root() || s.Branches() != 1 {
		t.Error("a refused step leaves a trace")
	}
	if err := s.Load(moves(t, "A2xAA")); !errors.Is(err, history.ErrNotPossible) {
		t.Errorf("a dead actor steps: %v", err)
	}
	load(t, s, "A") // the session is still good
}

// TestToken: what a session prints can be parsed and loaded, and means the same.
func TestToken(t *testing.T) {
	s := open(t)
	load(t, s, whole)
	tok, err := token.Parse(s.Token())
	if err != nil {
		t.Fatal(err)
	}
	if tok.Lesson != "test" || tok.Variant != "tills" || tok.Hash != s.Hash() || token.Steps(tok.Steps) != whole {
		t.Errorf("%s parses to %+v", s.Token(), tok)
	}
	fresh := open(t)
	if err := fresh.Load(tok.Steps); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(picture(t, s), picture(t, fresh)); diff != "" {
		t.Error(diff)
	}
}

// TestVerdict: unknown on the way, then what the lights say, run-out included.
func TestVerdict(t *testing.T) {
	s := open(t)
	for _, c := range []struct {
		schedule string
		want     scenario.Verdict
	}{
		{"", scenario.Unknown},
		{"A3", scenario.Unknown},
		{"A2eaB", scenario.Breaks}, // both in the section
		{"ABA5", scenario.Holds},   // the second is not served
		{"A6B5", scenario.Breaks},  // both have sold
		{"xAB6", scenario.Holds},
		{"xAB5", scenario.Unknown},
		{whole, scenario.Breaks},
	} {
		load(t, s, c.schedule)
		if got := s.Verdict(); got != c.want {
			t.Errorf("%s: %v, want %v", c.schedule, got, c.want)
		}
		if got := s.Log().Verdict; got != c.want.String() {
			t.Errorf("%s: the log says %s", c.schedule, got)
		}
	}
}

// TestRandom walks to the end without faults, the same way for the same seed.
func TestRandom(t *testing.T) {
	walk := func(seed uint64) string {
		s := open(t)
		rng := rand.New(rand.NewPCG(seed, 0))
		for {
			ok, err := s.Random(rng)
			if err != nil {
				t.Fatal(err)
			}
			if !ok {
				break
			}
		}
		if !s.Cursor().Ended() {
			t.Errorf("seed %d stops at %s", seed, s.Token())
		}
		for _, m := range s.Cursor().Moves() {
			if !m.Actor() {
				t.Errorf("seed %d takes the fault %s", seed, m)
			}
		}
		return token.Steps(s.Cursor().Moves())
	}
	seen := map[string]bool{}
	for seed := range uint64(8) {
		w := walk(seed)
		if w != walk(seed) {
			t.Errorf("seed %d walks two ways", seed)
		}
		seen[w] = true
	}
	if len(seen) < 2 {
		t.Error("all seeds walk the same way")
	}
}
