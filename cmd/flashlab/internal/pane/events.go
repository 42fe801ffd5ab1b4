package pane

import (
	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/theme"
)

// answerLeast is the room that an answer keeps beside a long command, in cells.
const answerLeast = 12

// Events paints one line for each step: the virtual time in seconds, the actor, the
// whole command, the answer, and ! where it broke something. Steps beyond the cursor
// are dim.
func (d *Lesson) Events(v canvas.View) int {
	s := d.sheet(v)
	rows := make([]int, 0, len(d.Path)+len(d.RunOut)) // indexes as in Lesson.frame
	at := 0
	for i := range cap(rows) {
		if d.frame(i).Event == nil {
			continue
		}
		if i == d.cursor() {
			at = len(rows)
		}
		rows = append(rows, i)
	}
	if len(rows) == 0 {
		s.sentence(1, 0, d.words().NoEvents, theme.Dim)
		return 0
	}
	to := at
	if d.atEnd() && len(d.RunOut) > 0 {
		to = len(rows) - 1
	}
	win := look(len(rows), s.h, s.h*2/3, at, to, d.scroll(layout.PaneEvents))
	clock := 0
	for i := win.top; i < win.end(); i++ {
		clock = max(clock, len(seconds(d.frame(rows[i]).Event.At, 3)))
	}
	for i := win.top; i < win.end(); i++ {
		d.eventRow(&s, i-win.top, rows[i], clock)
	}
	s.more(win, d.words())
	return win.scroll
}

func (d *Lesson) eventRow(s *sheet, y, i, clock int) {
	e := d.frame(i).Event
	dim, actor, text := canvas.Style(theme.Dim), actorStyle(e.Actor), canvas.Style(theme.Text)
	bad := canvas.Style(theme.Bad)
	switch {
	case i == d.cursor():
		dim, actor, text, bad = theme.CursorLine, theme.CursorLine, theme.CursorLine, theme.CursorLine
		s.ground(y, theme.CursorLine)
		s.rune1(0, y, '▶', theme.CursorLine)
	case i > d.cursor() && (i < len(d.Path) || !d.atEnd()):
		actor, text, bad = theme.Dim, theme.Dim, theme.Dim
	}
	s.right(1, y, clock, seconds(e.At, 3), dim)
	x := clock + 2
	letter, command := e.Actor, e.Args
	if environment(e) {
		letter, command = "-", happening(d.words(), e)
	} else if command == "" {
		command = e.Op
	}
	s.put(x, y, letter, actor)
	x += 3
	end := s.w - 1
	if len(e.Broken) > 0 {
		end = s.right(x, y, end-x, "!", bad) - 1
	}
	answer := e.Reply
	if e.RunOut {
		answer += " ·"
	}
	room := end - x
	keep := min(canvas.Width(answer), max(room-canvas.Width(command)-2, min(answerLeast, room/3)))
	if answer == "" {
		keep = -2
	}
	if room-keep-2 < canvas.Width(command) && !environment(e) {
		command = labelOf(e.Op, e.Args).in(room - keep - 2)
	}
	s.field(x, y, room-keep-2, command, text)
	if keep > 0 {
		style := text
		if e.Failed {
			style = bad
		}
		s.right(end-keep, y, keep, answer, style)
	}
}
