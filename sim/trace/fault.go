package trace

import "slices"

// Fault is what stands behind a broken invariant where no two actors raced: the
// environment did something, or an actor never comes back.
type Fault struct {
	Event *Event // the step of the environment; nil where an actor hangs
	Alone bool   // that step broke the light itself, nobody had to go on after it
	Hung  string // letter of the actor that hangs
}

// Blame finds the fault behind the first step that broke the named light: that step
// itself, or the last crash, pause, expiry, redelivery or lost reply before it. It
// reports false if the light is not broken or no fault came before. Ask [Explain]
// first: a race is the better answer, whatever gave rise to it.
//
// As there, the answer is a reading of what came in which order. A crash of actors
// that had not begun yet has left nothing behind, and is not blamed.
func Blame(frames []Frame, light string) (Fault, bool) {
	var last *Event
	for i := range frames {
		f := &frames[i]
		if e := f.Event; e != nil && e.fault() && (i == 0 || harms(e, &frames[i-1].State, &f.State)) {
			last = e
		}
		if !f.breaks(light) {
			continue
		}
		if last != nil {
			return Fault{Event: last, Alone: last == f.Event}, true
		}
		for _, a := range f.State.Actors {
			if a.Phase == Blocked && a.Why.Kind == "hang" {
				return Fault{Hung: a.Letter}, true
			}
		}
		return Fault{}, false
	}
	return Fault{}, false
}

// breaks reports whether the light is red from this frame on at the latest: some are
// judged only when all is over, at no step.
func (f *Frame) breaks(light string) bool {
	return f.State.Broken(light) || f.Event != nil && slices.Contains(f.Event.Broken, light)
}

// fault reports whether the step is a fault, and not only time that passes.
func (e *Event) fault() bool {
	switch e.Op {
	case "crash", "kill-node", "pause", "expire", "redeliver", "lose-reply":
		return e.environment()
	}
	return false
}

// harms reports whether a fault met anybody who had begun: of a crash, those who died.
func harms(e *Event, before, after *State) bool {
	if e.Op != "crash" && e.Op != "kill-node" {
		return true
	}
	for i := range after.Actors {
		a := &after.Actors[i]
		if was := before.Actor(a.Letter); a.Phase == Dead && a.Begun && was != nil && was.Phase != Dead {
			return true
		}
	}
	return false
}
