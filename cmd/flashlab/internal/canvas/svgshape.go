package canvas

import (
	"bufio"
	"fmt"
	"strings"
)

// svgShapes collects the lines and blocks of one run as path data, by the way
// they are painted.
type svgShapes struct {
	strokes    strings.Builder
	penX, penY int                // where the last stroke ended
	fills      [3]strings.Builder // as thin, half and full as ░, ▒ and █
}

// svgShades are the opacities of the fills.
var svgShades = [3]string{"0.25", "0.5", "1"}

// The course of a line through its cell. The middle of the height lies on half a
// pixel, where a stroke one pixel wide is sharp.
const (
	svgMidX = svgCellW / 2
	svgMidY = svgCellH/2 - 5
	svgGap  = 15 // from the course to each stroke of a double line
)

// isShape reports whether a picture draws r rather than write it.
func isShape(r rune) bool {
	return armsOf(r) != 0 || r >= '▁' && r <= '█' || r >= '░' && r <= '▓'
}

// add collects the shape of r in the cell whose top left corner is at x, y, if r
// is one.
func (s *svgShapes) add(r rune, x, y int) {
	a := armsOf(r)
	farX, farY := x, y // the edges a corner leads to
	if a&right != 0 {
		farX += svgCellW
	}
	if a&down != 0 {
		farY += svgCellH
	}
	cx, cy := x+svgMidX, y+svgMidY
	switch r {
	case '╭', '╮', '╯', '╰':
		fmt.Fprintf(&s.strokes, "M%s %sQ%s %s %s %s", px(cx), px(farY), px(cx), px(cy), px(farX), px(cy))
		s.penX, s.penY = farX, cy
	case '═':
		s.line(x, cy-svgGap, x+svgCellW, cy-svgGap)
		s.line(x, cy+svgGap, x+svgCellW, cy+svgGap)
	case '║':
		s.line(cx-svgGap, y, cx-svgGap, y+svgCellH)
		s.line(cx+svgGap, y, cx+svgGap, y+svgCellH)
	case '╔', '╗', '╚', '╝':
		// One stroke turns inside of the course, the other outside.
		dx, dy := svgGap, svgGap
		if a&left != 0 {
			dx = -dx
		}
		if a&up != 0 {
			dy = -dy
		}
		for range 2 {
			s.line(farX, cy+dy, cx+dx, cy+dy)
			s.line(cx+dx, cy+dy, cx+dx, farY)
			dx, dy = -dx, -dy
		}
	case '░':
		svgRect(&s.fills[0], x, y, svgCellW, svgCellH)
	case '▒', '▓':
		svgRect(&s.fills[1], x, y, svgCellW, svgCellH)
	default:
		if r >= '▁' && r <= '█' { // eighths from the bottom
			h := svgCellH * int(r-'▁'+1) / 8
			svgRect(&s.fills[2], x, y+svgCellH-h, svgCellW, h)
			return
		}
		s.arm(a, left, right, x, cy, cx, cy, x+svgCellW, cy)
		s.arm(a, up, down, cx, y, cx, cy, cx, y+svgCellH)
	}
}

// arm draws a line through the middle of a cell, from its start if a has the arm
// back and to its end if a has the arm ahead.
func (s *svgShapes) arm(a, back, ahead arms, startX, startY, midX, midY, endX, endY int) {
	switch {
	case a&back != 0 && a&ahead != 0:
		s.line(startX, startY, endX, endY)
	case a&back != 0:
		s.line(startX, startY, midX, midY)
	case a&ahead != 0:
		s.line(midX, midY, endX, endY)
	}
}

// line draws a straight line, as the continuation of the last one where that ended
// at its start.
func (s *svgShapes) line(x, y, toX, toY int) {
	if s.strokes.Len() == 0 || x != s.penX || y != s.penY {
		fmt.Fprintf(&s.strokes, "M%s %s", px(x), px(y))
	}
	if y == toY {
		fmt.Fprintf(&s.strokes, "H%s", px(toX))
	} else {
		fmt.Fprintf(&s.strokes, "V%s", px(toY))
	}
	s.penX, s.penY = toX, toY
}

// write draws what was collected in one colour.
func (s *svgShapes) write(out *bufio.Writer, colour string) {
	if s.strokes.Len() > 0 {
		fmt.Fprintf(out, `<path d="%s" fill="none" stroke="%s"/>`+"\n", s.strokes.String(), colour)
	}
	for i := range s.fills {
		if s.fills[i].Len() > 0 {
			fmt.Fprintf(out, `<path d="%s" fill="%s" fill-opacity="%s"/>`+"\n", s.fills[i].String(), colour, svgShades[i])
		}
	}
}

// svgRect adds a rectangle to path data.
func svgRect(b *strings.Builder, x, y, w, h int) {
	fmt.Fprintf(b, "M%s %sh%sv%sh-%sz", px(x), px(y), px(w), px(h), px(w))
}
