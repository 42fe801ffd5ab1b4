package trace

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
)

// displayWidth is the room that s takes on a terminal, in cells. The locale is
// ignored: in a Chinese one arrows and crosses would count as two cells, and the
// same log must give the same bytes everywhere.
func displayWidth(s string) int {
	c := runewidth.Condition{EastAsianWidth: false, StrictEmojiNeutral: true}
	return c.StringWidth(s)
}

// clip shortens s to at most w cells, with … where something was left out.
func clip(s string, w int) string {
	if displayWidth(s) <= w {
		return s
	}
	if w < 1 {
		return ""
	}
	c := runewidth.Condition{EastAsianWidth: false, StrictEmojiNeutral: true}
	return c.Truncate(s, w, "…")
}

// fit clips s to w cells and fills it up with spaces.
func fit(s string, w int) string {
	s = clip(s, w)
	return s + strings.Repeat(" ", max(0, w-displayWidth(s)))
}

// oneLine writes whatever cannot be printed as an escape, so that a value from
// a store can neither break a line nor steer a terminal.
func oneLine(s string) string {
	clean := utf8.ValidString(s)
	for _, r := range s {
		clean = clean && unicode.IsPrint(r)
	}
	if clean {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// wrap breaks s at spaces into lines of at most w cells, each after the given
// indent, which is not counted. A longer word is clipped.
func wrap(s, indent string, w int) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(s) {
		switch {
		case line == "":
			line = word
		case displayWidth(line)+1+displayWidth(word) <= w:
			line += " " + word
		default:
			lines = append(lines, indent+clip(line, w))
			line = word
		}
	}
	if line != "" {
		lines = append(lines, indent+clip(line, w))
	}
	return lines
}
