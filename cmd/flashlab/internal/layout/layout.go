// Package layout divides a screen into panes: pure functions from a size and from
// what is needed to rectangles, in cells and rows.
//
// The package must not paint, hold state, or know what the panes show. Any size is
// accepted, also none at all; rectangles lie inside the screen, do not overlap, and
// are empty when hidden.
package layout

import "flashlab/cmd/flashlab/internal/canvas"

// Rect is a rectangle of the canvas.
type Rect = canvas.Rect

// SizeClass is a rough size of the screen.
type SizeClass uint8

const (
	// TooSmall leaves room for one sentence that says so.
	TooSmall SizeClass = iota
	// Compact is 60 to 99 columns: a laptop's default window, and a projector with
	// a large font.
	Compact
	// Medium is 100 to 159 columns.
	Medium
	// Wide is 160 columns and more.
	Wide
)

// The smallest screen that is laid out, in cells and rows.
const (
	MinWidth  = 60
	MinHeight = 16
)

// boxedHeight is the least number of rows for frames around panes. Below it panes
// share their lines at any width, since a frame costs each a row.
const boxedHeight = 24

// Class returns the class of a screen of w cells and h rows.
func Class(w, h int) SizeClass {
	switch {
	case w < MinWidth || h < MinHeight:
		return TooSmall
	case w < 100:
		return Compact
	case w < 160:
		return Medium
	}
	return Wide
}

// boxed reports whether panes of a screen have frames of their own.
func boxed(w, h int) bool { return Class(w, h) >= Medium && h >= boxedHeight }

// Modal returns a rectangle for a dialog that wants wantW cells by wantH rows, in
// the middle of the screen. A margin of two cells and one row around it is kept as
// long as the dialog fits so; beyond that it gets what there is.
func Modal(w, h, wantW, wantH int) Rect {
	x, mw := center(w, wantW, 2)
	y, mh := center(h, wantH, 1)
	if mw == 0 || mh == 0 {
		return Rect{}
	}
	return Rect{X: x, Y: y, W: mw, H: mh}
}

// center returns the place and the length of a piece of the wanted length in the
// middle of size.
func center(size, want, margin int) (at, length int) {
	length = max(min(want, size), 0)
	if want > size-2*margin && size > 4*margin {
		length = size - 2*margin
	}
	return (max(size, 0) - length) / 2, length
}
