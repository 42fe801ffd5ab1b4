package pane

import (
	"slices"
	"strconv"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/trace"
)

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
	if l.wide {
		// Between actors and stores, if it fits there, or else over the lanes.
		x, end := l.at[len(l.at)-1]+4, l.redis
		if end < 0 {
			end = l.sqlite
		}
		if x+canvas.Width(words)+6 > end {
			x, end = l.first+3, s.w-1
		}
		s.field(x, y, end-x, " "+words+" ", style)
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
