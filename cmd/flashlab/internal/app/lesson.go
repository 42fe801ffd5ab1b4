package app

import (
	"math/rand/v2"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/lessons"
	"flashlab/sim/history"
	"flashlab/sim/scenario"
	"flashlab/sim/token"
	"flashlab/sim/trace"
)

// lessonView is an open lesson: a session and how it is looked at.
type lessonView struct {
	lesson   *lessons.Lesson
	variant  *lessons.Variant
	params   scenario.Params
	scenario *scenario.Scenario
	session  *history.Session

	took     time.Duration     // the last step, for the badge of a live server
	task     *lessons.Exercise // what is to be broken on the stage; nil: nothing
	watch    bool              // a recorded schedule is shown
	staged   string            // its name, if it is a staged one
	shortest int               // its steps, if it is the shortest counterexample
	selected int               // choice that enter takes
	pending  keymap.Action     // a fault that waits to be told whom it strikes; "" for none
	focus    int
	zoom     int
	scroll   [9]int
	letter   string // whose source is shown; "" follows the actor that stepped last
	java     bool
	swapped  bool // compact: source in place of the tables
	odds     bool
	everRed  bool // something has broken in this session
	parity   *parityView

	search string
	rng    *rand.Rand

	playing bool
	speed   int // index into speeds
	gen     int // of the running tick

	passing   float64 // how much of the last step's time has been shown, 0: all
	drains    int     // of the running drain; older ticks are stale
	drainFrom time.Time
}

// speeds are the factors of the playing speed.
var speeds = []float64{0.25, 0.5, 1, 2, 4, 8}

const normalSpeed = 2

// openLesson opens a variant at its default sizes changed by sets, and starts to
// count its schedules on the side.
func (m *model) openLesson(l *lessons.Lesson, v *lessons.Variant, sets string) tea.Cmd {
	p := scenario.NewParams(v.Params)
	if sets != "" {
		var err error
		if p, err = p.Set(sets); err != nil {
			m.complain(m.mistake(err))
			return nil
		}
	}
	return m.openScene(l, v, p)
}

// openScene replaces the open lesson. The old one is kept if the new one fails.
func (m *model) openScene(l *lessons.Lesson, v *lessons.Variant, p scenario.Params) tea.Cmd {
	return m.openSceneOr(l, v, p, func() tea.Cmd { return m.openScene(l, v, p) })
}

// openSceneOr is openScene that does again what the learner was about when the server
// is not there.
func (m *model) openSceneOr(l *lessons.Lesson, v *lessons.Variant, p scenario.Params, again func() tea.Cmd) tea.Cmd {
	s := v.Scenario(p)
	session, err := history.Open(m.onServer(s))
	if err != nil {
		return m.serverFault(err, again)
	}
	view := &lessonView{
		lesson: l, variant: v, params: p, scenario: s, session: session,
		focus: layout.PaneChoices, speed: normalSpeed, rng: rand.New(rand.NewPCG(1, 0)),
	}
	if old := m.lesson; old != nil {
		view.swapped, view.java, view.odds, view.speed = old.swapped, old.java, old.odds, old.speed
		// Whoever has seen this very scene break keeps the hints after a restart.
		view.everRed = old.everRed && nameOf(old.scenario) == nameOf(s)
	}
	m.leaveLesson()
	m.lesson = view
	name := l.Name + "." + v.Name
	m.home.resume = name
	m.mark(l.Name, v.Name, screen.Opened)
	m.keepPlace()
	return m.count(m.ctx, s)
}

// leaveLesson closes the open lesson's engines and ends its search.
func (m *model) leaveLesson() {
	m.leaveProve()
	if m.lesson != nil {
		m.keepPlace()
		// Closing only removes temporary files; the user has gone on already.
		_ = m.lesson.session.Close()
		if p := m.lesson.parity; p != nil {
			p.cancel()
		}
		m.lesson = nil
	}
}

// watched puts the lesson into watching mode.
func (v *lessonView) watched() {
	v.watch, v.staged, v.shortest, v.focus = true, "", 0, layout.PaneTimeline
	v.playing = false
	v.settle()
}

// stepping puts the lesson into the mode in which the learner chooses who steps.
func (v *lessonView) stepping() {
	v.watch, v.staged, v.shortest = false, "", 0
	if v.focus == layout.PaneTimeline {
		v.focus = layout.PaneChoices
	}
}

// settle keeps the selection and the scroll positions sensible after a move.
func (v *lessonView) settle() {
	n := len(v.session.Cursor().Frame.State.Choices)
	v.selected = max(0, min(v.selected, n-1))
	v.scroll = [9]int{}
	v.passing = 0
	v.forgetParity()
	v.everRed = v.everRed || v.session.Cursor().State().AnyRed()
}

// openToken opens the scene of a token and its schedule, at its last step.
func (m *model) openToken(text string) tea.Cmd {
	t, err := token.Parse(text)
	if err != nil {
		m.complain(m.words.App.Damaged, "text", text)
		return nil
	}
	l, err := lessons.Find(t.Lesson)
	if err != nil {
		m.complain(m.mistake(err))
		return nil
	}
	v, err := l.Variant(t.Variant)
	if err != nil {
		m.complain(m.mistake(err))
		return nil
	}
	cmd := m.openLesson(l, v, t.Sets)
	if m.lesson == nil || m.lesson.variant != v {
		return cmd
	}
	if m.lesson.session.Hash() != t.Hash {
		m.complain(m.words.App.OtherVersion, "name", l.Name+"."+v.Name)
		return cmd
	}
	if err := m.lesson.session.Load(t.Steps); err != nil {
		m.complain(m.mistake(err))
		return cmd
	}
	m.lesson.watched()
	return cmd
}

// lessonCommand runs a command that only makes sense in a lesson.
func (m *model) lessonCommand(word, rest string) (tea.Cmd, bool) {
	v := m.lesson
	switch word {
	case "variant":
		to, err := v.lesson.Variant(rest)
		if err != nil {
			m.complain(m.mistake(err))
			return nil, true
		}
		return m.openLesson(v.lesson, to, ""), true
	case "staged":
		s, err := v.lesson.StagedSchedule(rest)
		if err != nil {
			m.complain(m.mistake(err))
			return nil, true
		}
		return m.openStaged(v.lesson, s), true
	case "set":
		p, err := v.params.Set(strings.Join(strings.Fields(rest), ","))
		if err != nil {
			m.complain(m.mistake(err))
			return nil, true
		}
		return m.openScene(v.lesson, v.variant, p), true
	}
	if n, ok := number(word); ok && rest == "" {
		m.leaveProve()
		m.pausePlay()
		v.session.Seek(n)
		v.settle()
		return nil, true
	}
	return nil, false
}

// number parses a step number as typed; hasty signs and huge numbers are none.
func number(s string) (n int, ok bool) {
	if s == "" || len(s) > 6 {
		return 0, false
	}
	for _, r := range s {
		if r < '0' || r > '9' {
			return 0, false
		}
		n = n*10 + int(r-'0')
	}
	return n, true
}

// shown returns the state that the panes show: at an end the one after the run-out.
func (v *lessonView) shown() *trace.State { return v.session.Cursor().State() }
