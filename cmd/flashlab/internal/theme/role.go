// Package theme says what the roles of a screen look like: it holds the colours
// of each theme for each colour depth and compiles them to palettes for a canvas.
//
// The package must not paint, ask the terminal anything or read the environment
// by itself: whoever starts the program passes a getenv, so that a class over SSH
// gets the colours of each guest's terminal. No meaning is told by colour alone;
// that is for the panes to keep, and the mono theme shows whether they do.
package theme

import "flashlab/cmd/flashlab/internal/canvas"

// The roles, as styles of a canvas.
const (
	Text       canvas.Style = iota // whatever has no role of its own
	Dim                            // what may be overlooked
	Accent                         // what should be noticed
	Title                          // of a pane or a section
	Frame                          // lines around and between panes
	FrameFocus                     // lines around the focused pane

	// Actors keep their colour all through a lesson, in the order in which the
	// lesson declares them. See Actor.
	ActorA
	ActorB
	ActorC
	ActorD
	ActorE
	ActorF
	ActorG
	ActorH
	Env // steps of the environment: expiry, crash, clock

	OK         // holds, passed
	Warn       // unknown, nearly
	Bad        // breaks, failed
	BadBlock   // the cell in which an invariant broke
	CursorLine // the line the program stands at
	Key        // a key in the footer
	KeyText    // what that key does
	TTLFull    // a lease with time left
	TTLLow     // a lease about to expire

	// Lesson source; Code is whatever the other three are not.
	Code
	CodeKeyword
	CodeString
	CodeComment

	Selected // the chosen entry of a list
	Header   // the bar at the top

	// The series of a chart.
	Chart1
	Chart2
	Chart3

	roleCount = iota
)

// Actor returns the role of actor i, counted from 0. After the eighth the roles
// start again; letter and lane tell those actors apart.
func Actor(i int) canvas.Style {
	n := int(ActorH-ActorA) + 1
	return ActorA + canvas.Style((i%n+n)%n)
}
