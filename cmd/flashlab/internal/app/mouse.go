package app

import (
	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/layout"
)

// mouseEvent: the wheel scrolls the pane under it, a click focuses it.
func (m *model) mouseEvent(e tea.MouseMsg) tea.Cmd {
	dir := 0
	switch e.Button {
	case tea.MouseButtonWheelUp:
		dir = -1
	case tea.MouseButtonWheelDown:
		dir = 1
	}
	wheel := keymap.Down
	if dir < 0 {
		wheel = keymap.Up
	}
	switch {
	case len(m.modals) > 0:
		if dir != 0 {
			return m.modalKey(wheel)
		}
	case m.prove != nil:
		if dir != 0 {
			return m.proveKey(wheel)
		}
	case m.lesson != nil:
		l := layout.Lesson(m.w, m.h, m.stage().Need())
		n := l.At(e.X, e.Y)
		if n == 0 {
			return nil
		}
		if dir != 0 {
			m.lesson.scroll[n] += dir
		} else if e.Action == tea.MouseActionPress && e.Button == tea.MouseButtonLeft {
			m.lesson.focus = n
		}
	default:
		if dir != 0 {
			return m.homeKey(wheel)
		}
	}
	return nil
}
