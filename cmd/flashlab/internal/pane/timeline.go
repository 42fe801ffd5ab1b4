package pane

import (
	"slices"
	"strconv"

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
	from, to int // the rows of the step at the cursor
}

func newTimeline(d *Lesson, w int) *timeline {
	t := &timeline{d: d, words: d.words(), lanes: newLanes(d, w)}
	n := len(d.Path) + len(d.RunOut)
	t.rows = make([]timelineRow, 0, 2*n+1)
	runes := make([]rune, n*len(t.lanes.cast))
	before := &noState
	for i := range n {
		f := d.frame(i)
		if i == len(d.Path) {
			t.rows = append(t.rows, timelineRow{kind: ruleRow, at: i, text: t.words.RunOutRule})
		}
		if i > 0 {
			t.step(i, f, before, runes[i*len(t.lanes.cast):][:len(t.lanes.cast)])
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
		runes[j] = t.standing(j, f, before)
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
			if l := lightOf(&f.State, names[0]); l != nil && l.Detail != "" {
				row.text += ": " + l.Detail
			}
		}
		t.rows = append(t.rows, row)
	}
	t.waiters(row, before)
}

// standing is what a lane shows beside or below the step of frame f.
func (t *timeline) standing(lane int, f *trace.Frame, before *trace.State) rune {
	a := actorAt(&f.State, lane)
	if a == nil {
		return ' '
	}
	was := trace.Ready
	if b := actorAt(before, lane); b != nil {
		was = b.Phase
	}
	return laneRune(a, was)
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
		row.text += waiting(t.words, actors[i].Why)
		t.rows = append(t.rows, row)
	}
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
		runes[i] = ' '
		if a := actorAt(last, i); a != nil {
			runes[i] = laneRune(a, a.Phase)
		}
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
	return look(len(t.rows), h-headed(h), h*2/3, t.from, t.to, t.d.scroll(layout.PaneTimeline))
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

// heading paints the first row: the names of the lanes, and how much is out of sight.
func (t *timeline) heading(s *sheet, win window) {
	free := s.w - 1
	more, short := "", ""
	if win.top > 0 {
		more, short = count(t.words.Above, win.top), "↑"+strconv.Itoa(win.top)
	}
	if n := win.below(); n > 0 {
		if more != "" {
			more, short = more+"  ", short+" "
		}
		more, short = more+count(t.words.Below, n), short+"↓"+strconv.Itoa(n)
	}
	taken := t.lanes.last + 2
	if t.lanes.wide {
		taken = max(t.lanes.redis, t.lanes.sqlite) + 8
	}
	if taken+canvas.Width(more) > free {
		more = short
	}
	if more != "" {
		free = s.right(0, 0, s.w-1, more, theme.Dim) - 1
	}
	t.lanes.heading(s, 0, free)
	if t.d.cursor() == 0 {
		s.put(t.lanes.mark, 0, "▶ 0", theme.Accent)
	}
	if slices.Contains(t.d.Branches, 0) {
		s.rune1(t.lanes.mark+t.lanes.digits+2, 0, '+', theme.Accent)
	}
}

// future reports whether a row lies beyond the cursor.
func (t *timeline) future(r *timelineRow) bool {
	if r.at >= len(t.d.Path) {
		return !t.d.atEnd()
	}
	return r.at > t.d.cursor()
}

// shade returns what becomes of a style in row y: steps that are yet to come are dim,
// and the step at the cursor stands on a ground of its own, which is laid here.
func (t *timeline) shade(s *sheet, y int, r *timelineRow) func(canvas.Style) canvas.Style {
	switch {
	case t.future(r):
		return func(canvas.Style) canvas.Style { return theme.Dim }
	case r.kind == stepRow && r.at == t.d.cursor():
		s.ground(y, theme.CursorLine)
		return func(style canvas.Style) canvas.Style {
			if style == theme.BadBlock {
				return style
			}
			return theme.CursorLine
		}
	}
	return func(style canvas.Style) canvas.Style { return style }
}

func (t *timeline) paint(s *sheet, y int, r *timelineRow) {
	l := &t.lanes
	shade := t.shade(s, y, r)
	if r.kind == ruleRow {
		s.Fill(canvas.Rect{X: l.mark, Y: y, W: s.w - l.mark - 1, H: 1}, '─', theme.Dim)
		s.field(l.mark+3, y, s.w-l.mark-8, " "+r.text+" ", theme.Dim)
		return
	}
	for i, x := range l.at {
		if i < len(r.runes) && r.runes[i] != ' ' {
			s.rune1(x, y, r.runes[i], shade(actorStyle(l.cast[i].Letter)))
		}
	}
	for _, e := range []engine{redisEngine, sqliteEngine} {
		if x := l.store(e); x >= 0 {
			s.rune1(x, y, '│', shade(theme.Frame))
		}
	}
	switch r.kind {
	case stepRow:
		switch {
		case environment(r.event):
			t.happening(s, y, r, shade)
		default:
			t.operation(s, y, r, shade)
		}
		t.gutter(s, y, r, shade)
	case brokenRow:
		s.field(l.first, y, s.w-l.first-1, r.text, shade(theme.Bad))
	case waitRow:
		x := l.text
		if l.wide {
			x = l.at[r.lane] + 2
		}
		s.field(x, y, s.w-x-1, r.text, shade(theme.Warn))
	case openRow:
		x := l.text
		if l.wide {
			x = l.first + 2
		}
		s.field(x, y, s.w-x-1, r.text, theme.Dim)
	}
}

// operation paints the step of an actor.
func (t *timeline) operation(s *sheet, y int, r *timelineRow, shade func(canvas.Style) canvas.Style) {
	l, e := &t.lanes, r.event
	style := shade(actorStyle(e.Actor))
	text := labelOf(e.Op, e.Args)
	lane, to := l.of(e.Actor), l.store(engineOf(e))
	from := -1
	if lane >= 0 && lane < len(l.at) {
		from = l.at[lane]
	}
	switch {
	case from < 0: // no room for lanes
		text.long, text.short = e.Actor+" "+text.long, ""
	case to < 0 || to-from < 2:
		s.rune1(from, y, '●', style)
	default:
		l.arrow(s, y, from, to, r.runes, style)
		if len(e.Broken) > 0 {
			s.rune1(to, y, '✗', shade(theme.BadBlock))
		}
	}
	answer, answerStyle := t.answer(e), theme.Text
	if e.Failed {
		answerStyle = theme.Bad
	}
	if l.wide && from >= 0 {
		t.onArrow(s, y, from, to, text, answer, style, shade(answerStyle))
		return
	}
	room := s.w - l.text - 1
	keep := min(canvas.Width(answer), max(room*2/5, 9))
	if room < 20 || answer == "" {
		keep = -2
	}
	s.field(l.text, y, room-keep-2, text.in(room-keep-2), style)
	if keep > 0 {
		s.right(s.w-1-keep, y, keep, answer, shade(answerStyle))
	}
}

// onArrow paints an operation upon its arrow and the answer behind it, or both behind
// the actor's lane where there is no arrow.
func (t *timeline) onArrow(s *sheet, y, from, to int, text label, answer string, style, answerStyle canvas.Style) {
	l := &t.lanes
	if to < 0 {
		room := s.w - from - 3
		x := s.field(from+2, y, room, text.in(room), style)
		s.field(x+2, y, s.w-x-3, answer, answerStyle)
		return
	}
	if room := to - from - 5; room > 3 {
		words := text.in(room)
		s.put(from+2, y, " "+words+" ", style)
	}
	end := s.w - 1
	if to == l.redis && l.sqlite >= 0 {
		end = l.sqlite - 1
	}
	s.field(to+2, y, end-to-2, answer, answerStyle)
}

// answer is the reply of a step, and how its actor ended with it.
func (t *timeline) answer(e *trace.Event) string {
	switch {
	case e.Reply == "" && e.Failed:
		return e.End
	case e.End == "" || e.End == "ok" || e.End == e.Reply:
		return e.Reply
	case e.Reply == "":
		return e.End
	}
	return e.Reply + " · " + e.End
}

// happening paints a step of the environment across all lanes: it is nobody's.
func (t *timeline) happening(s *sheet, y int, r *timelineRow, shade func(canvas.Style) canvas.Style) {
	l := &t.lanes
	style := shade(theme.Env)
	words := happening(t.words, r.event)
	s.Fill(canvas.Rect{X: l.first, Y: y, W: l.last - l.first + 1, H: 1}, '~', style)
	for i, x := range l.at {
		if i < len(r.runes) && r.runes[i] == '✗' {
			s.rune1(x, y, '✗', style)
		}
	}
	if x := l.store(engineOf(r.event)); x >= 0 {
		s.rune1(x, y, '✗', style)
	}
	if len(l.at) > 0 && l.wide {
		room := l.last - l.first - 8
		if canvas.Width(words) > room { // over the lanes, and over the answers too
			room = s.w - l.first - 5
		}
		s.field(l.first+3, y, room, " "+words+" ", style)
		return
	}
	s.field(l.text, y, s.w-l.text-1, words, style)
}

// gutter paints what stands before a step: the cursor, its number, ✗ if it broke
// something, and + where other branches leave.
func (t *timeline) gutter(s *sheet, y int, r *timelineRow, shade func(canvas.Style) canvas.Style) {
	l := &t.lanes
	number := "·"
	if r.at < len(t.d.Path) {
		number = strconv.Itoa(r.at)
	}
	style := shade(theme.Dim)
	if r.at == t.d.cursor() {
		s.rune1(l.mark, y, '▶', style)
	}
	if len(r.event.Broken) > 0 {
		style = shade(theme.BadBlock)
		s.rune1(l.mark+l.digits+1, y, '✗', style)
	}
	s.right(l.mark+1, y, l.digits, number, style)
	if slices.Contains(t.d.Branches, r.at) && r.at < len(t.d.Path) {
		s.rune1(l.mark+l.digits+2, y, '+', theme.Accent)
	}
}
