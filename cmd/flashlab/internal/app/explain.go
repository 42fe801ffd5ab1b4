package app

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/pane"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim"
	"flashlab/sim/history"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

// openCards shows the cards of the lesson, one below the other.
func (m *model) openCards() {
	if !m.show(m.cards) {
		m.complain(m.words.App.NoCards)
	}
}

func (m *model) cards() *modalView {
	v := &modalView{Modal: screen.Modal{Title: m.words.App.CardsTitle}}
	for _, c := range m.lesson.lesson.Cards {
		v.gap()
		m.write(v, c.Title.In(m.lang), theme.Title)
		m.write(v, c.Body.In(m.lang), theme.Text)
	}
	if len(v.Lines) == 0 {
		return nil
	}
	return v
}

// openWhy explains each light that is red by the two steps that raced.
func (m *model) openWhy() {
	if !m.show(m.why) {
		m.say(m.words.App.NothingRed)
	}
}

func (m *model) why() *modalView {
	v := &modalView{through: true, Modal: screen.Modal{Title: m.words.App.Why}}
	for _, l := range m.lesson.shown().Lights {
		if l.Status != trace.Red {
			continue
		}
		v.gap()
		m.write(v, strings.TrimSuffix("✗ "+l.Name+m.words.Panes.Colon+m.words.Say(l.Detail), m.words.Panes.Colon), theme.Bad)
		m.write(v, m.stage().Pane().Why(l.Name), theme.Text)
	}
	if len(v.Lines) == 0 {
		return nil
	}
	v.gap()
	m.write(v, m.lesson.variant.Moral.In(m.lang), theme.Accent)
	return v
}

// openShortest shows the shortest schedule that breaks the light that broke, or
// the first that can break, beside the learner's own.
func (m *model) openShortest() tea.Cmd {
	res := m.results.get(m.lesson.scenario)
	if res == nil {
		m.complain(m.notCounted())
		return nil
	}
	light := m.watchedLight()
	if light < 0 {
		m.say(m.words.App.AllHolds)
		return nil
	}
	theirs, _, err := exampleOf(m.lesson.scenario, res.Lights[light].Schedule)
	if err != nil {
		return m.fault(err)
	}
	mine := m.stage().Frames()[:m.lesson.session.Cursor().Depth+1]
	name := m.lesson.scenario.Lights[light].Name
	m.show(func() *modalView {
		l := res.Lights[light]
		return m.shortest(name, mine, theirs, l.Shortest, l.Clean)
	})
	return nil
}

// exampleOf runs a schedule on engines of its own.
func exampleOf(s *scenario.Scenario, moves []sim.Move) (frames, runOut []trace.Frame, err error) {
	x, err := history.Open(s)
	if err != nil {
		return nil, nil, err
	}
	defer x.Close()
	if err := x.Load(moves); err != nil {
		return nil, nil, err
	}
	for _, n := range x.Path() {
		frames = append(frames, n.Frame)
	}
	return frames, x.Cursor().RunOut, nil
}

// shortest puts two schedules side by side. clean is the number of states within
// fewer steps.
func (m *model) shortest(light string, mine, theirs []trace.Frame, steps, clean int) *modalView {
	title := i18n.Fill(m.words.App.ShortestOne, "n", strconv.Itoa(steps))
	v := &modalView{Modal: screen.Modal{Title: title}}
	half := max(10, min(48, (m.w-12)/2))
	beside := func(left, right string) string {
		return canvas.PadRight(canvas.Truncate(left, half, "…"), half) + " │ " + canvas.Truncate(right, half, "…")
	}
	v.Lines = append(v.Lines, screen.Line{Text: beside(m.words.App.Mine, title), Style: theme.Title})
	for i := 1; i < max(len(mine), len(theirs)); i++ {
		left, right := m.besideText(mine, i), m.besideText(theirs, i)
		line := screen.Line{Text: beside(left, right)}
		if left == right { // what differs is what matters
			line.Style = theme.Dim
		}
		v.Lines = append(v.Lines, line)
	}
	v.gap()
	m.write(v, i18n.Fill(m.words.App.Certificate, "light", light, "states", strconv.Itoa(clean),
		"steps", pane.Steps(&m.words.Panes, steps-1)), theme.OK)
	return v
}

// besideText is one step of a schedule in a comparison.
func (m *model) besideText(frames []trace.Frame, i int) string {
	if i >= len(frames) || frames[i].Event == nil {
		return ""
	}
	e := frames[i].Event
	mark := " "
	if len(e.Broken) > 0 {
		mark = "✗"
	}
	return strconv.Itoa(i) + mark + e.Actor + " " + m.stage().Pane().Short(*e)
}

// notCounted says why nothing is known yet about all schedules of the scene.
func (m *model) notCounted() string {
	if m.results.pending(m.lesson.scenario) {
		return m.words.App.NotYetProved
	}
	return m.words.App.TooMany
}

// watchedLight is the light that hints speak of: one that is red, else the first
// that some schedule breaks; -1 if none does or nothing is known.
func (m *model) watchedLight() int {
	res := m.results.get(m.lesson.scenario)
	if res == nil {
		return -1
	}
	first := -1
	for i, l := range res.Lights {
		if !l.Broken {
			continue
		}
		if first < 0 {
			first = i
		}
		if m.lesson.shown().Broken(m.lesson.scenario.Lights[i].Name) {
			return i
		}
	}
	return first
}

// tokenOf is the token of a schedule of the open scene.
func (m *model) tokenOf(moves []sim.Move) string {
	return history.TokenOf(m.lesson.scenario, m.lesson.session.Hash(), moves)
}
