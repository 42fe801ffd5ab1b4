package app

import (
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/live"
	"flashlab/sim/scenario"
)

// onServer returns the scenario as it is stepped: on the live server, if there is one
// and the lesson uses Redis. Searches, and what a learner has written, stay on the
// embedded engine.
func (m *model) onServer(s *scenario.Scenario) *scenario.Scenario {
	w := &s.World
	if m.o.Live == nil || !w.Redis || w.Replace != nil || w.ReplaceSQL != nil || w.Rewrite != nil {
		return s
	}
	on := *s
	on.World.Live = m.o.Live
	return &on
}

// serverFault is fault for what a live server may be the cause of: nothing that was
// done is lost, and the learner chooses whether to try the server again or to go on
// with the embedded engine.
func (m *model) serverFault(err error, again func() tea.Cmd) tea.Cmd {
	var trouble *live.Trouble
	if m.o.Live == nil || !errors.As(err, &trouble) {
		return m.fault(err)
	}
	m.pausePlay()
	w := &m.words.Live
	m.message, m.complaint = m.mistake(trouble), true
	m.show(func() *modalView {
		v := &modalView{Modal: screen.Modal{Title: w.Lost, List: true, Lines: []screen.Line{
			{Text: w.Retry}, {Text: w.Embedded, Style: theme.Text},
		}}}
		v.choose = func(i int) tea.Cmd {
			if i == 1 {
				m.o.Live = nil
			}
			return again()
		}
		return v
	})
	return nil
}

// goOn opens the present scene anew, on whatever engine there is now, and walks to
// where the learner stands.
func (m *model) goOn() tea.Cmd {
	v := m.lesson
	if v == nil {
		return nil
	}
	moves, task := v.session.Cursor().Moves(), v.task
	cmd := m.openSceneOr(v.lesson, v.variant, v.params, m.goOn)
	if m.lesson == v || m.lesson == nil { // the server is still gone
		return cmd
	}
	m.lesson.task = task
	if err := m.lesson.session.Load(moves); err != nil {
		return m.serverFault(err, m.goOn)
	}
	m.lesson.settle()
	return cmd
}

// badge says on which Redis a lesson is stepped, and how long its last step took; ""
// on the embedded one.
func (m *model) badge() string {
	name, version, ok := m.lesson.session.Server()
	if !ok {
		return ""
	}
	text := name + " " + version
	if d := m.lesson.took; d > 0 {
		text += " " + d.Round(10*time.Microsecond).String()
	}
	return text
}
