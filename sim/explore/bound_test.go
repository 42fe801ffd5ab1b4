package explore_test

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"flashlab/sim"
	"flashlab/sim/explore"
)

// race is a program of n actors that read, write what they read plus one, and
// then add one to a second variable: breaks once two have done the latter.
func race(n int) *program {
	p := &program{Start: []int{0, 0}, Lights: []condition{{1, 2}}}
	for range n {
		p.Actors = append(p.Actors, actorCode{{test, 0, -1}, {load, 0, 0}, {store, 0, 1}, {add, 1, 1}})
	}
	return p
}

// replays runs a schedule and reports whether it breaks the light exactly there:
// at its last step, or after it in the run-out.
func replays(t rapid.TB, sys explore.System, moves []sim.Move, light int, inRunOut bool) bool {
	t.Helper()
	if err := sys.Reset(); err != nil {
		t.Fatal(err)
	}
	bits, err := sys.Judge()
	for i, m := range moves {
		if err == nil && bits.Has(light) {
			t.Logf("broken after %d steps already", i)
			return false
		}
		if err == nil {
			err = sys.Do(m)
		}
		if err == nil {
			bits, err = sys.Judge()
		}
		if err != nil {
			t.Fatalf("replaying %s: %v", spell(moves), err)
		}
	}
	if !inRunOut {
		return bits.Has(light)
	}
	if bits.Has(light) || len(sys.Moves(nil)) > 0 {
		return false
	}
	bits, err = sys.Finish(nil)
	return err == nil && bits.Has(light)
}

// incomplete checks that a result claims nothing that only a complete one can.
func incomplete(t rapid.TB, r *explore.Result) {
	t.Helper()
	if r.Complete || r.Bound == "" {
		t.Fatal("the search claims to be complete")
	}
	if r.Interleavings != nil || r.ByPreemptions != nil {
		t.Error("schedules are counted")
	}
	for i, l := range r.Lights {
		if l.Violating != nil || l.ByPreemptions != nil || l.Ties != nil || l.Clean != 0 {
			t.Errorf("light %d: something is counted", i)
		}
	}
	if _, err := r.Rank(nil); !errors.Is(err, explore.ErrIncomplete) {
		t.Errorf("Rank: %v", err)
	}
	if _, err := r.Unrank(big.NewInt(1)); !errors.Is(err, explore.ErrIncomplete) {
		t.Errorf("Unrank: %v", err)
	}
	if _, err := r.Sample(rand.New(rand.NewPCG(1, 1))); !errors.Is(err, explore.ErrIncomplete) {
		t.Errorf("Sample: %v", err)
	}
	if _, _, err := r.From(nil, 0); !errors.Is(err, explore.ErrIncomplete) {
		t.Errorf("From: %v", err)
	}
}

// TestFewStates: whatever the bound on states, what a bounded search says is true
// of all schedules.
func TestFewStates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyProgram(t)
		want, err := enumerate(p, p.lights(), manySchedules)
		if err != nil {
			t.Skip("too large")
		}
		r, err := explore.Run(t.Context(), p, p.lights(), explore.Limits{States: rapid.IntRange(1, 60).Draw(t, "states")}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.Complete {
			return
		}
		incomplete(t, r)
		if r.Bound != "states" {
			t.Fatalf("bound %q", r.Bound)
		}
		for i, l := range r.Lights {
			w := want.Lights[i]
			switch {
			case l.Broken && w.Violating == 0:
				t.Fatalf("%vlight %d breaks in no schedule", p, i)
			case !l.Broken && w.Violating > 0 && w.Preemptions <= r.Switches:
				t.Fatalf("%vlight %d breaks with %d preemptions, but all up to %d are said to be clean", p, i, w.Preemptions, r.Switches)
			}
			if !l.Broken {
				continue
			}
			if !replays(t, p, l.Schedule, i, l.InRunOut) {
				t.Fatalf("%vlight %d: %s does not break it there", p, i, spell(l.Schedule))
			}
			if l.Shortest != len(l.Schedule) || l.Shortest < w.Shortest || l.Preemptions < w.Preemptions {
				t.Fatalf("%vlight %d: %d steps, %d preemptions: better than possible", p, i, l.Shortest, l.Preemptions)
			}
			if w.Preemptions <= r.Switches && l.Preemptions != w.Preemptions {
				t.Fatalf("%vlight %d: %d preemptions, %d suffice and were searched", p, i, l.Preemptions, w.Preemptions)
			}
		}
	})
}

// TestDeepening follows the bound on preemptions as the budget grows: it never
// falls, and with enough of it every schedule has been seen.
func TestDeepening(t *testing.T) {
	p := race(3)
	want, err := enumerate(p, 1, 100_000)
	if err != nil {
		t.Fatal(err)
	}
	most := len(want.ByPreemptions) - 1
	r, err := explore.Run(t.Context(), p, 1, explore.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := -1
	for states := 1; states < r.States; states++ {
		r, err := explore.Run(t.Context(), p, 1, explore.Limits{States: states}, nil)
		if err != nil {
			t.Fatal(err)
		}
		incomplete(t, r)
		if r.Switches < last || r.Switches > most {
			t.Fatalf("with %d states all schedules of up to %d switches were searched, with %d only up to %d", states-1, last, states, r.Switches)
		}
		last = r.Switches
	}
	if last < 1 {
		t.Errorf("nothing but single runs was searched within %d states", r.States)
	}
}

// TestEndlessLoops: a loop without waiting is found out, whether it comes back to
// the same state or makes ever new ones.
func TestEndlessLoops(t *testing.T) {
	same := &program{Start: []int{0}, Actors: []actorCode{{{load, 0, 0}, {back, 0, 5}}, {{load, 0, 0}}}}
	_, err := explore.Run(t.Context(), same, 0, explore.Limits{}, nil)
	if err == nil || !strings.Contains(err.Error(), "loop") {
		t.Errorf("a cycle gives %v", err)
	}
	growing := &program{Start: []int{0, 0}, Lights: []condition{{0, 3}}, Actors: []actorCode{{{add, 0, 1}, {back, 1, 5}}}}
	r, err := explore.Run(t.Context(), growing, 1, explore.Limits{States: 500}, nil)
	if err != nil {
		t.Fatal(err)
	}
	incomplete(t, r)
	if !r.Lights[0].Broken || r.Lights[0].Shortest != 5 || r.Switches != -1 {
		t.Errorf("%+v, switches %d", r.Lights[0], r.Switches)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if r, err = explore.Run(ctx, growing, 1, explore.Limits{States: 1 << 30}, nil); err != nil || r.Bound != "cancelled" || !r.Lights[0].Broken {
		t.Errorf("bound %q, %v", r.Bound, err)
	}
	if r, err = explore.Run(t.Context(), growing, 1, explore.Limits{States: 1 << 30, Duration: 20 * time.Millisecond}, nil); err != nil || r.Bound != "time" || !r.Lights[0].Broken {
		t.Errorf("bound %q, %v", r.Bound, err)
	}
}

// watched calls f before each step.
type watched struct {
	*program
	f func()
}

func (w watched) Do(m sim.Move) error { w.f(); return w.program.Do(m) }

// TestCancel: whenever a search is cancelled, also while it deepens, it keeps what
// it has found.
func TestCancel(t *testing.T) {
	for _, states := range []int{0, 20} {
		for after := 0; after < 400; after += 7 {
			ctx, cancel := context.WithCancel(t.Context())
			steps := 0
			p := race(3)
			r, err := explore.Run(ctx, watched{p, func() {
				if steps++; steps > after {
					cancel()
				}
			}}, 1, explore.Limits{States: states}, nil)
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			if r.Complete {
				break
			}
			incomplete(t, r)
			if l := r.Lights[0]; l.Broken && !replays(t, p, l.Schedule, 0, l.InRunOut) {
				t.Errorf("cancelled after %d steps: %s does not break the light", after, spell(l.Schedule))
			} else if after > 60 && !l.Broken {
				t.Errorf("cancelled after %d steps: nothing kept", after)
			}
		}
	}
}

// TestProgress: reports come while the graph grows and while it deepens.
func TestProgress(t *testing.T) {
	p := race(4)
	whole, deep := 0, 0
	_, err := explore.Run(t.Context(), p, 1, explore.Limits{States: 1000}, func(x explore.Progress) {
		if x.Switches < 0 {
			whole++
		} else {
			deep++
		}
		if x.Runs == 0 || x.States == 0 || x.Depth == 0 {
			t.Errorf("empty report %+v", x)
		}
	})
	if err != nil || whole == 0 || deep == 0 {
		t.Errorf("%d reports of the graph, %d of deepening, %v", whole, deep, err)
	}
}

// TestSample draws schedules of a small program and compares the frequencies with
// the uniform distribution: Pearson's chi-square.
func TestSample(t *testing.T) {
	p := race(2)
	r, err := explore.Run(t.Context(), p, 1, explore.Limits{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	kinds := int(r.Interleavings.Int64())
	if kinds != 70 {
		t.Fatalf("%d interleavings of two actors with four steps each", kinds)
	}
	const each = 200
	rng := rand.New(rand.NewPCG(3, 14))
	seen := map[string]int{}
	for range kinds * each {
		m, err := r.Sample(rng)
		if err != nil {
			t.Fatal(err)
		}
		seen[spell(m)]++
	}
	if len(seen) != kinds {
		t.Errorf("%d of %d schedules were drawn", len(seen), kinds)
	}
	chi := 0.0
	for _, n := range seen {
		d := float64(n - each)
		chi += d * d / each
	}
	// 69 degrees of freedom: 1 in 1000 lies above 111.
	if chi > 111 {
		t.Errorf("chi-square %.1f: not uniform", chi)
	}
}
