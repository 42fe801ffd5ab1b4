// Package screen puts whole screens together: header, panes in their rectangles,
// footer, and what lies over them. Every screen is a pure function of its data and
// of the size of the canvas.
//
// The package must not know the terminal or keep state; the same screens are shown
// live, exported as pictures and compared in tests.
package screen

import (
	"strings"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/pane"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
)

// Lesson is a lesson screen.
type Lesson struct {
	Pane  *pane.Lesson
	Words *i18n.Strings
	Lang  lessons.Lang

	Left  string    // header: number, title, variant
	Right []string  // header, most important last
	Beats [2]string // the row under the panes: what it is, and what it says
	Foot  Foot

	Need    layout.Need
	Letters [2]string // whose source the two source panes show
	Focus   int       // number of the focused pane
	Odds    bool      // show beside each choice what it is worth

	// Scroll is set by Paint to the offsets in use, by number of the pane: whoever
	// keeps them should take them over, or it takes as many keys to come back from
	// beyond an end as it took to get there.
	Scroll [9]int
}

// Layout is where the panes of the screen are.
func (s *Lesson) Layout(w, h int) layout.LessonScreen { return layout.Lesson(w, h, s.Need) }

// Inside is where a pane has its content, without frame or title.
func Inside(l *layout.LessonScreen, n int) canvas.Rect {
	r := l.Pane(n)
	switch {
	case r.Empty():
		return r
	case l.Boxed:
		return r.Inset(1, 1)
	}
	return canvas.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: r.H - 1}
}

// Paint puts the screen on the canvas.
func (s *Lesson) Paint(c *canvas.Canvas) {
	w, h := c.Size()
	c.Clear(theme.Text)
	l := s.Layout(w, h)
	s.Scroll = s.Pane.Scroll
	if l.Class == layout.TooSmall {
		TooSmall(c, s.Words)
		return
	}
	v := c.View(c.Bounds())
	header(c.View(l.Header), s.Left, s.Right)
	letters := s.Letters
	if !l.Source2.Empty() && letters[1] != "" && letters[1] < letters[0] {
		// Side by side everybody keeps the place, whoever stepped last.
		letters[0], letters[1] = letters[1], letters[0]
	}
	for n := layout.PaneTimeline; n <= layout.PaneChoices; n++ {
		if r := l.Pane(n); !r.Empty() {
			s.Scroll[n] = s.paintPane(v, n, r, l.Boxed, letters[0])
		}
	}
	if !l.Source2.Empty() && letters[1] != "" {
		s.paintPane(v, layout.PaneSource, l.Source2, l.Boxed, letters[1])
	}
	if !l.Divider.Empty() {
		v.Divider(l.Divider.X, l.Divider.Y, l.Divider.H, theme.Frame)
	}
	if !l.Beats.Empty() {
		b := c.View(l.Beats)
		b.Text(1, 0, within(s.Beats[0], s.Beats[1], l.Beats.W-2), theme.Dim)
	}
	s.Foot.paint(v, l.Footer, s.Lang)
}

// within puts a sentence with what it is called into w cells: rather without its name,
// and then without its last clauses, than cut in the midst of a word.
func within(name, text string, w int) string {
	switch {
	case canvas.Width(name+text) <= w:
		return name + text
	case canvas.Width(text) <= w:
		return text
	}
	clause := ""
	for i, r := range text {
		if strings.ContainsRune(",;:，；：", r) && canvas.Width(text[:i])+2 <= w {
			clause = text[:i]
		}
	}
	if clause == "" {
		return canvas.Truncate(text, w, "…")
	}
	return clause + " …"
}

// paintPane paints one pane and returns the offset it is scrolled by.
func (s *Lesson) paintPane(v canvas.View, n int, r canvas.Rect, boxed bool, letter string) int {
	focused := n == s.Focus
	frame := theme.Frame
	if focused {
		frame = theme.FrameFocus
	}
	title := s.Pane.Title(n)
	if n == layout.PaneSource {
		title = s.Pane.SourceTitle(letter)
	}
	title = itoa(n) + " " + title
	var in canvas.View
	if boxed {
		in = v.Box(r, title, focused, frame, theme.Title)
	} else {
		in = v.Rule(r, title, focused, frame, theme.Title)
	}
	switch n {
	case layout.PaneTimeline:
		return s.Pane.Timeline(in)
	case layout.PaneSource:
		return s.Pane.Source(in, letter)
	case layout.PaneRedis:
		return s.Pane.Redis(in)
	case layout.PaneSQLite:
		return s.Pane.SQLite(in)
	case layout.PaneInvariants:
		return s.Pane.Invariants(in)
	case layout.PaneNarration:
		p := *s.Pane
		if p.Doomed == 0 { // where all is lost from the start, going back is no advice
			p.Worth = nil
		}
		return p.Narration(in)
	case layout.PaneEvents:
		return s.Pane.Events(in)
	default:
		p := *s.Pane
		if !s.Odds {
			p.Worth = nil
		}
		return p.Choices(in)
	}
}

// header paints the top row. Items at the right are dropped from the left where
// there is no room.
func header(v canvas.View, left string, right []string) {
	w, _ := v.Size()
	v.Fill(v.Bounds(), ' ', theme.Header)
	room := w - 2
	text := ""
	for i := len(right) - 1; i >= 0; i-- {
		next := right[i]
		if text != "" {
			next += "   " + text
		}
		if canvas.Width(next) > room*2/3 {
			break
		}
		text = next
	}
	v.TextRight(1, 0, room, text, theme.Header)
	v.Text(1, 0, canvas.Truncate(left, room-canvas.Width(text)-2, "…"), theme.Header)
}

// TooSmall says in one sentence what size is needed.
func TooSmall(c *canvas.Canvas, words *i18n.Strings) {
	w, h := c.Size()
	c.Clear(theme.Text)
	text := i18n.Fill(words.App.TooSmall, "W", itoa(layout.MinWidth), "H", itoa(layout.MinHeight), "w", itoa(w), "h", itoa(h))
	lines := canvas.Wrap(text, max(2, w))
	v := c.View(c.Bounds())
	for i, l := range lines {
		v.TextCenter(0, max(0, (h-len(lines))/2)+i, w, l, theme.Accent)
	}
}
