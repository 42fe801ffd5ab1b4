package app

import (
	"slices"
	"strconv"
	"time"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons/showdown"
)

// How the paths are told apart, in the order of showdown.Paths.
var (
	pathMarks  = [3]string{"●", "▲", "■"}
	pathStyles = [3]canvas.Style{theme.Chart1, theme.Chart2, theme.Chart3}
)

// Widths of the table below a chart, in cells, and heights of its bars, in rows.
const (
	headWidth   = 22
	widestPlace = 16
	lowestBars  = 4
	highestBars = 12
	otherRows   = 33 // of a page that is all in sight
)

// picture is one view of what was measured: a chart with its table, or the comparison.
type picture struct {
	title     string
	overStock bool
	limited   bool
	wait      bool // how long answers take, instead of how many there are
	compared  bool
}

// pictures are all of them, in the order in which they are gone through.
func (m *model) pictures() []picture {
	v, w := m.learn.showdown, &m.words.Showdown
	concurrency, stock := v.o.Middle()
	out := []picture{{}, {limited: true}, {overStock: true}, {overStock: true, limited: true}, {wait: true}}
	for i := range out {
		p := &out[i]
		form, what := w.OverAtOnce, w.Answered
		if p.overStock {
			form = w.OverStock
		}
		if p.wait {
			what = w.Wait
		}
		p.title = fill(form, "what", what, "limiter", m.limiterText(p.limited), "stock", strconv.Itoa(stock), "atonce", strconv.Itoa(concurrency))
	}
	if v.before != nil {
		out = append(out, picture{title: w.Compared, compared: true})
	}
	return out
}

// point is where sales are measured.
type point struct{ concurrency, stock int }

// points are those of a picture, from left to right.
func (p *picture) points(o showdown.Options) (out []point) {
	if p.compared {
		for _, s := range o.Settings() {
			if at := (point{s.Concurrency, s.Stock}); !slices.Contains(out, at) {
				out = append(out, at)
			}
		}
		return out
	}
	concurrency, stock := o.Middle()
	if p.overStock {
		for _, n := range o.Stock {
			out = append(out, point{concurrency, n})
		}
		return out
	}
	for _, n := range o.Concurrency {
		out = append(out, point{n, stock})
	}
	return out
}

// showdownPicture shows the chosen picture of what was measured by now.
func (m *model) showdownPicture(b *blocks) {
	v, w := m.learn.showdown, &m.words.Showdown
	all := m.pictures()
	p := &all[min(v.look, len(all)-1)]
	b.add(screen.Block{Text: p.title, Style: theme.Title})
	points := p.points(v.o)
	t := newTable(m.w, len(points))
	if p.compared {
		m.comparison(b, t, points)
		return
	}
	chart := screen.Columns{Height: max(lowestBars, min(m.h-otherRows, highestBars)), Left: headWidth, Group: t.group, Label: p.amount}
	for i, path := range showdown.Paths() {
		s := screen.Series{Mark: pathMarks[i], Style: pathStyles[i]}
		for _, at := range points {
			s.Values = append(s.Values, p.value(showdown.Find(v.cells, path, p.limited, at.concurrency, at.stock)))
		}
		chart.Series = append(chart.Series, s)
	}
	t.rows = chart.Rows()
	head := w.AtOnce
	if p.overStock {
		head = w.Stock
	}
	t.row("  "+head, theme.Dim, cells(points, func(at point) screen.Span {
		n := at.concurrency
		if p.overStock {
			n = at.stock
		}
		return screen.Span{Text: strconv.Itoa(n) + t.verdictRoom(), Style: theme.Dim}
	}))
	for i, path := range showdown.Paths() {
		t.row(pathMarks[i]+" "+w.Paths[i], pathStyles[i], cells(points, func(at point) screen.Span {
			return t.judged(showdown.Find(v.cells, path, p.limited, at.concurrency, at.stock), p.read)
		}))
	}
	script := func(at point) *showdown.Cell {
		return showdown.Find(v.cells, showdown.Script, p.limited, at.concurrency, at.stock)
	}
	if p.wait {
		t.row(w.Booking, theme.Dim, cells(points, func(at point) screen.Span {
			return t.judged(script(at), func(c *showdown.Cell) string { return short(c.Drain) })
		}))
	} else {
		t.row(w.Drained, pathStyles[2], cells(points, func(at point) screen.Span {
			return t.judged(script(at), func(c *showdown.Cell) string { return perSecond(c.Settled()) })
		}))
		ratios := showdown.Ratios(v.cells)
		both := t.group > widestRatio
		head := w.Ratio
		if both {
			head += w.RatioDrained
		}
		t.row(head, theme.Accent, cells(points, func(at point) screen.Span {
			return t.ratio(ratios, p.limited, at, func(r showdown.Ratio) string {
				if both {
					return times(r.Answered) + " (" + times(r.Settled) + ")"
				}
				return times(r.Answered)
			})
		}))
		if !both {
			t.row(w.Ratio+w.RatioDrained, theme.Accent, cells(points, func(at point) screen.Span {
				return t.ratio(ratios, p.limited, at, func(r showdown.Ratio) string { return times(r.Settled) })
			}))
		}
	}
	b.add(screen.Block{Spans: t.rows})
}

// value is the height of a bar; negative where there is none, since nothing was
// measured or it does not count.
func (p *picture) value(c *showdown.Cell) float64 {
	switch {
	case c == nil || !c.Holds():
		return -1
	case p.wait:
		return float64(c.P99)
	}
	return c.Rate
}

// read writes what a picture shows of a cell.
func (p *picture) read(c *showdown.Cell) string { return p.amount(p.value(c)) }

// amount writes a value of the scale.
func (p *picture) amount(v float64) string {
	if p.wait {
		return short(time.Duration(v) * time.Microsecond)
	}
	return perSecond(v)
}

// comparison shows every sale against the same one in the showdown that was kept.
func (m *model) comparison(b *blocks, t *table, points []point) {
	v, w := m.learn.showdown, &m.words.Showdown
	doc := showdown.NewDocument(v.o, v.cells)
	list := doc.Compare(v.before)
	t.row("  "+w.AtOnce, theme.Dim, cells(points, func(at point) screen.Span {
		return screen.Span{Text: strconv.Itoa(at.concurrency), Style: theme.Dim}
	}))
	t.row("  "+w.Stock, theme.Dim, cells(points, func(at point) screen.Span {
		return screen.Span{Text: strconv.Itoa(at.stock), Style: theme.Dim}
	}))
	for _, limited := range []bool{false, true} {
		t.rows = append(t.rows, []screen.Span{{Text: m.limiterText(limited), Style: theme.Dim}})
		for i, path := range showdown.Paths() {
			t.row(pathMarks[i]+" "+w.Paths[i], pathStyles[i], cells(points, func(at point) screen.Span {
				for _, c := range list {
					if c.Path == string(path) && c.Limited == limited && c.Concurrency == at.concurrency && c.Stock == at.stock {
						return screen.Span{Text: "×" + strconv.FormatFloat(c.Factor(), 'f', 2, 64)}
					}
				}
				return screen.Span{Text: "·", Style: theme.Dim}
			}))
		}
	}
	b.add(screen.Block{Spans: t.rows})
	b.add(screen.Block{Text: fill(w.Kept, "requests", strconv.Itoa(v.before.Requests), "server", m.serverText(v.before.Server)), Style: theme.Dim})
	if doc.Requests == v.before.Requests && m.serverText(doc.Server) == m.serverText(v.before.Server) {
		b.add(screen.Block{Text: w.ByItself})
		return
	}
	b.add(screen.Block{Text: fill(w.Different, "requests", strconv.Itoa(doc.Requests), "server", m.serverText(doc.Server)), Style: theme.Warn})
}

// serverText names the server of a document.
func (m *model) serverText(name *string) string {
	if name == nil {
		return m.words.Showdown.Embedded
	}
	return *name
}
