package explore_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"flashlab/sim"
	"flashlab/sim/explore"
)

// manySchedules bounds what enumeration is asked to do for one random program.
const manySchedules = 3000

// anyProgram draws a program without loops: two or three actors, two variables.
func anyProgram(t *rapid.T) *program {
	variable := rapid.IntRange(0, 1)
	small := rapid.IntRange(-1, 2)
	code := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) instruction {
		return instruction{
			Op:  opcode(rapid.IntRange(int(load), int(unlock)).Draw(t, "op")),
			Var: variable.Draw(t, "var"),
			N:   small.Draw(t, "n"),
		}
	}), 0, 4)
	cond := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) condition {
		return condition{variable.Draw(t, "var"), rapid.IntRange(-2, 3).Draw(t, "n")}
	}), 0, 2)
	p := &program{
		Start:  []int{small.Draw(t, "v0"), small.Draw(t, "v1")},
		Faults: rapid.IntRange(0, 2).Draw(t, "faults"),
		Crash:  rapid.IntRange(0, 1).Draw(t, "crashes"),
		Lights: cond.Draw(t, "lights"),
		Final:  cond.Draw(t, "final"),
	}
	for i := rapid.IntRange(1, 3).Draw(t, "actors"); i > 0; i-- {
		p.Actors = append(p.Actors, actorCode(code.Draw(t, "code")))
	}
	return p
}

// TestAnswersEqualEnumeration: counts, histograms, shortest, ties, fewest
// preemptions and the choice among equals, for random programs with faults,
// crashes, deadlocks and lights that only the run-out breaks.
func TestAnswersEqualEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyProgram(t)
		want, err := enumerate(p, p.lights(), manySchedules)
		if err != nil {
			t.Skip("too large")
		}
		r, err := explore.Run(t.Context(), p, p.lights(), explore.Limits{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, tallyOf(r)); diff != "" {
			t.Fatalf("%v(-enumerated +graph):\n%s", p, diff)
		}
		certificate(t, p, r)
		ranks(t, p, r)
	})
}

// certificate recounts the states that no light has broken before the shortest
// violation: by keys, on enumeration.
func certificate(t *rapid.T, p *program, r *explore.Result) {
	for i, l := range r.Lights {
		if !l.Broken {
			continue
		}
		states, dirty := map[string]bool{}, false
		e := &enumerator{sys: p, lights: p.lights(), limit: manySchedules}
		e.visit = func(moves []sim.Move) {
			if len(moves) >= l.Shortest {
				return
			}
			k, err := p.AppendKey(nil)
			if err != nil {
				t.Fatal(err)
			}
			states[string(k)] = true
			dirty = dirty || p.bits.Has(i)
		}
		if _, err := e.run(); err != nil {
			t.Fatal(err)
		}
		if dirty || l.Clean != len(states) {
			t.Fatalf("%vlight %d: %d clean states within %d steps, by enumeration %d, one of them broken: %v", p, i, l.Clean, l.Shortest-1, len(states), dirty)
		}
	}
}

// ranks checks that Unrank lists the schedules in the order of enumeration, that
// Rank is its inverse, and that From counts what begins with a prefix.
func ranks(t *rapid.T, p *program, r *explore.Result) {
	type run struct {
		moves []sim.Move
		final sim.Bits
	}
	var all []run
	e := &enumerator{sys: p, lights: p.lights(), limit: manySchedules}
	e.each = func(moves []sim.Move, final sim.Bits) { all = append(all, run{slices.Clone(moves), final}) }
	if _, err := e.run(); err != nil {
		t.Fatal(err)
	}
	for i, x := range all {
		n := big.NewInt(int64(i + 1))
		got, err := r.Unrank(n)
		if err != nil || !slices.Equal(got, x.moves) {
			t.Fatalf("%vUnrank(%d) = %s, %v, want %s", p, n, spell(got), err, spell(x.moves))
		}
		if back, err := r.Rank(x.moves); err != nil || back.Cmp(n) != 0 {
			t.Fatalf("%vRank(%s) = %v, %v, want %d", p, spell(x.moves), back, err, n)
		}
	}
	for _, n := range []int64{0, -1, int64(len(all)) + 1} {
		if _, err := r.Unrank(big.NewInt(n)); err == nil {
			t.Fatalf("Unrank(%d) of %d schedules succeeds", n, len(all))
		}
	}
	if p.lights() == 0 {
		return
	}
	one := all[rapid.IntRange(0, len(all)-1).Draw(t, "schedule")].moves
	prefix := one[:rapid.IntRange(0, len(one)).Draw(t, "length")]
	light := rapid.IntRange(0, p.lights()-1).Draw(t, "light")
	wantAll, wantBad, first := 0, 0, 0
	for i, x := range all {
		if len(x.moves) >= len(prefix) && slices.Equal(x.moves[:len(prefix)], prefix) {
			if wantAll == 0 {
				first = i + 1
			}
			wantAll++
			if x.final.Has(light) {
				wantBad++
			}
		}
	}
	gotAll, gotBad, err := r.From(prefix, light)
	if err != nil || gotAll.Int64() != int64(wantAll) || gotBad.Int64() != int64(wantBad) {
		t.Fatalf("%vFrom(%s) = %v, %v, %v, want %d, %d", p, spell(prefix), gotAll, gotBad, err, wantAll, wantBad)
	}
	if n, err := r.Rank(prefix); err != nil || n.Int64() != int64(first) {
		t.Fatalf("%vRank of the prefix %s = %v, %v, want %d", p, spell(prefix), n, err, first)
	}
	wrong := append(slices.Clone(prefix), sim.Move{Kind: sim.MovePause, Arg: 1})
	if _, err := r.Rank(wrong); err == nil {
		t.Fatal("Rank of an impossible schedule succeeds")
	}
	if _, _, err := r.From(wrong, light); err == nil {
		t.Fatal("From an impossible schedule succeeds")
	}
}
