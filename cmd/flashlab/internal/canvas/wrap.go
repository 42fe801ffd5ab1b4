package canvas

import (
	"strings"
	"unicode/utf8"
)

// No line may begin with one of these (closing marks) or end with one of those
// (opening marks); the rule that Chinese typesetting calls 避头尾.
const (
	closing = "，。！？；：、）】》”’」』〉〕｝］．～％…—·,.;:!?)]}%"
	opening = "（【《“‘「『〈〔｛［([{"
)

// Wrap breaks s into lines of at most the given number of cells, 2 being the
// narrowest. Explicit line breaks are kept. Lines break at spaces, and before and
// after wide runes except where a closing mark would begin a line or an opening
// one end it. Words longer than a line are cut. Spaces at a break are dropped, and
// the indent of a paragraph stays on its first line. The result is clean in the
// sense of Clean. An empty s has no lines.
func Wrap(s string, cells int) []string {
	if s == "" || cells <= 0 {
		return nil
	}
	cells = max(cells, 2)
	lines := make([]string, 0, 4)
	for par := range strings.Lines(s) {
		par = strings.TrimSuffix(strings.TrimSuffix(par, "\n"), "\r")
		lines = wrapParagraph(lines, strings.TrimRight(Clean(par), " "), cells)
	}
	return lines
}

// wrapParagraph appends the lines of one clean paragraph. It takes the text in
// chunks, each with the spaces before it; a chunk is never broken unless it is
// longer than a line.
func wrapParagraph(lines []string, s string, cells int) []string {
	start, used := 0, 0 // the open line: its first byte and its width
	for i := 0; i < len(s); {
		word := i
		for word < len(s) && s[word] == ' ' {
			word++
		}
		end, w := chunk(s, word)
		if used+word-i+w <= cells {
			used += word - i + w
			i = end
			continue
		}
		if used > 0 {
			lines = append(lines, s[start:i])
		}
		// The chunk begins a line, cut as often as it has to be.
		for w > cells {
			cut := cutAt(s[word:end], cells)
			lines = append(lines, s[word:word+cut])
			w -= Width(s[word : word+cut])
			word += cut
		}
		start, used, i = word, w, end
	}
	return append(lines, s[start:])
}

// chunk returns the end and the width of the unbreakable piece of s that begins
// at byte i, which is no space.
func chunk(s string, i int) (end, width int) {
	var prev rune
	prevWidth := 0
	for i < len(s) && s[i] != ' ' {
		r, size := utf8.DecodeRuneInString(s[i:])
		w := 1
		if r >= utf8.RuneSelf {
			_, w = show(r)
		}
		if prevWidth > 0 && (w == 2 || prevWidth == 2) && !isClosing(r) && !isOpening(prev) {
			break
		}
		prev, prevWidth = r, w
		width += w
		i += size
	}
	return i, width
}

// cutAt returns how many bytes of an over-long chunk fill a line, at least one
// rune. A closing mark takes the rune before it to the next line where it can.
func cutAt(s string, cells int) int {
	n, good := 0, 0
	for i, r := range s {
		_, w := show(r)
		if !isClosing(r) {
			good = i
		}
		if n+w > cells {
			if good > 0 {
				return good
			}
			return i
		}
		n += w
	}
	return len(s)
}

func isClosing(r rune) bool { return strings.ContainsRune(closing, r) }

func isOpening(r rune) bool { return strings.ContainsRune(opening, r) }

// BreakCode sets a line of code in rows of at most w cells, as many as there may be;
// the last takes what is left. It breaks behind a space or a mark if there is one in
// the second half of a row.
func BreakCode(line string, w, rows int) []string {
	var out []string
	for len(out) < rows-1 && w > 1 && Width(line) > w {
		cut := len(Truncate(line, w, ""))
		if i := strings.LastIndexAny(line[:cut], " ,.(){}[]`"); i >= cut/2 && strings.TrimSpace(line[:i]) != "" {
			cut = i + 1
		}
		out = append(out, line[:cut])
		line = strings.TrimLeft(line[cut:], " ")
	}
	return append(out, line)
}
