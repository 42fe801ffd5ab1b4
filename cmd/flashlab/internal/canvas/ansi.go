package canvas

import "unicode/utf8"

// Palette says what each style looks like in a terminal. The zero Palette gives
// text without any escape sequence.
type Palette struct {
	// SGR holds the escape sequence that turns a style on, such as "\x1b[1;31m".
	// An empty one leaves the terminal's own colours.
	SGR [256]string
}

// reset ends every styled run, so that each row can be sent by itself.
const reset = "\x1b[0m"

// ANSI appends the canvas as terminal output to dst and returns it: h rows joined
// by "\n" without one at the end, each exactly w cells wide, each beginning and
// ending with styles off. It allocates nothing if dst has room; some 30 kB hold
// a usual screen.
func (c *Canvas) ANSI(dst []byte, p *Palette, g Glyphs) []byte {
	for y := range c.h {
		if y > 0 {
			dst = append(dst, '\n')
		}
		row := c.row(y)
		for x := 0; x < len(row); {
			style := row[x].style
			sgr := p.SGR[style]
			dst = append(dst, sgr...)
			for x < len(row) && row[x].style == style {
				dst = appendRune(dst, row[x].r, g)
				x += int(row[x].width)
			}
			if sgr != "" {
				dst = append(dst, reset...)
			}
		}
	}
	return dst
}

// row returns the cells of one row.
func (c *Canvas) row(y int) []cell { return c.cells[y*c.w : (y+1)*c.w] }

func appendRune(dst []byte, r rune, g Glyphs) []byte {
	if r < utf8.RuneSelf {
		return append(dst, byte(r))
	}
	if g == ASCII {
		r = ascii(r)
	}
	return utf8.AppendRune(dst, r)
}
