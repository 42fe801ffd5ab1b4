package app

import (
	"context"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/pane"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/lessons/homework"
	"flashlab/store/progress"
)

// fixPage: mend it, or find the bug.
func (m *model) fixPage(b *blocks) {
	v, w := m.learn, &m.words.Learn
	x := v.exercise
	if x == nil {
		m.list(b, w.FixList, lessons.FixIt, lessons.FindBug)
		return
	}
	m.head(b)
	if x.Kind == lessons.FindBug {
		done := m.book.Exercises[x.Name]
		g := m.book.Questions[x.Ask.Name].First
		if g.Option == "" {
			m.ask(b, x.Ask, func() tea.Cmd { return nil })
			b.hintOption()
			return
		}
		m.guess(b, x.Ask)
		m.outcome(b, x.Ask, g.Option)
		if done.Steps.Token == "" {
			m.breakPart(b)
			return
		}
		m.keptPart(b)
	}
	m.fixPart(b)
	m.verdict(b)
	if v.solution {
		b.add(screen.Block{Text: w.SolutionIs, Style: theme.Title, Gap: true})
		b.add(screen.Block{Text: m.solutionText(), Pre: true, Indent: 2, Style: theme.Code})
	}
	passed := homework.StateOf(x, &m.book) == homework.Done
	if (passed || len(v.hints) >= exercise.MaxHints) && !v.solution {
		b.option(w.Solution, func() tea.Cmd {
			v.solution = true
			m.keep(x.Name, progress.Revealed{Lesson: v.lesson.Name})
			return nil
		})
	}
	b.hintOption()
	if passed {
		b.goOn()
	}
	m.resetOption(b)
}

func (m *model) solutionText() string {
	f := m.learn.exercise.Fix
	text, err := exercise.Text(f, f.Solution)
	if err != nil || f.Form == lessons.Pick {
		return f.Solution
	}
	return text
}

// fixPart is how an answer is given.
func (m *model) fixPart(b *blocks) {
	v, w := m.learn, &m.words.Learn
	f := v.exercise.Fix
	switch f.Form {
	case lessons.Pick:
		for _, o := range f.Options {
			b.option(o.Text.In(m.lang), func() tea.Cmd { return m.grade(o.Name) })
			if o.Code != "" {
				b.options[len(b.options)-1].text += "\n" + o.Code
			}
		}
	case lessons.Gap:
		text := f.Frame
		if v.answer != "" {
			text = strings.Replace(text, lessons.Blank, v.answer, 1)
		}
		b.add(screen.Block{Text: text, Pre: true, Gap: true, Indent: 2, Style: theme.Code})
		b.option(w.Fill, func() tea.Cmd {
			m.prompt = newPrompt('>', w.GapPrompt)
			m.prompt.insert(v.answer)
			m.prompt.done = m.grade
			return nil
		})
	case lessons.Order:
		b.add(screen.Block{Text: w.Chosen, Style: theme.Title, Gap: true})
		for _, n := range v.chosen {
			b.add(screen.Block{Text: f.Lines[n-1], Pre: true, Indent: 2, Style: theme.Code})
		}
		b.add(screen.Block{Text: w.Lines, Style: theme.Title, Gap: true})
		for i, line := range f.Lines {
			if slices.Contains(v.chosen, i+1) {
				continue
			}
			b.option(line, func() tea.Cmd { v.chosen = append(v.chosen, i+1); v.verdict = nil; return nil })
		}
		if len(v.chosen) > 0 {
			b.option(w.Check, func() tea.Cmd {
				var words []string
				for _, n := range v.chosen {
					words = append(words, strconv.Itoa(n))
				}
				return m.grade(strings.Join(words, " "))
			})
			b.option(w.TakeBack, func() tea.Cmd { v.chosen = v.chosen[:len(v.chosen)-1]; v.verdict = nil; return nil })
		}
	case lessons.Script:
		file := m.answerPath(f)
		if file == "" {
			b.add(screen.Block{Text: fill(w.NoEditor, "file", f.File), Style: theme.Bad, Gap: true})
			return
		}
		if s := &v.script; s.err != nil {
			b.add(screen.Block{Text: m.mistake(s.err), Style: theme.Bad, Gap: true})
		} else if s.text != "" {
			b.add(screen.Block{Text: s.text, Pre: true, Gap: true, Indent: 2, Style: theme.Code})
		}
		b.option(fill(w.Edit, "file", file), m.edit)
		b.option(w.Check, m.checkFile)
	}
}

// verdict shows what the last answer was worth.
func (m *model) verdict(b *blocks) {
	v, w := m.learn, &m.words.Learn
	x := v.exercise
	switch {
	case v.verdict == nil:
		if last := m.book.Exercises[x.Name].Last; last.Form != "" {
			mark, style := "✓ "+w.Passed, theme.OK
			if !last.Passed {
				mark, style = "✗ "+w.Failed+m.words.Panes.Colon+last.Sentence, theme.Warn
			}
			b.add(screen.Block{Text: mark, Style: style, Gap: true})
		}
		return
	case v.verdict.Passed:
		b.add(screen.Block{Text: "✓ " + w.Passed, Style: theme.OK, Gap: true})
		if say := v.verdict.Remark.In(m.lang); say != "" {
			b.add(screen.Block{Text: say, Style: theme.Warn})
		}
		b.add(screen.Block{Text: x.Learned.In(m.lang)})
	default:
		b.add(screen.Block{Text: "✗ " + w.Failed + m.words.Panes.Colon + v.verdict.Miss.Sentence.In(m.lang), Style: theme.Bad, Gap: true})
		for _, line := range v.verdict.Miss.Shown {
			b.add(screen.Block{Text: line, Pre: true, Indent: 4, Style: theme.Dim})
		}
	}
	for _, s := range v.verdict.Scenes {
		text, style := fill(w.SceneCut, "name", s.Name.In(m.lang)), theme.Warn
		switch {
		case !s.Complete:
		case s.Violating.Sign() == 0:
			text, style = "✓ "+fill(w.Scene, "name", s.Name.In(m.lang), "all", s.Interleavings.String()), theme.OK
		default:
			text, style = "✗ "+fill(w.SceneBad, "name", s.Name.In(m.lang), "bad", s.Violating.String(), "all", s.Interleavings.String()), theme.Bad
		}
		b.add(screen.Block{Text: text, Style: style, Indent: 2})
	}
	if v.verdict.Stage != nil && v.verdict.Light != "" {
		b.option(fill(w.Counter, "steps", pane.Steps(&m.words.Panes, v.verdict.Steps)), m.openVerdict)
		// It is what one wants next: the first of the options.
		last := len(b.options) - 1
		b.options = append([]option{b.options[last]}, b.options[:last]...)
	}
}

// openVerdict puts the counterexample of an answer on the stage.
func (m *model) openVerdict() tea.Cmd {
	v := m.learn
	st := v.verdict.Stage
	cmd := m.stageOf(v.lesson, &st.Variant, st.Sets, v.verdict.Schedule)
	if m.lesson != nil {
		m.lesson.shortest = v.verdict.Steps
	}
	return cmd
}

// grade judges an answer in the background.
func (m *model) grade(answer string) tea.Cmd {
	v := m.learn
	l, x := v.lesson, v.exercise
	v.verdict, v.answer = nil, answer
	return m.work(m.words.Learn.Checking, func(ctx context.Context) (func() tea.Cmd, error) {
		got, err := exercise.Grade(ctx, l, x, answer)
		return func() tea.Cmd {
			v.verdict, v.selected, v.scroll = got, 1, toEnd // what has been found stands at the end
			if kept, ok := homework.Answered(l, x, answer, got); ok {
				m.keep(x.Name, kept)
			}
			return nil
		}, err
	})
}
