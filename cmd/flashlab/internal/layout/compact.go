package layout

// Rows of a compact screen from which there is room for Source, then for Events,
// as panes across the screen.
const (
	compactSource = 34
	compactEvents = 40
)

// compact lays out panes that share their lines: timeline and choices at the left,
// data and invariants at the right, narration below. All of it is there from the
// smallest screen on. 80x24 leaves the timeline 50 columns and nine steps.
func (l *LessonScreen) compact(body Rect, n Need) {
	tall := body.H + 3
	across := tall >= compactSource // a pane of code as wide as the screen
	swap := n.SourceInCompact && !across

	parts := []part{
		// Timeline: title, lanes and nine steps, fewer only below 24 rows.
		{min: min(max(body.H-10, 5), 11), want: 11, grow: 3},
		// Choices: every actor first, as long as that leaves the narration a line
		// or two; then the row for faults.
		{min: min(1+max(n.Actors, 2), (body.H+2)/3), want: 1 + n.choiceRows()},
		{min: 4, want: 6, grow: 1, max: 10}, // narration
		{},                                  // source
		{},                                  // events
	}
	if across {
		parts[3] = part{min: 8, want: 10, grow: 2}
	}
	if tall >= compactEvents {
		parts[4] = part{min: 4, want: 6, grow: 1, max: 14}
	}
	rows := divide(body.H, parts...)

	top := body
	top.H = rows[0] + rows[1]
	share := 63
	if swap {
		share = 47 // code needs its columns
	}
	left, right := sides(top, body.W*share/100, 1)
	l.Divider = Rect{X: right.X - 1, Y: top.Y, W: 1, H: top.H + 1}
	stack(left, rows, &l.Timeline, &l.Choices)
	below := Rect{X: body.X, Y: top.Y + top.H, W: body.W, H: body.H - top.H}
	stack(below, rows[2:], &l.Narration, &l.Source, &l.Events)

	if swap {
		stack(right, divide(right.H, part{min: 4, want: 6, grow: 1}, part{min: 3, want: 5}), &l.Source, &l.Invariants)
		return
	}
	// In order of importance; on the screen Redis comes first.
	r := divide(right.H,
		part{min: 3, want: 5, grow: 1}, // SQLite: title, columns, three rows
		part{min: 3, want: 6, max: 10}, // invariants
		n.redis(part{min: 3, want: 4, grow: 1}),
	)
	stack(right, []int{r[2], r[0], r[1]}, &l.Redis, &l.SQLite, &l.Invariants)
}
