// Package pane paints the panes of the lab: each painter puts plain data on a
// canvas, and the same data gives the same cells.
//
// A painter is given the inside of a pane; its frame and title line are there
// already. Any size is accepted, also none at all, and any data: a pane shows what
// it can and cuts the rest with a mark. Colour is never the only sign of a meaning.
//
// The package must not run a scenario, hold state between two paintings, read keys,
// time or files, or know the program around the panes. All lengths are cells and
// rows.
package pane

import (
	"math/big"
	"strconv"
	"strings"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/lessons"
	"flashlab/sim/trace"
)

// Lesson is everything that the panes of a lesson's screen are painted from. The
// zero Lesson is valid and shows empty panes.
//
// Each painter returns the scroll offset it has used, which is the one in Scroll
// brought into the range that has something to show; whoever keeps the offset
// should store it back, or a reader who scrolled past the end has to come all the
// way back before anything moves.
type Lesson struct {
	Lang  lessons.Lang
	Words *i18n.Strings // nil means the words of Lang

	// Variant is where the sentences of steps come from; may be nil.
	Variant *lessons.Variant
	// Say holds sentences by line of the variant's Go file. Without an entry the
	// painters look the line up in Code and take the sentence of its Step.
	Say map[int]lessons.Text

	// Path holds the start and then a frame for each step of the present branch,
	// also those beyond the cursor.
	Path []trace.Frame
	// RunOut holds the frames that follow the last of Path when the branch has
	// ended. The last of them has no event and carries the final lights.
	RunOut []trace.Frame
	// Cursor is the index in Path of the frame that is shown.
	Cursor int
	// Passing is how much of the time that the last step let pass has been shown, from
	// 0 to 1; 0 and 1 both mean all of it.
	Passing float64
	// FromStart shows the beginning of the timeline rather than the step at the cursor
	// where there is no room for both.
	FromStart bool
	// Branches lists the depths at which other branches leave this one: n means
	// that after step n another way was taken too.
	Branches []int

	// Selected is the index of the chosen one of the state's Choices, -1 for none.
	Selected int
	// Worth says beside each of the state's Choices, by the same index, what it is
	// worth; nil when that is not known or hidden.
	Worth []Worth
	// Light is the name of the light that Worth and Doomed speak of, "" for any.
	Light string
	// Doomed is the step after which the light could not be saved any more, 0 when
	// that is not known.
	Doomed int

	// Ask is a question shown below the narration; may be nil.
	Ask *Question

	// Focus is the number of the focused pane, as in package layout. A pane without
	// focus marks its selection less loudly.
	Focus int
	// Scroll holds by pane number how many rows a pane is scrolled down (up, if
	// negative) from the place it chooses by itself.
	Scroll [9]int
	// Search is highlighted wherever it occurs, whatever its case.
	Search string

	// Code is the source of each actor, by letter.
	Code map[string]SourceView
}

// Worth is what a step is worth: of All schedules that begin with it, Bad break the
// light. A nil All means not known.
type Worth struct{ All, Bad *big.Int }

// Question asks the reader to think before going on. Its answers have the letters
// a, b, c.
type Question struct {
	Text    string
	Answers []string
	Chosen  int // index of the reader's answer, -1 before there is one
	Correct int // index of the right answer, -1 while it is not told
}

// SourceView is the code that an actor runs.
type SourceView struct {
	File  string   // shown in the title, such as "oversell/lostupdate.go"
	Lines []string // without line ends
	Java  bool     // the Java twin: its lines are no positions of a trace
	// At holds the lines where the actor stands, counted from 1, innermost first.
	// nil means the ones that the trace knows, which only Go code has.
	At []int
}

// words returns the words of the panes.
func (d *Lesson) words() *i18n.Panes { return panesOf(d.Words, d.Lang) }

func panesOf(s *i18n.Strings, l lessons.Lang) *i18n.Panes {
	if s == nil {
		s = i18n.For(l)
	}
	return &s.Panes
}

// cursor is the index of the frame that is shown, brought into Path; -1 if that is
// empty.
func (d *Lesson) cursor() int { return min(max(d.Cursor, 0), len(d.Path)-1) }

// noState stands for the world where nothing was recorded.
var noState trace.State

// state is the world that is shown: at the end of a branch, after the run-out.
func (d *Lesson) state() *trace.State {
	if n := len(d.RunOut); n > 0 && d.atEnd() {
		return &d.RunOut[n-1].State
	}
	return d.stepState()
}

// stepState is the world after the step at the cursor, before any run-out.
func (d *Lesson) stepState() *trace.State {
	if i := d.cursor(); i >= 0 {
		return &d.Path[i].State
	}
	return &noState
}

// before is the world before the step at the cursor, nil at the start.
func (d *Lesson) before() *trace.State {
	if i := d.cursor(); i > 0 {
		return &d.Path[i-1].State
	}
	return nil
}

// event is the step at the cursor, nil at the start.
func (d *Lesson) event() *trace.Event {
	if i := d.cursor(); i >= 0 {
		return d.Path[i].Event
	}
	return nil
}

// atEnd reports whether the cursor stands on the last frame of the branch.
func (d *Lesson) atEnd() bool { return d.cursor() == len(d.Path)-1 }

// cast lists the actors of the branch. None ever leaves the list, so the longest one
// knows them all.
func (d *Lesson) cast() []trace.Actor {
	var all []trace.Actor
	for i := range len(d.Path) + len(d.RunOut) {
		if a := d.frame(i).State.Actors; len(a) >= len(all) {
			all = a
		}
	}
	return all
}

// ran calls f for each frame up to the cursor, at the end also for the run-out. It
// stops when f returns false.
func (d *Lesson) ran(f func(*trace.Frame) bool) {
	for i := 0; i <= d.cursor(); i++ {
		if !f(&d.Path[i]) {
			return
		}
	}
	if !d.atEnd() {
		return
	}
	for i := range d.RunOut {
		if !f(&d.RunOut[i]) {
			return
		}
	}
}

// scroll is the offset of a pane.
func (d *Lesson) scroll(pane int) int {
	if pane < 0 || pane >= len(d.Scroll) {
		return 0
	}
	return d.Scroll[pane]
}

// Title returns the title of a pane in the language of the lesson, "" for a number
// that is no pane. For the source of a certain actor see SourceTitle.
func (d *Lesson) Title(pane int) string {
	w := d.words()
	switch pane {
	case layout.PaneTimeline:
		if n := len(d.Path) - 1; n > 0 {
			return w.Timeline + " · " + strconv.Itoa(d.cursor()) + "/" + strconv.Itoa(n)
		}
		return w.Timeline
	case layout.PaneSource:
		return w.Source
	case layout.PaneRedis:
		n := len(d.state().Keys)
		if n == 1 {
			return w.Redis + " · " + w.OneKey
		}
		return w.Redis + " · " + i18n.Fill(w.Keys, "n", strconv.Itoa(n))
	case layout.PaneSQLite:
		var names []string
		for _, t := range d.state().Tables {
			names = append(names, t.Name)
		}
		if len(names) == 0 {
			return w.SQLite
		}
		return w.SQLite + " · " + strings.Join(names, ", ")
	case layout.PaneInvariants:
		red := 0
		for _, l := range d.state().Lights {
			if l.Status == trace.Red {
				red++
			}
		}
		if red == 0 {
			return w.Invariants
		}
		return w.Invariants + " · ✗ " + strconv.Itoa(red)
	case layout.PaneNarration:
		return w.Narration
	case layout.PaneEvents:
		return w.Events
	case layout.PaneChoices:
		return w.Choices
	}
	return ""
}

// SourceTitle returns the title of the source pane of one actor, such as
// "Source · A  oversell/lostupdate.go".
func (d *Lesson) SourceTitle(letter string) string {
	s := d.words().Source
	if letter != "" {
		s += " · " + letter
	}
	if src, ok := d.Code[letter]; ok && src.File != "" {
		s += "  " + src.File
	}
	return s
}

// sheet is the view of a pane with what its painter needs beside it.
func (d *Lesson) sheet(v canvas.View) sheet { return newSheet(v, d.Search) }
