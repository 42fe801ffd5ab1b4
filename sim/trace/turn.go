package trace

import (
	"fmt"
	"time"
)

// turn is one change of hands in a schedule: an actor steps and the last step
// was another's.
type turn struct {
	After, Step int    // sequence numbers of the last step before and of the first after it
	From, To    string // letters
	Why         string // why From did not step again, in English
	Preempted   bool   // From could have gone on
}

// turns lists the changes of hands of the schedule. Steps of the environment
// belong to nobody and end no turn; the run-out is not chosen by anybody, so it
// is left out.
func turns(frames []Frame) []turn {
	var out []turn
	var last *Event
	for i := range frames {
		e := frames[i].Event
		if e == nil || e.environment() || e.RunOut {
			continue
		}
		if last != nil && last.Actor != e.Actor {
			t := turn{After: last.Seq, Step: e.Seq, From: last.Actor, To: e.Actor}
			before := &frames[i-1].State
			t.Why, t.Preempted = standing(before, last.Actor)
			if t.Preempted && !before.offers(last.Actor) {
				// A due renewal precedes everybody: nobody chose to switch.
				t.Why, t.Preempted = last.Actor+" had to let a due renewal go first", false
			}
			out = append(out, t)
		}
		last = e
	}
	return out
}

// offers reports whether the actor's step was among the choices. A state without
// choices does not know and says yes.
func (s *State) offers(letter string) bool {
	for _, c := range s.Choices {
		if c.Actor == letter {
			return true
		}
	}
	return len(s.Choices) == 0
}

// standing says in words what keeps an actor from its next step, and whether
// nothing does.
func standing(s *State, letter string) (why string, ready bool) {
	a := s.Actor(letter)
	if a == nil {
		return "where " + letter + " stood was not recorded", false
	}
	switch a.Phase {
	case Done:
		if a.Result != "" && a.Result != "ok" {
			return letter + " had returned: " + a.Result, false
		}
		return letter + " had returned", false
	case Dead:
		return letter + " was dead", false
	case Blocked, Paused:
		return letter + " was " + a.Why.words(), false
	}
	next := a.Next
	if next == "" {
		next = a.NextOp
	}
	if next == "" {
		return letter + " could go on", true
	}
	return letter + " could go on; it stood before " + next, true
}

// words puts the reason into an English phrase: "waiting for mutex m held by B".
func (r Reason) words() string {
	held, left := "", ""
	if r.By != "" {
		held = " held by " + r.By
	}
	if r.Left > 0 {
		left = ", " + r.Left.Round(time.Millisecond).String() + " left"
	}
	switch r.Kind {
	case "write-lock":
		return "waiting for the write lock of the database" + held + left
	case "mutex":
		return "waiting for mutex " + r.Name + held + left
	case "sleep":
		return "sleeping" + left
	case "stream":
		return "waiting for an entry in " + r.Name + left
	case "hang":
		return "hanging" + left
	case "pause":
		return "paused with its node" + left
	case "":
		return "unable to step" + left
	}
	if r.Name == "" {
		return fmt.Sprintf("waiting (%s)%s%s", r.Kind, held, left)
	}
	return "waiting for " + r.Name + held + left
}
