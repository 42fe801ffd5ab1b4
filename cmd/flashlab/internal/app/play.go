package app

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// playTick asks for the next step of a schedule being played.
type playTick struct{ gen int }

// stepTime is how long a step is shown at normal speed.
const stepTime = 900 * time.Millisecond

// togglePlay starts or stops playing.
func (m *model) togglePlay() tea.Cmd {
	v := m.lesson
	if v.playing {
		m.pausePlay()
		return nil
	}
	if v.session.Cursor().Ended() && len(v.session.Path()) == v.session.Cursor().Depth+1 {
		// At the end there is nothing to play: start over along the same branch.
		v.session.Seek(0)
		v.settle()
	}
	v.playing = true
	v.gen = m.nextGen()
	return m.nextTick()
}

func (m *model) pausePlay() {
	if m.lesson != nil {
		m.lesson.playing = false
	}
}

// nextTick schedules the next step. A tick cannot be taken back, so it carries the
// generation that it belongs to.
func (m *model) nextTick() tea.Cmd {
	v := m.lesson
	gen := v.gen
	return m.tick(time.Duration(float64(stepTime)/speeds[v.speed]), func(time.Time) tea.Msg { return playTick{gen} })
}

// played takes one step along the branch, or a random one at its end.
func (m *model) played(t playTick) tea.Cmd {
	v := m.lesson
	if v == nil || !v.playing || t.gen != v.gen {
		return nil
	}
	if v.session.Forward(1) == 0 {
		if v.watch {
			v.playing = false
			return nil
		}
		more, err := v.session.Random(v.rng)
		if err != nil {
			v.playing = false
			return m.serverFault(err, m.goOn)
		}
		if !more {
			v.playing = false
			return nil
		}
	}
	v.settle()
	if v.session.Cursor().Ended() {
		v.playing = false
		return m.drain()
	}
	return tea.Batch(m.nextTick(), m.drain())
}
