package app

import (
	"fmt"
	"strings"
	"time"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons/showdown"
	"flashlab/sim/scenario"
)

// table writes rows of numbers below the groups of a chart.
type table struct {
	group int // width of a place, in cells
	rows  [][]screen.Span
}

// newTable is a table of so many places on a screen of w cells.
func newTable(w, places int) *table {
	return &table{group: max(1, min(widestPlace, (screen.PageRoom(w)-headWidth)/max(1, places)))}
}

// row adds a row: its heading, then a text for each place.
func (t *table) row(head string, style canvas.Style, cells []screen.Span) {
	out := []screen.Span{{Text: canvas.PadRight(head, headWidth), Style: style}}
	for _, c := range cells {
		c.Text = strings.Repeat(" ", max(0, t.group-1-canvas.Width(c.Text))) + c.Text + " "
		out = append(out, c)
	}
	t.rows = append(t.rows, out)
}

// cells makes the cells of a row.
func cells(points []point, f func(at point) screen.Span) (out []screen.Span) {
	for _, at := range points {
		out = append(out, f(at))
	}
	return out
}

// narrow is a place that has no room for a sign beside its number.
const narrow = 8

// verdictRoom is as wide as the sign of a verdict beside a number.
func (t *table) verdictRoom() string {
	if t.group < narrow {
		return ""
	}
	return "  "
}

// judged writes a number with its verdict. One that does not count is not shown.
func (t *table) judged(c *showdown.Cell, number func(*showdown.Cell) string) screen.Span {
	switch {
	case c == nil:
		return screen.Span{Text: "·" + t.verdictRoom(), Style: theme.Dim}
	case c.Holds() && t.group < narrow:
		return screen.Span{Text: number(c)}
	case c.Holds():
		return screen.Span{Text: number(c) + " ✓"}
	case c.Verdict == scenario.Breaks:
		return screen.Span{Text: "✗", Style: theme.Bad}
	}
	return screen.Span{Text: "?", Style: theme.Warn}
}

// widestRatio is the width of a ratio with the one that counts the drain: 5.2 (4.8).
const widestRatio = 9

// ratio writes how many times as fast the script was at a place.
func (t *table) ratio(ratios []showdown.Ratio, limited bool, at point, number func(showdown.Ratio) string) screen.Span {
	for _, r := range ratios {
		if r.Limited != limited || r.Concurrency != at.concurrency || r.Stock != at.stock {
			continue
		}
		if r.Answered == 0 && !r.Broken {
			return screen.Span{Text: "?", Style: theme.Warn}
		}
		if r.Answered == 0 {
			return screen.Span{Text: "✗", Style: theme.Bad}
		}
		return screen.Span{Text: number(r), Style: theme.Accent}
	}
	return screen.Span{Text: "·" + t.verdictRoom(), Style: theme.Dim}
}

// perSecond writes a rate in at most five cells: 3108, 11.7k.
func perSecond(v float64) string {
	switch {
	case v >= 99_950:
		return fmt.Sprintf("%.0fk", v/1000)
	case v >= 9999.5:
		return fmt.Sprintf("%.1fk", v/1000)
	}
	return fmt.Sprintf("%.0f", v)
}

// times writes a ratio with the digits that mean something.
func times(v float64) string {
	if v >= 9.95 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.1f", v)
}

// short writes a time in at most six cells.
func short(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(100 * time.Millisecond).String()
	case d >= 10*time.Millisecond:
		return d.Round(time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.Round(10 * time.Microsecond).String()
}
