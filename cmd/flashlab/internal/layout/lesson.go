package layout

// The numbers of the panes, as on the keyboard and in their titles.
const (
	PaneTimeline   = 1
	PaneSource     = 2
	PaneRedis      = 3
	PaneSQLite     = 4
	PaneInvariants = 5
	PaneNarration  = 6
	PaneEvents     = 7
	PaneChoices    = 8
)

// Need is what a lesson asks of its screen.
type Need struct {
	// Redis is false for a lesson without it; SQLite and source get its room.
	Redis bool
	// SourceInCompact puts the source in the place of Redis and SQLite where there
	// is no room for all three, with more columns than those have.
	SourceInCompact bool
	// Actors is how many actors step: each has a row in Choices.
	Actors int
	// Zoom is the number of the pane that fills the screen between header and
	// footer, 0 for none. A pane that the lesson does not have is not zoomed.
	Zoom int
}

// LessonScreen is the screen of a lesson. Hidden panes are empty.
//
// If Boxed, each pane is to be framed along the edge of its rectangle. If not, the
// first row of each pane is a line with its title, and Divider is the column
// between the panes at the left and at the right, from the topmost line to the one
// below both: a single vertical line that joins them.
type LessonScreen struct {
	Class   SizeClass
	Boxed   bool
	Divider Rect

	Header     Rect // 1 row
	Timeline   Rect
	Choices    Rect // who steps next: a row for each actor, and one for faults
	Source     Rect
	Source2    Rect // the source of a second actor, on wide screens
	Redis      Rect
	SQLite     Rect
	Invariants Rect
	Narration  Rect
	Events     Rect
	Beats      Rect // 1 row
	Footer     Rect // 1 row
}

// Lesson lays out the screen of a lesson on w cells and h rows. A screen that is
// TooSmall has no rectangles.
func Lesson(w, h int, n Need) LessonScreen {
	l := LessonScreen{Class: Class(w, h), Boxed: boxed(w, h)}
	if l.Class == TooSmall {
		return l
	}
	l.Header = Rect{W: w, H: 1}
	l.Footer = Rect{Y: h - 1, W: w, H: 1}
	if p := l.pane(n.Zoom); p != nil && (n.Redis || n.Zoom != PaneRedis) {
		*p = Rect{Y: 1, W: w, H: h - 2}
		return l
	}
	l.Beats = Rect{Y: h - 2, W: w, H: 1}
	body := Rect{Y: 1, W: w, H: h - 3}
	switch {
	case !l.Boxed:
		l.compact(body, n)
	case l.Class == Medium:
		l.medium(body, n)
	default:
		l.wide(body, n)
	}
	return l
}

// Pane returns the rectangle of a pane by its number, empty if it is hidden or if
// there is no such pane.
func (l *LessonScreen) Pane(number int) Rect {
	if p := l.pane(number); p != nil {
		return *p
	}
	return Rect{}
}

// At returns the number of the pane at column x and row y, 0 where there is none.
// The second source counts as Source.
func (l *LessonScreen) At(x, y int) int {
	for n := PaneTimeline; n <= PaneChoices; n++ {
		if l.pane(n).Contains(x, y) {
			return n
		}
	}
	if l.Source2.Contains(x, y) {
		return PaneSource
	}
	return 0
}

func (l *LessonScreen) pane(number int) *Rect {
	switch number {
	case PaneTimeline:
		return &l.Timeline
	case PaneSource:
		return &l.Source
	case PaneRedis:
		return &l.Redis
	case PaneSQLite:
		return &l.SQLite
	case PaneInvariants:
		return &l.Invariants
	case PaneNarration:
		return &l.Narration
	case PaneEvents:
		return &l.Events
	case PaneChoices:
		return &l.Choices
	}
	return nil
}

// choiceRows returns how many rows of Choices a lesson would use: its actors and
// the faults.
func (n Need) choiceRows() int { return min(max(n.Actors+1, 3), 9) }

// redis returns p if the lesson has Redis, and otherwise a part of no length.
func (n Need) redis(p part) part {
	if n.Redis {
		return p
	}
	return part{}
}
