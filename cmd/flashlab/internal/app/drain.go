package app

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// drainTick asks for the next look at a lease that is running out.
type drainTick struct {
	gen int
	at  time.Time
}

// drainTime is how long the passing of time is shown, however much of it passes.
const drainTime = 400 * time.Millisecond

// drain shows how leases run out when the last step let time pass. With reduced
// motion they jump.
func (m *model) drain() tea.Cmd {
	v := m.lesson
	v.passing = 0
	e := v.session.Cursor().Frame.Event
	if m.o.ReducedMotion || e == nil || e.Op != "clock" && e.Op != "expire" {
		return nil
	}
	v.drains++
	v.drainFrom = time.Now()
	v.passing = 0.01
	return m.drainFrame(v.drains)
}

func (m *model) drainFrame(gen int) tea.Cmd {
	return m.tick(frameTime, func(at time.Time) tea.Msg { return drainTick{gen, at} })
}

func (m *model) drained(t drainTick) tea.Cmd {
	v := m.lesson
	if v == nil || v.passing == 0 || t.gen != v.drains {
		return nil
	}
	part := float64(t.at.Sub(v.drainFrom)) / float64(drainTime)
	if part >= 1 || part < 0 {
		v.passing = 0
		return nil
	}
	v.passing = part
	return m.drainFrame(t.gen)
}
