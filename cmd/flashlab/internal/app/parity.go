package app

import (
	"context"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim"
	"flashlab/sim/live/parity"
)

// parityView is the comparison of one schedule on the embedded engine and on the live
// server. It is forgotten when the schedule changes.
type parityView struct {
	moves  []sim.Move
	report *parity.Report // nil while it is computed
	cancel context.CancelFunc
}

// compared is the end of a comparison.
type compared struct {
	view   *parityView // another one is stale
	report parity.Report
	err    error
}

// openParity runs the present schedule on both engines. The session on the stage is
// not used for it: each side has engines, and on the server keys, of its own.
func (m *model) openParity() tea.Cmd {
	v, w := m.lesson, &m.words.Live
	m.pausePlay()
	moves := v.session.Cursor().Moves()
	switch on := m.onServer(v.scenario); {
	case !v.scenario.World.Redis:
		m.complain(w.NoRedis)
	case m.o.Live == nil:
		m.complain(w.NoServer)
	case on.World.Live == nil:
		m.complain(w.OwnCode)
	case len(moves) == 0:
		m.complain(w.NoStep)
	default:
		return m.beginParity(moves)
	}
	return nil
}

// beginParity compares in the background, unless that is under way.
func (m *model) beginParity(moves []sim.Move) tea.Cmd {
	v := m.lesson
	if v.parity != nil && v.parity.report == nil {
		m.say(m.comparing(v.parity))
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	view := &parityView{moves: moves, cancel: cancel}
	v.parity = view
	m.say(m.comparing(view))
	scene, server := v.scenario, m.o.Live
	return m.guard.cmd(func() tea.Msg {
		defer cancel()
		report, err := parity.Compare(ctx, scene, moves, server)
		return compared{view, report, err}
	})
}

func (m *model) comparing(p *parityView) string {
	return fill(m.words.Live.Comparing, "n", strconv.Itoa(len(p.moves)))
}

// parityDone shows what came of a comparison, if the learner still stands there.
func (m *model) parityDone(d compared) tea.Cmd {
	v := m.lesson
	if v == nil || v.parity != d.view {
		return nil
	}
	if m.message == m.comparing(d.view) {
		m.message = ""
	}
	if d.err != nil {
		v.parity = nil
		return m.serverFault(d.err, m.compareAgain)
	}
	v.parity.report = &d.report
	m.show(func() *modalView { return m.parityModal(&d.report) })
	return nil
}

// compareAgain opens the scene anew, since a server that was gone has none of the
// session's keys, and compares if there still is a server.
func (m *model) compareAgain() tea.Cmd {
	below := len(m.modals)
	cmd := m.goOn()
	if m.o.Live == nil || m.lesson == nil || len(m.modals) > below {
		return cmd
	}
	return tea.Batch(cmd, m.openParity())
}

// forgetParity gives up a comparison of another schedule than the present one.
func (v *lessonView) forgetParity() {
	if v.parity != nil && !slices.Equal(v.parity.moves, v.session.Cursor().Moves()) {
		v.parity.cancel()
		v.parity = nil
	}
}

// parityBadge says beside the server what came of the comparison; "" if there is none.
func (m *model) parityBadge() string {
	switch p := m.lesson.parity; {
	case p == nil || p.report == nil:
		return ""
	case len(p.report.Differences) == 0:
		return m.words.Live.Equal
	}
	return m.words.Live.Unequal
}

// parityModal tells what came of a comparison.
func (m *model) parityModal(r *parity.Report) *modalView {
	w := &m.words.Live
	v := &modalView{through: true, Modal: screen.Modal{Title: w.Parity}}
	text, style := "✓ "+w.Same, theme.OK
	if len(r.Differences) > 0 {
		text, style = "≠ "+w.Differ, theme.Warn
	}
	m.write(v, fill(text, "n", strconv.Itoa(r.Steps), "server", r.Server, "version", r.Version, "d", strconv.Itoa(len(r.Differences))), style)
	if r.RunOut > 0 {
		m.write(v, fill(w.WithEnd, "n", strconv.Itoa(r.RunOut)), theme.Text)
	}
	for i := range r.Differences {
		step := m.parityStep(&r.Differences[i])
		if i == 0 || step != m.parityStep(&r.Differences[i-1]) {
			v.gap()
			m.write(v, step, theme.Title)
		}
		m.writeDifference(v, &r.Differences[i])
	}
	v.gap()
	m.write(v, w.Effects, theme.Dim)
	return v
}

// parityStep names the step of a difference: where it stands, who took it, and what
// was run.
func (m *model) parityStep(d *parity.Difference) string {
	w := &m.words.Live
	text := fill(w.Step, "n", strconv.Itoa(d.Step))
	switch {
	case d.Step < 0:
		text = w.RunOut
	case d.Step == 0:
		text = w.Start
	}
	for _, s := range []string{d.Actor, d.Command} {
		if s != "" {
			text += " · " + s
		}
	}
	if d.Actor == "" && d.Move != "" {
		text += " · " + d.Move
	}
	return text
}

// writeDifference puts one side below the other.
func (m *model) writeDifference(v *modalView, d *parity.Difference) {
	w := &m.words.Live
	v.Lines = append(v.Lines, screen.Line{Text: "  " + w.Term(d.What), Style: theme.Accent})
	wide := max(canvas.Width(w.Here), canvas.Width(w.There))
	for i, side := range []string{w.Here, w.There} {
		text := w.Term([]string{d.Embedded, d.Live}[i])
		if text == "" {
			text = w.None
		}
		label := "    " + canvas.PadRight(side, wide) + "  "
		for _, l := range canvas.Wrap(text, m.textWidth()-canvas.Width(label)) {
			v.Lines = append(v.Lines, screen.Line{Text: label + l, Style: theme.Text})
			label = canvas.PadRight("", canvas.Width(label))
		}
	}
}
