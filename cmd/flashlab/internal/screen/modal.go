package screen

import (
	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
)

// Line is one line of a modal, with the style of the whole line.
type Line struct {
	Key   string // at the left, in the style of keys
	Text  string
	Style canvas.Style
	Head  bool // begins at the left, over the column of keys
}

// Modal lies over a screen: a text to read, or a list to choose from.
type Modal struct {
	Title    string
	Lines    []Line
	List     bool
	Selected int
	Scroll   int
	Keys     int // width of the key column, in cells
	Foot     Foot
	Lang     lessons.Lang
}

// footWidth is what the bottom row of a modal needs: its keys, and how much is out of
// sight.
const footWidth = 54

// Rect is where the modal lies on a screen of that size.
func (m *Modal) Rect(w, h int) canvas.Rect {
	width := max(canvas.Width(m.Title)+6, footWidth)
	for _, l := range m.Lines {
		width = max(width, m.Keys+canvas.Width(l.Text)+6)
	}
	return layout.Modal(w, h, min(width, 100), len(m.Lines)+3)
}

// Rows is how many lines of the modal are in sight.
func (m *Modal) Rows(w, h int) int { return max(1, m.Rect(w, h).H-3) }

// Paint dims what is on the canvas and puts the modal over it.
func (m *Modal) Paint(c *canvas.Canvas) {
	w, h := c.Size()
	v := c.View(c.Bounds())
	v.Restyle(c.Bounds(), theme.Dim)
	r := m.Rect(w, h)
	v.Fill(r, ' ', theme.Text)
	in := v.Box(r, m.Title, true, theme.FrameFocus, theme.Title)
	iw, ih := in.Size()
	rows := max(1, ih-1)
	top := min(m.Scroll, max(0, len(m.Lines)-rows))
	if m.List {
		top = scrolled(m.Selected, len(m.Lines), rows)
	}
	for i := top; i < len(m.Lines) && i < top+rows; i++ {
		l, y := &m.Lines[i], i-top
		if l.Key != "" {
			in.Text(1, y, l.Key, theme.Key)
		}
		x := 1 + m.Keys
		if l.Head {
			x = 1
		}
		in.Text(x, y, canvas.Truncate(l.Text, iw-x-1, "…"), l.Style)
		if m.List && i == m.Selected {
			in.Restyle(canvas.Rect{X: 0, Y: y, W: iw, H: 1}, theme.Selected)
			in.Text(0, y, "▶", theme.Selected)
		}
	}
	more := outOfSight(top, len(m.Lines)-top-rows, m.Lang)
	m.Foot.paint(in, canvas.Rect{Y: ih - 1, W: max(0, iw-canvas.Width(more)), H: 1}, m.Lang)
	in.TextRight(0, ih-1, iw-1, more, theme.Dim)
}

// outOfSight says how many rows are above and below those that are seen.
func outOfSight(above, below int, lang lessons.Lang) string {
	w := i18n.For(lang).Panes
	s := ""
	if above > 0 {
		s = i18n.Fill(w.Above, "n", itoa(above))
	}
	if below > 0 {
		if s != "" {
			s += "  "
		}
		s += i18n.Fill(w.Below, "n", itoa(below))
	}
	return s
}
