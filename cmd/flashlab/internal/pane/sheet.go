package pane

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/theme"
)

// cut marks text that did not fit.
const cut = "…"

// sheet is a view with what painters need beside it.
type sheet struct {
	canvas.View
	w, h int
	find string // in lower case
}

func newSheet(v canvas.View, search string) sheet {
	w, h := v.Size()
	return sheet{View: v, w: w, h: h, find: strings.ToLower(search)}
}

// put writes s at column x of row y, highlights what is searched for in it, and
// returns the column after it.
func (s *sheet) put(x, y int, text string, style canvas.Style) int {
	n := s.Text(x, y, text, style)
	if s.find != "" {
		s.highlight(x, y, text)
	}
	return x + n
}

// field writes text into the w cells from column x, cut with a mark if it is longer,
// and returns the column after it.
func (s *sheet) field(x, y, w int, text string, style canvas.Style) int {
	if w <= 0 || text == "" {
		return x
	}
	return s.put(x, y, fit(text, w), style)
}

// right writes text so that it ends at the right edge of the w cells from column x,
// and returns the column where it begins.
func (s *sheet) right(x, y, w int, text string, style canvas.Style) int {
	text = fit(text, w)
	at := x + max(w, 0) - canvas.Width(text)
	s.put(at, y, text, style)
	return at
}

// rune1 writes one rune of width 1.
func (s *sheet) rune1(x, y int, r rune, style canvas.Style) {
	s.Fill(canvas.Rect{X: x, Y: y, W: 1, H: 1}, r, style)
}

// ground lays the ground of a row, for a line that stands out as a whole.
func (s *sheet) ground(y int, style canvas.Style) {
	s.Fill(canvas.Rect{Y: y, W: s.w, H: 1}, ' ', style)
}

// sentence writes text over as many rows from y as it takes, each from column x to
// the right margin, and returns the row after it.
func (s *sheet) sentence(x, y int, text string, style canvas.Style) int {
	for _, l := range canvas.Wrap(text, s.w-x-1) {
		if y >= s.h {
			break
		}
		s.put(x, y, l, style)
		y++
	}
	return y
}

// more says at the right edge of the first and the last row how many rows are out of
// sight. It covers what is there: a mark that is always in one place is worth more
// than the end of a line.
func (s *sheet) more(win window, w *i18n.Panes) {
	if above := win.top; above > 0 {
		s.corner(0, count(w.Above, above), "↑"+strconv.Itoa(above))
	}
	if below := win.below(); below > 0 {
		s.corner(s.h-1, count(w.Below, below), "↓"+strconv.Itoa(below))
	}
}

// corner writes the longer of two texts that leaves most of the row alone.
func (s *sheet) corner(y int, long, short string) {
	s.right(0, y, s.w, s.mark(long, short), theme.Dim)
}

func (s *sheet) mark(long, short string) string {
	if text := " " + long; canvas.Width(text) <= s.w/3 {
		return text
	}
	return " " + short
}

// covered is how many cells at the right edge of a row the marks of more take.
func (s *sheet) covered(y int, win window, w *i18n.Panes) int {
	n := 0
	if above := win.top; y == 0 && above > 0 {
		n = canvas.Width(s.mark(count(w.Above, above), "↑"+strconv.Itoa(above)))
	}
	if below := win.below(); y == s.h-1 && below > 0 {
		n = max(n, canvas.Width(s.mark(count(w.Below, below), "↓"+strconv.Itoa(below))))
	}
	return n
}

// highlight marks where the searched text occurs in text, which begins at x.
func (s *sheet) highlight(x, y int, text string) {
	for i := 0; i < len(text); {
		if n := foldedPrefix(text[i:], s.find); n > 0 {
			w := canvas.Width(text[i : i+n])
			s.Restyle(canvas.Rect{X: x, Y: y, W: w, H: 1}, theme.Selected)
			x += w
			i += n
			continue
		}
		_, n := utf8.DecodeRuneInString(text[i:])
		x += canvas.Width(text[i : i+n])
		i += n
	}
}

// foldedPrefix returns how many bytes of s its beginning takes that equals find, which
// is lower case, or 0 if it does not begin so.
func foldedPrefix(s, find string) int {
	i := 0
	for _, want := range find {
		if i == len(s) {
			return 0
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.ToLower(r) != want {
			return 0
		}
		i += n
	}
	return i
}

// fit is text cut to w cells, with a mark if something was left out.
func fit(text string, w int) string {
	if len(text) <= w { // no rune takes more cells than bytes
		return text
	}
	return canvas.Truncate(text, w, cut)
}

// count fills in the number of a phrase.
func count(phrase string, n int) string { return i18n.Fill(phrase, "n", strconv.Itoa(n)) }

// actorStyle is the colour of the actor with that letter.
func actorStyle(letter string) canvas.Style {
	if letter == "" {
		return theme.Env
	}
	return theme.Actor(int(letter[0]) - 'A')
}
