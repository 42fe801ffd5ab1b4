package pane

import (
	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/trace"
)

// Invariants paints the lights: whether each holds, since when it does not, the
// figures behind it and what it means. The figures take a row of their own where
// there are enough rows, and so does the meaning.
func (d *Lesson) Invariants(v canvas.View) int {
	s := d.sheet(v)
	w, lights := d.words(), d.state().Lights
	if len(lights) == 0 {
		s.sentence(1, 0, w.NoLights, theme.Dim)
		return 0
	}
	each := min(max(s.h/len(lights), 1), 3)
	name, red := 0, -1
	for i := range lights {
		name = max(name, canvas.Width(lights[i].Name))
		if red < 0 && lights[i].Status == trace.Red {
			red = i
		}
	}
	at := max(red, 0) * each
	win := look(len(lights)*each, s.h, s.h/2, at, at+each-1, d.scroll(layout.PaneInvariants))
	for i := range lights {
		y := i*each - win.top
		if y+each <= 0 || y >= s.h {
			continue
		}
		row := s // in one row the words must not lie under a mark
		if each == 1 {
			row.w -= s.covered(y, win, w)
		}
		d.light(&row, y, &lights[i], name, each)
	}
	s.more(win, w)
	return win.scroll
}

// light paints one light from row y on, in as many rows as each light has.
func (d *Lesson) light(s *sheet, y int, l *trace.Light, name, rows int) {
	w := d.words()
	sign, style := "·", canvas.Style(theme.Dim)
	status, detail, gloss := "", w.Say(l.Detail), w.Glosses[l.Name]
	switch l.Status {
	case trace.Green:
		sign, style, status = "✓", theme.OK, w.Holds
	case trace.Red:
		sign, style, status = "✗", theme.Bad, w.SinceRunOut
		if l.Since > 0 {
			status = count(w.Since, l.Since)
		}
	default:
		status = w.NotJudged
	}
	nameStyle := canvas.Style(theme.Text)
	if l.Status == trace.Red {
		nameStyle = theme.Bad
	}
	s.put(1, y, sign, style)
	s.field(3, y, s.w-4, l.Name, nameStyle)
	x := 3 + name + 2
	room := s.w - x - 1
	if rows > 1 {
		if l.Status == trace.Grey && canvas.Width(status) > room {
			status = w.NotJudgedShort
		}
		s.field(x, y, room, status, style)
		s.field(3, y+1, s.w-4, detail, theme.Text)
		if rows > 2 {
			s.field(3, y+2, s.w-4, gloss, theme.Dim)
		}
		return
	}
	// One row: what has gone wrong with its figures, or else what is meant.
	forms := []string{gloss, w.ShortGlosses[l.Name]}
	textStyle := canvas.Style(theme.Dim)
	switch l.Status {
	case trace.Red:
		forms, textStyle = []string{status}, theme.Bad
		if detail != "" {
			forms = []string{status + w.Colon + detail, status}
		}
	case trace.Grey:
		forms = []string{status, w.NotJudgedShort}
	}
	for _, f := range forms {
		if canvas.Width(f) <= room {
			s.put(x, y, f, textStyle)
			return
		}
	}
	if l.Status == trace.Red { // rather without the alignment than without the step
		x = 3 + canvas.Width(l.Name) + 1
		if short := count(w.AtStep, l.Since); l.Since > 0 && canvas.Width(status) > s.w-x-1 {
			status = short
		}
		s.field(x, y, s.w-x-1, status, textStyle)
	}
}
