package screen

import (
	"strings"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/theme"
)

// Span is a piece of a line that has a style of its own.
type Span struct {
	Text  string
	Style canvas.Style
}

// Columns draws several series over the same places: at each place a group of upright
// bars, one a series, on a scale that begins at zero. Below each bar stands the mark of
// its series, so that no colour is needed.
type Columns struct {
	Series []Series
	Height int // of the highest bar, in rows
	Left   int // width of the scale, in cells
	Group  int // width of a place, in cells
	// Label writes a value of the scale.
	Label func(v float64) string
}

// Series is a value for each place; where it is negative there is no bar.
type Series struct {
	Mark   string // one cell wide
	Style  canvas.Style
	Values []float64
}

// widestBar is the widest that a bar gets, in cells.
const widestBar = 3

// Rows are the rows of the chart, the marks at the bottom.
func (c *Columns) Rows() [][]Span {
	most := 0.0
	for _, s := range c.Series {
		for _, v := range s.Values {
			most = max(most, v)
		}
	}
	var out [][]Span
	for y := range c.Height {
		label, line := "", "│"
		if y == 0 && most > 0 {
			label, line = c.Label(most), "┤"
		}
		out = append(out, c.row(label, line, func(s *Series, v float64, w int) string {
			return strings.Repeat(barAt(v, most, c.Height, c.Height-1-y), w)
		}))
	}
	return append(out, c.row(c.Label(0), "└", func(s *Series, _ float64, w int) string {
		pad := (w - canvas.Width(s.Mark)) / 2
		return canvas.PadRight(strings.Repeat(" ", max(0, pad))+s.Mark, w)
	}))
}

// row draws one row: the scale, then a part of each bar.
func (c *Columns) row(label, line string, part func(s *Series, v float64, w int) string) []Span {
	out := []Span{
		{strings.Repeat(" ", max(0, c.Left-2-canvas.Width(label))) + label + " ", theme.Dim}, {line, theme.Frame},
	}
	n := len(c.Series)
	bar := max(1, min(widestBar, (c.Group-n-1)/max(1, n)))
	used := n*bar + n - 1 // a blank between two bars
	left := max(0, (c.Group-used+1)/2)
	for i := range c.places() {
		out = append(out, Span{Text: strings.Repeat(" ", left)})
		for j := range c.Series {
			s, text := &c.Series[j], strings.Repeat(" ", bar)
			if s.Values[i] >= 0 {
				text = part(s, s.Values[i], bar)
			}
			if j < n-1 {
				text += " "
			}
			out = append(out, Span{text, s.Style})
		}
		out = append(out, Span{Text: strings.Repeat(" ", max(0, c.Group-left-used))})
	}
	return out
}

func (c *Columns) places() int {
	if len(c.Series) == 0 {
		return 0
	}
	return len(c.Series[0].Values)
}

// barAt is the sign of a bar in row y of h, counted from the bottom. The least value
// that is not zero can be seen.
func barAt(v, most float64, h, y int) string {
	if v < 0 || most <= 0 {
		return " "
	}
	list := []rune(bars)
	eighths := int(v/most*float64(h*len(list)) + 0.5)
	if v > 0 {
		eighths = max(eighths, 1)
	}
	switch n := eighths - y*len(list); {
	case n <= 0:
		return " "
	case n >= len(list):
		return "█"
	default:
		return string(list[n-1])
	}
}
