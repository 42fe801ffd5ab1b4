package layout

// eventsHeight is the least number of rows of a framed screen that shows Events.
const eventsHeight = 30

// medium lays out two columns: timeline, choices and narration at the left; source,
// data, invariants and events at the right.
func (l *LessonScreen) medium(body Rect, n Need) {
	left, right := sides(body, body.W*62/100, 0)
	stack(left, divide(left.H,
		part{min: 10, want: 11, grow: 3},
		part{min: 2 + min(max(n.Actors, 2), 4), want: 2 + n.choiceRows()},
		part{min: 5, want: 8, grow: 1, max: 12},
	), &l.Timeline, &l.Choices, &l.Narration)

	events := part{}
	if body.H+3 >= eventsHeight {
		events = part{min: 4, want: 7, grow: 1}
	}
	// In order of importance; on the screen source and data come first.
	r := divide(right.H,
		part{min: 6, want: 12, grow: 3, max: 34}, // source
		part{min: 5, want: 6, max: 11},           // invariants
		part{min: 5, want: 6, grow: 1},           // SQLite
		n.redis(part{min: 5, want: 6, grow: 1}),
		events,
	)
	stack(right, []int{r[0], r[3], r[2], r[1], r[4]},
		&l.Source, &l.Redis, &l.SQLite, &l.Invariants, &l.Events)
}

// wide lays out the timeline with choices below at the left, two sources side by
// side with the data below at the right, and narration, events and invariants along
// the bottom.
func (l *LessonScreen) wide(body Rect, n Need) {
	column := min(body.W*48/100, 120)
	rows := divide(body.H,
		part{min: 15, want: 20, grow: 3},
		part{min: 6, want: 9, grow: 1, max: 14},
	)
	top, bottom := body, body
	top.H = rows[0]
	bottom.Y, bottom.H = body.Y+rows[0], rows[1]

	left, right := sides(top, column, 0)
	stack(left, divide(left.H,
		part{min: 11, want: 11, grow: 1},
		part{min: 4, want: 2 + n.choiceRows()},
	), &l.Timeline, &l.Choices)

	data := divide(right.H, part{min: 6, want: 12, grow: 3, max: 40}, part{min: 5, want: 8, grow: 2})
	var sources, stores Rect
	stack(right, data, &sources, &stores)
	l.Source = sources
	if n.Actors > 1 {
		l.Source, l.Source2 = sides(sources, sources.W/2, 0)
	}
	l.SQLite = stores
	if n.Redis {
		l.Redis, l.SQLite = sides(stores, stores.W/2, 0)
	}

	narration, rest := sides(bottom, column, 0)
	l.Narration, l.Invariants = narration, rest
	if body.H+3 >= eventsHeight {
		l.Events, l.Invariants = sides(rest, rest.W*58/100, 0)
	}
}
