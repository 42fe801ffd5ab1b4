package app

import (
	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/screen"
)

// mouseEvent: the wheel scrolls what is under it, a click on a pane focuses it, one
// on a step goes there, one on a choice selects it.
func (m *model) mouseEvent(e tea.MouseMsg) tea.Cmd {
	click := e.Action == tea.MouseActionPress && e.Button == tea.MouseButtonLeft
	wheel, dir := keymap.Down, 1
	switch e.Button {
	case tea.MouseButtonWheelUp:
		wheel, dir = keymap.Up, -1
	case tea.MouseButtonWheelDown:
	default:
		dir = 0
	}
	switch {
	case m.blank || m.prompt != nil || dir == 0 && !click:
		return nil
	case m.lesson != nil && m.prove == nil && len(m.modals) == 0:
		m.lessonMouse(e.X, e.Y, dir)
		return nil
	case dir == 0:
		return nil
	case len(m.modals) > 0:
		return m.modalKey(wheel)
	case m.prove != nil:
		return m.proveKey(wheel, "")
	case m.learn != nil:
		m.learn.scroll += dir
		m.learn.follow = false
		return nil
	}
	return m.homeKey(wheel, "")
}

// lessonMouse handles the wheel, or a click if dir is 0, at column x of row y.
func (m *model) lessonMouse(x, y, dir int) {
	v, s := m.lesson, m.stage()
	l := layout.Lesson(m.w, m.h, s.Need())
	n := l.At(x, y)
	if n == 0 {
		return
	}
	if dir != 0 {
		v.scroll[n] += dir
		return
	}
	v.focus = n
	in := screen.Inside(&l, n)
	switch n {
	case layout.PaneTimeline:
		if at, ok := s.Pane().TimelineAt(in.W, in.H, y-in.Y); ok {
			m.pausePlay()
			v.session.Seek(at)
			v.settle()
		}
	case layout.PaneChoices:
		if c, ok := s.Pane().ChoiceAt(in.W, in.H, x-in.X, y-in.Y); ok {
			v.selected = c
		}
	}
}
