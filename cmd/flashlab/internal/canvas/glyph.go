package canvas

// Glyphs says which runes an encoder may use for lines and signs.
type Glyphs uint8

const (
	// Unicode leaves every rune as it was painted.
	Unicode Glyphs = iota
	// ASCII replaces lines, blocks, arrows and signs by one ASCII character each,
	// for terminals without these runes or which draw them two cells wide. Letters
	// of any script stay as they are.
	ASCII
)

// ascii returns the stand-in for r, or r itself if r is no line and no sign.
// Rounded, single and double corners are alike, but a double line is "=", so that
// a focused frame still differs.
func ascii(r rune) rune {
	switch r {
	case '│', '║', '┃':
		return '|'
	case '─', '━':
		return '-'
	case '═':
		return '='
	case '▶', '▸', '►', '→':
		return '>'
	case '◀', '◂', '◄', '←':
		return '<'
	case '▲', '▴', '↑':
		return '^'
	case '▼', '▾', '↓', '✓', '✔':
		return 'v'
	case '✗', '✘', '×':
		return 'x'
	case '≠':
		return '!'
	case '÷':
		return '/'
	case '█', '▓', '■':
		return '#'
	case '▒':
		return ':'
	case '░', '○', '·', '□':
		return '.'
	case '●', '★', '◆', '•':
		return '*'
	case '◐', '◑', '…':
		return '~'
	case '–', '—':
		return '-'
	case '‘', '’':
		return '\''
	case '“', '”':
		return '"'
	case '�':
		return '?'
	}
	switch {
	case r < 0x2190:
		return r
	case r < 0x2200: // arrows
		return '>'
	case r >= 0x2500 && r < 0x2580: // box drawing
		return '+'
	case r >= 0x2581 && r <= 0x2583: // low bars
		return '.'
	case r >= 0x2584 && r <= 0x2586: // middle bars
		return ':'
	case r >= 0x2580 && r < 0x25a0: // other blocks
		return '#'
	case r >= 0x25a0 && r < 0x2600: // geometric shapes
		return '*'
	}
	return r
}
