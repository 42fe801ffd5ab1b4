package app

import (
	"strconv"
	"strings"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/pane"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/scenario"
	"flashlab/sim/token"
	"flashlab/sim/trace"
)

// paint composes the frame that View returns until the next message.
func (m *model) paint() {
	c := m.canvas
	switch {
	case m.blank:
		c.Clear(theme.Text)
	case m.prove != nil:
		m.proveScreen().Paint(c)
	case m.lesson != nil:
		m.lessonScreen().Paint(c)
	default:
		m.homeScreen().Paint(c)
	}
	if layout.Class(m.w, m.h) != layout.TooSmall && !m.blank {
		for _, v := range m.modals {
			v.Lang = m.lang
			v.Foot.Mode = m.mode()
			v.Paint(c)
		}
	}
	m.buf = c.ANSI(m.buf[:0], m.palette, m.glyphs)
	if frame := string(m.buf); frame != m.frame {
		m.frame = frame
	}
}

// lessonNeed is what the open lesson asks of its layout.
func (m *model) lessonNeed() layout.Need {
	v := m.lesson
	return layout.Need{
		Redis: v.scenario.World.Redis, SourceInCompact: v.swapped,
		Actors: len(v.shown().Actors), Zoom: v.zoom,
	}
}

// lessonPane is the open lesson as panes see it.
func (m *model) lessonPane() *pane.Lesson {
	v := m.lesson
	cur := v.session.Cursor()
	d := &pane.Lesson{
		Lang: m.lang, Words: m.words, Variant: v.variant,
		Path: m.path(), Cursor: cur.Depth, Selected: v.selected,
		Focus: v.focus, Scroll: v.scroll, Search: v.search,
		Source: map[string]pane.SourceView{},
	}
	path := v.session.Path()
	for _, n := range path {
		if len(n.Children) > 1 {
			d.Branches = append(d.Branches, n.Depth)
		}
	}
	d.RunOut = path[len(path)-1].RunOut
	d.Worth, d.Doomed = m.worth()
	if !v.odds {
		d.Worth = nil
	}
	for _, a := range v.shown().Actors {
		d.Source[a.Letter] = m.sourceView(a)
	}
	return d
}

// sourceView is the code that an actor runs, in Go or as its Java twin.
func (m *model) sourceView(a trace.Actor) pane.SourceView {
	v := m.lesson
	file, line := v.variant.File, 0
	if len(a.Stack) > 0 {
		file, line = a.Stack[0].File, a.Stack[0].Line
	}
	if v.java {
		x := pane.SourceView{File: v.variant.JavaFile, Java: true}
		// A missing twin shows as an empty pane with its name.
		x.Lines, _ = v.lesson.JavaSource(x.File)
		if step, ok := v.variant.StepAt(v.lesson, file, line); ok {
			if at, ok := v.variant.JavaLine(v.lesson, step); ok {
				x.Current = at
			}
		}
		return x
	}
	x := pane.SourceView{File: file, Current: line}
	x.Lines, _ = v.lesson.GoSource(file)
	return x
}

// worth tells what each choice is worth: how many schedules begin so and how many
// of them break the watched light. doomed is the step after which every schedule
// breaks it, once something has broken in this session; 0 if there is none.
func (m *model) worth() (list []pane.Worth, doomed int) {
	v := m.lesson
	res := m.results.get(v.scenario)
	light := m.watchedLight()
	if res == nil || light < 0 {
		return nil, 0
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
	if !v.everRed && !v.odds {
		return list, 0 // no hint before the learner has seen it break
	}
	for n := 0; n <= len(moves); n++ {
		all, bad, err := res.From(moves[:n], light)
		if err == nil && n > 0 && all.Cmp(bad) == 0 {
			return list, n
		}
	}
	return list, 0
}

// lessonScreen is the open lesson as it is to be shown.
func (m *model) lessonScreen() *screen.Lesson {
	v := m.lesson
	cur := v.session.Cursor()
	s := &screen.Lesson{
		Pane: m.lessonPane(), Words: m.words, Lang: m.lang, Need: m.lessonNeed(), Focus: v.focus,
		Letters: [2]string{v.sourceLetter(), v.otherLetter()},
		Beats:   m.words.App.Promise + ": " + v.lesson.Promise.In(m.lang),
		Foot:    m.foot(m.mode()),
	}
	if v.search != "" && s.Foot.Message == "" {
		s.Foot.Message = "/" + v.search + "   " + m.words.App.SearchKeys
	}
	s.Left = m.sceneTitle()
	all := len(v.session.Path()) - 1
	s.Right = append(s.Right, m.words.App.Branch)
	s.Right[0] = i18n.Fill(m.words.App.Branch, "n", strconv.Itoa(v.session.Branches()))
	mode := m.words.App.Stepping
	if v.watch {
		mode = m.words.App.Watching
		if v.staged != "" {
			mode += " " + i18n.Fill(v.staged, "n", strconv.Itoa(all))
		}
	}
	s.Right = append(s.Right, mode)
	if v.playing {
		s.Right = append(s.Right, m.words.App.Playing+" "+strconv.FormatFloat(speeds[v.speed], 'g', -1, 64)+"x")
	}
	step := i18n.Fill(m.words.App.Step, "n", strconv.Itoa(cur.Depth), "all", strconv.Itoa(all))
	switch {
	case cur.Frame.State.Deadlock:
		step += " · " + m.words.App.Deadlock
	case cur.Ended():
		step += " · " + m.words.App.Ended
	}
	s.Right = append(s.Right, step, m.langLabel())
	return s
}

// sceneTitle names lesson, variant and the sizes that are not the default.
func (m *model) sceneTitle() string {
	v := m.lesson
	var parts []string
	if v.lesson.Number > 0 {
		parts = append(parts, strconv.Itoa(v.lesson.Number))
	}
	parts = append(parts, v.lesson.Name, "·", v.variant.Name)
	if set := v.params.Changed(); set != "" {
		parts = append(parts, set)
	}
	return strings.Join(parts, " ")
}

// proveScreen is the search as it is to be shown.
func (m *model) proveScreen() *screen.Prove {
	v := m.prove
	p := &pane.Prove{
		Lang: m.lang, Words: m.words, Progress: v.box.get(), Running: v.running,
		Result: v.result, Selected: v.selected,
	}
	for _, l := range v.scenario.Lights {
		p.Lights = append(p.Lights, l.Name)
	}
	p.Moral = m.lesson.variant.Moral.In(m.lang)
	if l := v.light(); l != nil && l.Broken {
		p.Schedule = m.scheduleText(l.Schedule, v.scenario)
		p.Token = m.tokenOf(l.Schedule)
	}
	return &screen.Prove{
		Pane: p, Words: m.words, Lang: m.lang, Left: m.sceneTitle(),
		Right: []string{m.words.App.Proving, m.langLabel()}, Foot: m.foot(keymap.Prove),
	}
}

var _ = canvas.Width
var _ scenario.Verdict
