package canvas

// Rect is a rectangle of cells. A rectangle with no area is empty, whatever its
// origin.
type Rect struct {
	X, Y int // left column and top row
	W, H int // width in cells, height in rows
}

// Empty reports whether the rectangle covers no cell.
func (r Rect) Empty() bool { return r.W <= 0 || r.H <= 0 }

// Contains reports whether the cell at column x and row y lies in r.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// Inset returns r without dx cells at its left and right and dy rows at its top
// and bottom. Sizes never become negative.
func (r Rect) Inset(dx, dy int) Rect {
	return Rect{r.X + dx, r.Y + dy, max(r.W-2*dx, 0), max(r.H-2*dy, 0)}
}

// Intersect returns the cells that r and s share, or the zero Rect.
func (r Rect) Intersect(s Rect) Rect {
	if r.Empty() || s.Empty() {
		return Rect{}
	}
	x, y := max(r.X, s.X), max(r.Y, s.Y)
	out := Rect{x, y, min(r.X+r.W, s.X+s.W) - x, min(r.Y+r.H, s.Y+s.H) - y}
	if out.Empty() {
		return Rect{}
	}
	return out
}
