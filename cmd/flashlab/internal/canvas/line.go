package canvas

// arms are the directions in which a line leaves the centre of its cell.
type arms uint8

const (
	up arms = 1 << iota
	down
	left
	right
)

// lightLine gives the rune for each set of arms. A single arm is drawn as a whole
// line: the half-line runes are missing from many fonts.
var lightLine = [16]rune{
	0:                        ' ',
	up:                       '│',
	down:                     '│',
	up | down:                '│',
	left:                     '─',
	right:                    '─',
	left | right:             '─',
	up | left:                '┘',
	up | right:               '└',
	down | left:              '┐',
	down | right:             '┌',
	up | down | left:         '┤',
	up | down | right:        '├',
	up | left | right:        '┴',
	down | left | right:      '┬',
	up | down | left | right: '┼',
}

// armsOf returns the arms of a line rune, 0 for any other rune. Double and round
// lines count with their single arms.
func armsOf(r rune) arms {
	switch r {
	case '│', '║':
		return up | down
	case '─', '═':
		return left | right
	case '┘', '╯', '╝':
		return up | left
	case '└', '╰', '╚':
		return up | right
	case '┐', '╮', '╗':
		return down | left
	case '┌', '╭', '╔':
		return down | right
	case '┤':
		return up | down | left
	case '├':
		return up | down | right
	case '┴':
		return up | left | right
	case '┬':
		return down | left | right
	case '┼':
		return up | down | left | right
	}
	return 0
}

// HLine draws a line of n cells rightwards from x, y. It joins the lines it meets:
// it crosses them in its course, and at its ends it begins or stops there, so that
// a line between two vertical ones becomes ├──┤.
func (v View) HLine(x, y, n int, style Style) {
	seen := v.seen()
	for i := max(0, seen.X-x); i < min(n, seen.X+seen.W-x); i++ {
		v.join(x+i, y, course(i, n, left, right), style)
	}
}

// VLine draws a line of n rows downwards from x, y and joins what it meets, as
// HLine does.
func (v View) VLine(x, y, n int, style Style) {
	seen := v.seen()
	for i := max(0, seen.Y-y); i < min(n, seen.Y+seen.H-y); i++ {
		v.join(x, y+i, course(i, n, up, down), style)
	}
}

// Divider draws a vertical line of n rows between panes that are already painted.
// It joins the horizontal lines that end at its left and right, and at its own two
// ends it leaves text alone, such as the title of the pane below.
func (v View) Divider(x, y, n int, style Style) {
	seen := v.seen()
	for i := max(0, seen.Y-y); i < min(n, seen.Y+seen.H-y); i++ {
		a := course(i, n, up, down)
		if armsOf(v.peek(x-1, y+i))&right != 0 {
			a |= left
		}
		// A focused pane's line begins with its sign.
		if r := v.peek(x+1, y+i); r == focusSign || armsOf(r)&left != 0 {
			a |= right
		}
		old := v.peek(x, y+i)
		if end := i == 0 || i == n-1; end && old != ' ' && armsOf(old) == 0 {
			continue
		}
		v.set(x, y+i, lightLine[a|armsOf(old)], 1, style)
	}
}

// course returns the arms of cell i in a line of n cells that runs from back to
// ahead.
func course(i, n int, back, ahead arms) arms {
	switch {
	case n == 1:
		return back | ahead
	case i == 0:
		return ahead
	case i == n-1:
		return back
	}
	return back | ahead
}

func (v View) join(x, y int, a arms, style Style) {
	v.set(x, y, lightLine[a|armsOf(v.peek(x, y))], 1, style)
}
