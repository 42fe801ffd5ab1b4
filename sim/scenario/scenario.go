// Package scenario declares what is stepped, stormed or proved - engines, actors,
// faults and lights - and runs it one move at a time.
//
// A [Scenario] is the declaration, a [Run] one execution of it that can be reset
// and driven again. The package must not know a lesson, a table or a rule of the
// shop; lights arrive as functions over committed rows.
package scenario

import (
	"context"
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// Verdict of a light or a variant.
type Verdict uint8

// The verdicts. Unknown means that a bound was reached; it is never "proved".
const (
	Holds Verdict = iota
	Breaks
	Unknown
)

// String returns "holds", "breaks" or "unknown".
func (v Verdict) String() string { return [...]string{"holds", "breaks", "unknown"}[v] }

// Actor declares one actor of a scenario. Letters follow the order of declaration.
type Actor struct {
	Name   trace.Phrase // what it is: "buyer 1"
	Node   string       // "n1", "n2", ...
	Daemon bool         // does not count as unfinished
	User   string       // whose request it is, for the history of a free run; may be ""
	Body   func(ctx context.Context) error
}

// When says where a light is judged.
type When uint8

// The instants of judgement, as the semantics define them.
const (
	EachStep  When = iota // after each step
	Quiescent             // where every live actor has not begun, has ended or waits idle; and after the run-out
	AtEnd                 // after the run-out
)

// Light is an invariant of the scenario.
type Light struct {
	Name string
	When When
	// Check reports whether it holds in the present state.
	Check func(v *View) (bool, error)
	// Detail renders the figures behind it: "orders 2, stock at start 1".
	Detail func(v *View) trace.Phrase
}

// View is what lights may look at: committed rows, never an actor's mind.
type View struct {
	w    *world.World
	r    *Run
	free *FreeRun // in the place of r, in a free run
}

// Rows returns the committed rows of a table in canonical order.
func (v *View) Rows(table string) ([][]driver.Value, error) { return v.w.Rows(table) }

// World is the engines, for lights that look at Redis.
func (v *View) World() *world.World { return v.w }

// Accepted returns, by user, how many requests a sale script has accepted, whether
// or not the buyer lived to hear it.
func (v *View) Accepted() map[string]int {
	if v.free != nil {
		return v.free.acceptedByUser()
	}
	return v.r.accepted
}

// Idle reports whether nothing is at work: no daemon can take a step, and none
// sleeps in the midst of what it does; consumers wait for something new.
func (v *View) Idle() bool {
	if v.free != nil {
		return v.free.Idle()
	}
	k := v.r.W.Kernel
	for _, a := range k.Actors {
		if a.Daemon && a.Alive() && (k.Enabled(a) || a.Op.Kind == sim.KindSleep) {
			return false
		}
	}
	return true
}

// Actor returns the actor at a position of the start order, nil if it has not been
// started.
func (v *View) Actor(i int) *sim.Actor {
	if v.free != nil {
		v.free.asked = true // a free run has none: whoever asks cannot judge it
		return nil
	}
	if i >= len(v.r.W.Kernel.Actors) {
		return nil
	}
	return v.r.W.Kernel.Actors[i]
}

// Scenario is a closed little world: the same schedule always gives the same run.
type Scenario struct {
	Lesson, Variant string
	Params          Params
	World           world.Config
	// Actors makes the bodies for one set of engines. It is called once per world.
	Actors func(w *world.World) []Actor
	Time   Time
	// EagerTicks bounds how often the clock moves in eager time, where it adds steps
	// but no interleavings; 0: 40. In lazy time the parameter ticks is the bound.
	EagerTicks int
	Faults     Faults
	Locks      []Lock
	// Lease is the longest lease: ten times it is "for ever" in a run-out. 0: 30 s.
	Lease time.Duration
	// InFlight counts accepted work that nobody has finished; nil: there is none.
	InFlight func(v *View) (int, error)
	// Accepts recognises a request that a sale script has accepted, and whose.
	Accepts func(script string, cmd redis.Cmder) (user string, ok bool)
	// Sells says that a request without an error has got a unit and an order, also one
	// that is booked later; the history of a free run is checked against that.
	Sells bool
	// Setup prepares Redis at each reset, around the gates; may be nil.
	Setup  func(w *world.World) error
	Lights []Light
	Notes  []trace.Phrase // facts worth a line on the screen
}

// Validate finds mistakes in a declaration.
func (s *Scenario) Validate() error {
	if len(s.Lights) > sim.MaxLights {
		return fmt.Errorf("%s.%s declares %d lights, more than %d", s.Lesson, s.Variant, len(s.Lights), sim.MaxLights)
	}
	seen := map[string]bool{}
	for _, l := range s.Lights {
		if seen[l.Name] {
			return fmt.Errorf("%s.%s declares the light %s twice", s.Lesson, s.Variant, l.Name)
		}
		seen[l.Name] = true
	}
	return nil
}

// Light returns the position of the named light, or -1.
func (s *Scenario) Light(name string) int {
	for i, l := range s.Lights {
		if l.Name == name {
			return i
		}
	}
	return -1
}

// Names returns the names of the lights in b.
func (s *Scenario) Names(b sim.Bits) []string {
	var out []string
	for i, l := range s.Lights {
		if b.Has(i) {
			out = append(out, l.Name)
		}
	}
	return out
}
