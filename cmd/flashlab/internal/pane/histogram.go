package pane

import (
	"math/big"
	"strconv"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/theme"
)

// Histogram paints a bar for each number of preemptions: how many schedules there are
// and which share of them breaks the selected light. Where the numbers are too unequal
// for lengths, as they soon are, each bar shows the share alone.
func (p *Prove) Histogram(v canvas.View) int {
	s := newSheet(v, p.Search)
	w, l := p.words(), p.light()
	if p.Result == nil || l == nil || p.Result.ByPreemptions == nil {
		text := w.HistogramNone
		if p.Result == nil {
			text = w.HistogramLater
		}
		s.sentence(1, 0, text, theme.Dim)
		return 0
	}
	c := newChart(p.Result.ByPreemptions, l.ByPreemptions)
	head, foot := 0, 0
	if s.h > 1 {
		head = 1
	}
	caption := w.BarCount
	if c.byShare {
		caption = w.BarShare
	}
	if s.h >= len(c.rows)+head+1 || s.h > 5 {
		foot = 1
	}
	c.place(&s, w.BreaksColumn)
	if head > 0 {
		s.field(1, 0, s.w-2, w.PreemptionsColumn, theme.Title)
		s.right(c.counts, 0, s.w-1-c.counts, w.BreaksColumn, theme.Title)
	}
	win := look(len(c.rows), s.h-head-foot, 0, 0, 0, p.scroll(PaneHistogram))
	for i := win.top; i < win.end(); i++ {
		c.paint(&s, head+i-win.top, i)
	}
	if foot > 0 {
		s.field(1, s.h-1, s.w-2, caption, theme.Dim)
	}
	s.more(win, w)
	return win.scroll
}

// chart is a row for each number of preemptions.
type chart struct {
	rows    []chartRow
	most    *big.Int
	byShare bool

	bar, barRoom int // column and cells of the longest bar
	counts       int // column of the numbers
	first        int // width of the first column
}

type chartRow struct {
	all, bad *big.Int
	text     string // both numbers
	short    string // the same in few cells
}

func newChart(all, bad []*big.Int) chart {
	c := chart{most: new(big.Int)}
	least := new(big.Int)
	for i, n := range all {
		b := new(big.Int)
		if i < len(bad) && bad[i] != nil {
			b = bad[i]
		}
		if n == nil {
			n = new(big.Int)
		}
		c.rows = append(c.rows, chartRow{n, b, grouped(b) + " / " + grouped(n), approx(b) + " / " + approx(n)})
		if n.Cmp(c.most) > 0 {
			c.most = n
		}
		if n.Sign() > 0 && (least.Sign() == 0 || n.Cmp(least) < 0) {
			least = n
		}
	}
	// A bar that should be shorter than a cell cannot be compared with others.
	c.byShare = new(big.Int).Mul(least, big.NewInt(20)).Cmp(c.most) < 0
	return c
}

// place divides the width: the number of preemptions, the bar, the numbers, which
// shrink the bar but never below a few cells.
func (c *chart) place(s *sheet, last string) {
	c.first = len(strconv.Itoa(len(c.rows))) + 1
	numbers := canvas.Width(last)
	for i := range c.rows {
		numbers = max(numbers, canvas.Width(c.rows[i].text))
	}
	if numbers > s.w/2 {
		numbers = canvas.Width(last)
		for i := range c.rows {
			c.rows[i].text = c.rows[i].short
			numbers = max(numbers, canvas.Width(c.rows[i].text))
		}
	}
	c.bar = 1 + c.first + 1
	c.barRoom = max(s.w-c.bar-numbers-3, 0)
	if c.barRoom < 4 {
		c.barRoom = 0
	}
	c.counts = c.bar + c.barRoom + 1
}

func (c *chart) paint(s *sheet, y, i int) {
	r := &c.rows[i]
	s.right(1, y, c.first, strconv.Itoa(i), theme.Text)
	width := c.barRoom
	if !c.byShare {
		width = scale(r.all, c.most, c.barRoom)
	}
	if r.all.Sign() == 0 {
		width = 0
	} else {
		width = max(width, min(1, c.barRoom))
	}
	bad := scale(r.bad, r.all, width)
	// Some is neither none nor all, however little it is.
	if r.bad.Sign() > 0 && width > 0 {
		bad = max(bad, 1)
	}
	if r.bad.Cmp(r.all) < 0 && width > 1 {
		bad = min(bad, width-1)
	}
	s.Fill(canvas.Rect{X: c.bar, Y: y, W: bad, H: 1}, '█', theme.Bad)
	s.Fill(canvas.Rect{X: c.bar + bad, Y: y, W: width - bad, H: 1}, '░', theme.OK)
	style := canvas.Style(theme.Text)
	if r.bad.Sign() > 0 {
		style = theme.Bad
	}
	s.right(c.counts, y, s.w-1-c.counts, r.text, style)
}
