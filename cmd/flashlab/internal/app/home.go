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
	selected int
	resume   string // "lesson.variant" that was left last
	search   string // what n and N look for
}

func newHome() *homeView { return &homeView{} }

// entries lists the map: lessons, under the selected one its variants and staged
// schedules.
func (m *model) entries() []screen.Entry {
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
	for _, e := range s.Entries {
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

func (m *model) homeKey(a keymap.Action, key string) tea.Cmd {
	list := m.entries()
	if m.home.search != "" && (key == "n" || key == "N") {
		m.findLine(key == "n")
		return nil
	}
	switch a {
	case keymap.Up:
		m.home.selected = m.nearest(list, m.home.selected-1, -1)
	case keymap.Down:
		m.home.selected = m.nearest(list, m.home.selected+1, 1)
	case keymap.First:
		m.home.selected = m.nearest(list, 0, 1)
	case keymap.Last:
		m.home.selected = m.nearest(list, len(list)-1, -1)
	case keymap.Search:
		m.prompt = newPrompt('/', m.words.App.PromptKeys)
	case keymap.Open:
		return m.openEntry(list[m.nearest(list, m.home.selected, 1)])
	case keymap.Quit:
		return tea.Quit
	}
	return nil
}

// openEntry opens what a line of the map stands for.
func (m *model) openEntry(e screen.Entry) tea.Cmd {
	switch {
	case e.Staged != nil:
		return m.openStaged(e.Lesson, e.Staged)
	case e.Variant != nil:
		return m.openLesson(e.Lesson, e.Variant, "")
	}
	return m.openLesson(e.Lesson, &e.Lesson.Variants[0], "")
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
