package app

import (
	"context"
	"fmt"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	"flashlab/store/progress"
)

// explainPage: why did it break? The cause is picked, then said in a line of one's
// own, then compared with what the engine says.
func (m *model) explainPage(b *blocks) {
	v, w := m.learn, &m.words.Learn
	if v.exercise == nil {
		i := slices.IndexFunc(v.lesson.Exercises, func(x lessons.Exercise) bool {
			return x.Cause != nil && !m.book.Exercises[x.Name].Explained
		})
		if i < 0 {
			i = slices.IndexFunc(v.lesson.Exercises, func(x lessons.Exercise) bool { return x.Cause != nil })
		}
		if i < 0 {
			m.nothing(b)
			return
		}
		v.exercise = &v.lesson.Exercises[i]
	}
	q := v.exercise.Cause
	why := m.book.Exercises[v.exercise.Name].Why
	b.add(screen.Block{Text: v.exercise.Title.In(m.lang), Style: theme.Dim})
	broken := v.exercise.Break == nil || m.book.Exercises[v.exercise.Name].Steps.Token != ""
	if !broken {
		b.add(screen.Block{Text: w.NotBroken, Style: theme.Warn})
		b.option(w.TakeOver, m.takeOver)
	}
	asked := why.Option == "" || v.reask
	b.add(screen.Block{Text: q.Ask.In(m.lang), Style: theme.Accent, Gap: !broken, Keep: asked})
	if broken && v.exercise.Break != nil {
		defer b.option(w.ShowShort, m.showShortest)
	}
	if asked {
		for _, o := range q.Options {
			b.option(o.Text.In(m.lang), func() tea.Cmd { return m.explained(q, o.Name, "") })
		}
		return
	}
	if o := q.Option(why.Option); o != nil {
		mark, style := "✓ ", theme.OK
		if !why.Right {
			mark, style = "✗ ", theme.Bad
		}
		b.add(screen.Block{Text: mark + o.Text.In(m.lang), Style: style, Gap: true, Indent: 2})
	}
	if why.Line == "" {
		b.option(w.WriteLine, func() tea.Cmd {
			m.prompt = newPrompt('>', w.OwnLine)
			m.prompt.done = func(text string) tea.Cmd {
				if text == "" {
					return nil
				}
				return m.explained(q, why.Option, text)
			}
			return nil
		})
	} else {
		b.add(screen.Block{Text: fill(w.YourLine, "line", why.Line), Gap: true, Indent: 2})
	}
	if why.Line != "" || !why.Right {
		b.add(screen.Block{Text: w.Engine, Style: theme.Title, Gap: true})
		if truth := q.Option(m.truth[q.Name]); truth != nil {
			b.add(screen.Block{Text: truth.Text.In(m.lang), Indent: 2})
		}
		b.add(screen.Block{Text: q.Because.In(m.lang), Indent: 2})
	}
	b.goOn()
	b.option(w.Another, func() tea.Cmd {
		v.reask, v.selected = true, 1
		return nil
	})
}

// showShortest puts a shortest schedule that breaks the exercise on the stage.
func (m *model) showShortest() tea.Cmd {
	v := m.learn
	l, x := v.lesson, v.exercise.Break
	return m.work(m.words.Learn.Checking, func(ctx context.Context) (func() tea.Cmd, error) {
		f, err := m.evidence.Search(l, x.Variant, x.Sets)
		if err != nil {
			return nil, err
		}
		variant, err := l.Variant(x.Variant)
		if err != nil {
			return nil, err
		}
		i := f.Scenario.Light(x.Light)
		if i < 0 {
			return nil, fmt.Errorf("%s.%s shows no light %s", l.Name, x.Variant, x.Light)
		}
		return func() tea.Cmd {
			best := &f.Result.Lights[i]
			cmd := m.stageOf(l, variant, x.Sets, best.Schedule)
			if m.lesson != nil {
				m.lesson.shortest = best.Shortest
			}
			return cmd
		}, nil
	})
}

// explained keeps an explanation.
func (m *model) explained(q *lessons.Question, picked, line string) tea.Cmd {
	v := m.learn
	l, x := v.lesson, v.exercise
	return m.work(m.words.Learn.Checking, func(ctx context.Context) (func() tea.Cmd, error) {
		truth, err := q.Truth(m.evidence, l)
		return func() tea.Cmd {
			m.truth[q.Name] = truth
			v.reask, v.selected, v.scroll = false, 1, toEnd
			m.keep(x.Name, progress.Explained{Lesson: l.Name, Option: picked, Right: picked == truth, Line: line})
			return nil
		}, err
	})
}
