package app

import (
	"strconv"

	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/pane"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/token"
)

// paint composes the frame that View returns until the next message.
func (m *model) paint() {
	c := m.canvas
	if m.w <= 0 || m.h <= 0 { // not known yet, or nothing to paint on
		m.frame = ""
		return
	}
	switch {
	case m.blank:
		c.Clear(theme.Text)
	case m.prove != nil:
		s := m.proveScreen()
		s.Paint(c)
		m.prove.scroll = s.Scroll
	case m.lesson != nil:
		s := m.stage().Screen()
		s.Paint(c)
		m.lesson.scroll = s.Scroll
	case m.learn != nil:
		p := m.page()
		p.Paint(c)
		m.learn.scroll = p.Scroll
	default:
		m.homeScreen().Paint(c)
	}
	if layout.Class(m.w, m.h) != layout.TooSmall && !m.blank {
		for _, v := range m.modals {
			v.Lang = m.lang
			v.Foot.Mode, v.Foot.ASCII = m.mode(), m.o.ASCII
			v.Paint(c)
		}
	}
	m.buf = c.ANSI(m.buf[:0], m.palette, m.glyphs)
	if string(m.buf) != m.frame { // compares without copying
		m.frame = string(m.buf)
	}
}

// stage is the open lesson and how it is looked at.
func (m *model) stage() *screen.Stage {
	v := m.lesson
	s := &screen.Stage{
		Lesson: v.lesson, Variant: v.variant, Scenario: v.scenario, Session: v.session, Lang: m.lang, Words: m.words,
		Watch: v.watch, Staged: m.watchedName(), Selected: v.selected, Focus: v.focus, Zoom: v.zoom, Scroll: v.scroll,
		Passing: v.passing, Letter: v.letter, Java: v.java, Swapped: v.swapped, Search: v.search, Foot: m.foot(m.mode()),
	}
	if v.playing {
		s.Speed = m.words.App.Playing + " " + strconv.FormatFloat(speeds[v.speed], 'g', -1, 64) + "x"
	}
	current := -1
	if m.learn != nil && m.learn.lesson == v.lesson {
		current = int(m.learn.beat)
	}
	s.Dots = m.dotsOf(v.lesson, current).String()
	if v.task != nil {
		s.Task = v.task.Title.In(m.lang)
	}
	s.Badge, s.Parity = m.badge(), m.parityBadge()
	s.Worth, s.Doomed = m.worth()
	s.Odds = v.odds
	if i := m.watchedLight(); i >= 0 {
		s.Light = v.scenario.Lights[i].Name
	}
	return s
}

// watchedName names the schedule that is watched, "" if it has no name.
func (m *model) watchedName() string {
	if n := m.lesson.shortest; n > 0 {
		return i18n.Fill(m.words.App.ShortestOne, "n", strconv.Itoa(n))
	}
	return m.lesson.staged
}

// worth tells what each choice is worth: how many schedules begin so and how many
// of them break the watched light. doomed is the step after which every schedule
// breaks it, 0 if there is none or if all of them do from the start. Both are told
// once something has broken in this session.
func (m *model) worth() (list []pane.Worth, doomed int) {
	v := m.lesson
	res := m.results.get(v.scenario)
	light := m.watchedLight()
	if res == nil || light < 0 || !v.everRed && !v.odds {
		return nil, 0 // no hint before the learner has seen it break
	}
	moves := v.session.Cursor().Moves()
	for _, c := range v.session.Cursor().Frame.State.Choices {
		step, err := token.ParseSteps(c.Move)
		if err != nil {
			return nil, 0
		}
		all, bad, err := res.From(append(moves[:len(moves):len(moves)], step...), light)
		if err != nil {
			return nil, 0
		}
		list = append(list, pane.Worth{All: all, Bad: bad})
	}
	for n := 0; n <= len(moves); n++ {
		if all, bad, err := res.From(moves[:n], light); err == nil && all.Cmp(bad) == 0 {
			return list, n
		}
	}
	return list, 0
}

// proveScreen is the search as it is to be shown.
func (m *model) proveScreen() *screen.Prove {
	v := m.prove
	p := &pane.Prove{
		Lang: m.lang, Words: m.words, Progress: v.box.get(), Running: v.running,
		Result: v.result, Selected: v.selected, Focus: pane.PaneVerdicts, Scroll: v.scroll,
	}
	for _, l := range v.scenario.Lights {
		p.Lights = append(p.Lights, l.Name)
	}
	if l := v.light(); l != nil && l.Broken {
		p.Token = m.tokenOf(l.Schedule)
		if v.selected < len(v.paths) {
			p.Path, p.RunOut = v.paths[v.selected].frames, v.paths[v.selected].runOut
		}
	}
	s := &screen.Prove{
		Pane: p, Words: m.words, Lang: m.lang, Left: m.stage().Title(),
		Right: []string{m.words.App.Proving, screen.LangLabel(m.lang)}, Foot: m.foot(keymap.Prove),
	}
	if p.Token == "" {
		s.Foot.Off = []keymap.Action{keymap.Open}
	}
	return s
}
