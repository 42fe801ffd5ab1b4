package screen

import (
	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/pane"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
)

// Prove shows a search over all schedules, running or done.
type Prove struct {
	Pane  *pane.Prove
	Words *i18n.Strings
	Lang  lessons.Lang
	Left  string
	Right []string
	Foot  Foot
}

// Paint puts the screen on the canvas.
func (s *Prove) Paint(c *canvas.Canvas) {
	w, h := c.Size()
	c.Clear(theme.Text)
	l := layout.Prove(w, h)
	if l.Class == layout.TooSmall {
		TooSmall(c, s.Words)
		return
	}
	v := c.View(c.Bounds())
	header(c.View(l.Header), s.Left, s.Right)
	for _, p := range []struct {
		r       canvas.Rect
		title   string
		focused bool
		paint   func(canvas.View)
	}{
		{l.Counters, s.Pane.CountersTitle(), false, s.Pane.Counters},
		{l.Histogram, s.Pane.HistogramTitle(), false, s.Pane.Histogram},
		{l.Verdicts, s.Pane.VerdictsTitle(), true, s.Pane.Verdicts},
		{l.Counterexample, s.Pane.CounterexampleTitle(), false, s.Pane.Counterexample},
	} {
		if p.r.Empty() {
			continue
		}
		frame := theme.Frame
		if p.focused {
			frame = theme.FrameFocus
		}
		if l.Boxed {
			p.paint(v.Box(p.r, p.title, p.focused, frame, theme.Title))
		} else {
			p.paint(v.Rule(p.r, p.title, p.focused, frame, theme.Title))
		}
	}
	if !l.Divider.Empty() {
		v.Divider(l.Divider.X, l.Divider.Y, l.Divider.H, theme.Frame)
	}
	s.Foot.paint(c.View(l.Footer), s.Lang)
}
