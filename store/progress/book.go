package progress

import (
	"cmp"
	"slices"
	"time"
)

// Book is the state of a learner: what a log adds up to at a moment. The maps are
// never nil; a name that is missing has its zero value.
type Book struct {
	// Current is the lesson the learner was last in, "" if in none.
	Current     string
	Lessons     map[string]Lesson
	Exercises   map[string]Exercise
	Questions   map[string]Question
	Calibration [3]Tally // of the first prediction of each question, by Confidence-1
	Cards       map[string]Card
	Due         []string // cards to show now, longest due first
	Resets      []Cut    // resets in force, oldest first
}

// Lesson is what was seen of a lesson.
type Lesson struct {
	Seen  []string // beats, in the order they were first seen
	Place Place    // where the learner is
}

// Place is a place in a lesson. At is zero if there is none.
type Place struct {
	Placed
	At time.Time
}

// Exercise is what was done about an exercise.
type Exercise struct {
	Lesson    string         // "" if no event said
	Attempts  int            // answers handed in and schedules that broke it
	Passed    bool           // an answer passed, or a schedule broke it
	PassedAt  time.Time      // when first, or zero
	Steps     Best           // the schedule with the fewest steps
	Switches  Best           // the schedule with the fewest switches
	Shortest  bool           // one was known to have the fewest steps possible
	Fewest    bool           // one was known to have the fewest switches possible
	Hints     int            // the highest hint shown, 0 to 4
	Revealed  bool           // the solution was shown
	Explained bool           // the right explanation was given at least once
	Why       Why            // the last explanation
	Last      Last           // the last answer
	Solved    Last           // the last answer that passed
	Mistakes  map[string]int // how often each misconception showed; nil if none
}

// Best is a schedule the learner found. Token is "" if there is none; the first one
// found wins a tie.
type Best struct {
	Token    string
	Steps    int
	Switches int
	Light    string
}

// Why is an explanation. At is zero if there is none.
type Why struct {
	Explained
	At time.Time
}

// Last is an answer. At is zero if there is none.
type Last struct {
	Answered
	At time.Time
}

// Question is what was predicted about a question.
type Question struct {
	Asked int
	First Guess // the one that counts: later ones know the truth
	Last  Guess
}

// Guess is a prediction.
type Guess struct {
	Predicted
	At time.Time
}

// Tally is how many predictions were made with one confidence, and how many were right.
type Tally struct{ N, Right int }

// Cut is a reset: an Undone with its ID as subject takes it back.
type Cut struct {
	ID      string
	Subject string
	At      time.Time
}

// Fold adds a log up as seen at now. The order of the events does not matter, nor
// does an event that is there twice. Events of unknown kinds, or with data that does
// not fit, do not count.
//
// An event dated more than a day after now was written under a wrong clock. It counts
// as if it were older than all others: otherwise nothing done since could replace it.
func Fold(events []Event, now time.Time) Book {
	b := Book{
		Lessons:   map[string]Lesson{},
		Exercises: map[string]Exercise{},
		Questions: map[string]Question{},
		Cards:     map[string]Card{},
	}
	for _, c := range b.counting(inOrder(events, now)) {
		b.add(c.event, c.payload)
	}
	for _, q := range b.Questions {
		t := &b.Calibration[q.First.Confidence-1]
		t.N++
		if q.First.Right {
			t.Right++
		}
	}
	for name, c := range b.Cards {
		if c.At.After(now.Add(skew)) {
			// Nobody knows when it was really seen: better once too often.
			c.Due = now.UTC().Truncate(time.Millisecond)
			b.Cards[name] = c
		}
		if !c.Due.After(now) {
			b.Due = append(b.Due, name)
		}
	}
	slices.SortFunc(b.Due, func(x, y string) int {
		return cmp.Or(b.Cards[x].Due.Compare(b.Cards[y].Due), cmp.Compare(x, y))
	})
	return b
}

// inOrder returns the events in the order in which they count, each once.
func inOrder(events []Event, now time.Time) []Event {
	latest := now.Add(skew)
	sorted := slices.Clone(events)
	slices.SortFunc(sorted, func(x, y Event) int {
		if fx, fy := x.At.After(latest), y.At.After(latest); fx != fy {
			if fx {
				return -1
			}
			return 1
		}
		return before(x, y)
	})
	return slices.CompactFunc(sorted, func(x, y Event) bool { return x.ID == y.ID })
}

type counted struct {
	event   Event
	payload Payload
}

// counting returns the events no reset takes away, without resets and what undoes
// them, and notes the resets in force. It goes through the log backwards: what is
// covered is then known from the subjects met so far.
func (b *Book) counting(sorted []Event) []counted {
	undone := map[string]bool{}
	for _, e := range sorted {
		if e.Kind == KindUndone {
			undone[e.Subject] = true
		}
	}
	cut := map[string]bool{}
	var kept []counted
	for _, e := range slices.Backward(sorted) {
		p, wrong := e.payload()
		if p == nil || wrong != nil {
			continue
		}
		switch p.(type) {
		case Undone:
		case Reset:
			if !undone[e.ID] {
				cut[e.Subject] = true
				b.Resets = append(b.Resets, Cut{e.ID, e.Subject, e.At})
			}
		default:
			if !cut[Everything] && !cut[e.Subject] && (p.of() == "" || !cut[p.of()]) {
				kept = append(kept, counted{e, p})
			}
		}
	}
	slices.Reverse(kept)
	slices.Reverse(b.Resets)
	return kept
}

func (b *Book) add(e Event, payload Payload) {
	switch p := payload.(type) {
	case Placed:
		l := b.Lessons[e.Subject]
		l.Place = Place{p, e.At}
		b.Lessons[e.Subject] = l
		b.Current = e.Subject
	case Visited:
		l := b.Lessons[e.Subject]
		if !slices.Contains(l.Seen, p.Beat) {
			l.Seen = append(l.Seen, p.Beat)
		}
		b.Lessons[e.Subject] = l
	case Predicted:
		q := b.Questions[e.Subject]
		q.Last = Guess{p, e.At}
		if q.Asked == 0 {
			q.First = q.Last
		}
		q.Asked++
		b.Questions[e.Subject] = q
	case Recalled:
		c := b.Cards[e.Subject].recalled(p.Grade, e.At)
		c.Lesson = cmp.Or(p.Lesson, c.Lesson)
		b.Cards[e.Subject] = c
	default:
		x := b.Exercises[e.Subject]
		x.Lesson = cmp.Or(payload.of(), x.Lesson)
		x.add(payload, e.At)
		b.Exercises[e.Subject] = x
	}
}

func (x *Exercise) add(payload Payload, at time.Time) {
	switch p := payload.(type) {
	case Broke:
		found := Best{p.Token, p.Steps, p.Switches, p.Light}
		if x.Steps.Token == "" || found.Steps < x.Steps.Steps {
			x.Steps = found
		}
		if x.Switches.Token == "" || found.Switches < x.Switches.Switches {
			x.Switches = found
		}
		x.Shortest = x.Shortest || p.Shortest
		x.Fewest = x.Fewest || p.Fewest
		x.attempt(true, at)
	case Answered:
		x.Last = Last{p, at}
		if p.Passed {
			x.Solved = x.Last
		}
		if p.Mistake != "" {
			if x.Mistakes == nil {
				x.Mistakes = map[string]int{}
			}
			x.Mistakes[p.Mistake]++
		}
		x.attempt(p.Passed, at)
	case Explained:
		x.Why = Why{p, at}
		x.Explained = x.Explained || p.Right
	case Hinted:
		x.Hints = max(x.Hints, p.N)
	case Revealed:
		x.Revealed = true
	}
}

func (x *Exercise) attempt(passed bool, at time.Time) {
	x.Attempts++
	if passed && !x.Passed {
		x.Passed, x.PassedAt = true, at
	}
}
