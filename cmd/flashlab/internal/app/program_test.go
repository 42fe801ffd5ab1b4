package app

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/exp/teatest"
	"go.uber.org/goleak"

	"flashlab/lessons"
)

// wait is how long a program may take to show what is waited for.
const wait = 10 * time.Second

// program runs the real program on a screen without a terminal.
func program(t *testing.T, o Options, w, h int) *teatest.TestModel {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	g := &guard{}
	m := newModel(ctx, o, g, io.Discard)
	t.Cleanup(func() {
		stop()
		g.close(closing, m.close)
	})
	tm := teatest.NewTestModel(t, m, teatest.WithInitialTermSize(w, h))
	t.Cleanup(func() { _ = tm.Quit() })
	return tm
}

// noLeak returns a function that fails if goroutines are left that were not there
// before, but for the one that teatest waits for signals with.
func noLeak(t *testing.T) func() {
	before := goleak.IgnoreCurrent()
	return func() {
		t.Helper()
		goleak.VerifyNone(t, before, goleak.IgnoreTopFunction("github.com/charmbracelet/x/exp/teatest.NewTestModel.func2"))
	}
}

func shows(t *testing.T, tm *teatest.TestModel, text string) {
	t.Helper()
	teatest.WaitFor(t, tm.Output(), func(b []byte) bool { return bytes.Contains(b, []byte(text)) }, teatest.WithDuration(wait))
}

func TestProgramStory(t *testing.T) {
	defer noLeak(t)()
	t.Run("story", func(t *testing.T) {
		tm := program(t, english(), 120, 40)
		shows(t, tm, "lesson map")
		tm.Send(tea.KeyMsg{Type: tea.KeyDown})
		tm.Send(tea.KeyMsg{Type: tea.KeyEnter})
		shows(t, tm, "Who steps next")
		for _, k := range []string{"ab", "a", "bab"} { // bursts and single keys
			tm.Send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)})
		}
		shows(t, tm, "no-oversell broke at step 6")
		tm.Type("P")
		shows(t, tm, "every schedule was checked")
		tm.Type("qqq")
		m := tm.FinalModel(t, teatest.WithFinalTimeout(wait)).(*model)
		if m.lesson != nil || m.interrupted {
			t.Error("q q q did not lead through the map out of the program")
		}
	})
}

func TestProgramPlays(t *testing.T) {
	defer noLeak(t)()
	t.Run("play", func(t *testing.T) {
		o := english()
		o.Lang, o.Lesson, o.Variant = lessons.ZH, "oversell", "guarded"
		tm := program(t, o, 80, 24)
		shows(t, tm, "guarded")
		tm.Type("]]]") // eight times as fast
		tm.Send(tea.KeyMsg{Type: tea.KeySpace})
		shows(t, tm, "· 结束")
		tm.Send(tea.KeyMsg{Type: tea.KeyCtrlC})
		m := tm.FinalModel(t, teatest.WithFinalTimeout(wait)).(*model)
		if !m.interrupted || m.lesson.playing || !m.lesson.session.Cursor().Ended() {
			t.Errorf("interrupted %v, playing %v", m.interrupted, m.lesson.playing)
		}
	})
}

// Whoever leaves in the middle of a search leaves nothing behind: neither goroutine
// nor file.
func TestProgramLeavesSearch(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	defer noLeak(t)()
	t.Run("search", func(t *testing.T) {
		o := english()
		o.Lesson, o.Variant = "oversell", "guarded" // has its database in a file
		tm := program(t, o, 80, 24)
		shows(t, tm, "guarded")
		tm.Type(":set buyers=6 crashes=2")
		tm.Send(tea.KeyMsg{Type: tea.KeyEnter})
		shows(t, tm, "buyers=6")
		tm.Type("P")
		shows(t, tm, "searching every schedule")
		tm.Send(tea.KeyMsg{Type: tea.KeyCtrlC})
		tm.WaitFinished(t, teatest.WithFinalTimeout(wait))
	})
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// Run on files that are no terminal ends with the context, and takes its engines
// along.
func TestRunEndsWithContext(t *testing.T) {
	defer noLeak(t)()
	in, typist := io.Pipe()
	defer typist.Close()
	out, err := os.Create(t.TempDir() + "/out")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Run(ctx, in, out, english()) }()
	time.Sleep(100 * time.Millisecond)
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(wait):
		t.Fatal("it runs on")
	}
	text, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	for _, seq := range []string{"\x1b[?1049h", "\x1b[?1049l", "\x1b[?25h", "\x1b[?1004l"} {
		if !strings.Contains(string(text), seq) {
			t.Errorf("%q was not written", seq)
		}
	}
}

// A panic ends the program with an error that holds the text and the place.
func TestPanics(t *testing.T) {
	g := &guard{}
	m := newModel(context.Background(), english(), g, io.Discard)
	m.resize(80, 24)
	m.home = nil // nothing can be painted without it
	m.Update(tea.KeyMsg{Type: tea.KeyDown})
	if err := g.err(); err == nil || !strings.Contains(err.Error(), "internal fault") || !strings.Contains(err.Error(), "homeKey") {
		t.Errorf("error %v", err)
	}
	g = &guard{}
	if msg := g.cmd(func() tea.Msg { panic("in a command") })(); msg != nil {
		t.Errorf("message %v", msg)
	}
	g.run(func() { panic("another") })
	if err := g.err(); err == nil || !strings.Contains(err.Error(), "in a command") {
		t.Errorf("error %v, want the first", err)
	}
	start := time.Now()
	hang := make(chan struct{})
	defer close(hang)
	go g.run(func() { <-hang })
	time.Sleep(20 * time.Millisecond)
	g.close(50*time.Millisecond, func() { panic(errors.New("while closing")) })
	if d := time.Since(start); d > time.Second {
		t.Errorf("closing took %v", d)
	}
	g.run(func() { t.Error("something began after the end") })
}
