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
	// Choice is the number of the option that this block is, from 1; 0: none.
	Choice int
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
	Scroll   int  // in rows; set by Paint to what is in use
	Follow   bool // scroll so that the selected option is in sight
	Foot     Foot
}

// Dots are the beats of a lesson as a row of signs.
type Dots struct {
	Names   []string // of the beats; empty: no row
	Seen    []bool
	Current int
}

// pageWidth is the widest running text, in cells: longer lines are hard to follow.
const pageWidth = 92

// String writes the row: a sign for each beat and the name of the present one.
func (d Dots) String() string {
	var b strings.Builder
	for i := range d.Names {
		switch {
		case i == d.Current:
			b.WriteString("◆")
		case d.Seen[i]:
			b.WriteString("●")
		default:
			b.WriteString("○")
		}
	}
	return b.String()
}

// paint puts the row into one row of a view: with names where there is room.
func (d Dots) paint(v canvas.View, x, y, w int) {
	long := 0
	for _, name := range d.Names {
		long += canvas.Width(name) + 4
	}
	for i, name := range d.Names {
		style, sign := theme.Dim, "○"
		switch {
		case i == d.Current:
			style, sign = theme.Accent, "◆"
		case d.Seen[i]:
			style, sign = theme.OK, "●"
		}
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
		room := w - b.Indent
		if b.Key != "" {
			room -= canvas.Width(b.Key) + 1
		}
		var lines []string
		if b.Pre {
			lines = strings.Split(strings.TrimRight(b.Text, "\n"), "\n")
		} else {
			lines = canvas.Wrap(b.Text, max(2, min(room, pageWidth)))
		}
		for j, l := range lines {
			out = append(out, row{b, canvas.Truncate(l, max(2, room), "…"), j == 0})
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
	margin := 2
	if w >= 100 {
		margin = 4
	}
	rows := p.rows(w - 2*margin)
	room := max(1, h-top-2)
	p.Scroll = max(0, min(p.Scroll, len(rows)-room))
	if p.Selected > 0 && p.Follow {
		p.Scroll = p.inSight(rows, room)
	}
	for i := p.Scroll; i < len(rows) && i < p.Scroll+room; i++ {
		r, y := rows[i], top+i-p.Scroll
		if r.block == nil {
			continue
		}
		x := margin + r.block.Indent
		if r.block.Key != "" {
			if r.first {
				v.Text(x, y, r.block.Key, theme.Key)
			}
			x += canvas.Width(r.block.Key) + 1
		}
		v.Text(x, y, r.text, r.block.Style)
		if r.block.Choice > 0 && r.block.Choice == p.Selected {
			v.Restyle(canvas.Rect{X: margin, Y: y, W: w - 2*margin, H: 1}, theme.Selected)
			if r.first {
				v.Text(margin-1, y, "▶", theme.Accent)
			}
		}
	}
	if more := outOfSight(p.Scroll, len(rows)-p.Scroll-room, p.Lang); more != "" {
		v.TextRight(0, h-2, w-2, more, theme.Dim)
	}
	p.Foot.paint(v, canvas.Rect{Y: h - 1, W: w, H: 1}, p.Lang)
}

// inSight returns the offset nearest to the present one at which the selected
// option is seen whole, with a row around it.
func (p *Page) inSight(rows []row, room int) int {
	first, last := -1, -1
	for i, r := range rows {
		if r.block != nil && r.block.Choice == p.Selected {
			last = i
			if first < 0 {
				first = i
			}
		}
	}
	if first < 0 {
		return p.Scroll
	}
	low, high := max(0, last+2-room), max(0, first-1)
	return max(min(p.Scroll, high), min(low, high))
}
