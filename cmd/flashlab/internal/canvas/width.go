package canvas

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// widths never looks at the locale: go-runewidth's default counts box drawing as
// two cells under LANG=zh_CN, while terminals draw one.
var widths = &runewidth.Condition{EastAsianWidth: false, StrictEmojiNeutral: true}

// visible stands in for a control character, so that a hostile value shows
// itself instead of moving the cursor.
const visible = '·'

// show returns what a cell displays for r, and how many cells it takes. Width 0
// means the rune is left out.
//
// Terminals disagree on marks that combine with their neighbours (accents, joiners,
// emoji modifiers, pairs of regional indicators), and a frame bends when a row is
// one cell off. So each cell holds one rune that stands alone: marks are dropped
// and a flag becomes its two letters.
func show(r rune) (rune, int) {
	switch {
	case r >= ' ' && r < 0x7f:
		return r, 1
	case r == '\t' || r == '\n' || r == '\r':
		return ' ', 1
	case r < ' ' || r >= 0x7f && r < 0xa0:
		return visible, 1
	case r == 0xa0:
		return ' ', 1
	case r >= 0x2500 && r < 0x2600: // box drawing, blocks, geometric shapes
		return r, 1
	case r >= 0x4e00 && r < 0xa000: // the common ideographs
		return r, 2
	case r >= 0x1f1e6 && r <= 0x1f1ff:
		return 'A' + r - 0x1f1e6, 1
	case r >= 0x1f3fb && r <= 0x1f3ff:
		return 0, 0
	case r == 0x2028 || r == 0x2029:
		return ' ', 1
	case reorders(r):
		return visible, 1
	case unicode.Is(unicode.Cf, r):
		return 0, 0
	}
	return r, widths.RuneWidth(r)
}

// reorders reports whether r changes the direction of text: in a terminal that
// obeys it, such a rune can make one value look like another.
func reorders(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 ||
		r == 0x200e || r == 0x200f || r == 0x061c
}

// Width returns the number of cells Text would use for s.
func Width(s string) int {
	n := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			n++
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		_, w := show(r)
		n += w
		i += size
	}
	return n
}

// Clean returns s as Text would show it: valid UTF-8 of one line, without control
// characters and without runes of no width. It is meant for text that leaves by
// another way than a canvas, such as narration line by line.
func Clean(s string) string {
	clean := true
	for i := 0; i < len(s) && clean; i++ {
		clean = s[i] >= ' ' && s[i] < 0x7f
	}
	if clean {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		if shown, w := show(r); w > 0 {
			b.WriteRune(shown)
		}
	}
	return b.String()
}

// Truncate returns s unchanged if it fits into the given number of cells, and
// otherwise its beginning followed by tail, together at most that wide. Cutting
// inside a wide rune leaves the result one cell short. A tail that does not fit
// itself is left out.
func Truncate(s string, cells int, tail string) string {
	if cells <= 0 {
		return ""
	}
	room := cells - Width(tail)
	if room < 0 {
		room, tail = cells, ""
	}
	cut, n := -1, 0
	for i, r := range s {
		_, w := show(r)
		if cut < 0 && n+w > room {
			cut = i
		}
		if n += w; n > cells {
			return s[:cut] + tail
		}
	}
	return s
}

// PadRight returns s made exactly the given number of cells wide: cut without a
// mark if it is longer, followed by spaces if it is shorter.
func PadRight(s string, cells int) string {
	s = Truncate(s, cells, "")
	if n := cells - Width(s); n > 0 {
		s += strings.Repeat(" ", n)
	}
	return s
}
