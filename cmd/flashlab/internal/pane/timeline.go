package pane

import (
	"slices"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/trace"
)

// rowKind is what a row of the timeline is.
type rowKind uint8

const (
	stepRow   rowKind = iota
	waitRow           // somebody has to wait from here on
	brokenRow         // lights that the step above it broke
	ruleRow           // the line before the run-out
	openRow           // lanes that go on
)

// timelineRow is one row of the timeline.
type timelineRow struct {
	kind  rowKind
	at    int // index in Path, beyond its end for the run-out
	event *trace.Event
	state *trace.State
	text  string
	lane  int    // of the last actor that waits
	runes []rune // what the actors' lanes show
}

// timeline is the list of all rows, also those out of sight.
type timeline struct {
	d        *Lesson
	words    *i18n.Panes
	lanes    lanes
	rows     []timelineRow
	closed   []bool // the lanes whose end has been shown
	from, to int    // the rows of the step at the cursor
}

func newTimeline(d *Lesson, w int) *timeline {
	t := &timeline{d: d, words: d.words(), lanes: newLanes(d, w)}
	n := len(d.Path) + len(d.RunOut)
	t.rows = make([]timelineRow, 0, 2*n+1)
	runes := make([]rune, n*len(t.lanes.cast))
	t.closed = make([]bool, len(t.lanes.cast))
	before := &noState
	ruled := false
	for i := range n {
		f := d.frame(i)
		rule := len(t.rows)
		if i > 0 {
			t.step(i, f, before, runes[i*len(t.lanes.cast):][:len(t.lanes.cast)])
		}
		if i >= len(d.Path) && !ruled && len(t.rows) > rule { // there is something to rule off
			ruled = true
			t.rows = slices.Insert(t.rows, rule, timelineRow{kind: ruleRow, at: i, text: t.words.RunOutRule})
		}
		if i == d.cursor() {
			t.to = len(t.rows) - 1
		}
		before = &f.State
	}
	t.to = max(t.to, t.from)
	if len(d.RunOut) > 0 && d.atEnd() {
		t.to = len(t.rows) - 1
	}
	t.open(before)
	return t
}

// frame is frame i of path and run-out together.
func (d *Lesson) frame(i int) *trace.Frame {
	if i < len(d.Path) {
		return &d.Path[i]
	}
	return &d.RunOut[i-len(d.Path)]
}

// step appends the rows of one frame.
func (t *timeline) step(i int, f *trace.Frame, before *trace.State, runes []rune) {
	for j := range runes {
		runes[j] = t.standing(j, f)
	}
	row := timelineRow{at: i, event: f.Event, state: &f.State, runes: runes}
	if f.Event != nil {
		if i == t.d.cursor() {
			t.from = len(t.rows)
		}
		t.rows = append(t.rows, row)
	}
	if names := newlyRed(f, before); len(names) > 0 {
		row.kind, row.text = brokenRow, lightNames(names)
		if len(names) == 1 {
			if l := lightOf(&f.State, names[0]); l != nil && !l.Detail.Empty() {
				row.text += t.words.Colon + t.words.Say(l.Detail)
			}
		}
		t.rows = append(t.rows, row)
	}
	t.waiters(row, before)
}

// standing is what a lane shows beside the step of frame f. The end of a lane shows
// once: beside the step after the actor's last, for that one takes its place.
func (t *timeline) standing(lane int, f *trace.Frame) rune {
	a := actorAt(&f.State, lane)
	if a == nil || t.closed[lane] {
		return ' '
	}
	switch a.Phase {
	case trace.Done, trace.Dead:
		if f.Event != nil && f.Event.Actor == a.Letter {
			return ' '
		}
		t.closed[lane] = true
	}
	return laneRune(a)
}

// actorAt is actor i of a state, nil if it has not been started yet.
func actorAt(s *trace.State, i int) *trace.Actor {
	if i < len(s.Actors) {
		return &s.Actors[i]
	}
	return nil
}

// newlyRed lists the lights that a frame has broken. One without an event judges
// what can be judged only when all is over.
func newlyRed(f *trace.Frame, before *trace.State) []string {
	if f.Event != nil {
		return f.Event.Broken
	}
	var out []string
	for i := range f.State.Lights {
		if l := &f.State.Lights[i]; l.Status == trace.Red && !before.Broken(l.Name) {
			out = append(out, l.Name)
		}
	}
	return out
}

// waiters appends a row for those who have to wait since this step, together where
// they wait for the same.
func (t *timeline) waiters(row timelineRow, before *trace.State) {
	row.kind = waitRow
	actors := row.state.Actors
	told := 0 // bits of the actors
	for i := range actors {
		if told&(1<<i) != 0 || !newlyWaits(&actors[i], actorAt(before, i)) {
			continue
		}
		row.text = actors[i].Letter
		row.lane = i
		for j := i + 1; j < len(actors); j++ {
			if actors[j].Why == actors[i].Why && newlyWaits(&actors[j], actorAt(before, j)) {
				told |= 1 << j
				row.text += ", " + actors[j].Letter
				row.lane = j
			}
		}
		if row.lane == i && t.lanes.wide {
			row.text = ""
		} else {
			row.text += ": "
		}
		row.text += t.waiting(row, actors[i].Why)
		t.rows = append(t.rows, row)
	}
}

// waiting puts a reason into the words that fit behind the row's text.
func (t *timeline) waiting(row timelineRow, why trace.Reason) string {
	room := t.lanes.w - t.lanes.text - 1
	if t.lanes.wide {
		room = t.lanes.w - t.lanes.at[row.lane] - 3
	}
	if s := waiting(t.words, why); canvas.Width(row.text+s) <= room {
		return s
	}
	return waitingShort(t.words, why)
}

// newlyWaits reports whether an actor waits and did not wait for the same before. A
// time that runs down is no news.
func newlyWaits(a, was *trace.Actor) bool {
	if a.Phase != trace.Blocked && a.Phase != trace.Paused {
		return false
	}
	return was == nil || was.Phase != a.Phase ||
		was.Why.Kind != a.Why.Kind || was.Why.Name != a.Why.Name || was.Why.By != a.Why.By
}

// open appends a row of lanes below the last step where more can follow.
func (t *timeline) open(last *trace.State) {
	if len(t.d.Path) == 0 || len(t.d.RunOut) > 0 || last.Ended {
		return
	}
	runes := make([]rune, len(t.lanes.cast))
	for i := range runes {
		runes[i] = t.standing(i, &trace.Frame{State: *last})
	}
	row := timelineRow{kind: openRow, at: t.d.cursor(), state: last, runes: runes}
	if len(t.rows) == 0 {
		row.text = t.words.NoSteps
	}
	t.rows = append(t.rows, row)
}

// headed reports whether a timeline of h rows has a row of headings.
func headed(h int) int {
	if h >= 3 {
		return 1
	}
	return 0
}

func (t *timeline) window(h int) window {
	from, to := t.from, t.to
	if t.d.FromStart {
		from = 0
	}
	return look(len(t.rows), h-headed(h), h*2/3, from, to, t.d.scroll(layout.PaneTimeline))
}

// TimelineAt returns the index in Path of the step that a timeline of w cells and h
// rows shows in row y; ok is false where it shows none.
func (d *Lesson) TimelineAt(w, h, y int) (at int, ok bool) {
	t := newTimeline(d, w)
	win := t.window(h)
	i := win.top + y - headed(h)
	if y < headed(h) || i < win.top || i >= win.end() || t.rows[i].at >= len(d.Path) {
		return 0, false
	}
	return t.rows[i].at, true
}

// Timeline paints the steps of the branch, a lane for each actor and each store in
// use. Steps beyond the cursor are there but dim.
func (d *Lesson) Timeline(v canvas.View) int {
	s := d.sheet(v)
	t := newTimeline(d, s.w)
	win := t.window(s.h)
	if len(t.rows) == 0 {
		s.sentence(1, 0, t.words.NoSteps, theme.Dim)
		return 0
	}
	top := headed(s.h)
	if top > 0 {
		t.heading(&s, win)
	}
	for i := win.top; i < win.end(); i++ {
		t.paint(&s, top+i-win.top, &t.rows[i])
	}
	return win.scroll
}
