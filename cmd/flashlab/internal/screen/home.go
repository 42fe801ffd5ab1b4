package screen

import (
	"strconv"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
)

func itoa(n int) string { return strconv.Itoa(n) }

// Mark is how far the learner has come with an entry.
type Mark uint8

// The marks of the map.
const (
	New Mark = iota
	Opened
	Proved
	NoMark
)

func (m Mark) glyph() string { return [...]string{"○", "◐", "●", " "}[m] }

// Entry is one line of the lesson map.
type Entry struct {
	Lesson  *lessons.Lesson
	Variant *lessons.Variant // nil: the lesson itself, or a staged schedule
	Staged  *lessons.Staged
	Heading string // a line that only divides; nothing else is set
	Within  bool   // a heading within a lesson
	Mark    Mark
	Resume  bool // where the learner left off
}

// Home is the lesson map.
type Home struct {
	Lang     lessons.Lang
	Words    *i18n.Strings
	Entries  []Entry
	Selected int
	Done     int // variants proved
	All      int
	Right    []string
	Foot     Foot
}

// Paint puts the screen on the canvas.
func (s *Home) Paint(c *canvas.Canvas) {
	w, h := c.Size()
	c.Clear(theme.Text)
	l := layout.Home(w, h)
	if l.Class == layout.TooSmall {
		TooSmall(c, s.Words)
		return
	}
	v := c.View(c.Bounds())
	header(c.View(l.Header), s.Words.App.Name+" · "+s.Words.App.Map, s.Right)
	s.path(s.frame(v, l.Path, l.Boxed, s.Words.App.Map, true))
	s.detail(s.frame(v, l.Detail, l.Boxed, s.detailTitle(), false))
	if !l.Divider.Empty() {
		v.Divider(l.Divider.X, l.Divider.Y, l.Divider.H, theme.Frame)
	}
	s.Foot.paint(v, l.Footer, s.Lang)
}

func (s *Home) frame(v canvas.View, r canvas.Rect, boxed bool, title string, focused bool) canvas.View {
	st := theme.Frame
	if focused {
		st = theme.FrameFocus
	}
	if boxed {
		return v.Box(r, title, focused, st, theme.Title)
	}
	return v.Rule(r, title, focused, st, theme.Title)
}

// path lists the entries and the progress bar.
func (s *Home) path(v canvas.View) {
	w, h := v.Size()
	rows := max(1, h-2)
	top := scrolled(s.Selected, len(s.Entries), rows)
	for i := top; i < len(s.Entries) && i < top+rows; i++ {
		e, y := &s.Entries[i], i-top
		if e.Heading != "" {
			if e.Within {
				v.Text(3, y, canvas.Truncate(e.Heading, w-4, "…"), theme.Dim)
			} else {
				v.Text(1, y, canvas.Truncate(e.Heading, w-2, "…"), theme.Title)
			}
			continue
		}
		style, x := theme.Text, 1
		switch {
		case e.Variant != nil:
			x, style = 5, theme.Text
		case e.Staged != nil:
			x, style = 5, theme.Dim
		default:
			style = theme.Accent
		}
		v.Text(x, y, e.Mark.glyph(), markStyle(e.Mark))
		v.Text(x+2, y, canvas.Truncate(entryName(e, s.Lang), w-x-4, "…"), style)
		if room := w - x - 2 - nameColumn - 3; e.Heading == "" && room >= titleLeast {
			v.Text(x+2+nameColumn, y, canvas.Truncate(entryTitle(e, s.Lang), room, "…"), theme.Dim)
		}
		if e.Resume {
			v.TextRight(x, y, w-x-1, "◀", theme.Accent)
		}
		if i == s.Selected {
			v.Restyle(canvas.Rect{X: 0, Y: y, W: w, H: 1}, theme.Selected)
			v.Text(0, y, "▶", theme.Selected)
		}
	}
	if more := outOfSight(top, len(s.Entries)-top-rows, s.Lang); more != "" {
		v.TextRight(1, rows, w-2, more, theme.Dim)
	}
	if h >= 4 {
		s.progress(v, h-1)
	}
}

// The column of names in the map, and the least room for titles beside it, in cells.
const (
	nameColumn = 22
	titleLeast = 22
)

// entryTitle is the title of a variant or a staged schedule.
func entryTitle(e *Entry, lang lessons.Lang) string {
	switch {
	case e.Variant != nil:
		return e.Variant.Title.In(lang)
	case e.Staged != nil:
		return e.Staged.Title.In(lang)
	}
	return ""
}

func entryName(e *Entry, lang lessons.Lang) string {
	switch {
	case e.Variant != nil:
		return e.Variant.Name
	case e.Staged != nil:
		return e.Staged.Name
	}
	name := e.Lesson.Name + "  " + e.Lesson.Title.In(lang)
	if e.Lesson.Number > 0 {
		name = itoa(e.Lesson.Number) + " " + name
	}
	return name
}

func markStyle(m Mark) canvas.Style {
	return [...]canvas.Style{theme.Dim, theme.Warn, theme.OK, theme.Text}[m]
}

// progress draws how many variants have been proved.
func (s *Home) progress(v canvas.View, y int) {
	w, _ := v.Size()
	if s.All == 0 {
		return
	}
	text := itoa(s.Done) + "/" + itoa(s.All)
	legend := canvas.Width(s.Words.App.Legend)
	n := min(20, w-canvas.Width(text)-legend-6)
	if n < 5 { // no room for the legend
		n = max(0, min(20, w-canvas.Width(text)-4))
	}
	full := n * s.Done / s.All
	for i := range n {
		if i < full {
			v.Text(1+i, y, "█", theme.OK)
		} else {
			v.Text(1+i, y, "░", theme.Dim)
		}
	}
	x := n + 2
	x += v.Text(x, y, text, theme.Text) + 2
	if x+canvas.Width(s.Words.App.Legend) < w {
		v.TextRight(x, y, w-x-1, s.Words.App.Legend, theme.Dim)
	}
}

// scrolled returns the first row to show so that the selected one is in sight.
func scrolled(selected, all, rows int) int {
	return max(0, min(selected-rows/2, all-rows))
}

func (s *Home) entry() *Entry {
	if s.Selected < 0 || s.Selected >= len(s.Entries) {
		return nil
	}
	return &s.Entries[s.Selected]
}

func (s *Home) detailTitle() string {
	e := s.entry()
	switch {
	case e == nil || e.Lesson == nil:
		return ""
	case e.Variant != nil:
		return e.Variant.Title.In(s.Lang)
	case e.Staged != nil:
		return e.Staged.Title.In(s.Lang)
	}
	return e.Lesson.Title.In(s.Lang)
}

// detail describes the selected entry.
func (s *Home) detail(v canvas.View) {
	e := s.entry()
	if e == nil || e.Lesson == nil {
		return
	}
	w, h := v.Size()
	y := 0
	para := func(text string, st canvas.Style) {
		for _, line := range canvas.Wrap(text, max(2, w-2)) {
			if y < h {
				v.Text(1, y, line, st)
			}
			if y == h { // there is more
				v.TextRight(0, h-1, w, " …", theme.Dim)
			}
			y++
		}
	}
	gap := func() { y++ }
	switch {
	case e.Variant != nil:
		para(e.Variant.Summary.In(s.Lang), theme.Text)
	case e.Staged != nil:
		para(e.Staged.Story.In(s.Lang), theme.Text)
		gap()
		para(e.Staged.Variant, theme.Dim)
	default:
		para(s.Words.App.Promise, theme.Title)
		para(e.Lesson.Promise.In(s.Lang), theme.Accent)
		gap()
		para(e.Lesson.Intro.In(s.Lang), theme.Text)
	}
}
