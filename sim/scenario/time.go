package scenario

import (
	"time"

	"flashlab/sim"
)

// Time says how virtual time passes, as the semantics define it.
type Time uint8

const (
	// Free: time stands still, a sleep is always possible, leases run out by steps
	// of the environment.
	Free Time = iota
	// Eager: operations take no time; the clock moves only when no actor can.
	Eager
	// Lazy: the clock may also move at any moment, as often as ticks allows.
	Lazy
)

// String returns "free", "eager" or "lazy".
func (t Time) String() string { return [...]string{"free", "eager", "lazy"}[t] }

// deadline is the next instant at which something happens by itself: a sleeper or
// a timeout is due, a pause ends, a key expires.
func (r *Run) deadline() (at time.Duration, ok bool) {
	now := r.W.Kernel.Now
	note := func(t time.Duration) {
		if t > now && (!ok || t < at) {
			at, ok = t, true
		}
	}
	r.W.Kernel.Deadlines(note)
	r.W.Expiries(note)
	return at, ok
}

// urgent is the first actor whose due renewal precedes everything but faults.
func (r *Run) urgent() *sim.Actor {
	if r.S.Time == Free {
		return nil
	}
	for _, a := range r.W.Kernel.Actors {
		if a.Urgent && r.W.Kernel.Enabled(a) {
			return a
		}
	}
	return nil
}

// clockMoves reports whether the clock can move now.
func (r *Run) clockMoves(actorsCan bool) (bool, error) {
	if r.S.Time == Free || r.ticks == 0 || r.S.Time == Eager && actorsCan {
		return false, nil
	}
	if r.W.Kernel.Finished() {
		if n, err := r.inFlight(); err != nil || n == 0 {
			return false, err
		}
	}
	_, ok := r.deadline()
	return ok, nil
}

// inFlight is how much accepted work nobody has finished.
func (r *Run) inFlight() (int, error) {
	if r.S.InFlight == nil {
		return 0, nil
	}
	return r.S.InFlight(&r.view)
}

// longestLease bounds the run-out: ten times it counts as "for ever".
func (r *Run) longestLease() time.Duration {
	if r.S.Lease > 0 {
		return r.S.Lease
	}
	return 30 * time.Second
}
