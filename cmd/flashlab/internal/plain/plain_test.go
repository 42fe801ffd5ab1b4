package plain

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"flashlab/lessons"
	_ "flashlab/lessons/all"
)

// talk gives answers, one a line, and returns what was said.
func talk(t *testing.T, o Options, answers ...string) string {
	t.Helper()
	var out strings.Builder
	if err := Run(context.Background(), strings.NewReader(strings.Join(answers, "\n")+"\n"), &out, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func want(t *testing.T, got string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(got, text) {
			t.Errorf("%q was not said:\n%s", text, got)
		}
	}
}

// TestStory: break it, go back, do better, prove it.
func TestStory(t *testing.T) {
	got := talk(t, Options{}, "1", "a", "b", "a", "b", "a", "b", "u", "u", "u", "u", "u", "a", "a", "b", "P", "y", "q")
	want(t, got,
		"lost-update", "1. A SELECT stock FROM voucher WHERE id = 1 (lostupdate.go:8)",
		"✗ no-oversell", "B's SELECT (step 2) saw stock=1", "sold out",
		"no-oversell breaks in 12 of 16 schedules, the shortest has 6 steps",
		"stock-not-negative holds in all 16 schedules", "oversell.lost-update@")
	after := got[strings.LastIndex(got, "sold out"):]
	if i := strings.Index(after, "P prove"); strings.Contains(after[:max(i, 0)], "✗") {
		t.Errorf("something is broken at the end:\n%s", after)
	}
}

func TestChinese(t *testing.T) {
	got := talk(t, Options{Lang: lessons.ZH, Lesson: "oversell"}, "a", "b", "a", "b", "a", "b", "P", "L", "q")
	want(t, got, "超卖", "16 种走法里有 12 种被破坏", "A 查到 stock=1", "u back")
}

func TestAnswers(t *testing.T) {
	got := talk(t, Options{}, "L", "L", "nonsense", "99", "0", "-1", "1",
		"nonsense", "99", "z", "g", "?", "s", "w", "", "u", "u", "m", "5", "a", "b", "q")
	want(t, got,
		"输入写法的编号", "nonsense is not one of the choices", "99 is not one of the choices",
		"z does nothing here", "A number takes that choice", " AB   8  ", "nothing has broken so far",
		"this is the start")
}

// Nothing that is said has escape sequences, colours or boxes.
func TestPlainness(t *testing.T) {
	for _, lang := range []lessons.Lang{lessons.EN, lessons.ZH} {
		got := talk(t, Options{Lang: lang}, "1", "s", "a", "b", "a", "b", "a", "b", "w", "P", "y", "\x1b[2J\x07", "m", "q")
		for _, r := range got {
			if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x2500 && r < 0x2580 {
				t.Fatalf("%s: %q was said:\n%s", lang, r, got)
			}
		}
	}
}

func TestUnknownLesson(t *testing.T) {
	for _, o := range []Options{{Lesson: "nonsense"}, {Lesson: "oversell", Variant: "nonsense"}} {
		if err := Run(context.Background(), strings.NewReader(""), io.Discard, o); err == nil {
			t.Errorf("%+v was opened", o)
		}
	}
}

// A silent user does not keep a signal waiting, and no engine is left behind.
func TestCancel(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	r, w := io.Pipe()
	defer goleak.VerifyNone(t)
	defer w.Close()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- Run(ctx, r, io.Discard, Options{Lesson: "oversell", Variant: "guarded"}) }()
	time.Sleep(50 * time.Millisecond)
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it waits on for an answer")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestTooLongAnswer(t *testing.T) {
	err := Run(context.Background(), strings.NewReader(strings.Repeat("x", 2*longest)), io.Discard, Options{})
	if err == nil || !strings.Contains(err.Error(), "reading an answer") {
		t.Errorf("error %v", err)
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

// Where nobody listens, nothing is asked.
func TestBrokenOutput(t *testing.T) {
	if err := Run(context.Background(), strings.NewReader("1\na\n"), full{}, Options{}); err == nil {
		t.Error("no error")
	}
}
