package scenario

import (
	"fmt"
	"strconv"
	"time"

	"flashlab/sim"
)

// Faults says which faults a scenario knows. How many of each are spent is a
// parameter: expiries, crashes, pauses, redeliveries, losses.
type Faults struct {
	// CrashNodes are the nodes that a crash takes as a whole. With none, a crash
	// takes a single actor, any one.
	CrashNodes []string
	// CrashActors restricts which single actors a crash can take; nil: any.
	CrashActors func(a *sim.Actor) bool
	// PauseNodes are the nodes that can stand still, for the parameter pause (ms).
	PauseNodes []string
	// ExpireOnlyDead restricts expiry to keys whose holder is dead: "the lease is
	// longer than the work".
	ExpireOnlyDead bool
	// Hangs reports whether an actor, as it stands, is stuck there for ever. Only
	// the end of its context frees it, from an operation that waits.
	Hangs func(a *sim.Actor) bool
	// Redelivery hands an unacknowledged entry to an actor; nil: there is none.
	Redelivery *Redelivery
}

// Redelivery is the broker's fault of handing an entry out twice.
type Redelivery struct {
	// To lists the positions of the actors that can get it.
	To []int
	// Possible reports whether the entry can be handed to an actor now.
	Possible func(v *View, to int) (bool, error)
	// Do hands it out.
	Do func(v *View, to int) error
}

// appendFaults appends the faults possible now, in canonical order. Faults strike
// before due renewals too.
func (r *Run) appendFaults(dst []sim.Move) ([]sim.Move, error) {
	k := r.W.Kernel
	if r.crashes > 0 {
		dst = r.appendCrashes(dst)
	}
	if r.pauses > 0 && !k.Finished() {
		for _, n := range r.S.Faults.PauseNodes {
			if !k.Paused(n) && r.nodeAlive(n) {
				dst = append(dst, sim.Move{Kind: sim.MovePause, Arg: nodeNumber(n)})
			}
		}
	}
	if r.losses > 0 {
		for i, a := range k.Actors {
			if a.State() == sim.Parked && a.Op.Kind == sim.KindRedis && !a.Deaf() && k.Enabled(a) {
				dst = append(dst, sim.Move{Kind: sim.MoveLoseReply, Arg: uint8(i)})
			}
		}
	}
	return dst, nil
}

func (r *Run) appendCrashes(dst []sim.Move) []sim.Move {
	k := r.W.Kernel
	if len(r.S.Faults.CrashNodes) > 0 {
		for _, n := range r.S.Faults.CrashNodes {
			if r.nodeAlive(n) && !k.Paused(n) {
				dst = append(dst, sim.Move{Kind: sim.MoveKillNode, Arg: nodeNumber(n)})
			}
		}
		return dst
	}
	for i, a := range k.Actors {
		if a.State() != sim.Parked || a.Hung {
			continue
		}
		if f := r.S.Faults.CrashActors; f == nil || f(a) {
			dst = append(dst, sim.Move{Kind: sim.MoveCrash, Arg: uint8(i)})
		}
	}
	return dst
}

// appendRedeliveries appends to whom an unacknowledged entry can be handed.
func (r *Run) appendRedeliveries(dst []sim.Move) ([]sim.Move, error) {
	d := r.S.Faults.Redelivery
	if d == nil || r.redeliveries == 0 {
		return dst, nil
	}
	for _, to := range d.To {
		ok, err := d.Possible(&r.view, to)
		if err != nil {
			return dst, err
		}
		if ok {
			dst = append(dst, sim.Move{Kind: sim.MoveRedeliver, Arg: uint8(to)})
		}
	}
	return dst, nil
}

// appendExpiries appends the leases that can run out now.
func (r *Run) appendExpiries(dst []sim.Move) []sim.Move {
	if r.expiries == 0 || r.W.Kernel.Finished() {
		return dst
	}
	for i, h := range r.locks {
		if r.W.TTL(h.lock.Key) <= 0 {
			continue
		}
		if r.S.Faults.ExpireOnlyDead && h.owner != nil && h.owner.State() == sim.Parked {
			continue
		}
		dst = append(dst, sim.Move{Kind: sim.MoveExpire, Arg: uint8(i)})
	}
	return dst
}

func (r *Run) nodeAlive(node string) bool {
	for _, a := range r.W.Kernel.Actors {
		if a.Node == node && a.State() == sim.Parked {
			return true
		}
	}
	return false
}

// nodeNumber is n of the node "n<n>".
func nodeNumber(node string) uint8 {
	n, _ := strconv.Atoi(node[1:])
	return uint8(n)
}

// environment takes a step of the environment and says what it did.
func (r *Run) environment(m sim.Move) (what, node string, err error) {
	k := r.W.Kernel
	switch m.Kind {
	case sim.MoveExpire:
		r.expiries--
		key := r.locks[m.Arg].lock.Key
		r.W.Expire(key)
		return "expire " + key, "", nil
	case sim.MoveClock:
		r.ticks--
		at, ok := r.deadline()
		if !ok {
			return "", "", fmt.Errorf("the clock has nothing to move to")
		}
		r.W.Advance(at)
		return "clock to " + at.String(), "", nil
	case sim.MoveCrash:
		r.crashes--
		a := k.Actors[m.Arg]
		return "crash " + a.Letter(), a.Node, k.Kill(a)
	case sim.MoveKillNode:
		r.crashes--
		n := fmt.Sprintf("n%d", m.Arg)
		return "crash node " + n, n, k.KillNode(n)
	case sim.MovePause:
		r.pauses--
		n := fmt.Sprintf("n%d", m.Arg)
		d := time.Duration(r.S.Params.Get("pause")) * time.Millisecond
		k.Pause(n, d)
		return "pause node " + n + " for " + d.String(), n, nil
	case sim.MoveRedeliver:
		r.redeliveries--
		return fmt.Sprintf("redeliver to %c", 'A'+m.Arg), "", r.S.Faults.Redelivery.Do(&r.view, int(m.Arg))
	case sim.MoveLoseReply:
		r.losses--
		k.Actors[m.Arg].LoseReply()
		return "lose the next reply of " + k.Actors[m.Arg].Letter(), "", nil
	}
	return "", "", fmt.Errorf("%s is no step of this scenario", m)
}

// hang stops the actors that the scenario declares stuck where they stand, and lets
// those go on whose wait has been cancelled.
func (r *Run) hang() {
	if r.S.Faults.Hangs == nil {
		return
	}
	for _, a := range r.W.Kernel.Actors {
		if a.State() != sim.Parked {
			continue
		}
		waits, over := a.Op.Blocked != nil, false
		if waits {
			_, blocked := a.Op.Blocked()
			over = !blocked
		}
		switch {
		case a.Hung && over:
			a.Hung = false
		case !a.Hung && !over:
			a.Hung = r.S.Faults.Hangs(a)
		}
	}
}

// faultLabel says what a step of the environment would do, and whom or what it
// concerns.
func (r *Run) faultLabel(m sim.Move) (label, what string) {
	switch m.Kind {
	case sim.MoveExpire:
		what = r.locks[m.Arg].lock.Key
		return "expire " + what, what
	case sim.MoveClock:
		at, _ := r.deadline()
		return "clock to " + at.String(), at.String()
	case sim.MoveKillNode, sim.MovePause:
		what = fmt.Sprintf("n%d", m.Arg)
	default:
		what = fmt.Sprintf("%c", 'A'+m.Arg)
	}
	switch m.Kind {
	case sim.MoveCrash:
		return "crash " + what, what
	case sim.MoveKillNode:
		return "crash node " + what, what
	case sim.MovePause:
		return "pause node " + what, what
	case sim.MoveRedeliver:
		return "redeliver to " + what, what
	case sim.MoveLoseReply:
		return "lose the next reply of " + what, what
	}
	return m.String(), ""
}
