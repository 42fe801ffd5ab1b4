package canvas

import (
	"bytes"
	"strings"
)

// Plain returns the runes of the canvas without styles: h rows joined by "\n",
// each exactly w cells wide.
func (c *Canvas) Plain(g Glyphs) string {
	return string(c.ANSI(nil, &Palette{}, g))
}

// Trimmed returns the rows of Plain without the spaces at their ends, each ended
// by "\n": the form of a text file.
func (c *Canvas) Trimmed(g Glyphs) string {
	var b strings.Builder
	for row := range bytes.Lines(c.ANSI(nil, &Palette{}, g)) {
		b.Write(bytes.TrimRight(row, " \n"))
		b.WriteByte('\n')
	}
	return b.String()
}

// styleLetters names the styles in StyleMap, from style 0 on.
const styleLetters = ".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// StyleMap returns a drawing of the styles: a letter for each cell, "." for style
// 0, "a" for style 1 and so on, then "A" to "Z" and digits, "?" for any beyond.
// Beside Plain in a golden file it lets a reader see what a change of colour did.
// Rows are ended by "\n", the "." at their ends left out.
func (c *Canvas) StyleMap() string {
	var b strings.Builder
	line := make([]byte, c.w)
	for y := range c.h {
		for x, cell := range c.row(y) {
			line[x] = '?'
			if int(cell.style) < len(styleLetters) {
				line[x] = styleLetters[cell.style]
			}
		}
		b.Write(bytes.TrimRight(line, "."))
		b.WriteByte('\n')
	}
	return b.String()
}
