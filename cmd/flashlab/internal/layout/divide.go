package layout

// part is one of several pieces along a line: how short it may become, how long it
// would like to be, how much of what is left it takes, and where it has enough.
type part struct {
	min, want int
	grow      int // its share of the room beyond all wants, 0 for none
	max       int // 0 for no limit
}

// divide shares total among the parts, the first being the most important: each
// gets its minimum, then each its want, and what is left goes by grow. If nothing
// grows any more the last part that may grow takes the rest, limit or not, so that
// the result always adds up to total; without one it may be less.
func divide(total int, parts ...part) []int {
	out := make([]int, len(parts))
	total = max(total, 0)
	raise := func(i, to int) {
		n := max(min(to-out[i], total), 0)
		out[i] += n
		total -= n
	}
	for i, p := range parts {
		raise(i, p.min)
	}
	for i, p := range parts {
		raise(i, p.want)
	}
	for total > 0 {
		// One cell at a time to the part that lags most behind its share. Screens
		// are a few hundred cells, and this is exact whatever the limits are.
		best := -1
		for i, p := range parts {
			if p.grow == 0 || p.max > 0 && out[i] >= p.max {
				continue
			}
			if best < 0 || (out[i]-p.want)*parts[best].grow < (out[best]-parts[best].want)*p.grow {
				best = i
			}
		}
		if best < 0 {
			break
		}
		raise(best, out[best]+1)
	}
	for i := len(parts) - 1; i >= 0 && total > 0; i-- {
		if parts[i].grow > 0 {
			raise(i, out[i]+total)
		}
	}
	return out
}

// stack places parts of the given heights below each other, from the top of r.
func stack(r Rect, heights []int, panes ...*Rect) {
	y := r.Y
	for i, p := range panes {
		*p = Rect{X: r.X, Y: y, W: r.W, H: heights[i]}
		if p.Empty() {
			*p = Rect{}
		}
		y += heights[i]
	}
}

// sides cuts r into two pieces with a gap of cells between them, the left one of
// the given width.
func sides(r Rect, left, gap int) (l, rest Rect) {
	left = max(min(left, r.W), 0)
	l = Rect{X: r.X, Y: r.Y, W: left, H: r.H}
	rest = Rect{X: r.X + left + gap, Y: r.Y, W: max(r.W-left-gap, 0), H: r.H}
	return l, rest
}
