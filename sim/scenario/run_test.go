package scenario_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"flashlab/sim"
	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// counters is a scene of actors that add one to a row of their own; at most limit
// additions keep its light green.
func counters(limit int64, params string, bodies ...func(w *world.World, ctx context.Context) error) *scenario.Scenario {
	p := scenario.NewParams([]scenario.Param{scenario.Standard("crashes", 0)})
	if params != "" {
		var err error
		if p, err = p.Set(params); err != nil {
			panic(err)
		}
	}
	if len(bodies) == 0 {
		bodies = []func(*world.World, context.Context) error{add, add}
	}
	return &scenario.Scenario{
		Lesson: "test", Variant: "counters", Params: p,
		World: world.Config{Schema: world.Schema{
			DDL:    []string{"CREATE TABLE n (v INTEGER)"},
			Seed:   []string{"INSERT INTO n VALUES (0)"},
			Tables: []world.Table{{Name: "n", Columns: []string{"v"}, Query: "SELECT v FROM n"}},
		}},
		Actors: func(w *world.World) []scenario.Actor {
			var out []scenario.Actor
			for _, f := range bodies {
				out = append(out, scenario.Actor{Name: trace.Verbatim("counter"), Node: "n1", Body: func(ctx context.Context) error { return f(w, ctx) }})
			}
			return out
		},
		Lights: []scenario.Light{
			{Name: "few", Check: func(v *scenario.View) (bool, error) { return value(v) <= limit, nil }},
			{Name: "even", When: scenario.Quiescent, Check: func(v *scenario.View) (bool, error) { return value(v)%2 == 0, nil }},
			{Name: "none", When: scenario.AtEnd, Check: func(v *scenario.View) (bool, error) { return value(v) == 0, nil }},
		},
	}
}

func value(v *scenario.View) int64 {
	rows, err := v.Rows("n")
	if err != nil {
		return -1
	}
	return rows[0][0].(int64)
}

// add adds one, twice.
func add(w *world.World, ctx context.Context) error {
	for range 2 {
		if _, err := w.DB.ExecContext(ctx, "UPDATE n SET v = v + 1"); err != nil {
			return err
		}
	}
	return nil
}

func open(t *testing.T, s *scenario.Scenario) *scenario.Run {
	t.Helper()
	r, err := scenario.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	if err := r.Reset(); err != nil {
		t.Fatal(err)
	}
	return r
}

// drive takes steps by letter and judges after each; x before a letter kills.
func drive(t *testing.T, r *scenario.Run, schedule string) {
	t.Helper()
	if err := r.Reset(); err != nil {
		t.Fatal(err)
	}
	kind := sim.MoveActor
	for _, c := range schedule {
		if c == 'x' {
			kind = sim.MoveCrash
			continue
		}
		if err := r.Do(sim.Move{Kind: kind, Arg: uint8(c - 'A')}); err != nil {
			t.Fatal(err)
		}
		kind = sim.MoveActor
		if _, err := r.Judge(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestWhenLightsAreJudged: after each step, where nobody is in the middle of
// anything, and at the very end.
func TestWhenLightsAreJudged(t *testing.T) {
	r := open(t, counters(2, "crashes=1"))
	for _, c := range []struct {
		schedule, broken string
	}{
		{"", ""},
		{"A", ""},       // odd, but A is in the middle
		{"AB", ""},      //
		{"AA", ""},      // quiet, and even
		{"AxA", "even"}, // odd, and A will not go on
		{"ABA", "few"},  // more than two
		{"AxABB", "few even"},
	} {
		drive(t, r, c.schedule)
		if got := strings.Join(r.S.Names(r.Broken()), " "); got != c.broken {
			t.Errorf("%s: broken %q, want %q", c.schedule, got, c.broken)
		}
	}
	drive(t, r, "AxA")
	final, err := r.Finish(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.S.Names(final), " "); got != "few even none" {
		t.Errorf("after the run-out: %q", got)
	}
}

// TestMoves: actors by letter, then the environment; none where it ends.
func TestMoves(t *testing.T) {
	r := open(t, counters(9, "crashes=1"))
	for _, c := range []struct{ schedule, moves string }{
		{"", "A B xA xB"}, {"AA", "B xB"}, {"xA", "B"}, {"AABB", ""}, {"xABB", ""},
	} {
		drive(t, r, c.schedule)
		var got []string
		for _, m := range r.Moves(nil) {
			got = append(got, m.String())
			if !r.Allowed(m) {
				t.Errorf("%s: %s is listed but not allowed", c.schedule, m)
			}
		}
		if s := strings.Join(got, " "); s != c.moves {
			t.Errorf("after %q: %s, want %s", c.schedule, s, c.moves)
		}
	}
	if r.Allowed(sim.Move{Kind: sim.MovePause, Arg: 1}) {
		t.Error("an undeclared fault is allowed")
	}
}

// TestDigest: equal for equal outcomes, different where the outcome, the next
// operation or the actor is another.
func TestDigest(t *testing.T) {
	r := open(t, counters(9, ""))
	seen := map[string]uint64{}
	for _, s := range []string{"A", "B", "AA", "BB", "AB", "BA"} {
		drive(t, r, s)
		seen[s] = r.Digest()
		drive(t, r, s)
		if r.Digest() != seen[s] {
			t.Errorf("%s has two digests", s)
		}
	}
	if seen["A"] != seen["BA"] || seen["B"] != seen["AB"] {
		t.Error("what the other one does is in the digest")
	}
	if seen["A"] == seen["B"] || seen["A"] == seen["AA"] {
		t.Error("digests are too much alike")
	}
}

func TestHash(t *testing.T) {
	hash := func(s *scenario.Scenario) string {
		t.Helper()
		h, err := open(t, s).Hash()
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	base := hash(counters(1, ""))
	if base != hash(counters(1, "")) || len(base) != 3 {
		t.Errorf("hash %q", base)
	}
	other := map[string]*scenario.Scenario{
		"parameters":  counters(1, "crashes=1"),
		"code":        counters(1, "", add, func(w *world.World, ctx context.Context) error { return errors.Join(add(w, ctx), add(w, ctx)) }),
		"actors":      counters(1, "", add, add, add),
		"engine":      counters(1, ""),
		"transaction": counters(1, ""),
		"light":       counters(1, ""),
		"variant":     counters(1, ""),
	}
	other["engine"].World.Engine = world.WAL
	other["transaction"].World.Begin = sqlgate.Deferred
	other["light"].Lights[0].Name = "more"
	other["variant"].Variant = "another"
	for what, s := range other {
		if hash(s) == base {
			t.Errorf("another %s, the same hash", what)
		}
	}
}

func TestValidate(t *testing.T) {
	s := counters(1, "")
	s.Lights = append(s.Lights, s.Lights[0])
	if _, err := scenario.Open(s); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("%v", err)
	}
	s = counters(1, "")
	for len(s.Lights) <= sim.MaxLights {
		s.Lights = append(s.Lights, scenario.Light{Name: strings.Repeat("x", len(s.Lights))})
	}
	if _, err := scenario.Open(s); err == nil {
		t.Error("too many lights")
	}
	s = counters(1, "")
	s.World.Schema.DDL = []string{"CREATE NONSENSE"}
	if _, err := scenario.Open(s); err == nil || !strings.Contains(err.Error(), "NONSENSE") {
		t.Errorf("%v", err)
	}
}

// TestPanicIsHard: business code that panics ends the run with its stack.
func TestPanicIsHard(t *testing.T) {
	r := open(t, counters(1, "", func(w *world.World, ctx context.Context) error {
		add(w, ctx)
		panic("no more paper")
	}))
	var err error
	for err == nil {
		err = r.Do(sim.Move{})
	}
	if !strings.Contains(err.Error(), "no more paper") || !strings.Contains(err.Error(), "run_test.go") {
		t.Errorf("%v", err)
	}
}

// TestFrames: what a step leaves behind for the screen.
func TestFrames(t *testing.T) {
	r := open(t, counters(1, "crashes=1", add, func(w *world.World, ctx context.Context) error {
		proc.Go(ctx, "helper", func(ctx context.Context) { add(w, ctx) })
		return errors.Join(add(w, ctx), errors.New("gave up"))
	}))
	r.Record(true)
	f, err := r.Start()
	if err != nil {
		t.Fatal(err)
	}
	if f.Event != nil || len(f.State.Actors) != 3 || f.State.Actors[2].Name.String() != "helper" || !f.State.Actors[2].Daemon {
		t.Errorf("at the start: %+v", f.State)
	}
	if a := f.State.Actors[0]; a.Next != "UPDATE n SET v = v + 1" || a.NextOp != "UPDATE" || a.Begun {
		t.Errorf("actor A: %+v", a)
	}
	var labels []string
	for _, c := range f.State.Choices {
		labels = append(labels, c.Label)
	}
	if !slices.Contains(labels, "crash B") {
		t.Errorf("choices %v", labels)
	}
	var events []string
	for _, m := range []sim.Move{{}, {Arg: 1}, {Arg: 1}, {Kind: sim.MoveCrash}} {
		if f, err = r.Play(m, f.State.Lights); err != nil {
			t.Fatal(err)
		}
		e := f.Event
		events = append(events, strings.Join([]string{e.Move, e.Actor, e.Op, e.Args, e.Reply, e.End, strings.Join(e.Broken, "+")}, "|"))
	}
	want := []string{
		"A|A|UPDATE|UPDATE n SET v = v + 1|1 row||",
		"B|B|UPDATE|UPDATE n SET v = v + 1|1 row||few",
		"B|B|UPDATE|UPDATE n SET v = v + 1|1 row|gave up|",
		"xA||crash|crash A||" + "|even",
	}
	if !slices.Equal(events, want) {
		t.Errorf("events:\n%s\nwant:\n%s", strings.Join(events, "\n"), strings.Join(want, "\n"))
	}
	if !f.State.Ended || f.State.Deadlock || len(f.State.Choices) != 0 {
		t.Errorf("at the end: %+v", f.State)
	}
	out, err := r.PlayOut(f.State.Lights)
	if err != nil || len(out) != 3 { // the helper's two steps, and the lights as finally judged
		t.Fatalf("%d frames of the run-out, %v", len(out), err)
	}
	if e := out[0].Event; !e.RunOut || e.Seq != 0 || e.Actor != "C" {
		t.Errorf("first step of the run-out: %+v", e)
	}
	if !out[2].State.Broken("none") {
		t.Errorf("lights at the end: %+v", out[2].State.Lights)
	}
}
