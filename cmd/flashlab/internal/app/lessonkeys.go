package app

import (
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/sim"
)

// lessonKey handles a key in an open lesson.
func (m *model) lessonKey(a keymap.Action, name string, known bool) tea.Cmd {
	v := m.lesson
	key := keymap.Normal(name)
	if v.search != "" && (key == "n" || key == "N") {
		m.findNext(key == "n")
		return nil
	}
	if v.pending != "" {
		return m.faultTarget(key)
	}
	if len(key) == 1 && key[0] >= 'a' && key[0] <= 'g' && (!known || !v.watch || key != "g") {
		return m.stepActor(key)
	}
	if !known {
		m.complain(m.words.App.NoSuchKey, "key", name)
		return nil
	}
	if cmd, ok := m.walk(a); ok {
		return cmd
	}
	if m.look(a, key) {
		return nil
	}
	switch a {
	case keymap.Expire, keymap.Clock, keymap.Crash, keymap.Pause, keymap.Redeliver, keymap.LoseReply:
		return m.environment(a)
	case keymap.ProveAll:
		return m.openProve()
	case keymap.Shortest:
		return m.openShortest()
	case keymap.Why:
		m.openWhy()
	case keymap.Cards:
		m.openCards()
	case keymap.Copy:
		return m.copyToken(v.session.Token())
	case keymap.NextVar, keymap.PrevVar:
		return m.otherVariant(a == keymap.NextVar)
	case keymap.Staged:
		return m.stagedKey(key)
	case keymap.Search:
		m.prompt = newPrompt('/', m.words.App.PromptKeys)
	case keymap.Storm:
		return m.openStorm(v.lesson, v.variant)
	case keymap.Parity:
		return m.openParity()
	case keymap.NextBeat, keymap.PrevBeat:
		return m.beatFromStage(a)
	case keymap.Hint:
		if m.learn == nil || m.learn.exercise == nil {
			m.say(m.words.Learn.NoExercise)
			return nil
		}
		return m.hint()
	case keymap.Leave:
		return m.backOut()
	}
	return nil
}

// walk handles what moves through the schedule.
func (m *model) walk(a keymap.Action) (tea.Cmd, bool) {
	v := m.lesson
	switch a {
	case keymap.Take:
		return m.takeSelected(), true
	case keymap.Forward:
		m.pausePlay()
		if v.session.Forward(1) == 0 {
			m.complain(m.words.App.NothingAhead)
		} else {
			v.settle()
			return m.drain(), true
		}
	case keymap.Back:
		m.pausePlay()
		if v.session.Back(1) == 0 {
			m.complain(m.words.App.AtStart)
		}
	case keymap.First:
		m.pausePlay()
		v.session.Seek(0)
	case keymap.Last:
		m.pausePlay()
		v.session.Forward(1 << 20)
	case keymap.Play:
		return m.togglePlay(), true
	case keymap.Faster:
		v.speed = min(v.speed+1, len(speeds)-1)
	case keymap.Slower:
		v.speed = max(v.speed-1, 0)
	case keymap.Fork:
		m.pausePlay()
		v.stepping()
		v.session.Fork()
		m.say(m.words.App.Forked)
	case keymap.Restart:
		cmd := m.openScene(v.lesson, v.variant, v.params)
		m.say(m.words.App.Restarted)
		return cmd, true
	default:
		return nil, false
	}
	v.settle()
	return nil, true
}

// look handles what changes how the lesson is looked at.
func (m *model) look(a keymap.Action, key string) bool {
	v := m.lesson
	switch a {
	case keymap.Up, keymap.Down:
		d := 1
		if a == keymap.Up {
			d = -1
		}
		if !v.watch && (v.focus == layout.PaneChoices || v.focus == layout.PaneTimeline) {
			n := len(v.session.Cursor().Frame.State.Choices)
			v.selected = max(0, min(v.selected+d, n-1))
		} else {
			v.scroll[v.focus] += d
		}
	case keymap.ScrollUp:
		v.scroll[v.focus]--
	case keymap.ScrollDn:
		v.scroll[v.focus]++
	case keymap.PageUp:
		v.scroll[v.focus] -= max(1, m.h/2-2)
	case keymap.PageDn:
		v.scroll[v.focus] += max(1, m.h/2-2)
	case keymap.Pane:
		m.focus(int(key[0] - '0'))
	case keymap.NextPane:
		m.cycleFocus(1)
	case keymap.PrevPane:
		m.cycleFocus(-1)
	case keymap.Zoom:
		if v.zoom != 0 {
			v.zoom = 0
			m.refocus()
		} else {
			v.zoom = v.focus
		}
	case keymap.Source:
		m.swapSource()
	case keymap.NextActor:
		v.letter = m.stage().OtherSource()
	case keymap.Java:
		v.java = !v.java
	case keymap.Odds:
		if len(v.session.Cursor().Frame.State.Choices) == 0 {
			m.say(m.words.App.OddsNone)
			return true
		}
		v.odds = !v.odds
		if v.odds {
			m.say(m.words.App.OddsOn)
		} else {
			m.say(m.words.App.OddsOff)
		}
	default:
		return false
	}
	return true
}

// swapSource shows the source in place of the tables where there is no room for
// both; where there is, it moves the focus there and back.
func (m *model) swapSource() {
	v := m.lesson
	need := m.stage().Need()
	need.Zoom, need.SourceInCompact = 0, false
	if l := layout.Lesson(m.w, m.h, need); v.zoom == 0 && !l.Source.Empty() {
		if v.focus == layout.PaneSource {
			v.focus = layout.PaneChoices
		} else {
			v.focus = layout.PaneSource
		}
		return
	}
	v.swapped, v.zoom = !v.swapped, 0
	m.refocus()
}

// focus moves to a pane; one that is hidden is zoomed, so that it is seen.
func (m *model) focus(n int) {
	v := m.lesson
	if !m.stage().Need().Redis && n == layout.PaneRedis {
		m.complain(m.words.App.NoRedis)
		return
	}
	v.focus = n
	if v.zoom != 0 || !m.inSight(n) {
		v.zoom = n
	}
}

// inSight reports whether the lesson shows a pane when none is zoomed.
func (m *model) inSight(n int) bool {
	need := m.stage().Need()
	need.Zoom = 0
	l := layout.Lesson(m.w, m.h, need)
	return !l.Pane(n).Empty()
}

// refocus takes the focus off a pane that is out of sight.
func (m *model) refocus() {
	v := m.lesson
	if v.zoom != 0 || m.inSight(v.focus) || layout.Class(m.w, m.h) == layout.TooSmall {
		return
	}
	v.focus = layout.PaneChoices
	if v.watch {
		v.focus = layout.PaneTimeline
	}
}

// cycleFocus goes through the panes in sight.
func (m *model) cycleFocus(d int) {
	v := m.lesson
	for i := 1; i <= layout.PaneChoices; i++ {
		n := (v.focus-1+d*i+2*layout.PaneChoices)%layout.PaneChoices + 1
		if m.inSight(n) {
			v.focus = n
			if v.zoom != 0 {
				v.zoom = n
			}
			return
		}
	}
}

// stepActor lets the actor with a lower-case letter take the next step.
func (m *model) stepActor(key string) tea.Cmd {
	letter := strings.ToUpper(key)
	v := m.lesson
	a := v.session.Cursor().Frame.State.Actor(letter)
	if a == nil {
		m.complain(m.words.App.NoSuchKey, "key", key)
		return nil
	}
	return m.take(sim.Move{Kind: sim.MoveActor, Arg: letter[0] - 'A'})
}

// takeSelected takes the choice under the cursor.
func (m *model) takeSelected() tea.Cmd {
	v := m.lesson
	choices := v.session.Cursor().Frame.State.Choices
	if v.selected < 0 || v.selected >= len(choices) {
		m.complain(m.endText())
		return nil
	}
	return m.takeMove(choices[v.selected].Move)
}

// take takes a step; one that is not possible is explained.
func (m *model) take(move sim.Move) tea.Cmd {
	v := m.lesson
	m.pausePlay()
	st := &v.session.Cursor().Frame.State
	possible := false
	for _, c := range st.Choices {
		possible = possible || c.Move == move.String()
	}
	if !possible {
		m.complain(m.whyNot(move))
		return nil
	}
	began := time.Now()
	err := v.session.Step(move)
	v.took = time.Since(began)
	if err != nil {
		return m.serverFault(err, m.goOn)
	}
	v.stepping()
	v.settle()
	return m.drain()
}

// whyNot says why a move is not possible now.
func (m *model) whyNot(move sim.Move) string {
	st := m.lesson.session.Cursor().Frame.State
	if move.Actor() {
		if a := st.Actor(move.String()); a != nil {
			return i18n.Fill(m.words.App.ActorIs, "actor", a.Letter, "how", m.stage().Pane().WhyNot(*a))
		}
	}
	return m.endText()
}

func (m *model) endText() string {
	st := m.lesson.session.Cursor().Frame.State
	switch {
	case st.Deadlock:
		return m.words.App.Deadlock
	case st.Ended:
		return m.words.App.Ended
	}
	return m.words.App.NothingAhead
}

// otherVariant opens the next or previous variant of the lesson.
func (m *model) otherVariant(next bool) tea.Cmd {
	v := m.lesson
	for i := range v.lesson.Variants {
		if &v.lesson.Variants[i] != v.variant {
			continue
		}
		d := len(v.lesson.Variants) - 1
		if next {
			d = 1
		}
		return m.openLesson(v.lesson, &v.lesson.Variants[(i+d)%len(v.lesson.Variants)], "")
	}
	return nil
}

// stagedKey opens the staged schedule of a function key: F2 is the first.
func (m *model) stagedKey(key string) tea.Cmd {
	n, ok := number(strings.TrimPrefix(key, "f"))
	l := m.lesson.lesson
	if !ok || n-2 >= len(l.Staged) {
		m.complain(m.words.App.NoSuchKey, "key", strings.ToUpper(key))
		return nil
	}
	return m.openStaged(l, &l.Staged[n-2])
}

// backOut leaves the innermost thing: search, zoom, watching, the lesson.
func (m *model) backOut() tea.Cmd {
	v := m.lesson
	switch {
	case v.search != "":
		v.search = ""
	case v.zoom != 0:
		v.zoom = 0
		m.refocus()
	default:
		m.leaveLesson()
		m.selectEntry(m.home.resume)
	}
	return nil
}

// selectEntry selects the line of a variant on the map.
func (m *model) selectEntry(name string) {
	for _, e := range m.allEntries() {
		if e.Variant != nil && e.Lesson.Name+"."+e.Variant.Name == name {
			m.selectAt(e)
		}
	}
}

// markProved notes on the map that every schedule of a variant has been counted.
func (m *model) markProved(lesson, variant string) {
	m.mark(lesson, variant, screen.Proved)
}
