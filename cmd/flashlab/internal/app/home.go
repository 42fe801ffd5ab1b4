package app

import (
	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/lessons"
	"flashlab/sim/token"
)

// homeView is the lesson map.
type homeView struct {
	selected int    // index in entries
	open     string // the lesson whose variants are listed, the one under the cursor
	resume   string // "lesson.variant" that was left last
	search   string // what n and N look for
}

func newHome() *homeView { return &homeView{} }

// entries lists the map as it is shown: every lesson, and under the one that the
// cursor is in its variants and staged schedules.
func (m *model) entries() []screen.Entry {
	open := m.home.open
	if open == "" {
		open = lessons.All()[0].Name
	}
	return m.listed(func(l *lessons.Lesson) bool { return l.Name == open })
}

// allEntries lists everything that can be gone to.
func (m *model) allEntries() []screen.Entry {
	return m.listed(func(*lessons.Lesson) bool { return true })
}

func (m *model) listed(open func(*lessons.Lesson) bool) []screen.Entry {
	var out []screen.Entry
	electives := false
	for i, l := range lessons.All() {
		if l.Number > 0 && i == 0 {
			out = append(out, screen.Entry{Heading: m.words.App.MainLine, Mark: screen.NoMark})
		}
		if l.Number == 0 && !electives {
			electives = true
			out = append(out, screen.Entry{Heading: m.words.App.Electives, Mark: screen.NoMark})
		}
		out = append(out, screen.Entry{Lesson: l, Mark: m.lessonMark(l)})
		if !open(l) {
			continue
		}
		if len(l.Variants) > 1 {
			out = append(out, screen.Entry{Heading: m.words.App.Variants, Within: true, Mark: screen.NoMark})
		}
		for j := range l.Variants {
			name := l.Name + "." + l.Variants[j].Name
			out = append(out, screen.Entry{Lesson: l, Variant: &l.Variants[j], Mark: m.marks[name], Resume: name == m.home.resume})
		}
		if len(l.Staged) > 0 {
			out = append(out, screen.Entry{Heading: m.words.App.Staged, Within: true, Mark: screen.NoMark})
		}
		for j := range l.Staged {
			out = append(out, screen.Entry{Lesson: l, Staged: &l.Staged[j], Mark: screen.NoMark})
		}
	}
	return out
}

// lessonMark sums up the marks of a lesson's variants.
func (m *model) lessonMark(l *lessons.Lesson) screen.Mark {
	proved, opened := 0, 0
	for i := range l.Variants {
		switch m.marks[l.Name+"."+l.Variants[i].Name] {
		case screen.Proved:
			proved++
		case screen.Opened:
			opened++
		}
	}
	switch {
	case proved == len(l.Variants):
		return screen.Proved
	case proved+opened > 0:
		return screen.Opened
	}
	return screen.New
}

// homeScreen is the map as it is to be shown.
func (m *model) homeScreen() *screen.Home {
	s := &screen.Home{
		Lang: m.lang, Words: m.words, Entries: m.entries(), Selected: m.home.selected,
		Right: []string{m.theme.String(), screen.LangLabel(m.lang)}, Foot: m.foot(keymap.Home),
	}
	for _, e := range m.allEntries() {
		if e.Variant != nil {
			s.All++
			if e.Mark == screen.Proved {
				s.Done++
			}
		}
	}
	m.home.selected = m.nearest(s.Entries, m.home.selected, 1)
	s.Selected = m.home.selected
	return s
}

// nearest returns the first entry that can be selected from i on in a direction.
func (m *model) nearest(list []screen.Entry, i, dir int) int {
	i = max(0, min(i, len(list)-1))
	for j := i; j >= 0 && j < len(list); j += dir {
		if list[j].Heading == "" {
			return j
		}
	}
	for j := i; j >= 0 && j < len(list); j -= dir {
		if list[j].Heading == "" {
			return j
		}
	}
	return i
}

// selectAt puts the cursor on an entry and opens its lesson.
func (m *model) selectAt(e screen.Entry) {
	if e.Lesson == nil {
		return
	}
	m.home.open = e.Lesson.Name
	for i, x := range m.entries() {
		if x.Lesson == e.Lesson && x.Variant == e.Variant && x.Staged == e.Staged {
			m.home.selected = i
		}
	}
}

// otherLesson puts the cursor on the next or previous lesson, around the ends.
func (m *model) otherLesson(next bool) {
	all := lessons.All()
	for i, l := range all {
		if l != m.entries()[m.home.selected].Lesson {
			continue
		}
		d := len(all) - 1
		if next {
			d = 1
		}
		m.selectAt(screen.Entry{Lesson: all[(i+d)%len(all)]})
		return
	}
}

func (m *model) homeKey(a keymap.Action, key string) tea.Cmd {
	list := m.entries()
	if m.home.search != "" && (key == "n" || key == "N") {
		m.findLine(key == "n")
		return nil
	}
	switch a {
	case keymap.Up:
		m.selectAt(list[m.nearest(list, m.home.selected-1, -1)])
	case keymap.Down:
		m.selectAt(list[m.nearest(list, m.home.selected+1, 1)])
	case keymap.NextLesson, keymap.PrevLesson:
		m.otherLesson(a == keymap.NextLesson)
	case keymap.First:
		m.selectAt(list[m.nearest(list, 0, 1)])
	case keymap.Last:
		m.selectAt(list[m.nearest(list, len(list)-1, -1)])
	case keymap.Search:
		m.prompt = newPrompt('/', m.words.App.PromptKeys)
	case keymap.Open:
		return m.openEntry(list[m.nearest(list, m.home.selected, 1)])
	case keymap.Exercises:
		m.openExercises()
	case keymap.Drill:
		return m.openDrill()
	case keymap.Progress:
		return m.openProgress()
	case keymap.Showdown:
		return m.openShowdown()
	case keymap.Fast:
		m.toggleFast()
	case keymap.Quit:
		return tea.Quit
	default:
		m.complain(m.words.App.NoSuchKey, "key", key)
	}
	return nil
}

// openEntry opens what a line of the map stands for.
func (m *model) openEntry(e screen.Entry) tea.Cmd {
	switch {
	case e.Staged != nil:
		return m.openStaged(e.Lesson, e.Staged)
	case e.Variant != nil:
		return m.resumeVariant(e.Lesson, e.Variant)
	}
	return m.openLearning(e.Lesson)
}

// openStaged opens a staged schedule at its start, ready to be watched.
func (m *model) openStaged(l *lessons.Lesson, s *lessons.Staged) tea.Cmd {
	v, err := l.Variant(s.Variant)
	if err != nil {
		return m.fault(err)
	}
	moves, err := token.ParseSteps(s.Steps)
	if err != nil {
		return m.fault(err)
	}
	cmd := m.openLesson(l, v, s.Sets)
	if m.lesson == nil {
		return cmd
	}
	if err := m.lesson.session.Load(moves); err != nil {
		return m.fault(err)
	}
	m.lesson.watched()
	m.lesson.staged = s.Name
	m.lesson.session.Seek(0)
	m.say(s.Story.In(m.lang))
	return cmd
}
