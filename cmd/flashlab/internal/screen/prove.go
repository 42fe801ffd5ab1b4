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

	Scroll [5]int // set by Paint to the offsets in use, by number of the pane
}

// Paint puts the screen on the canvas.
func (s *Prove) Paint(c *canvas.Canvas) {
	w, h := c.Size()
	c.Clear(theme.Text)
	l := layout.Prove(w, h)
	s.Scroll = s.Pane.Scroll
	if l.Class == layout.TooSmall {
		TooSmall(c, s.Words)
		return
	}
	v := c.View(c.Bounds())
	header(c.View(l.Header), s.Left, s.Right)
	for _, p := range []struct {
		r     canvas.Rect
		pane  int
		paint func(canvas.View) int
	}{
		{l.Counters, pane.PaneCounters, s.Pane.Counters},
		{l.Histogram, pane.PaneHistogram, s.Pane.Histogram},
		{l.Verdicts, pane.PaneVerdicts, s.Pane.Verdicts},
		{l.Counterexample, pane.PaneCounterexample, s.Pane.Counterexample},
	} {
		if p.r.Empty() {
			continue
		}
		title, focused := s.Pane.Title(p.pane), p.pane == s.Pane.Focus
		frame := theme.Frame
		if focused {
			frame = theme.FrameFocus
		}
		if l.Boxed {
			s.Scroll[p.pane] = p.paint(v.Box(p.r, title, focused, frame, theme.Title))
		} else {
			s.Scroll[p.pane] = p.paint(v.Rule(p.r, title, focused, frame, theme.Title))
		}
	}
	if !l.Divider.Empty() {
		v.Divider(l.Divider.X, l.Divider.Y, l.Divider.H, theme.Frame)
	}
	s.Foot.paint(v, l.Footer, s.Lang)
}
