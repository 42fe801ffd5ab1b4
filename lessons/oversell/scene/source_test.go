package scene_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"flashlab/lessons"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

const (
	screenLines   = 40
	screenColumns = 80
)

// TestFit: the code on the projector needs no scrolling.
func TestFit(t *testing.T) {
	l := lesson(t)
	for i := range l.Variants {
		v := &l.Variants[i]
		g, err := l.GoSource(v.File)
		if err != nil {
			t.Fatal(err)
		}
		j, err := l.JavaSource(v.JavaFile)
		if err != nil {
			t.Fatal(err)
		}
		for file, lines := range map[string][]string{v.File: g, v.JavaFile: j} {
			if len(lines) > screenLines {
				t.Errorf("%s has %d lines", file, len(lines))
			}
			for n, line := range lines {
				if w := utf8.RuneCountInString(strings.ReplaceAll(line, "\t", "        ")); w > screenColumns {
					t.Errorf("%s:%d is %d columns wide", file, n+1, w)
				}
			}
		}
		name := v.Func[strings.LastIndexByte(v.Func, '.')+1:]
		if !strings.Contains(strings.Join(g, "\n"), "func (s *Shop) "+name+"(") {
			t.Errorf("%s: there is no %s in %s", v.Name, v.Func, v.File)
		}
	}
}

// TestStepTexts: each step stands on one line of the Go file and on one of the
// Java file.
func TestStepTexts(t *testing.T) {
	l := lesson(t)
	for i := range l.Variants {
		v := &l.Variants[i]
		g, _ := l.GoSource(v.File)
		j, _ := l.JavaSource(v.JavaFile)
		if len(v.Steps) == 0 {
			t.Errorf("%s has no steps", v.Name)
		}
		for k := range v.Steps {
			s := &v.Steps[k]
			if n := matches(g, s.Go); n != 1 {
				t.Errorf("%s: %q stands on %d lines of %s", v.Name, s.Go, n, v.File)
			}
			if n := matches(j, s.Java); n != 1 {
				t.Errorf("%s: %q stands on %d lines of %s", v.Name, s.Java, n, v.JavaFile)
			}
			line, ok := v.GoLine(l, s)
			if at, found := v.StepAt(l, v.File, line); !ok || !found || at != s {
				t.Errorf("%s: line %d is not that of %q", v.Name, line, s.Go)
			}
			if _, ok := v.JavaLine(l, s); !ok {
				t.Errorf("%s: %q has no Java line", v.Name, s.Java)
			}
		}
	}
}

func matches(lines []string, part string) int {
	n := 0
	for _, line := range lines {
		if part != "" && strings.Contains(line, part) {
			n++
		}
	}
	return n
}

// TestStepsCoverOperations runs every variant in many ways: whatever an actor does
// or waits to do must stand on a line that belongs to a step, and every step must
// be met.
func TestStepsCoverOperations(t *testing.T) {
	l := lesson(t)
	for i := range l.Variants {
		v := &l.Variants[i]
		met := map[*lessons.Step]bool{}
		for _, sets := range []string{"stock=0", "stock=1", "stock=2", "buyers=3,stock=2"} {
			s := func() *scenario.Scenario { return scene(t, v.Name, sets) }
			runs := [][]trace.Frame{
				play(t, s(), func(*scenario.Run, int) (bool, int) { return false, 0 }),
				play(t, s(), func(r *scenario.Run, _ int) (bool, int) { return false, len(r.Moves(nil)) - 1 }),
				play(t, s(), func(_ *scenario.Run, n int) (bool, int) { return false, n }),
			}
			for seed := range uint64(8) {
				rnd := rand.New(rand.NewPCG(seed, 1))
				runs = append(runs, play(t, s(), func(*scenario.Run, int) (bool, int) { return false, rnd.IntN(8) }))
			}
			for _, frames := range runs {
				cover(t, l, v, frames, met)
			}
		}
		for k := range v.Steps {
			if !met[&v.Steps[k]] {
				t.Errorf("%s: no run comes to %q", v.Name, v.Steps[k].Go)
			}
		}
	}
	for i := range l.Staged {
		frames, err := l.Staged[i].Run(l)
		if err != nil {
			t.Fatal(err)
		}
		v, err := l.Variant(l.Staged[i].Variant)
		if err != nil {
			t.Fatal(err)
		}
		cover(t, l, v, frames, map[*lessons.Step]bool{})
	}
}

func cover(t *testing.T, l *lessons.Lesson, v *lessons.Variant, frames []trace.Frame, met map[*lessons.Step]bool) {
	t.Helper()
	for _, f := range frames {
		if e := f.Event; e != nil && e.Kind != "env" {
			if len(e.Stack) == 0 {
				t.Fatalf("%s: %s has no line", v.Name, e.Args)
			}
			at := e.Stack[0]
			s, ok := v.StepAt(l, at.File, at.Line)
			if !ok {
				t.Errorf("%s: %s at %s:%d belongs to no step", v.Name, e.Op, at.File, at.Line)
			}
			if at.Func != v.Func && !strings.HasPrefix(at.Func, v.Func+".") {
				t.Errorf("%s: %s runs in %s, not in %s", v.Name, e.Op, at.Func, v.Func)
			}
			met[s] = true
		}
		for _, a := range f.State.Actors {
			if len(a.Stack) == 0 {
				continue
			}
			if _, ok := v.StepAt(l, a.Stack[0].File, a.Stack[0].Line); !ok {
				t.Errorf("%s: %s waits before %s at %s:%d, which belongs to no step", v.Name, a.Letter, a.NextOp, a.Stack[0].File, a.Stack[0].Line)
			}
		}
	}
}
