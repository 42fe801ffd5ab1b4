package app

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/lessons"
	"flashlab/sim/token"
	"flashlab/store/progress"
)

// recall brings back what the learner has done before.
func (m *model) recall() {
	m.book = progress.Fold(nil, m.now())
	if m.o.Progress == nil {
		return
	}
	events, err := m.o.Progress.Events(m.ctx)
	if err != nil {
		m.complain(m.words.Learn.NotSaved, "why", err.Error())
		return
	}
	m.events = events
	m.book = progress.Fold(events, m.now())
	for name, l := range m.book.Lessons {
		for _, seen := range l.Seen {
			if v, ok := strings.CutPrefix(seen, openedMark); ok && m.marks[name+"."+v] == screen.New {
				m.marks[name+"."+v] = screen.Opened
			}
			if v, ok := strings.CutPrefix(seen, provedMark); ok {
				m.marks[name+"."+v] = screen.Proved
			}
		}
	}
	if l, err := lessons.Find(m.book.Current); err == nil {
		m.home.resume = l.Name + "." + m.book.Lessons[l.Name].Place.Variant
		m.selectAt(screen.Entry{Lesson: l})
	}
}

// What else is kept as a beat that was seen: variants on the stage, and those that
// were proved.
const (
	openedMark = "opened:"
	provedMark = "proved:"
)

// mark notes on the map and in the progress how far a variant has come.
func (m *model) mark(lesson, variant string, to screen.Mark) {
	name := lesson + "." + variant
	if m.marks[name] >= to {
		return
	}
	m.marks[name] = to
	what := openedMark
	if to == screen.Proved {
		what = provedMark
	}
	m.keep(lesson, progress.Visited{Beat: what + variant})
}

// keepPlace notes where the learner is: the variant on the stage and the steps taken.
func (m *model) keepPlace() {
	l := m.lesson.lesson
	was := m.book.Lessons[l.Name].Place.Placed
	is := progress.Placed{Variant: m.lesson.variant.Name, Beat: was.Beat, Steps: token.Steps(m.lesson.session.Cursor().Moves())}
	if m.learn != nil && m.learn.lesson == l {
		is.Beat = m.learn.beat.String()
	}
	if is != was {
		m.keep(l.Name, is)
	}
}

// resumeVariant puts a variant on the stage: where the learner left it last, else at
// its start.
func (m *model) resumeVariant(l *lessons.Lesson, v *lessons.Variant) tea.Cmd {
	left := m.book.Lessons[l.Name].Place
	cmd := m.openLesson(l, v, "")
	if m.lesson == nil || m.book.Current != l.Name || left.Variant != v.Name || left.Steps == "" {
		return cmd
	}
	moves, err := token.ParseSteps(left.Steps)
	if err == nil {
		err = m.lesson.session.Load(moves)
	}
	if err != nil { // the lesson has changed since
		m.lesson.session.Seek(0)
		return cmd
	}
	m.lesson.settle()
	m.say(m.words.Learn.Resumed)
	return cmd
}

// openExercises lists all exercises to choose from.
func (m *model) openExercises() {
	m.show(func() *modalView {
		v := &modalView{Modal: screen.Modal{Title: m.words.Learn.Exercises, List: true}}
		type entry struct {
			l *lessons.Lesson
			x *lessons.Exercise
		}
		var list []entry
		for _, l := range lessons.All() {
			for i := range l.Exercises {
				x := &l.Exercises[i]
				list = append(list, entry{l, x})
				v.Lines = append(v.Lines, screen.Line{Text: m.exerciseMark(x) + " " + l.Name + " · " + x.Title.In(m.lang)})
			}
		}
		if len(list) == 0 {
			return nil
		}
		v.choose = func(i int) tea.Cmd { return m.openExercise(list[i].l, list[i].x) }
		return v
	})
}
