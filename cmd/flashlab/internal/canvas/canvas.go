// Package canvas is the sheet a screen is painted on: a grid of terminal cells,
// each holding one rune and the number of a style.
//
// Panes paint through clipped views, and encoders turn the finished grid into
// terminal output, plain text or a picture. All lengths are cells and rows, with
// the origin in the top left corner.
//
// The package must not know colours, themes, panes or the terminal: a cell
// carries a role, and only an encoder, given a palette, makes colour of it. It
// must not read the environment either, since a Chinese locale would change the
// width of box drawing. Nothing painted on a canvas can leave it as a control
// character, whatever the text was.
package canvas

// Style is the number of a role, such as "failure" or "frame". What it looks
// like is up to the palette an encoder is given. The zero Style is plain text.
type Style uint8

// The largest canvas, in cells and rows. A terminal may claim any size it likes;
// this keeps a false claim from asking for gigabytes.
const (
	MaxWidth  = 2000
	MaxHeight = 1000
)

// cell is one position of the grid. A wide rune takes two cells: the left one
// holds the rune with width 2, the right one has width 0 and repeats the style.
type cell struct {
	r     rune
	style Style
	width uint8
}

// Canvas is a grid of cells. It is not safe for concurrent use.
type Canvas struct {
	w, h  int
	cells []cell // row by row
}

// New returns a blank canvas of w cells by h rows. Sizes are brought into
// 0..MaxWidth and 0..MaxHeight.
func New(w, h int) *Canvas {
	c := &Canvas{}
	c.Resize(w, h)
	return c
}

// Resize changes the size and blanks every cell. Memory is kept for reuse.
func (c *Canvas) Resize(w, h int) {
	c.w = min(max(w, 0), MaxWidth)
	c.h = min(max(h, 0), MaxHeight)
	n := c.w * c.h
	if cap(c.cells) < n {
		c.cells = make([]cell, n)
	}
	c.cells = c.cells[:n]
	c.Clear(0)
}

// Clear fills the canvas with spaces of one style.
func (c *Canvas) Clear(style Style) {
	blank := cell{r: ' ', style: style, width: 1}
	for i := range c.cells {
		c.cells[i] = blank
	}
}

// Size returns the width in cells and the height in rows.
func (c *Canvas) Size() (w, h int) { return c.w, c.h }

// Bounds returns the rectangle of the whole canvas.
func (c *Canvas) Bounds() Rect { return Rect{W: c.w, H: c.h} }

// View returns a view of r. Parts of r outside the canvas can be painted on
// without effect.
func (c *Canvas) View(r Rect) View {
	all := View{c: c, at: c.Bounds(), clip: c.Bounds()}
	return all.Sub(r)
}

// put writes a rune of width 1 or 2 at a cell index; for width 2 the next cell
// must be in the same row. Half a wide rune cannot be shown, so a rune that
// loses one of its cells here leaves a blank in the other.
func (c *Canvas) put(i int, r rune, width int, style Style) {
	if c.cells[i].width != 1 {
		c.split(i)
	}
	if width == 2 {
		if c.cells[i+1].width != 1 {
			c.split(i + 1)
		}
		c.cells[i] = cell{r, style, 2}
		c.cells[i+1] = cell{0, style, 0}
		return
	}
	c.cells[i] = cell{r, style, 1}
}

// split turns the wide rune that covers cell i into two blanks.
func (c *Canvas) split(i int) {
	switch c.cells[i].width {
	case 0:
		c.cells[i-1].r, c.cells[i-1].width = ' ', 1
		c.cells[i].r, c.cells[i].width = ' ', 1
	case 2:
		c.cells[i].r, c.cells[i].width = ' ', 1
		c.cells[i+1].r, c.cells[i+1].width = ' ', 1
	}
}
