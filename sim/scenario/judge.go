package scenario

import (
	"fmt"

	"flashlab/sim"
)

// Broken is the set of lights that have been red so far in this run.
func (r *Run) Broken() sim.Bits { return r.bits }

// Restore sets the lights known to be broken in the present state: a replayed
// prefix need not be judged again.
func (r *Run) Restore(b sim.Bits) { r.bits = b }

// Judge looks at the lights in the present state and latches what is broken.
func (r *Run) Judge() (sim.Bits, error) {
	quiet := r.quiescent()
	for i := range r.S.Lights {
		l := &r.S.Lights[i]
		if l.When == AtEnd || l.When == Quiescent && !quiet || r.bits.Has(i) {
			continue
		}
		if err := r.check(i); err != nil {
			return r.bits, err
		}
	}
	return r.bits, nil
}

func (r *Run) check(i int) error {
	ok, err := r.S.Lights[i].Check(&r.view)
	if err != nil {
		return fmt.Errorf("judging %s: %w", r.S.Lights[i].Name, err)
	}
	if !ok {
		r.bits |= 1 << i
	}
	return nil
}

// quiescent: every live actor has not begun, has ended or (a daemon) waits idle.
func (r *Run) quiescent() bool {
	k := r.W.Kernel
	for _, a := range k.Actors {
		if a.State() != sim.Parked || a.Steps == 0 {
			continue
		}
		if a.Daemon && !k.Enabled(a) {
			continue
		}
		return false
	}
	return true
}

// runOutLimit bounds the steps of a run-out; business code waits in every loop, so
// only a broken scenario reaches it.
const runOutLimit = 20_000

// Finish runs the scenario out from the end of an interleaving - no more faults,
// pauses over, everybody in turn, time to the next deadline when nobody can move -
// until all are done and nothing is in flight or ten times the longest lease has
// passed, and judges what can only be judged then. The state is spent afterwards.
// Steps are reported to each, which may be nil.
func (r *Run) Finish(each func() error) (sim.Bits, error) {
	k := r.W.Kernel
	k.Unpause()
	k.FreeTime = false
	r.runOut, r.budgets = true, budgets{}
	turn, until := -1, k.Now+10*r.longestLease()
	for n := 0; n < runOutLimit; n++ {
		done, err := r.done()
		if err != nil {
			return r.bits, err
		}
		if done {
			break
		}
		move := sim.Move{Kind: sim.MoveActor}
		if i := r.nextInTurn(turn); i >= 0 {
			turn, move.Arg = i, uint8(i)
		} else {
			at, ok := r.deadline()
			if !ok || at > until {
				break // nobody can move, and nothing will change that
			}
			move = sim.Move{Kind: sim.MoveClock}
			r.ticks = 1
		}
		if err := r.Do(move); err != nil {
			return r.bits, err
		}
		if _, err := r.Judge(); err != nil {
			return r.bits, err
		}
		if each != nil {
			if err := each(); err != nil {
				return r.bits, err
			}
		}
	}
	r.final = true
	for i := range r.S.Lights {
		if !r.bits.Has(i) {
			if err := r.check(i); err != nil {
				return r.bits, err
			}
		}
	}
	return r.bits, nil
}

// done reports whether a run-out has nothing left to do: those that count have
// ended, nothing is in flight, and no task that somebody started goes on.
func (r *Run) done() (bool, error) {
	k := r.W.Kernel
	if !k.Finished() {
		return false, nil
	}
	for _, a := range k.Actors {
		if a.Parent != nil && a.State() == sim.Parked {
			return false, nil
		}
	}
	n, err := r.inFlight()
	return n == 0, err
}

func (r *Run) nextInTurn(last int) int {
	k := r.W.Kernel
	n := len(k.Actors)
	for d := 1; d <= n; d++ {
		i := (last + d) % n
		if a := k.Actors[i]; !a.Hung && k.Enabled(a) {
			return i
		}
	}
	return -1
}
