// Package explore finds every reachable state of a program under a scheduler by
// re-executing it, and answers questions about all its schedules exactly: how many
// there are, how many break a light, which is the shortest that does, which needs
// the fewest preemptions.
//
// The program is anything that implements [System]; the package must not
// know engines or lessons. A search that reaches a bound is incomplete and says so:
// it never claims a proof.
package explore

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"time"

	"flashlab/sim"
)

// System is a program that can be run again and again under a chosen schedule.
type System interface {
	// Reset returns to the start.
	Reset() error
	// Moves appends the steps possible now in canonical order, none at the end
	// of an interleaving. It must have no side effect.
	Moves(dst []sim.Move) []sim.Move
	// Do takes one step.
	Do(m sim.Move) error
	// Digest identifies the outcome of the last step, to compare replays.
	Digest() uint64
	// Judge looks at the lights now and returns all that have been broken so far.
	Judge() (sim.Bits, error)
	// Restore sets the broken lights of a state reached by replay.
	Restore(sim.Bits)
	// AppendKey appends a canonical form of the state, broken lights included:
	// equal keys must mean equal futures.
	AppendKey(b []byte) ([]byte, error)
	// Finish runs the program out from the end of an interleaving and returns
	// the lights broken then. The state is spent afterwards.
	Finish(each func() error) (sim.Bits, error)
}

// Limits bound a search. Zero values mean the defaults.
type Limits struct {
	States   int           // distinct states, default 200,000
	Duration time.Duration // default 60 s
}

// The default limits.
const (
	DefaultStates   = 200_000
	DefaultDuration = 60 * time.Second
)

func (l Limits) or() Limits {
	if l.States <= 0 {
		l.States = DefaultStates
	}
	if l.Duration <= 0 {
		l.Duration = DefaultDuration
	}
	return l
}

// Progress is how far a search has come.
type Progress struct {
	States, Edges, Runs int
	Depth               int      // longest schedule so far
	Broken              sim.Bits // lights seen red so far
	Switches            int      // preemption bound being searched, -1 while the whole graph is
	Elapsed             time.Duration
}

// Result is what a search has found.
type Result struct {
	Complete bool
	Bound    string // which bound ended it: "states", "time", "cancelled" or ""
	States   int
	Edges    int
	Runs     int // executions of the program during the search
	Checked  int // schedules executed once more, to validate the graph
	Elapsed  time.Duration

	// Interleavings is the exact number of schedules; nil when incomplete.
	Interleavings *big.Int
	// ByPreemptions is the same by number of preemptions; nil when incomplete.
	ByPreemptions []*big.Int

	Lights []Light

	// Switches is the largest number of preemptions up to which every schedule
	// was searched after a bound was reached, -1 if none.
	Switches int

	graph *graph
}

// Light is what a search has found about one light.
type Light struct {
	Broken bool // some schedule breaks it
	// Violating counts the schedules in which it breaks; nil when incomplete.
	Violating     *big.Int
	ByPreemptions []*big.Int // the same by preemptions; nil when incomplete

	// The rest is set when it breaks. Without a complete search the schedules
	// are real but need not be the shortest.
	Shortest    int      // steps up to and including the one that breaks it
	Ties        *big.Int // different schedules that short; nil when incomplete
	Preemptions int      // fewest that suffice
	Schedule    []sim.Move
	Fewest      []sim.Move // the one with the fewest preemptions
	InRunOut    bool       // Schedule breaks it only after the interleaving's end

	// Clean is the number of states within Shortest-1 steps, none of them
	// broken: the certificate that nothing shorter exists.
	Clean int
}

// Run searches the whole graph of a system with the given number of lights.
// progress, if not nil, is called now and then. A cancelled ctx ends the search
// and keeps what was found; other errors mean that the system cannot be explored,
// for instance because it is not deterministic.
func Run(ctx context.Context, s System, lights int, lim Limits, progress func(Progress)) (*Result, error) {
	b := &builder{sys: s, g: newGraph(lights), lim: lim.or(), ctx: ctx, progress: progress, switches: -1, start: time.Now()}
	bound, err := b.build()
	if err != nil {
		return nil, err
	}
	r := &Result{Complete: bound == "", Bound: bound, Switches: -1, graph: b.g}
	if r.Complete {
		r.Runs = b.runs
		if err = r.answer(); err == nil {
			err = b.validate(r)
		}
	} else {
		err = r.partial(b)
		r.Runs = b.runs
	}
	r.States, r.Edges, r.Elapsed = len(b.g.nodes), b.g.done, time.Since(b.start)
	return r, err
}

// ErrNotDeterministic marks a replay that went another way than its recording.
var ErrNotDeterministic = errors.New("the run is not deterministic")

// ErrAmbiguous marks schedules that lead to equal keys and yet go on in different
// ways: actors share something that is not in the key.
var ErrAmbiguous = errors.New("two schedules lead to what looks like the same state but go on in different ways: actors may share nothing but engines and what sim/proc offers")

func notDeterministic(at int, m sim.Move) error {
	return fmt.Errorf("%w: step %d (%s) of a replayed schedule had another outcome than before; business code must draw time, ids and randomness from its context", ErrNotDeterministic, at, m)
}

func otherState(steps int) error {
	return fmt.Errorf("%w: after %d replayed steps the state is not what it was before; business code must draw time, ids and randomness from its context", ErrNotDeterministic, steps)
}
