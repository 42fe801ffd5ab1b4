package explore_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashlab/sim"
	"flashlab/sim/explore"
)

// tally is what plain enumeration finds: every schedule is executed, none is
// merged with another, nothing is stored but sums.
type tally struct {
	Schedules     int
	ByPreemptions []int
	Lights        []lightTally
}

type lightTally struct {
	Violating     int
	ByPreemptions []int
	Shortest      int
	Ties          int
	Preemptions   int
	Schedule      string
	Fewest        string
	InRunOut      bool
}

// violation is where one schedule breaks a light for the first time.
type violation struct {
	moves    []sim.Move
	ranks    []int // of each move among those possible: canonical order
	switches int
	inRunOut bool
}

// shorter: fewer steps, then fewer switches, then canonical order.
func (v *violation) shorter(w *violation) bool {
	if d := len(v.moves) - len(w.moves); d != 0 {
		return d < 0
	}
	if v.switches != w.switches {
		return v.switches < w.switches
	}
	return slices.Compare(v.ranks, w.ranks) < 0
}

// calmer: fewer switches, then fewer steps, then canonical order.
func (v *violation) calmer(w *violation) bool {
	if v.switches != w.switches {
		return v.switches < w.switches
	}
	return v.shorter(w)
}

// enumerator runs all schedules of a system, one after the other.
type enumerator struct {
	sys     explore.System
	lights  int
	limit   int
	out     tally
	best    []*violation
	calmest []*violation
	ties    []map[string]bool

	// visit, if set, sees every state on the way with the moves that led to it.
	visit func(moves []sim.Move)
	// each, if set, sees every complete schedule and the lights it has broken.
	each func(moves []sim.Move, final sim.Bits)
}

// enumerate is plain depth-first re-execution. More than limit schedules are an error.
func enumerate(sys explore.System, lights, limit int) (tally, error) {
	e := &enumerator{sys: sys, lights: lights, limit: limit}
	return e.run()
}

func (e *enumerator) run() (tally, error) {
	e.best, e.calmest = make([]*violation, e.lights), make([]*violation, e.lights)
	e.ties = make([]map[string]bool, e.lights)
	e.out.Lights = make([]lightTally, e.lights)
	for path := []choice(nil); ; {
		var err error
		if path, err = e.once(path); err != nil {
			return e.out, err
		}
		if e.out.Schedules > e.limit {
			return e.out, fmt.Errorf("more than %d schedules", e.limit)
		}
		if path = advance(path); len(path) == 0 {
			break
		}
	}
	for i := range e.out.Lights {
		l := &e.out.Lights[i]
		for len(l.ByPreemptions) < len(e.out.ByPreemptions) {
			l.ByPreemptions = append(l.ByPreemptions, 0)
		}
		if v := e.best[i]; v != nil {
			l.Shortest, l.Schedule, l.InRunOut = len(v.moves), spell(v.moves), v.inRunOut
			l.Ties = len(e.ties[i])
			l.Preemptions, l.Fewest = e.calmest[i].switches, spell(e.calmest[i].moves)
		}
	}
	return e.out, nil
}

// choice is one step of a schedule: which of how many moves.
type choice struct{ taken, of int }

// advance makes the choices of the next schedule: the last step that can go
// another way goes there.
func advance(path []choice) []choice {
	for len(path) > 0 {
		c := &path[len(path)-1]
		if c.taken++; c.taken < c.of {
			return path
		}
		path = path[:len(path)-1]
	}
	return nil
}

// once executes one schedule: the path's choices, then always the first move.
func (e *enumerator) once(path []choice) ([]choice, error) {
	s := e.sys
	if err := s.Reset(); err != nil {
		return nil, err
	}
	var moves []sim.Move
	var ranks []int
	seen := sim.Bits(0)
	switches, last := 0, -1
	look := func(bits sim.Bits, inRunOut bool) {
		for i := range e.lights {
			if bits.Has(i) && !seen.Has(i) {
				e.note(i, &violation{slices.Clone(moves), slices.Clone(ranks), switches, inRunOut})
			}
		}
		seen |= bits
	}
	bits, err := s.Judge()
	if err != nil {
		return nil, err
	}
	look(bits, false)
	for depth := 0; ; depth++ {
		if e.visit != nil {
			e.visit(moves)
		}
		able := s.Moves(nil)
		if len(able) == 0 {
			break
		}
		if depth == len(path) {
			path = append(path, choice{0, len(able)})
		}
		if path[depth].of != len(able) {
			return nil, fmt.Errorf("after %s there were %d moves and are now %d", spell(moves), path[depth].of, len(able))
		}
		n := path[depth].taken
		m := able[n]
		if m.Actor() {
			if last >= 0 && last != int(m.Arg) && slices.Contains(able, sim.Move{Kind: sim.MoveActor, Arg: uint8(last)}) {
				switches++
			}
			last = int(m.Arg)
		}
		if err := s.Do(m); err != nil {
			return nil, fmt.Errorf("after %s: %w", spell(append(moves, m)), err)
		}
		moves, ranks = append(moves, m), append(ranks, n)
		if bits, err = s.Judge(); err != nil {
			return nil, err
		}
		look(bits, false)
	}
	if bits, err = s.Finish(nil); err != nil {
		return nil, err
	}
	look(bits, true)
	e.out.Schedules++
	e.out.ByPreemptions = bump(e.out.ByPreemptions, switches)
	for i := range e.lights {
		if seen.Has(i) {
			e.out.Lights[i].Violating++
			e.out.Lights[i].ByPreemptions = bump(e.out.Lights[i].ByPreemptions, switches)
		}
	}
	if e.each != nil {
		e.each(moves, seen)
	}
	return path, nil
}

// note compares a violation with the best so far. Prefixes are compared as text:
// many schedules begin with the same one.
func (e *enumerator) note(i int, v *violation) {
	if b := e.best[i]; b == nil || len(v.moves) < len(b.moves) {
		e.ties[i] = map[string]bool{}
	}
	if b := e.best[i]; b == nil || v.shorter(b) {
		e.best[i] = v
	}
	if len(v.moves) == len(e.best[i].moves) {
		e.ties[i][spell(v.moves)] = true
	}
	if c := e.calmest[i]; c == nil || v.calmer(c) {
		e.calmest[i] = v
	}
}

func bump(h []int, i int) []int {
	for len(h) <= i {
		h = append(h, 0)
	}
	h[i]++
	return h
}

// spell writes a schedule as its moves, one after the other.
func spell(moves []sim.Move) string {
	s := ""
	for _, m := range moves {
		s += m.String()
	}
	return s
}

// tallyOf renders a complete result in the terms of enumeration.
func tallyOf(r *explore.Result) tally {
	t := tally{Schedules: int(r.Interleavings.Int64()), Lights: []lightTally{}}
	for _, n := range r.ByPreemptions {
		t.ByPreemptions = append(t.ByPreemptions, int(n.Int64()))
	}
	for _, l := range r.Lights {
		x := lightTally{Violating: int(l.Violating.Int64())}
		for _, n := range l.ByPreemptions {
			x.ByPreemptions = append(x.ByPreemptions, int(n.Int64()))
		}
		if l.Broken {
			x.Shortest, x.Ties, x.Preemptions = l.Shortest, int(l.Ties.Int64()), l.Preemptions
			x.Schedule, x.Fewest, x.InRunOut = spell(l.Schedule), spell(l.Fewest), l.InRunOut
		}
		t.Lights = append(t.Lights, x)
	}
	return t
}

// mustAgree compares the graph with plain enumeration of the same system.
func mustAgree(t testing.TB, sys explore.System, lights, limit int) *explore.Result {
	t.Helper()
	want, err := enumerate(sys, lights, limit)
	if err != nil {
		t.Fatalf("enumerating: %v", err)
	}
	r, err := explore.Run(t.Context(), sys, lights, explore.Limits{}, nil)
	if err != nil {
		t.Fatalf("exploring: %v", err)
	}
	if !r.Complete {
		t.Fatalf("exploring stopped at a bound: %s", r.Bound)
	}
	if diff := cmp.Diff(want, tallyOf(r)); diff != "" {
		t.Fatalf("the graph differs from plain enumeration (-enumerated +graph):\n%s", diff)
	}
	return r
}
