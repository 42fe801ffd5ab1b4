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
const runOutLimit = 10_000

// Finish runs the scenario out from the end of an interleaving - no more faults,
// pauses over, everybody in turn - and judges what can only be judged then. The
// state is spent afterwards. Steps are reported to each, which may be nil.
func (r *Run) Finish(each func() error) (sim.Bits, error) {
	k := r.W.Kernel
	k.Unpause()
	r.runOut = true
	turn := -1
	for n := 0; n < runOutLimit && !k.Finished(); n++ {
		i := r.nextInTurn(turn)
		if i < 0 {
			break // nobody can move, and time stands still
		}
		turn = i
		if err := r.Do(sim.Move{Kind: sim.MoveActor, Arg: uint8(i)}); err != nil {
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
	for i, l := range r.S.Lights {
		if l.When != EachStep && !r.bits.Has(i) {
			if err := r.check(i); err != nil {
				return r.bits, err
			}
		}
	}
	return r.bits, nil
}

func (r *Run) nextInTurn(last int) int {
	k := r.W.Kernel
	n := len(k.Actors)
	for d := 1; d <= n; d++ {
		i := (last + d) % n
		if k.Enabled(k.Actors[i]) {
			return i
		}
	}
	return -1
}
