package app

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/lessons/homework"
	"flashlab/sim/history"
)

// breakPage: the learner is the scheduler.
func (m *model) breakPage(b *blocks) {
	v, w := m.learn, &m.words.Learn
	if v.exercise == nil {
		m.list(b, w.BreakList, lessons.BreakIt)
		return
	}
	m.head(b)
	m.breakPart(b)
	if v.breaking != nil && v.breaking.Broke || m.book.Exercises[v.exercise.Name].Steps.Token != "" {
		if v.exercise.Cause != nil {
			b.option(w.Explain, func() tea.Cmd {
				x := v.exercise
				cmd := m.openBeat(v.lesson, lessons.BeatExplain)
				v.exercise = x
				return cmd
			})
		}
		b.goOn()
	}
	m.resetOption(b)
}

// breakPart shows what the learner's schedule is worth, and the way to the stage.
func (m *model) breakPart(b *blocks) {
	v, w := m.learn, &m.words.Learn
	x := v.exercise
	over := w.TakeOver
	if v.breaking != nil {
		said := v.breaking.Sentence(x)
		style, mark := theme.OK, "✓ "
		if !v.breaking.Broke {
			style, mark = theme.Warn, "· "
		}
		b.add(screen.Block{Text: mark + said.In(m.lang), Style: style, Gap: true})
		if v.breaking.Broke {
			b.add(screen.Block{Text: x.Learned.In(m.lang), Style: theme.Text, Gap: true})
			over = w.Fewer
		}
	} else if m.book.Exercises[x.Name].Steps.Token != "" {
		m.keptPart(b)
		over = w.Fewer
	}
	b.option(over, m.takeOver)
	b.hintOption()
}

// keptPart shows what the schedule is worth that broke it before; its token as long as
// that is not known.
func (m *model) keptPart(b *blocks) {
	v := m.learn
	text := m.book.Exercises[v.exercise.Name].Steps.Token
	if v.kept != nil {
		text = v.kept.Sentence(v.exercise).In(m.lang)
	}
	b.add(screen.Block{Text: "✓ " + text, Style: theme.OK, Gap: true})
	if v.kept != nil {
		b.add(screen.Block{Text: v.exercise.Learned.In(m.lang), Style: theme.Text, Gap: true})
	}
}

// takeOver puts the scene of a break on the stage.
func (m *model) takeOver() tea.Cmd {
	v := m.learn
	x := v.exercise.Break
	variant, err := v.lesson.Variant(x.Variant)
	if err != nil {
		return m.fault(err)
	}
	v.breaking = nil
	cmd := m.stageOf(v.lesson, variant, x.Sets, nil)
	if m.lesson != nil {
		m.lesson.task = v.exercise
	}
	return cmd
}

// judgeStage looks whether the schedule on the stage has done what the exercise
// asks for; then its page comes back.
func (m *model) judgeStage() tea.Cmd {
	s := m.lesson
	if s == nil || s.task == nil || m.learn == nil || !s.shown().Broken(s.task.Break.Light) {
		return nil
	}
	l, x, moves := m.learn.lesson, s.task, s.session.Cursor().Moves()
	name := history.TokenOf(s.scenario, s.session.Hash(), moves)
	s.task = nil // once
	return m.work(m.words.Learn.Checking, func(ctx context.Context) (func() tea.Cmd, error) {
		got, err := exercise.GradeBreak(m.evidence, l, x, moves)
		if err != nil {
			return nil, err
		}
		return func() tea.Cmd {
			m.learn.breaking = got
			m.learn.scroll = toEnd
			m.keep(x.Name, homework.Broke(l, x, name, got))
			if m.book.Exercises[x.Name].Steps.Token == name {
				m.learn.kept = got
			}
			m.show(func() *modalView {
				w := &modalView{through: true, Modal: screen.Modal{Title: "✓ " + x.Title.In(m.lang)}}
				m.write(w, got.Sentence(x).In(m.lang), theme.OK)
				w.gap()
				m.write(w, x.Learned.In(m.lang), theme.Text)
				w.gap()
				m.write(w, m.words.Learn.BackToPage, theme.Dim)
				return w
			})
			return nil
		}, nil
	})
}
