package progress

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Event is one thing the learner did. It never changes once it is in the log.
type Event struct {
	// ID is a version 7 UUID in its lower-case text form.
	ID string
	// At is when it happened, in UTC, in whole milliseconds. The log is read in
	// order of At, then ID.
	At time.Time
	// Host is the random id of the installation that wrote the event.
	Host string
	// Kind says what happened and what Data holds.
	Kind Kind
	// Subject is the name of the exercise, question, card or lesson it is about.
	Subject string
	// Data is the payload: a compact JSON object. Fields and kinds this version does
	// not know are kept as they are.
	Data json.RawMessage
}

// Kind names what happened. A log may hold kinds of newer versions.
type Kind string

// The kinds this version knows; each has a payload type of the same name.
const (
	KindPlaced    Kind = "placed"
	KindVisited   Kind = "visited"
	KindPredicted Kind = "predicted"
	KindBroke     Kind = "broke"
	KindAnswered  Kind = "answered"
	KindExplained Kind = "explained"
	KindHinted    Kind = "hinted"
	KindRevealed  Kind = "revealed"
	KindRecalled  Kind = "recalled"
	KindReset     Kind = "reset"
	KindUndone    Kind = "undone"
)

// Everything is the subject of a Reset that covers the whole log.
const Everything = "*"

// ErrUnknownKind is what Payload reports for a kind of a newer version.
var ErrUnknownKind = errors.New("unknown kind of event")

// Payload is what an event of one kind carries: one of the types of this package.
type Payload interface {
	Kind() Kind
	// check reports the first field whose value has no meaning.
	check(subject string) *fieldError
	// of is the lesson the event belongs to, or "" if only its subject tells.
	of() string
}

// Placed says where the learner is in a lesson, to resume there. Subject: lesson.
type Placed struct {
	Variant string `json:"variant"`
	Beat    string `json:"beat"`
	Steps   string `json:"steps"` // the steps taken so far, as the text of a schedule
}

// Visited says that a beat of a lesson was seen. Subject: lesson.
type Visited struct {
	Beat string `json:"beat"`
}

// Predicted is an answer given before the run. Subject: question.
type Predicted struct {
	Lesson     string `json:"lesson"`
	Option     string `json:"option"`     // name of the option chosen
	Confidence int    `json:"confidence"` // 1 (a guess) to 3 (sure)
	Right      bool   `json:"right"`
	Truth      string `json:"truth"` // name of the option that was true
}

// Broke is a schedule found by the learner that breaks an invariant. Subject: exercise.
type Broke struct {
	Lesson   string `json:"lesson"`
	Token    string `json:"token"`    // the schedule
	Steps    int    `json:"steps"`    // its length, 1 or more
	Switches int    `json:"switches"` // how often it changes the actor
	Light    string `json:"light"`    // the invariant that broke
	Shortest bool   `json:"shortest"` // no schedule has fewer steps
	Fewest   bool   `json:"fewest"`   // no schedule has fewer switches
}

// Answered is a solution handed in. Subject: exercise.
type Answered struct {
	Lesson   string `json:"lesson"`
	Form     string `json:"form"`   // form of the exercise, such as choice or script
	Answer   string `json:"answer"` // name of the option, or the text written
	Passed   bool   `json:"passed"`
	Mistake  string `json:"mistake"`  // name of the misconception behind it, or ""
	Sentence string `json:"sentence"` // what the learner was told
}

// Explained is why it broke, in the learner's view. Subject: exercise.
type Explained struct {
	Lesson string `json:"lesson"`
	Option string `json:"option"`
	Right  bool   `json:"right"`
	Line   string `json:"line"` // the learner's own words
}

// Hinted says that a hint was shown. Subject: exercise.
type Hinted struct {
	Lesson string `json:"lesson,omitempty"`
	N      int    `json:"n"` // 1 to 4
}

// Revealed says that the solution was shown. Subject: exercise.
type Revealed struct {
	Lesson string `json:"lesson,omitempty"`
}

// Recalled is a card turned over. Subject: card.
type Recalled struct {
	Lesson string `json:"lesson,omitempty"`
	Grade  Grade  `json:"grade"`
}

// Reset makes all events of its subject that come before it in the log count no
// more. Subject: an exercise, question or card, a lesson with all that belongs to it,
// or Everything.
type Reset struct{}

// Undone makes a Reset count no more, as if it had never been. Subject: ID of the
// event of the Reset.
type Undone struct{}

// Kind returns KindPlaced.
func (Placed) Kind() Kind { return KindPlaced }

// Kind returns KindVisited.
func (Visited) Kind() Kind { return KindVisited }

// Kind returns KindPredicted.
func (Predicted) Kind() Kind { return KindPredicted }

// Kind returns KindBroke.
func (Broke) Kind() Kind { return KindBroke }

// Kind returns KindAnswered.
func (Answered) Kind() Kind { return KindAnswered }

// Kind returns KindExplained.
func (Explained) Kind() Kind { return KindExplained }

// Kind returns KindHinted.
func (Hinted) Kind() Kind { return KindHinted }

// Kind returns KindRevealed.
func (Revealed) Kind() Kind { return KindRevealed }

// Kind returns KindRecalled.
func (Recalled) Kind() Kind { return KindRecalled }

// Kind returns KindReset.
func (Reset) Kind() Kind { return KindReset }

// Kind returns KindUndone.
func (Undone) Kind() Kind { return KindUndone }

func (Placed) of() string      { return "" }
func (Visited) of() string     { return "" }
func (p Predicted) of() string { return p.Lesson }
func (p Broke) of() string     { return p.Lesson }
func (p Answered) of() string  { return p.Lesson }
func (p Explained) of() string { return p.Lesson }
func (p Hinted) of() string    { return p.Lesson }
func (p Revealed) of() string  { return p.Lesson }
func (p Recalled) of() string  { return p.Lesson }
func (Reset) of() string       { return "" }
func (Undone) of() string      { return "" }

func (Placed) check(string) *fieldError { return nil }

func (p Visited) check(string) *fieldError { return filled("data.beat", p.Beat) }

func (p Predicted) check(string) *fieldError {
	if p.Confidence < 1 || p.Confidence > 3 {
		return wrong("data.confidence", "is %d, must be 1, 2 or 3", p.Confidence)
	}
	return filled("data.option", p.Option)
}

func (p Broke) check(string) *fieldError {
	if p.Steps < 1 {
		return wrong("data.steps", "is %d, must be 1 or more", p.Steps)
	}
	if p.Switches < 0 {
		return wrong("data.switches", "is %d, must be 0 or more", p.Switches)
	}
	return filled("data.token", p.Token)
}

func (p Answered) check(string) *fieldError { return filled("data.form", p.Form) }

func (Explained) check(string) *fieldError { return nil }

func (p Hinted) check(string) *fieldError {
	if p.N < 1 || p.N > 4 {
		return wrong("data.n", "is %d, must be 1 to 4", p.N)
	}
	return nil
}

func (Revealed) check(string) *fieldError { return nil }

func (p Recalled) check(string) *fieldError {
	if !slices.Contains([]Grade{Again, Hard, Good, Easy}, p.Grade) {
		return wrong("data.grade", "is %q, must be again, hard, good or easy", clip(string(p.Grade)))
	}
	return nil
}

func (Reset) check(string) *fieldError { return nil }

func (Undone) check(subject string) *fieldError {
	if err := checkID(subject); err != "" {
		return wrong("subject", "must be the id of a reset: %s", err)
	}
	return nil
}

// Payload decodes Data. It reports ErrUnknownKind for a kind of a newer version, and
// which field is wrong if Data does not fit its kind.
func (e Event) Payload() (Payload, error) {
	p, wrong := e.payload()
	if wrong != nil {
		return nil, wrong
	}
	if p == nil {
		return nil, fmt.Errorf("%w: %s", ErrUnknownKind, e.Kind)
	}
	return p, nil
}

// payload is Payload with nil for an unknown kind.
func (e Event) payload() (Payload, *fieldError) {
	switch e.Kind {
	case KindPlaced:
		return decode[Placed](e)
	case KindVisited:
		return decode[Visited](e)
	case KindPredicted:
		return decode[Predicted](e)
	case KindBroke:
		return decode[Broke](e)
	case KindAnswered:
		return decode[Answered](e)
	case KindExplained:
		return decode[Explained](e)
	case KindHinted:
		return decode[Hinted](e)
	case KindRevealed:
		return decode[Revealed](e)
	case KindRecalled:
		return decode[Recalled](e)
	case KindReset:
		return decode[Reset](e)
	case KindUndone:
		return decode[Undone](e)
	}
	return nil, nil
}

func decode[P Payload](e Event) (Payload, *fieldError) {
	var p P
	if err := json.Unmarshal(e.Data, &p); err != nil {
		var mistyped *json.UnmarshalTypeError
		if errors.As(err, &mistyped) && mistyped.Field != "" {
			return nil, wrong("data."+mistyped.Field, "is a %s, must be a %s", mistyped.Value, mistyped.Type.Kind())
		}
		return nil, wrong("data", "%v", err)
	}
	if err := p.check(e.Subject); err != nil {
		return nil, err
	}
	return p, nil
}

// Equal reports whether both are the same event: all fields are equal, and Data means
// the same JSON, however it is spelt.
func (e Event) Equal(other Event) bool {
	return e.ID == other.ID && e.At.Equal(other.At) && e.Host == other.Host &&
		e.Kind == other.Kind && e.Subject == other.Subject &&
		(bytes.Equal(e.Data, other.Data) || sameJSON(e.Data, other.Data))
}

// before is the order of the log.
func before(a, b Event) int {
	if c := a.At.Compare(b.At); c != 0 {
		return c
	}
	return strings.Compare(a.ID, b.ID)
}

// Merge returns the union of two logs by ID, in the order of the log. It refuses two
// events of the same ID that are not equal with an error that is ErrConflict.
func Merge(a, b []Event) ([]Event, error) {
	all := make([]Event, 0, len(a)+len(b))
	seen := make(map[string]Event, len(a)+len(b))
	for _, log := range [][]Event{a, b} {
		for _, e := range log {
			if known, ok := seen[e.ID]; !ok {
				seen[e.ID] = e
				all = append(all, e)
			} else if !known.Equal(e) {
				return nil, fmt.Errorf("%w: %s", ErrConflict, e.ID)
			}
		}
	}
	slices.SortFunc(all, before)
	return all, nil
}
