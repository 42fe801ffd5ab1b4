package app

import (
	"context"
	"slices"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/lessons/homework"
	"flashlab/store/progress"
)

type canvasStyle = canvas.Style

// The marks of exercises.
const (
	markDone  = "●"
	markTried = "◐"
	markNew   = "○"
)

func (m *model) exerciseMark(x *lessons.Exercise) string {
	switch homework.StateOf(x, &m.book) {
	case homework.Done:
		return markDone
	case homework.Tried:
		return markTried
	}
	return markNew
}

// openExercise shows an exercise of the lesson.
func (m *model) openExercise(l *lessons.Lesson, x *lessons.Exercise) tea.Cmd {
	b := lessons.BeatFix
	if x.Kind == lessons.BreakIt {
		b = lessons.BeatBreak
	}
	cmd := m.openBeat(l, b)
	return tea.Batch(cmd, m.beginExercise(x))
}

func (m *model) beginExercise(x *lessons.Exercise) tea.Cmd {
	v := m.learn
	v.leaveExercise()
	v.exercise = x
	done := m.book.Exercises[x.Name]
	if v.solution = done.Revealed && homework.StateOf(x, &m.book) == homework.Done; x.Fix != nil && done.Last.Form == x.Fix.Form.String() {
		v.answer = done.Last.Answer
		if x.Fix.Form == lessons.Order {
			for _, word := range strings.Fields(v.answer) {
				if n, err := strconv.Atoi(word); err == nil && n > 0 && n <= len(x.Fix.Lines) {
					v.chosen = append(v.chosen, n)
				}
			}
		}
	}
	cmds := []tea.Cmd{m.giveHints(done.Hints), m.worthAgain()}
	if x.Fix != nil && x.Fix.Form == lessons.Script {
		cmds = append(cmds, m.openScript())
	}
	return tea.Batch(cmds...)
}

// recalled is what was found out again about an exercise that was done before.
type recalled struct {
	exercise *lessons.Exercise
	token    string
	got      *exercise.Breaking
}

// worthAgain finds out again what the schedule is worth that was kept.
func (m *model) worthAgain() tea.Cmd {
	v := m.learn
	l, x := v.lesson, v.exercise
	name := m.book.Exercises[x.Name].Steps.Token
	if x.Break == nil || name == "" {
		return nil
	}
	return m.guard.cmd(func() tea.Msg {
		// A token of another version of the lesson is shown as it is.
		got, err := exercise.GradeToken(m.evidence, l, x, name)
		if err != nil || !got.Broke {
			return nil
		}
		return recalled{x, name, got}
	})
}

func (m *model) recalledWorth(r recalled) {
	if v := m.learn; v != nil && v.exercise == r.exercise && m.book.Exercises[r.exercise.Name].Steps.Token == r.token {
		v.kept = r.got
	}
}

// giveHints brings back the hints that were given before.
func (m *model) giveHints(n int) tea.Cmd {
	v := m.learn
	if n == 0 || len(v.hints) >= n {
		return nil
	}
	l, x := v.lesson, v.exercise
	return m.work("", func(ctx context.Context) (func() tea.Cmd, error) {
		var list []lessons.Text
		for i := 1; i <= min(n, exercise.MaxHints); i++ {
			t, err := exercise.Hint(ctx, m.evidence, l, x, i)
			if err != nil {
				return nil, err
			}
			list = append(list, t)
		}
		return func() tea.Cmd { v.hints = list; return nil }, nil
	})
}

// hint gives the next hint of the exercise, on its page or over the stage.
func (m *model) hint() tea.Cmd {
	v := m.learn
	if v == nil || v.exercise == nil {
		return nil
	}
	if len(v.hints) >= exercise.MaxHints {
		m.say(m.words.Learn.AllHints)
		return nil
	}
	l, x, n := v.lesson, v.exercise, len(v.hints)+1
	return m.work("", func(ctx context.Context) (func() tea.Cmd, error) {
		t, err := exercise.Hint(ctx, m.evidence, l, x, n)
		return func() tea.Cmd {
			v.hints = append(v.hints, t)
			v.scroll = toEnd
			m.keep(x.Name, progress.Hinted{Lesson: l.Name, N: n})
			if m.lesson != nil { // on the stage
				m.show(func() *modalView {
					w := &modalView{through: true, Modal: screen.Modal{Title: fill(m.words.Learn.Hint, "n", strconv.Itoa(n), "all", strconv.Itoa(exercise.MaxHints))}}
					m.write(w, t.In(m.lang), theme.Text)
					return w
				})
			}
			return nil
		}, err
	})
}

// list shows the exercises of the beat.
func (m *model) list(b *blocks, title string, kinds ...lessons.ExerciseKind) {
	v := m.learn
	var list []*lessons.Exercise
	for i := range v.lesson.Exercises {
		if x := &v.lesson.Exercises[i]; slices.Contains(kinds, x.Kind) {
			list = append(list, x)
		}
	}
	if len(list) == 0 {
		m.nothing(b)
		return
	}
	b.add(screen.Block{Text: title, Style: theme.Title})
	for _, x := range list {
		text := m.exerciseMark(x) + " " + x.Title.In(m.lang)
		if bug := m.words.Learn.BugList; x.Kind == lessons.FindBug && !strings.Contains(strings.ToLower(text), strings.ToLower(bug)) {
			text += "  · " + bug
		}
		b.option(text, func() tea.Cmd { return m.beginExercise(x) })
	}
	b.goOn()
}

// head shows the task of the exercise and the hints that were given.
func (m *model) head(b *blocks) {
	v, w := m.learn, &m.words.Learn
	x := v.exercise
	b.add(screen.Block{Text: m.exerciseMark(x) + " " + x.Title.In(m.lang), Style: theme.Title})
	b.text(x.Task.In(m.lang))
	if x.Code != nil {
		b.title(w.Read)
		for _, line := range m.snippet(x.Code) {
			b.add(screen.Block{Text: line, Pre: true, Indent: 2, Style: theme.Code})
		}
	}
	for i, h := range v.hints {
		b.add(screen.Block{Text: fill(w.Hint, "n", strconv.Itoa(i+1), "all", strconv.Itoa(exercise.MaxHints)), Style: theme.Dim, Gap: true})
		b.add(screen.Block{Text: h.In(m.lang), Style: theme.Accent, Indent: 2})
	}
}

// snippet is the code of an exercise that is read.
func (m *model) snippet(s *lessons.Snippet) []string {
	if s.Text != "" {
		return strings.Split(strings.TrimRight(s.Text, "\n"), "\n")
	}
	lines, err := m.learn.lesson.FuncSource(s.File, s.Func)
	if err != nil {
		return []string{err.Error()}
	}
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], "\t", "    ")
	}
	return lines
}

func (b *blocks) hintOption() {
	v := b.m.learn
	if n := len(v.hints); n < exercise.MaxHints {
		b.option(fill(b.m.words.Learn.HintKey, "n", strconv.Itoa(n+1), "all", strconv.Itoa(exercise.MaxHints)), b.m.hint)
	}
}

// resetOption offers to do the exercise as if for the first time.
func (m *model) resetOption(b *blocks) {
	v := m.learn
	x := v.exercise
	if m.exerciseMark(x) == markNew {
		return
	}
	b.option(m.words.Learn.ResetOne, func() tea.Cmd {
		m.keep(x.Name, progress.Reset{})
		if x.Ask != nil {
			m.keep(x.Ask.Name, progress.Reset{})
		}
		if f := x.Fix; f != nil && f.Form == lessons.Script {
			if err := m.setAside(f); err != nil {
				return m.fault(err)
			}
		}
		cmd := m.beginExercise(x)
		m.say(m.words.Learn.ResetUndo, "name", x.Title.In(m.lang))
		return cmd
	})
}

// undoReset takes the last reset back.
func (m *model) undoReset() tea.Cmd {
	if n := len(m.book.Resets); n > 0 {
		m.keep(m.book.Resets[n-1].ID, progress.Undone{})
		if x := m.learn.exercise; x != nil {
			return m.beginExercise(x)
		}
	}
	return nil
}
