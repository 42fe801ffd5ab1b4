package screen

import (
	"strings"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
)

// Block is a passage of a page.
type Block struct {
	Text   string
	Style  canvas.Style
	Pre    bool // code or a log: lines are kept as they are, and cut where there is no room
	Indent int  // in cells
	Gap    bool // an empty row before it
	Key    string
	// Spans are rows of several styles in place of Text, such as those of a chart; what
	// is too long is cut.
	Spans [][]Span
	// Choice is the number of the option that this block is, from 1; 0: none.
	Choice int
	// Keep marks what options are about, such as a question: it stays in sight with
	// them. Nothing but options follows.
	Keep bool
}

// Page is a screen of running text, questions and answers: the beats of a lesson
// that are no stage.
type Page struct {
	Words *i18n.Strings
	Lang  lessons.Lang
	Left  string
	Right []string
	Dots  Dots
	// Blocks are the text; options are among them.
	Blocks   []Block
	Selected int  // option, from 1; 0: none
	Scroll   int  // of the text, in rows; set by Paint to what is in use
	Follow   bool // the learner moves among the options
	Foot     Foot
}

// Dots are the beats of a lesson as a row of signs.
type Dots struct {
	Names   []string // of the beats; empty: no row
	Seen    []bool
	Done    []bool // all that the beat asks for
	Current int
}

// pageWidth is the widest running text, in cells: longer lines are hard to follow.
const pageWidth = 92

// pageMargin is what a page leaves free at each side of a screen of w cells.
func pageMargin(w int) int {
	if w >= 100 {
		return 4
	}
	return 2
}

// PageRoom is how wide the content of a page is on a screen of w cells.
func PageRoom(w int) int { return w - 2*pageMargin(w) }

// String writes the row: a sign for each beat and the name of the present one.
func (d Dots) String() string {
	var b strings.Builder
	for i := range d.Names {
		sign, _ := d.sign(i)
		b.WriteString(sign)
	}
	return b.String()
}

// sign is that of a beat: the present one, done, only seen, or new.
func (d Dots) sign(i int) (string, canvas.Style) {
	switch {
	case i == d.Current:
		return "◆", theme.Accent
	case d.Done[i]:
		return "●", theme.OK
	case d.Seen[i]:
		return "◐", theme.Text
	}
	return "○", theme.Dim
}

// paint puts the row into one row of a view: with names where there is room.
func (d Dots) paint(v canvas.View, x, y, w int) {
	long := 0
	for _, name := range d.Names {
		long += canvas.Width(name) + 4
	}
	for i, name := range d.Names {
		sign, style := d.sign(i)
		x += v.Text(x, y, sign, style)
		if long <= w {
			x += v.Text(x, y, " "+name, style) + 2
		} else if i == d.Current {
			x += v.Text(x, y, " "+name, style) + 1
		} else {
			x++
		}
	}
}

// row is a painted line of a page.
type row struct {
	block *Block
	text  string
	spans []Span // in place of text
	first bool
}

// rows breaks the blocks into lines of w cells.
func (p *Page) rows(w int) []row {
	var out []row
	for i := range p.Blocks {
		b := &p.Blocks[i]
		if b.Gap && len(out) > 0 {
			out = append(out, row{})
		}
		for j, spans := range b.Spans {
			out = append(out, row{block: b, spans: spans, first: j == 0})
		}
		if b.Spans != nil {
			continue
		}
		room := w - b.Indent
		if b.Key != "" {
			room -= canvas.Width(b.Key) + 1
		}
		var lines []string
		if b.Pre {
			lines = codeLines(b.Text, room)
		} else {
			lines = canvas.Wrap(b.Text, max(2, min(room, pageWidth)))
		}
		for j, l := range lines {
			out = append(out, row{block: b, text: canvas.Truncate(l, max(2, room), "…"), first: j == 0})
		}
	}
	return out
}

// Paint puts the page on the canvas.
func (p *Page) Paint(c *canvas.Canvas) {
	w, h := c.Size()
	c.Clear(theme.Text)
	if layout.Class(w, h) == layout.TooSmall {
		TooSmall(c, p.Words)
		return
	}
	v := c.View(c.Bounds())
	header(v.Sub(canvas.Rect{W: w, H: 1}), p.Left, p.Right)
	top := 2
	if len(p.Dots.Names) > 0 {
		p.Dots.paint(v, 2, 1, w-4)
		top = 3
	}
	margin := pageMargin(w)
	rows := p.rows(PageRoom(w))
	room := max(1, h-top-2)
	text, tail := p.split(rows, room)
	// The text scrolls; what is chosen from stays at the bottom, below a row that says
	// how much of the text is out of sight.
	upper, rest := room, rows[text:]
	if tail > 0 {
		upper = max(0, room-tail-1)
		if text > 0 && rows[text-1].block == nil {
			text--
		}
	}
	p.Scroll = max(0, min(p.Scroll, text-upper))
	if tail == 0 && p.Selected > 0 && p.Follow {
		p.Scroll = p.inSight(rows, p.Scroll, upper)
	}
	y := top
	for i := p.Scroll; i < text && i < p.Scroll+upper; i++ {
		p.row(v, rows[i], margin, y)
		y++
	}
	if tail == 0 {
		if more := outOfSight(p.Scroll, text-p.Scroll-upper, p.Lang); more != "" {
			v.TextRight(0, h-2, w-2, more, theme.Dim)
		}
	} else {
		y = top + room - tail
		from := max(0, min(p.inSight(rest, 0, tail), len(rest)-tail))
		for i := from; i < from+tail; i++ {
			p.row(v, rest[i], margin, y)
			y++
		}
		if more := outOfSight(from, len(rest)-from-tail, p.Lang); more != "" {
			v.TextRight(0, h-2, w-2, more, theme.Dim)
		}
		if more := outOfSight(p.Scroll, text-p.Scroll-upper, p.Lang); more != "" {
			v.TextRight(0, top+upper, w-2, more, theme.Accent)
		}
	}
	p.Foot.paint(v, canvas.Rect{Y: h - 1, W: w, H: 1}, p.Lang)
}

// split says how many of the rows scroll as text, and how many rows are kept at the
// bottom for what is chosen from: none where all fit, or where a single option is too
// long for that.
func (p *Page) split(rows []row, room int) (text, tail int) {
	text = len(rows)
	if text <= room {
		return text, 0
	}
	tallest, height, most := 0, map[int]int{}, room/2
	for i := len(rows) - 1; i >= 0; i-- {
		if b := rows[i].block; b != nil && (b.Choice > 0 || b.Keep) {
			text = i
			if b.Choice > 0 {
				height[b.Choice]++
				tallest = max(tallest, height[b.Choice])
			} else {
				most = room * 2 / 3
			}
		}
	}
	rest := len(rows) - text
	if rest == 0 || tallest > room/2 {
		return len(rows), 0
	}
	if text <= 1 {
		return text, room
	}
	return text, min(rest, max(most, room-text))
}

// row paints a line of the page.
func (p *Page) row(v canvas.View, r row, margin, y int) {
	if r.block == nil {
		return
	}
	w, _ := v.Size()
	x := margin + r.block.Indent
	if r.block.Key != "" {
		if r.first {
			v.Text(x, y, r.block.Key, theme.Key)
		}
		x += canvas.Width(r.block.Key) + 1
	}
	v.Text(x, y, r.text, r.block.Style)
	for _, s := range r.spans {
		x += v.Text(x, y, canvas.Truncate(s.Text, max(0, w-margin-x), "…"), s.Style)
	}
	if r.block.Choice > 0 && r.block.Choice == p.Selected {
		v.Restyle(canvas.Rect{X: margin, Y: y, W: w - 2*margin, H: 1}, theme.Selected)
		if r.first {
			v.Text(margin-1, y, "▶", theme.Accent)
		}
	}
}

// inSight returns the offset nearest to the given one at which the selected option is
// seen whole, with a row around it.
func (p *Page) inSight(rows []row, scroll, room int) int {
	first, last := -1, -1
	for i, r := range rows {
		if r.block != nil && r.block.Choice == p.Selected && p.Selected > 0 {
			last = i
			if first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return scroll
	}
	low, high := max(0, last+2-room), max(0, first-1)
	return max(min(scroll, high), min(low, high))
}

// codeLines are the lines of a code or a log; one that is too long goes on below.
func codeLines(text string, room int) []string {
	var out []string
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		if room < 12 || canvas.Width(line) <= room {
			out = append(out, line)
			continue
		}
		for i, part := range canvas.BreakCode(line, room-2, 1<<10) {
			if i > 0 {
				part = "↳ " + part
			}
			out = append(out, part)
		}
	}
	return out
}
