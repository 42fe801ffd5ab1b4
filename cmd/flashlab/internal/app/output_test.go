package app

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"testing"

	"flashlab/lessons"
)

func written(t *testing.T, write func(o *output)) string {
	t.Helper()
	f, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o := newOutput(f)
	if o.Fd() != f.Fd() {
		t.Error("the size of the terminal cannot be asked for")
	}
	write(o)
	text, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A flush is one whole frame to a terminal that knows the marks; changes of mode go
// as they are.
func TestFramesAreWhole(t *testing.T) {
	frame := strings.Repeat("frame ", 100)
	got := written(t, func(o *output) {
		if n, err := o.Write([]byte(frame)); n != len(frame) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		if n, err := o.WriteString("\x1b[?1049h"); n != 8 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	})
	if want := syncBegin + frame + syncEnd + "\x1b[?1049h"; got != want {
		t.Errorf("got %q", got)
	}
}

// Whoever writes at the same time does not tear a frame.
func TestNothingTears(t *testing.T) {
	frame := strings.Repeat("f", 500)
	got := written(t, func(o *output) {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 50 {
					_, _ = o.WriteString(frame)
					_, _ = o.WriteString("\x1b]52;c;dG9rZW4=\x07")
				}
			})
		}
		all.Wait()
	})
	if n := strings.Count(got, syncBegin+frame+syncEnd); n != 400 {
		t.Errorf("%d whole frames of 400", n)
	}
}

func TestWriteToNobody(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if n, err := newOutput(f).Write(bytes.Repeat([]byte("x"), 100)); err == nil || n != 0 {
		t.Errorf("%d, %v", n, err)
	}
}

// y copies the token of what is shown, and says it for terminals that do not listen.
func TestCopy(t *testing.T) {
	for _, env := range []struct {
		name  string
		count int // sequences for the clipboard
	}{{"", 1}, {"TMUX", 2}, {"STY", 1}} {
		t.Setenv("TMUX", "")
		t.Setenv("STY", "")
		if env.name != "" {
			t.Setenv(env.name, "x")
		}
		p := lesson(t, 120, 40)
		var out bytes.Buffer
		p.m.out = &out
		p.press("a", "b", "y")
		p.settle()
		p.must("copied " + p.m.lesson.session.Token())
		if n := strings.Count(out.String(), "]52;c;"); n != env.count {
			t.Errorf("%q: %d sequences in %q", env.name, n, out.String())
		}
		out.Reset()
		p.press("P")
		p.settle()
		p.press("y")
		p.settle()
		p.must("copied oversell.lost-update@")
	}
}

func TestStartsWithLesson(t *testing.T) {
	o := english()
	o.Lesson, o.Variant = "oversell", "guarded"
	p := play(t, o, 80, 24)
	p.must("1 oversell · guarded")
	o.Variant = "nonsense"
	p = play(t, o, 80, 24)
	p.must("Something is wrong")
	p.must("nonsense")
	p.press("esc")
	p.must("lesson map")
	o = Options{Lang: lessons.ZH, Lesson: "nonsense"}
	p = play(t, o, 60, 16)
	p.must("出问题了")
}
