package canvas

// focusSign marks the title of the focused pane: focus is never told by colour
// or by the kind of line alone.
const focusSign = '▶'

// Box draws a frame along the edge of r with a title in its top line, and returns
// a view of the inside. The frame is single with round corners, or double with a
// "▶" before the title when focused. The title is cut to fit. A rectangle without
// room for a frame is left alone and has an empty inside.
func (v View) Box(r Rect, title string, focused bool, frame, text Style) View {
	if r.W < 2 || r.H < 2 {
		return v.Sub(Rect{X: r.X, Y: r.Y})
	}
	b := v.Sub(r)
	h, s, corners := '─', '│', [4]rune{'╭', '╮', '╰', '╯'}
	if focused {
		h, s, corners = '═', '║', [4]rune{'╔', '╗', '╚', '╝'}
	}
	b.Fill(Rect{1, 0, r.W - 2, 1}, h, frame)
	b.Fill(Rect{1, r.H - 1, r.W - 2, 1}, h, frame)
	b.Fill(Rect{0, 1, 1, r.H - 2}, s, frame)
	b.Fill(Rect{r.W - 1, 1, 1, r.H - 2}, s, frame)
	b.set(0, 0, corners[0], 1, frame)
	b.set(r.W-1, 0, corners[1], 1, frame)
	b.set(0, r.H-1, corners[2], 1, frame)
	b.set(r.W-1, r.H-1, corners[3], 1, frame)
	b.title(1, r.W-2, title, focused, text)
	return v.Sub(r.Inset(1, 1))
}

// Rule draws a line with a title along the top row of r, for panes that share
// lines in place of frames, and returns a view of the rows below it. The line
// joins vertical ones it crosses. When focused it is double and "▶" stands before
// the title.
func (v View) Rule(r Rect, title string, focused bool, frame, text Style) View {
	if r.Empty() {
		return v.Sub(Rect{X: r.X, Y: r.Y})
	}
	b := v.Sub(r)
	if focused {
		b.Fill(Rect{0, 0, r.W, 1}, '═', frame)
	} else {
		b.HLine(0, 0, r.W, frame)
	}
	b.title(0, r.W, title, focused, text)
	return v.Sub(Rect{r.X, r.Y + 1, r.W, r.H - 1})
}

// title writes a title into the top line of v, whose line takes w cells from x.
// One cell of line stays visible on either side, the left one giving way to the
// focus sign, so that focus does not shift the words; the right one gives way to a
// title that fits without it.
func (v View) title(x, w int, title string, focused bool, text Style) {
	room := w - 4               // a cell of line and a space on each side
	if Width(title) == room+1 { // rather no line behind it than a letter less
		room++
	}
	if room >= 1 && title != "" {
		used := v.Text(x+2, 0, Truncate(title, room, ellipsis), text)
		v.set(x+1, 0, ' ', 1, text)
		v.set(x+2+used, 0, ' ', 1, text)
	}
	if focused && w >= 1 {
		v.set(x, 0, focusSign, 1, text)
	}
}
