package pane

// window is the part of a pane's rows that is seen.
type window struct {
	top    int // the first row that is seen
	rows   int // how many fit
	total  int
	scroll int // the offset in use
}

// look returns the window of h rows, out of total, that shows the rows from and to,
// with about lead rows before them, moved by scroll rows. Where both do not fit, from
// is shown.
func look(total, h, lead, from, to, scroll int) window {
	h = max(h, 0)
	last := max(total-h, 0)
	top := min(max(from-lead, to-h+1), from)
	top = min(max(top, 0), last)
	moved := min(max(top+scroll, 0), last)
	return window{top: moved, rows: h, total: total, scroll: moved - top}
}

// end is the row after the last that is seen.
func (w window) end() int { return min(w.top+w.rows, w.total) }

// below is how many rows come after the last that is seen.
func (w window) below() int { return w.total - w.end() }
