package pane

import (
	"strings"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	"flashlab/sim/explore"
	"flashlab/sim/trace"
)

// The numbers of the panes of a search, in the order of layout.ProveScreen.
const (
	PaneCounters       = 1
	PaneHistogram      = 2
	PaneVerdicts       = 3
	PaneCounterexample = 4
)

// Prove is everything that the panes of a search over all schedules are painted from.
// The zero Prove is valid. Painters return the scroll offset in use, as those of
// Lesson do.
type Prove struct {
	Lang  lessons.Lang
	Words *i18n.Strings // nil means the words of Lang

	Lights   []string         // their names, in the order of the result
	Progress explore.Progress // while the search goes on
	Result   *explore.Result  // nil before it has ended
	Running  bool
	Selected int // index of the light that histogram and counterexample are about

	// Path and RunOut are the frames of the selected light's shortest schedule, as in
	// Lesson; empty while there is none.
	Path, RunOut []trace.Frame
	// Token is the text form of that schedule, "" if it is not known.
	Token string

	Focus  int    // number of the focused pane
	Scroll [5]int // by pane number, in rows
	Search string // highlighted wherever it occurs
}

func (p *Prove) words() *i18n.Panes { return panesOf(p.Words, p.Lang) }

func (p *Prove) scroll(pane int) int { return p.Scroll[pane] }

// Title returns the title of a pane in the language of the screen, "" for a number
// that is no pane.
func (p *Prove) Title(pane int) string {
	w := p.words()
	switch pane {
	case PaneCounters:
		return w.Counters
	case PaneHistogram:
		if p.light() != nil && p.name() != "" {
			return w.Histogram + " · " + p.name()
		}
		return w.Histogram
	case PaneVerdicts:
		return w.Verdicts
	case PaneCounterexample:
		if p.name() != "" {
			return w.Counterexample + " · " + p.name()
		}
		return w.Counterexample
	}
	return ""
}

// name is that of the selected light.
func (p *Prove) name() string {
	if p.Selected >= 0 && p.Selected < len(p.Lights) {
		return p.Lights[p.Selected]
	}
	return ""
}

// light is what was found about the selected light, nil before the end.
func (p *Prove) light() *explore.Light { return p.lightAt(p.Selected) }

func (p *Prove) lightAt(i int) *explore.Light {
	if p.Result == nil || i < 0 || i >= len(p.Result.Lights) {
		return nil
	}
	return &p.Result.Lights[i]
}

// counter is a number with what it counts.
type counter struct{ name, value string }

// Counters paints how far the search has come: its numbers while it goes on and the
// way from schedules to states to runs when it is done.
func (p *Prove) Counters(v canvas.View) int {
	s := newSheet(v, p.Search)
	w := p.words()
	status, style := p.status()
	y := s.sentence(1, 0, status, style)
	if r := p.Result; r != nil {
		y = s.sentence(1, y, p.ladder(s.w-2), theme.Accent)
	}
	counters := p.counters()
	columns := 1
	if len(counters) > s.h-y && s.w >= 44 {
		columns = 2
	}
	if y+(len(counters)+columns-1)/columns < s.h {
		y++ // a row of air
	}
	name, value := 0, 0
	for _, c := range counters {
		name, value = max(name, canvas.Width(c.name)), max(value, canvas.Width(c.value))
	}
	cell := max((s.w-1)/columns, 1)
	for i, c := range counters {
		x, row := 1+i%columns*cell, y+i/columns
		if row >= s.h {
			break
		}
		s.field(x, row, cell-1, c.name, theme.Dim)
		room := min(name+2+value, cell-1)
		if canvas.Width(c.name)+1+canvas.Width(c.value) <= room {
			s.right(x, row, room, c.value, theme.Text)
		}
	}
	y += (len(counters) + columns - 1) / columns
	if p.Running && p.Progress.Broken != 0 {
		var red []string
		for i, l := range p.Lights {
			if p.Progress.Broken.Has(i) {
				red = append(red, l)
			}
		}
		s.sentence(1, y, "✗ "+i18n.Fill(w.SeenRed, "lights", strings.Join(red, ", ")), theme.Bad)
	}
	return 0
}

// ladder is the way from schedules to runs, with a number in short if it is long.
func (p *Prove) ladder(w int) string {
	words, r := p.words(), p.Result
	phrase := words.Ladder
	if r.Interleavings == nil {
		phrase = words.LadderOpen
	}
	fill := func(schedules string) string {
		return i18n.Fill(phrase, "schedules", schedules, "states", groupedInt(r.States), "runs", groupedInt(r.Runs))
	}
	if s := fill(grouped(r.Interleavings)); canvas.Width(s) <= w {
		return s
	}
	return fill(approx(r.Interleavings))
}

// status says in words where the search stands.
func (p *Prove) status() (string, canvas.Style) {
	w := p.words()
	switch r := p.Result; {
	case r != nil && r.Complete:
		return "✓ " + w.SearchDone, theme.OK
	case r != nil && r.Bound == "states":
		return "? " + w.SearchOutOfStates, theme.Warn
	case r != nil && r.Bound == "time":
		return "? " + w.SearchOutOfTime, theme.Warn
	case r != nil || !p.Running:
		return "? " + w.SearchCancelled, theme.Warn
	case p.Progress.Switches >= 0 && p.Progress.States > 0: // -1 while all are searched
		return "… " + count(w.SearchingUpTo, p.Progress.Switches), theme.Accent
	}
	return "… " + w.SearchingAll, theme.Accent
}

func (p *Prove) counters() []counter {
	w := p.words()
	states, edges, runs, took := p.Progress.States, p.Progress.Edges, p.Progress.Runs, p.Progress.Elapsed
	if r := p.Result; r != nil {
		states, edges, runs, took = r.States, r.Edges, r.Runs, r.Elapsed
	}
	out := []counter{
		{w.States, groupedInt(states)},
		{w.Steps, groupedInt(edges)},
		{w.Runs, groupedInt(runs)},
	}
	if n := p.Progress.Depth; n > 0 {
		out = append(out, counter{w.Longest, plural(w.OneStep, w.ManySteps, n, groupedInt(n))})
	}
	return append(out, counter{w.Elapsed, elapsed(took)})
}

// Counterexample paints the shortest schedule that breaks the selected light, lane by
// lane, and why nothing shorter does; or that none breaks it.
func (p *Prove) Counterexample(v canvas.View) int {
	s := newSheet(v, p.Search)
	w, l := p.words(), p.light()
	if l == nil || !l.Broken {
		p.nothingBreaks(&s, l)
		return 0
	}
	steps := plural(w.OneStep, w.ManySteps, l.Shortest, groupedInt(l.Shortest))
	preemptions := plural(w.OnePreemption, w.ManyPreemptions, l.Preemptions, "")
	phrase, ways := w.FoundOf, ""
	if l.Ties != nil {
		phrase, ways = w.ShortestOf, p.ways(l)
	}
	head := "✗ " + i18n.Fill(phrase, "steps", steps, "preemptions", preemptions, "ways", ways)
	if l.InRunOut {
		head += between(p.Lang) + w.OnlyInRunOut
	}
	foot := w.NoCertificate
	if p.Result.Complete {
		within := max(l.Shortest-1, 0)
		foot = i18n.Fill(w.Certificate, "states", groupedInt(l.Clean), "steps", plural(w.OneStep, w.ManySteps, within, ""))
	}
	if p.Token != "" {
		foot += "\n" + i18n.Fill(w.Replay, "token", p.Token)
	}
	y := s.sentence(1, 0, head, theme.Bad)
	below := canvas.Wrap(foot, s.w-2)
	lanes := &Lesson{
		Lang: p.Lang, Words: p.Words, Path: p.Path, RunOut: p.RunOut, Cursor: len(p.Path) - 1, FromStart: true, Search: p.Search,
	}
	lanes.Scroll[layout.PaneTimeline] = p.scroll(PaneCounterexample)
	used := 0
	if room := s.h - y; len(p.Path) > 0 && room > 0 { // the lanes first
		need := len(newTimeline(lanes, s.w).rows) + headed(room)
		below = below[:min(max(room-need, 0), len(below))]
		rows := min(need, room)
		used = lanes.Timeline(v.Sub(canvas.Rect{Y: y, W: s.w, H: rows}))
		y += rows
	}
	if s.h-y > len(below) {
		y++ // a row of air
	}
	for i, text := range below {
		s.put(1, y+i, text, theme.Dim)
	}
	return used
}

// nothingBreaks says that no schedule breaks the light, or that none was found.
func (p *Prove) nothingBreaks(s *sheet, l *explore.Light) {
	w := p.words()
	if l == nil || !p.Result.Complete {
		switch {
		case p.Result == nil && p.Progress.Broken.Has(max(p.Selected, 0)):
			s.sentence(1, 0, "✗ "+w.SeenYet, theme.Bad)
		case p.Result == nil:
			s.sentence(1, 0, "? "+w.NothingYet, theme.Warn)
		default:
			what, how := p.notProved()
			y := s.sentence(1, 0, "? "+what, theme.Warn)
			s.sentence(3, y, how, theme.Text)
		}
		return
	}
	y := s.sentence(1, 0, "✓ "+i18n.Fill(w.NoneBreaks, "all", grouped(p.Result.Interleavings)), theme.OK)
	s.sentence(3, y, i18n.Fill(w.NoneBreaksHow, "states", groupedInt(p.Result.States)), theme.Text)
}

func (p *Prove) ways(l *explore.Light) string {
	w := p.words()
	if l.Ties == nil {
		return "?"
	}
	n := 2
	if l.Ties.IsInt64() && l.Ties.Int64() == 1 {
		n = 1
	}
	return plural(w.OneWay, w.ManyWays, n, grouped(l.Ties))
}
