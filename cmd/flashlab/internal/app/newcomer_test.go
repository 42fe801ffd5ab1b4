package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"flashlab/lessons"
)

// TestRandomRunsHaveFaults: lessons that break only by a fault are broken by some of
// the random schedules.
func TestRandomRunsHaveFaults(t *testing.T) {
	for _, l := range lessons.All() {
		if l.Number < 3 || l.Number > 5 {
			continue
		}
		runs, err := randomRuns(context.Background(), l, 1)
		if err != nil {
			t.Fatal(err)
		}
		faults := 0
		for _, r := range runs {
			for _, m := range r.moves {
				if !m.Actor() {
					faults++
				}
			}
		}
		if faults == 0 {
			t.Errorf("%s: no move of the environment in %d runs", l.Name, len(runs))
		}
	}
}

// TestUnsure: an answer without a confidence is not dropped without a word.
func TestUnsure(t *testing.T) {
	p := play(t, learner(t, lessons.EN), 80, 24)
	p.press("enter", "enter", "a", "}")
	p.must("not kept before you say how sure you are")
	if p.m.learn.beat != lessons.BeatPredict || p.m.learn.option == "" {
		t.Error("the answer is gone")
	}
	p.press("}")
	if p.m.learn.beat != lessons.BeatRun {
		t.Errorf("the second } leads to %s", p.m.learn.beat)
	}
}

// TestThroughBox: keys of the stage close the box that lies over it, and act.
func TestThroughBox(t *testing.T) {
	p := play(t, learner(t, lessons.EN), 80, 24)
	p.press("enter", "}", "}", "}", "a", "a", "b", "a", "a", "a", "b", "b")
	p.settle()
	p.must("✓ Sell the last unit twice")
	p.press("W")
	p.must("Why did it break?")
	p.press("}")
	p.settle()
	if p.m.lesson != nil || p.m.learn.beat != lessons.BeatExplain {
		t.Errorf("} did not go on:\n%s", p.text())
	}
}

// TestOddFiles: what stands in place of a script cannot stop or garble the page.
func TestOddFiles(t *testing.T) {
	for name, make := range map[string]func(file string) error{
		"is no regular file":    func(file string) error { return syscall.Mkfifo(file, 0o600) },
		"has more than 64 KiB":  func(file string) error { return os.WriteFile(file, []byte(strings.Repeat("x\n", 40_000)), 0o600) },
		"is no UTF-8 text":      func(file string) error { return os.WriteFile(file, []byte("\xff\xfe\x00"), 0o600) },
		"is no regular file: p": func(file string) error { return os.Mkdir(file, 0o700) },
	} {
		o := learner(t, lessons.EN)
		if err := os.MkdirAll(o.Answers, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := make(filepath.Join(o.Answers, "unlock.lua")); err != nil {
			t.Fatal(err)
		}
		p := play(t, o, 120, 40)
		l, x, err := lessons.FindExercise("unlock")
		if err != nil {
			t.Fatal(err)
		}
		p.add(p.m.openExercise(l, x))
		p.settle()
		p.mustFind(name)
		p.option(p.m.words.Learn.Check)
		p.mustFind(name)
		p.mustNot(p.m.words.App.Problem)
	}
}

// TestKeptWorth: after a restart the page says again what the kept schedule is worth.
func TestKeptWorth(t *testing.T) {
	o := learner(t, lessons.EN)
	p := play(t, o, 80, 24)
	p.press("enter", "}", "}", "}", "a", "a", "b", "a", "b", "b", "a", "a")
	p.settle()
	p.press("esc", "q", "q")
	q := play(t, o, 80, 24)
	l, x, err := lessons.FindExercise(lessons.All()[0].Exercises[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	q.add(q.m.openExercise(l, x))
	q.settle()
	q.mustFind("Broken in")
	q.m.openBeat(l, lessons.BeatExplain)
	q.m.paint()
	q.option(q.m.words.Learn.ShowShort)
	if q.m.lesson == nil || !q.m.lesson.watch {
		t.Errorf("the shortest schedule is not shown:\n%s", q.text())
	}
}

// TestEditorFails: it is named, with what can be done.
func TestEditorFails(t *testing.T) {
	p := play(t, learner(t, lessons.EN), 120, 40)
	p.send(edited{err: os.ErrInvalid, editor: "/bin/false", file: "/tmp/unlock.lua"})
	p.mustFind("the editor /bin/false failed (invalid argument): set EDITOR to another one, or edit /tmp/unlock.lua elsewhere")
}

// TestChosenInSight: on the page of every exercise the chosen option is in sight,
// whichever it is.
func TestChosenInSight(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}} {
		for _, lang := range []lessons.Lang{lessons.EN, lessons.ZH} {
			o := learner(t, lang)
			p := play(t, o, size[0], size[1])
			for _, l := range lessons.All() {
				for i := range l.Exercises {
					p.m.openExercise(l, &l.Exercises[i])
					_, options := p.m.pageBlocks()
					for range options {
						p.press("down")
						if !strings.Contains(p.text(), "▶") {
							t.Errorf("%v %s: option %d is out of sight:\n%s", size, l.Exercises[i].Name, p.m.learn.selected, p.text())
						}
					}
				}
			}
		}
	}
}
