package e2e

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// silent is a program in a pseudo terminal that never answers a question.
type silent struct {
	cmd   *exec.Cmd
	start time.Time
	tty   interface {
		Write([]byte) (int, error)
		Close() error
	}

	mu   sync.Mutex
	text []byte
	more chan struct{} // closed when text grows
	done chan struct{} // closed when nothing comes any more
}

func startSilent(t testing.TB, args ...string) *silent {
	t.Helper()
	s := &silent{cmd: exec.Command(binary(t), args...), more: make(chan struct{}), done: make(chan struct{})}
	s.cmd.Env = append(s.cmd.Environ(), "TERM=xterm-256color", "LANG=en_US.UTF-8", "LC_ALL=", "NO_COLOR=", "TMUX=")
	s.start = time.Now()
	tty, err := pty.StartWithSize(s.cmd, &pty.Winsize{Cols: 80, Rows: 24})
	if err != nil {
		t.Skipf("no pseudo terminal here: %v", err)
	}
	s.tty = tty
	go func() {
		defer close(s.done)
		buf := make([]byte, 1<<16)
		for {
			n, err := tty.Read(buf)
			s.mu.Lock()
			s.text = append(s.text, buf[:n]...)
			close(s.more)
			s.more = make(chan struct{})
			s.mu.Unlock()
			if err != nil { // the program has ended
				return
			}
		}
	}()
	return s
}

// until waits until the output contains a text and returns the time since the start.
func (s *silent) until(t testing.TB, text string) time.Duration {
	t.Helper()
	end := time.After(patience)
	for {
		s.mu.Lock()
		found, more := bytes.Contains(s.text, []byte(text)), s.more
		s.mu.Unlock()
		if found {
			return time.Since(s.start)
		}
		select {
		case <-more:
		case <-s.done:
			t.Fatalf("the program ended without %q: %q", text, s.text)
		case <-end:
			t.Fatalf("waited in vain for %q: %q", text, s.text)
		}
	}
}

// end waits for the end and returns everything that was written.
func (s *silent) end(t testing.TB) string {
	t.Helper()
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("%v: %v", s.cmd.Args, err)
	}
	<-s.done
	s.tty.Close()
	return string(s.text)
}

// quit leaves the program by its key.
func (s *silent) quit(t testing.TB) string {
	t.Helper()
	if _, err := s.tty.Write([]byte("q")); err != nil {
		t.Fatal(err)
	}
	return s.end(t)
}

// questions are what a terminal would have to answer: its ground, its cursor.
var questions = []string{"\x1b]10", "\x1b]11", "\x1b[6n", "\x1b[c", "\x1b[>c", "\x1b[?u"}

func TestVersionAsksNothing(t *testing.T) {
	best := time.Hour
	for range 5 {
		s := startSilent(t, "version")
		out := s.end(t)
		best = min(best, time.Since(s.start))
		if strings.Contains(out, "\x1b") || !strings.Contains(out, "flashlab") {
			t.Fatalf("it wrote %q", out)
		}
	}
	if best > 200*time.Millisecond {
		t.Errorf("the version took %v", best)
	}
}

func TestFirstFrameAsksNothing(t *testing.T) {
	best := time.Hour
	for range 5 {
		s := startSilent(t)
		best = min(best, s.until(t, "lesson map"))
		out := s.quit(t)
		for _, q := range questions {
			if strings.Contains(out, q) {
				t.Fatalf("it asks the terminal %q", q)
			}
		}
		// One flush is one write between the marks of a whole frame.
		if strings.Count(out, "\x1b[?2026h") != strings.Count(out, "\x1b[?2026l") {
			t.Error("a frame was not ended")
		}
	}
	if best > time.Second {
		t.Errorf("the first frame took %v", best)
	}
}

// BenchmarkFirstFrame starts the program again and again: ms/frame is the median time
// from the start of the process to the last row of its first screen.
func BenchmarkFirstFrame(b *testing.B) {
	for b.Loop() {
		var all []time.Duration
		for range 20 {
			s := startSilent(b)
			all = append(all, s.until(b, "quit"))
			s.quit(b)
		}
		slices.Sort(all)
		b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "ms/frame")
	}
}
