package canvas

import "unicode/utf8"

// ellipsis marks text that was cut.
const ellipsis = "…"

// View is a window onto a canvas with its own origin. Whatever is painted outside
// of it is clipped. A View is a small value, to be passed and made freely; it
// stays valid until the canvas is resized. The zero View paints nothing.
type View struct {
	c    *Canvas
	at   Rect // in canvas cells, as asked for
	clip Rect // the part of at that may be painted
}

// Size returns the width in cells and the height in rows that were asked for,
// also where they reach beyond the canvas. Negative sizes count as 0.
func (v View) Size() (w, h int) { return v.at.W, v.at.H }

// Bounds returns the rectangle of the view in its own coordinates.
func (v View) Bounds() Rect { return Rect{W: v.at.W, H: v.at.H} }

// Sub returns a view of r, which is given in coordinates of v. It cannot paint
// outside of v.
func (v View) Sub(r Rect) View {
	r = Rect{r.X + v.at.X, r.Y + v.at.Y, max(r.W, 0), max(r.H, 0)}
	return View{c: v.c, at: r, clip: r.Intersect(v.clip)}
}

// Text writes s from column x of row y rightwards and returns the cells it used
// before the right edge of the view. What does not fit is clipped, and a wide
// rune cut in half leaves a blank. Control characters show as a dot, line breaks
// and tabs as a space; see Clean.
func (v View) Text(x, y int, s string, style Style) int {
	edge, seen := v.at.W, v.seen()
	from, to := seen.X, seen.X+seen.W // the columns that can be painted
	if y < seen.Y || y >= seen.Y+seen.H {
		from, to = 0, 0
	}
	start := x
	for i := 0; i < len(s) && x < edge; {
		r, size, w := rune(s[i]), 1, 1
		if r < ' ' || r >= 0x7f {
			r, size = utf8.DecodeRuneInString(s[i:])
			r, w = show(r)
		}
		i += size
		switch {
		case w == 0:
			continue
		case x+w > edge:
			r, w = ' ', 1
		}
		if x >= from && x+w <= to {
			v.c.put((v.at.Y+y)*v.c.w+v.at.X+x, r, w, style)
		} else {
			v.set(x, y, r, w, style) // at an edge, or out of sight
		}
		x += w
	}
	return x - start
}

// TextRight writes s so that it ends at the right edge of the field of w cells
// that begins at column x. Text wider than the field is cut and marked with "…".
// It returns the cells used.
func (v View) TextRight(x, y, w int, s string, style Style) int {
	s = Truncate(s, w, ellipsis)
	return v.Text(x+max(w, 0)-Width(s), y, s, style)
}

// TextCenter writes s in the middle of the field of w cells that begins at column
// x, a spare cell going to the right. Text wider than the field is cut and marked
// with "…". It returns the cells used.
func (v View) TextCenter(x, y, w int, s string, style Style) int {
	s = Truncate(s, w, ellipsis)
	return v.Text(x+(max(w, 0)-Width(s))/2, y, s, style)
}

// Fill paints every cell of r with one rune. A wide rune takes two cells at a
// time, with a blank at the right of an odd width.
func (v View) Fill(r Rect, fill rune, style Style) {
	fill, w := show(fill)
	if w == 0 {
		fill, w = ' ', 1
	}
	// Bounded by the view, or a careless rectangle would cost a long loop. The
	// left edge of r stays, since wide runes are counted from there.
	seen := v.seen()
	right := min(r.X+r.W, seen.X+seen.W)
	for y := max(r.Y, seen.Y); y < min(r.Y+r.H, seen.Y+seen.H); y++ {
		x := r.X
		if x < seen.X {
			x += (seen.X - x) / w * w
		}
		for ; x < right; x += w {
			if x+w > r.X+r.W {
				v.set(x, y, ' ', 1, style)
				break
			}
			v.set(x, y, fill, w, style)
		}
	}
}

// Restyle changes the style of every cell of r and leaves the runes, as for a
// selected line or for the screen behind a dialog. A wide rune only half inside
// keeps its style.
func (v View) Restyle(r Rect, style Style) {
	a := r.Intersect(v.seen())
	for y := a.Y; y < a.Y+a.H; y++ {
		left := (v.at.Y+y)*v.c.w + v.at.X + a.X
		row := v.c.cells[left : left+a.W]
		for x := range row {
			switch {
			case row[x].width == 0 && x == 0:
				continue
			case row[x].width == 2 && x+1 == len(row):
				continue
			}
			row[x].style = style
		}
	}
}

// seen returns the part of the view that can be painted, in its own coordinates.
func (v View) seen() Rect {
	r := v.clip
	r.X -= v.at.X
	r.Y -= v.at.Y
	return r
}

// set writes a rune of width w that begins at x, y. Where only one half of a wide
// rune is inside the clip, that half becomes a blank.
func (v View) set(x, y int, r rune, w int, style Style) {
	x += v.at.X
	y += v.at.Y
	if y < v.clip.Y || y >= v.clip.Y+v.clip.H {
		return
	}
	left, right := v.clip.X, v.clip.X+v.clip.W
	if x < left {
		if w == 1 || x+1 != left {
			return
		}
		x, r, w = left, ' ', 1
	}
	if x+w > right {
		if x >= right {
			return
		}
		r, w = ' ', 1
	}
	v.c.put(y*v.c.w+x, r, w, style)
}

// peek returns the rune shown at x, y, a space where there is none or where the
// view is clipped, and 0 for the right half of a wide rune.
func (v View) peek(x, y int) rune {
	x += v.at.X
	y += v.at.Y
	if !v.clip.Contains(x, y) {
		return ' '
	}
	return v.c.cells[y*v.c.w+x].r
}
