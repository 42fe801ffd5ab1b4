package app

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"flashlab/lessons"
	"flashlab/store/progress"
)

// learner are options with progress in memory and a place for scripts.
func learner(t *testing.T, lang lessons.Lang) Options {
	t.Helper()
	o := english()
	o.Lang = lang
	s, err := progress.Memory(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	o.Progress, o.Answers = s, filepath.Join(t.TempDir(), "answers")
	return o
}

// option presses the letter of the option that begins with a text.
func (p *player) option(text string) {
	p.t.Helper()
	_, options := p.m.pageBlocks()
	for i, o := range options {
		if strings.HasPrefix(o.text, text) {
			p.press(string(rune('a' + i)))
			p.settle()
			return
		}
	}
	p.t.Fatalf("no option %q:\n%s", text, p.text())
}

// TestFirstLesson goes through every beat of the first lesson with the keyboard
// alone.
func TestFirstLesson(t *testing.T) {
	for _, lang := range []lessons.Lang{lessons.EN, lessons.ZH} {
		for _, size := range [][2]int{{80, 24}, {120, 40}} {
			t.Run(fmt.Sprintf("%s-%dx%d", lang, size[0], size[1]), func(t *testing.T) {
				o := learner(t, lang)
				p := play(t, o, size[0], size[1])
				w := p.m.words.Learn
				l, err := lessons.Find("oversell")
				if err != nil {
					t.Fatal(err)
				}
				in := func(x lessons.Text) string { return x.In(lang) }

				p.press("enter")
				p.must(in(l.Promise))
				p.press("enter")
				p.mustFind(in(l.Predict[0].Ask))
				p.press("a", "c") // wrong, and sure of it
				p.settle()
				p.press("c", "b") // right
				p.settle()
				p.must(w.Kept)
				p.option(w.GoOn)
				p.settle()
				p.must("✗ ✓") // some of each among 20, the seed is fixed
				p.press("end", "down", "down")
				p.must(w.Right)
				book := p.m.book
				if c := book.Calibration; c[2].N != 1 || c[2].Right != 0 || c[1].N != 1 || c[1].Right != 1 {
					t.Errorf("calibration %v", c)
				}

				// Break it; a schedule of one's own is as good as any.
				p.press("}")
				p.option("○ " + in(l.Exercises[0].Title))
				for range 3 {
					p.press("i")
					p.settle()
				}
				p.option(w.TakeOver)
				p.must(w.TaskOf)
				p.press("b", "a", "a", "a", "b", "b")
				p.settle()
				p.must("✓ " + in(l.Exercises[0].Title))
				p.press("esc", "q")
				p.must("●")
				p.option(w.Explain)
				p.option(in(l.Exercises[0].Cause.Options[0].Text))
				p.option(w.WriteLine)
				p.typed("the read was old")
				p.press("enter")
				p.settle()
				p.must("the read was old")
				p.mustFind(in(l.Exercises[0].Cause.Because))

				// Mend it: first what many write, then what is right.
				p.press("}")
				p.option("○ " + in(l.Exercises[1].Title))
				p.option(w.Fill)
				p.typed("stock >= 0")
				p.press("enter")
				p.settle()
				p.must("✗ " + w.Failed)
				p.option(strings.SplitN(w.Counter, "{", 2)[0])
				p.must("stock-not-negative")
				p.press("end", "q")
				p.option(w.Fill)
				p.press("ctrl+u")
				p.typed("stock > 0")
				p.press("enter")
				p.settle()
				p.must("✓ " + w.Passed)

				p.press("}")
				p.option(w.ProveAll)
				for range len(l.Variants) {
					p.settle()
				}
				p.must("guarded")
				p.mustNot("guarded               ?")
				p.press("}")
				p.must(w.Again)
				p.press("}")
				p.option(w.Reveal)
				p.option(w.Grades[2])
				p.option(w.Reveal)
				p.option(w.Grades[0])
				p.option(w.Reveal) // what was not known comes again
				p.option(w.Grades[3])
				p.must(strings.TrimSuffix(fill(w.CardsDone, "n", "3"), "."))
				p.press("}")
				p.must("2 ")
				for b := range lessons.Beats {
					if seen := p.m.book.Lessons["oversell"].Seen; !strings.Contains(strings.Join(seen, " "), b.String()) {
						t.Errorf("%s has not been seen: %v", b, seen)
					}
				}
				p.press("q", "p")
				p.must(fill(w.Summary, "done", "2", "all", "")[:4])

				// The next start knows it all.
				q := play(t, o, size[0], size[1])
				if got := q.m.exerciseMark(&l.Exercises[1]); got != markDone {
					t.Errorf("after a restart the fix is %s", got)
				}
			})
		}
	}
}

// mustFind is must for a text that may be broken over several rows.
func (p *player) mustFind(text string) {
	p.t.Helper()
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if !strings.Contains(squeeze(p.text()), squeeze(text)) {
		p.t.Fatalf("the screen does not show %q:\n%s", text, p.text())
	}
}

// TestScriptOnPage checks the learner's file, shows the counterexample, and the
// solution only to those who have earned it.
func TestScriptOnPage(t *testing.T) {
	o := learner(t, lessons.EN)
	p := play(t, o, 100, 30)
	l, x, err := lessons.FindExercise("unlock")
	if err != nil {
		t.Fatal(err)
	}
	p.add(p.m.openExercise(l, x))
	p.settle()
	w := p.m.words.Learn
	p.mustNot(w.Solution)
	p.option(w.Check)
	p.must("✗ " + w.Failed)
	p.mustFind("deletes the lock without asking whose it is")
	p.option("step through the counterexample")
	p.press("end")
	p.must("✗ no-misdeletion")
	p.press("q")
	p.must("Write unlock.lua")
	file := filepath.Join(o.Answers, "unlock.lua")
	if err := os.WriteFile(file, []byte(x.Fix.Solution), 0o600); err != nil {
		t.Fatal(err)
	}
	p.option(w.Check)
	p.must("✓ " + w.Passed)
	p.option(w.Solution)
	p.option(w.ResetOne)
	p.must("is new again")
	if got := p.m.exerciseMark(x); got != markNew {
		t.Errorf("after the reset: %s", got)
	}
	if _, err := os.Stat(file); err != nil {
		t.Errorf("a file to start from: %v", err)
	}
	p.press("U")
	p.settle()
	if got := p.m.exerciseMark(x); got != markDone {
		t.Errorf("after the undo: %s", got)
	}
	list, err := os.ReadDir(o.Answers)
	if err != nil || len(list) != 2 {
		t.Errorf("the old script is not kept: %v, %v", list, err)
	}
}
