// Package screen puts whole screens together: header, panes in their rectangles,
// footer, and what lies over them. Every screen is a pure function of its data and
// of the size of the canvas.
//
// The package must not know the terminal or keep state; the same screens are shown
// live, exported as pictures and compared in tests.
package screen

import (
	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/keymap"
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

	Left  string   // header: number, title, variant
	Right []string // header, most important last
	Beats string   // the row under the panes
	Foot  Foot

	Need      layout.Need
	Letters   [2]string // whose source the two source panes show
	Focus     int       // number of the focused pane
	NextReady bool
}

// Foot is the bottom row: a prompt, a message, or the keys of a mode.
type Foot struct {
	Mode    keymap.Mode
	Message string // replaces the keys
	Bad     bool   // the message is a complaint
	Prompt  string // what is being typed, with its leading sign
	Typing  bool
	Hint    string // at the right of a prompt
}

// Layout is where the panes of the screen are.
func (s *Lesson) Layout(w, h int) layout.LessonScreen { return layout.Lesson(w, h, s.Need) }

// Paint puts the screen on the canvas.
func (s *Lesson) Paint(c *canvas.Canvas) {
	w, h := c.Size()
	c.Clear(theme.Text)
	l := s.Layout(w, h)
	if l.Class == layout.TooSmall {
		TooSmall(c, s.Words)
		return
	}
	v := c.View(c.Bounds())
	header(c.View(l.Header), s.Left, s.Right)
	for n := layout.PaneTimeline; n <= layout.PaneChoices; n++ {
		if r := l.Pane(n); !r.Empty() {
			s.paintPane(v, n, r, l.Boxed, s.Letters[0])
		}
	}
	if !l.Source2.Empty() && s.Letters[1] != "" {
		s.paintPane(v, layout.PaneSource, l.Source2, l.Boxed, s.Letters[1])
	}
	if !l.Divider.Empty() {
		v.Divider(l.Divider.X, l.Divider.Y, l.Divider.H, theme.Frame)
	}
	if !l.Beats.Empty() {
		b := c.View(l.Beats)
		b.Text(1, 0, canvas.Truncate(s.Beats, l.Beats.W-2, "…"), theme.Dim)
	}
	s.Foot.paint(c.View(l.Footer), s.Lang)
}

func (s *Lesson) paintPane(v canvas.View, n int, r canvas.Rect, boxed bool, letter string) {
	focused := n == s.Focus
	frame := theme.Frame
	if focused {
		frame = theme.FrameFocus
	}
	title := s.Pane.Title(n)
	if n == layout.PaneSource {
		title = s.Pane.SourceTitle(letter)
	}
	var in canvas.View
	if boxed {
		in = v.Box(r, title, focused, frame, theme.Title)
	} else {
		in = v.Rule(r, title, focused, frame, theme.Title)
	}
	switch n {
	case layout.PaneTimeline:
		s.Pane.Timeline(in)
	case layout.PaneSource:
		s.Pane.Source(in, letter)
	case layout.PaneRedis:
		s.Pane.Redis(in)
	case layout.PaneSQLite:
		s.Pane.SQLite(in)
	case layout.PaneInvariants:
		s.Pane.Invariants(in)
	case layout.PaneNarration:
		s.Pane.Narration(in)
	case layout.PaneEvents:
		s.Pane.Events(in)
	case layout.PaneChoices:
		s.Pane.Choices(in)
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

// paint puts the bottom row on its view.
func (f *Foot) paint(v canvas.View, lang lessons.Lang) {
	w, _ := v.Size()
	switch {
	case f.Typing:
		n := v.Text(1, 0, f.Prompt, theme.Accent)
		v.Text(1+n, 0, " ", theme.Selected)
		if room := w - n - 4; room > canvas.Width(f.Hint) {
			v.TextRight(n+3, 0, room, f.Hint, theme.Dim)
		}
		return
	case f.Message != "":
		st := theme.Accent
		if f.Bad {
			st = theme.Warn
		}
		v.Text(1, 0, canvas.Truncate(f.Message, w-2, "…"), st)
		return
	}
	keys(v, f.Mode, lang)
}

// keys lists a mode's most important keys, as many as fit.
func keys(v canvas.View, m keymap.Mode, lang lessons.Lang) {
	w, _ := v.Size()
	list := keymap.Footer(m)
	// Help and the way out are always shown, so room is kept for them.
	const keep = 2
	width := func(b keymap.Binding) int { return canvas.Width(b.Shown()) + 1 + canvas.Width(b.Label.In(lang)) + 2 }
	reserved := 0
	for _, b := range list[max(0, len(list)-keep):] {
		reserved += width(b)
	}
	x := 1
	for i, b := range list {
		last := i >= len(list)-keep
		if !last && x+width(b) > w-reserved {
			continue
		}
		if last {
			reserved -= width(b)
		}
		x += v.Text(x, 0, b.Shown(), theme.Key) + 1
		x += v.Text(x, 0, b.Label.In(lang), theme.KeyText) + 2
	}
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
