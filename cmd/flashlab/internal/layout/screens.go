package layout

// HomeScreen is the lesson map. Boxed and Divider mean the same as in LessonScreen.
type HomeScreen struct {
	Class   SizeClass
	Boxed   bool
	Divider Rect

	Header Rect // 1 row
	Path   Rect // the lesson map
	Detail Rect // the chosen lesson
	Footer Rect // 1 row
}

// Home lays out the lesson map on w cells and h rows.
func Home(w, h int) HomeScreen {
	s := HomeScreen{Class: Class(w, h), Boxed: boxed(w, h)}
	if s.Class == TooSmall {
		return s
	}
	s.Header, s.Footer = Rect{W: w, H: 1}, Rect{Y: h - 1, W: w, H: 1}
	body := Rect{Y: 1, W: w, H: h - 2}
	switch {
	case s.Boxed:
		s.Path, s.Detail = sides(body, min(w*52/100, 100), 0)
	case w < 80:
		stack(body, divide(body.H, part{min: 8, want: 8, grow: 2}, part{min: 5, want: 6, grow: 1}), &s.Path, &s.Detail)
	default:
		s.Path, s.Detail = sides(body, w*56/100, 1)
		s.Divider = Rect{X: s.Path.W, Y: 1, W: 1, H: body.H}
	}
	return s
}

// ProveScreen shows a search over all schedules. Boxed and Divider mean the same as
// in LessonScreen.
type ProveScreen struct {
	Class   SizeClass
	Boxed   bool
	Divider Rect

	Header         Rect // 1 row
	Counters       Rect // states, runs, interleavings
	Histogram      Rect // schedules by preemptions
	Verdicts       Rect // a row for each invariant
	Counterexample Rect // the shortest schedule that breaks one
	Footer         Rect // 1 row
}

// Prove lays out the screen of a search on w cells and h rows.
func Prove(w, h int) ProveScreen {
	s := ProveScreen{Class: Class(w, h), Boxed: boxed(w, h)}
	if s.Class == TooSmall {
		return s
	}
	s.Header, s.Footer = Rect{W: w, H: 1}, Rect{Y: h - 1, W: w, H: 1}
	body := Rect{Y: 1, W: w, H: h - 2}
	if s.Boxed {
		left, right := sides(body, min(w*42/100, 90), 0)
		stack(left, divide(left.H,
			part{min: 6, want: 8, max: 10},
			part{min: 6, want: 9, grow: 2, max: 20},
			part{min: 6, want: 7, grow: 1},
		), &s.Counters, &s.Histogram, &s.Verdicts)
		s.Counterexample = right
		return s
	}
	rows := divide(body.H,
		part{min: 5, want: 7, grow: 1, max: 14},
		part{min: 4, want: 5, max: 11},
		part{min: 5, want: 9, grow: 2},
	)
	var top Rect
	stack(body, rows, &top, &s.Verdicts, &s.Counterexample)
	s.Counters, s.Histogram = sides(top, w*48/100, 1)
	s.Divider = Rect{X: s.Counters.W, Y: top.Y, W: 1, H: top.H + 1}
	return s
}
