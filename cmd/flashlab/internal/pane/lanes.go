package pane

import (
	"strconv"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/trace"
)

// wideLanes is the least number of cells inside a pane for operations that stand on
// their arrows. Below it they stand at the right of the lanes.
const wideLanes = 70

// lanes are the columns of a timeline: one for each actor, one for each store.
type lanes struct {
	words  *i18n.Panes
	cast   []trace.Actor
	at     []int // column of each actor's lane; none where there is no room
	redis  int   // column of the lane, -1 if no store of that kind is in use
	sqlite int
	mark   int // column of the cursor mark; number, ✗ and fork mark follow
	digits int // of step numbers
	first  int // column of the first lane
	last   int // column of the last lane
	wide   bool
	text   int // column where operations stand if not wide
	w      int
}

// newLanes divides w cells.
func newLanes(d *Lesson, w int) lanes {
	l := lanes{words: d.words(), cast: d.cast(), redis: -1, sqlite: -1, w: w}
	l.digits = max(2, len(strconv.Itoa(len(d.Path)-1)))
	redis, sqlite := d.engines()
	stores := 0
	for _, used := range []bool{redis, sqlite} {
		if used {
			stores++
		}
	}
	if w >= wideLanes && stores > 0 && len(l.cast) > 0 {
		l.mark, l.first = 1, l.digits+4
		if l.spread(stores) {
			l.wide = true
			l.stores(redis, sqlite, l.storeGap())
			return l
		}
		l.mark = 0
	}
	l.first = l.digits + 3
	n := len(l.cast) + stores
	pitch := 4
	for pitch > 2 && l.narrowRoom(n, pitch) < 24 {
		pitch--
	}
	if n == 0 || l.narrowRoom(n, pitch) < 8 {
		l.last, l.text = l.first-1, l.first
		return l
	}
	l.at = make([]int, len(l.cast))
	for i := range l.at {
		l.at[i] = l.first + i*pitch
	}
	l.last = l.first + (len(l.cast)-1)*pitch
	l.stores(redis, sqlite, pitch)
	l.text = l.last + 2
	return l
}

// narrowRoom is what n lanes leave for operations.
func (l *lanes) narrowRoom(n, pitch int) int { return l.w - (l.first + (n-1)*pitch) - 3 }

// Room in cells: at the right of the last lane for an answer, and for one with the
// end of its actor; between the lanes of two stores; for the shortest arrow, for one
// with an operation in short, and for one that needs no more.
const (
	answerRoom  = 13
	answerWide  = 19
	storeRoom   = 10
	arrowLeast  = 22
	arrowFair   = 29
	arrowEnough = 39
)

func (l *lanes) storeGap() int {
	if l.w >= 100 {
		return storeRoom + 6
	}
	return storeRoom
}

// spread places the actors' lanes so that operations fit on the arrow of the last
// actor, which is the shortest. It reports whether there is room.
func (l *lanes) spread(stores int) bool {
	n := len(l.cast)
	heading := 0
	for i := range l.cast {
		heading = max(heading, canvas.Width(headingOf(l.words, &l.cast[i])))
	}
	room := l.w - l.first - answerRoom - (stores-1)*l.storeGap()
	pitch := min(max(heading+2, 8), 18)
	for pitch > 5 && room-(n-1)*pitch < arrowFair {
		pitch--
	}
	arrow := room - (n-1)*pitch
	if arrow < arrowLeast {
		return false
	}
	// What is too much goes to the answers first, and then between the actors.
	if spare := arrow - arrowEnough - (answerWide - answerRoom); n > 1 && spare > 0 {
		pitch = min(pitch+spare/(n-1), max(pitch, 20))
		arrow = room - (n-1)*pitch
	}
	l.at = make([]int, n)
	for i := range l.at {
		l.at[i] = l.first + i*pitch
	}
	l.last = l.at[n-1] + min(arrow, arrowEnough) - l.storeGap()
	return true
}

// stores places the lanes of the stores in use, each gap cells after the one before.
func (l *lanes) stores(redis, sqlite bool, gap int) {
	if redis {
		l.last += gap
		l.redis = l.last
	}
	if sqlite {
		l.last += gap
		l.sqlite = l.last
	}
}

// engines reports which stores the branch uses: a lane that nobody uses would only
// take room.
func (d *Lesson) engines() (redis, sqlite bool) {
	for _, frames := range [][]trace.Frame{d.Path, d.RunOut} {
		for i := range frames {
			f := &frames[i]
			redis = redis || len(f.State.Keys) > 0
			sqlite = sqlite || len(f.State.Tables) > 0
			if f.Event != nil {
				e := engineOf(f.Event)
				redis = redis || e == redisEngine
				sqlite = sqlite || e == sqliteEngine
			}
			if redis && sqlite {
				return
			}
		}
	}
	return
}

// of is the index of the actor with that letter, -1 if it is not in the cast.
func (l *lanes) of(letter string) int {
	for i := range l.cast {
		if l.cast[i].Letter == letter {
			return i
		}
	}
	return -1
}

// store is the column of a store's lane, -1 if it has none.
func (l *lanes) store(e engine) int {
	switch {
	case l.at == nil:
		return -1
	case e == redisEngine:
		return l.redis
	case e == sqliteEngine:
		return l.sqlite
	}
	return -1
}

// heading names the lanes in row y.
func (l *lanes) heading(s *sheet, y, free int) {
	end := func(i int) int {
		switch {
		case i+1 < len(l.at):
			return l.at[i+1]
		case l.redis >= 0:
			return l.redis
		case l.sqlite >= 0:
			return l.sqlite
		}
		return l.w
	}
	named := l.wide // all of them or none: a single name looks like a mistake
	for i, x := range l.at {
		named = named && canvas.Width(headingOf(l.words, &l.cast[i])) < end(i)-x
	}
	for i, x := range l.at {
		end, text := end(i), l.cast[i].Letter
		if named {
			text = headingOf(l.words, &l.cast[i])
		}
		s.field(x, y, max(end-x-1, 1), text, actorStyle(l.cast[i].Letter))
	}
	redis, sqlite := "R", "S"
	if l.wide {
		redis, sqlite = "Redis", "SQLite"
	}
	legend := ""
	if x := l.store(redisEngine); x >= 0 {
		s.put(x, y, redis, theme.Title)
		legend = "R=Redis"
	}
	if x := l.store(sqliteEngine); x >= 0 {
		s.put(x, y, sqlite, theme.Title)
		if legend != "" {
			legend += " "
		}
		legend += "S=SQLite"
	}
	if !l.wide && l.text+canvas.Width(legend) <= free {
		s.put(l.text, y, legend, theme.Dim)
	}
}

func headingOf(w *i18n.Panes, a *trace.Actor) string {
	if name := w.Say(a.Name); name != "" {
		return a.Letter + " " + name
	}
	return a.Letter
}

// laneRune shows what an actor does while another steps.
func laneRune(a *trace.Actor) rune {
	switch {
	case a.Phase == trace.Done:
		return '╵'
	case a.Phase == trace.Dead:
		return '✗'
	case a.Phase == trace.Paused, a.Phase == trace.Blocked && a.Why.Kind == "sleep":
		return '…'
	case a.Phase == trace.Blocked:
		return '▒'
	}
	return '│'
}

// arrow draws the way from an actor's lane to that of a store: ├───┼──▶│. runes are
// what the actors' lanes show in this row.
func (l *lanes) arrow(s *sheet, y, from, to int, runes []rune, style canvas.Style) {
	s.Fill(canvas.Rect{X: from + 1, Y: y, W: to - from - 1, H: 1}, '─', style)
	s.rune1(from, y, '├', style)
	for i, x := range l.at {
		if x <= from || x >= to || i >= len(runes) {
			continue
		}
		switch r := runes[i]; r {
		case '│':
			s.rune1(x, y, '┼', style)
		case '╵':
			s.rune1(x, y, '┴', style)
		case '▒', '…', '✗':
			s.rune1(x, y, r, style)
		}
	}
	if l.redis > from && l.redis < to {
		s.rune1(l.redis, y, '┼', style)
	}
	s.rune1(to-1, y, '▶', style)
}
