// Package trace holds what a run leaves behind, as plain data: the events in
// order and a picture of the world after each of them. Screens and exporters
// read it; nothing here runs, decides or draws, and the package must not import
// an engine, a lesson or the screen.
package trace

import (
	"time"

	"flashlab/sim/source"
)

// Event is one finished step: an operation of an actor or a step of the environment.
type Event struct {
	Seq    int            // 1-based position in the schedule; 0 for steps of the run-out
	Move   string         // token form of the step: "A", "ea", "t", "xA", ...
	Actor  string         // letter of the actor, "" for the environment
	Node   string         // node the actor lives on, such as "n1"
	Kind   string         // "redis", "sql", "mutex", "sleep", "queue", "env"
	Op     string         // short name: "SELECT", "SET", "BEGIN IMMEDIATE", "lock"
	Args   string         // the whole command on one line
	Reply  string         // the answer on one line: "stock=1", "1 row", "OK", "(nil)"
	Failed bool           // the operation answered with an error
	At     time.Duration  // virtual time at which it ran
	Stack  []source.Frame // where the business code stood, innermost first
	Access []Access       // shared things it touched
	Broken []string       // lights that turned red at this step
	RunOut bool           // belongs to the run-out after the end of the schedule
	End    string         // how the actor ended with this step: "" (it goes on), "ok", "died" or its error
}

// Line is the innermost lesson line of the event, or 0.
func (e Event) Line() int {
	if len(e.Stack) == 0 {
		return 0
	}
	return e.Stack[0].Line
}

// Access is one shared thing an operation touched.
type Access struct {
	Resource string // "voucher", "orders", "lock:order:7", "write lock"
	Write    bool
}

// Status of a light.
type Status uint8

// The states of a light.
const (
	Green Status = iota // holds so far
	Red                 // broken
	Grey                // not judged here
)

// String returns "green", "red" or "grey".
func (s Status) String() string { return [...]string{"green", "red", "grey"}[s] }

// Light is an invariant as it stands after a step.
type Light struct {
	Name   string
	Status Status
	Since  int    // step that broke it (0: not broken, or broken in the run-out)
	Detail Phrase // the figures behind it: "orders 2 > stock 1"
}

// Phase says what an actor is doing.
type Phase uint8

// The phases of an actor.
const (
	Ready   Phase = iota // can take its next step
	Blocked              // waits for something; see Actor.Why
	Paused               // its node stands still
	Done                 // returned
	Dead                 // killed
)

// String returns a lower-case English word for p.
func (p Phase) String() string {
	return [...]string{"ready", "blocked", "paused", "done", "dead"}[p]
}

// Reason says why an actor cannot step. It is data, so that each language can
// put it into words.
type Reason struct {
	Kind string        // "write-lock", "mutex", "sleep", "stream", "hang", "pause"
	Name string        // what is waited for: "lock:order:7"
	By   string        // letter of the actor that holds it, or ""
	Left time.Duration // virtual time until it ends by itself (0: unknown or never)
}

// Actor is one actor as it stands after a step.
type Actor struct {
	Letter string
	Name   Phrase // "buyer 1", "watchdog", ...
	Node   string
	Daemon bool
	Phase  Phase
	Begun  bool           // has taken a step
	Next   string         // the operation it stands before, whole command
	NextOp string         // its short name
	Why    Reason         // when Blocked or Paused
	Stack  []source.Frame // where it stands, innermost first
	Result string         // when Done: "ok" or the error text
}

// Key is one Redis key.
type Key struct {
	Name, Type, Value string
	TTL               time.Duration // -1: none
	Owner             string        // letter of the actor whose grant is in it (locks), or ""
	Believers         []string      // letters of the actors that believe to hold it (locks)
	Missing           bool          // a lock that somebody believes to hold although its key is gone
}

// Table is one SQL table as committed.
type Table struct {
	Name    string
	Columns []string
	Rows    [][]string
}

// Choice is a step that is possible now.
type Choice struct {
	Move  string // token form
	Actor string // letter, "" for the environment
	Label string // what it would do
	What  string // of a step of the environment: whom or what it concerns, such as "A", "n1" or a key
	Fault bool   // a crash, expiry, pause, ... rather than ordinary progress
}

// State is the picture of the world after a step.
type State struct {
	Now     time.Duration
	Actors  []Actor
	Choices []Choice
	Keys    []Key
	Tables  []Table
	Streams []Stream
	Lights  []Light
	Writer  string // letter of the actor that holds the database write lock
	Ended   bool   // the interleaving is over
	// Deadlock: nobody can move and somebody is unfinished.
	Deadlock bool
	Notes    []Phrase // free lines from the scenario, such as "UNIQUE(user, voucher): on"
}

// Frame is one point of a run: the step that led here and the world after it.
// Frame 0 has no event.
type Frame struct {
	Event *Event
	State State
}

// Broken reports whether the named light is red.
func (s *State) Broken(name string) bool {
	for _, l := range s.Lights {
		if l.Name == name {
			return l.Status == Red
		}
	}
	return false
}

// AnyRed reports whether some light is red.
func (s *State) AnyRed() bool {
	for _, l := range s.Lights {
		if l.Status == Red {
			return true
		}
	}
	return false
}

// Actor returns the actor with that letter, or nil.
func (s *State) Actor(letter string) *Actor {
	for i := range s.Actors {
		if s.Actors[i].Letter == letter {
			return &s.Actors[i]
		}
	}
	return nil
}

// Stream is one Redis stream.
type Stream struct {
	Name    string
	Entries []Entry // oldest first
	Groups  []Group
}

// Entry is one entry of a stream.
type Entry struct {
	Rank      int           // position from 1; ids hold the time and say less
	Fields    string        // "userId=7 voucherId=1"
	Delivered bool          // handed to a consumer of some group
	Group     string        // in which it is pending, "" if it is not
	Consumer  string        // who has it
	Idle      time.Duration // since it was handed out
	Count     int64         // how often it was handed out
}

// Group is a consumer group of a stream.
type Group struct {
	Name      string
	Delivered int // rank of the last entry handed out
	Pending   int // entries handed out and not acknowledged
}
