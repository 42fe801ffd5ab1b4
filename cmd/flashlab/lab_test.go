package main

import (
	"bytes"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// Without a terminal on its input the lab cannot be used: help, and bad input.
func TestLabWithoutTerminal(t *testing.T) {
	r := flashlab(t)
	if r.code != exitUsage || !strings.Contains(r.out, "Usage:") || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "--plain") {
		t.Errorf("got %+v", r)
	}
}

// In plain mode a lesson is read, stepped, proved and left by lines of text.
func TestLabPlain(t *testing.T) {
	r := flashlabReading(t, "a\nb\nb\nb\na\na\nw\ny\nq\n", "--plain", "--lesson", "oversell")
	r.wants(t, exitHolds)
	for _, part := range []string{
		"1. A SELECT stock FROM voucher WHERE id = 1", "lostupdate.go:17", "✗ no-oversell: orders 2, stock at start 1",
		"A's SELECT (step 1)", "Both read 1, both write 0", "oversell.lost-update@",
	} {
		if !strings.Contains(r.out, part) {
			t.Errorf("%q is missing in:\n%s", part, r.out)
		}
	}
	if i := strings.IndexFunc(r.out, func(c rune) bool { return c < ' ' && c != '\n' || c >= 0x2500 && c < 0x2580 }); i >= 0 {
		t.Errorf("a control character or a frame at %q", r.out[i:])
	}
}

func TestLabPlainChinese(t *testing.T) {
	r := flashlabReading(t, "1\na\nb\nb\nb\na\na\nP\nq\n", "--plain", "--lang", "zh")
	r.wants(t, exitHolds)
	for _, part := range []string{"课程地图", "超卖：先查再改", "✗ no-oversell 在 16 种走法里有 12 种被破坏", "✓ one-per-user 在全部 16 种走法里都成立"} {
		if !strings.Contains(r.out, part) {
			t.Errorf("%q is missing in:\n%s", part, r.out)
		}
	}
}

// The end of the input ends the lab.
func TestLabPlainEnds(t *testing.T) {
	for _, in := range []string{"", "1\n", "1\na\n", "nonsense\n\n999\n\x00\n", "1\n" + strings.Repeat("a\n", 50), strings.Repeat("x", 100_000)} {
		if r := flashlabReading(t, in, "--plain"); r.code != exitHolds || r.err != "" || r.out == "" {
			t.Errorf("%.20q: %+v", in, r)
		}
	}
}

// Somebody who sits at a terminal gets plain mode when the output is none, and when
// the terminal is dumb.
func TestLabPlainByItself(t *testing.T) {
	for name, tt := range map[string]struct {
		term string
		out  bool // the output is the terminal, too
	}{
		"redirected": {"xterm-256color", false},
		"dumb":       {"dumb", true},
	} {
		t.Run(name, func(t *testing.T) {
			master, tty, err := pty.Open()
			if err != nil {
				t.Skipf("no pseudo terminal here: %v", err)
			}
			defer master.Close()
			var out bytes.Buffer
			cmd := start(t, func(c *exec.Cmd) {
				c.Stdin, c.Stdout = tty, &out
				if tt.out {
					c.Stdout = tty
				}
				c.Env = append(c.Environ(), "TERM="+tt.term)
			})
			tty.Close()
			if _, err := master.WriteString("1\na\nq\n"); err != nil {
				t.Fatal(err)
			}
			done := make(chan struct{})
			go func() {
				defer close(done)
				if tt.out {
					io.Copy(&out, master) // ends with an error when the program does
				}
			}()
			if code := exitCode(t, cmd); code != exitHolds {
				t.Errorf("exit code %d", code)
			}
			<-done
			if text := out.String(); strings.Contains(text, "\x1b") || !strings.Contains(text, "1. A SELECT stock") {
				t.Errorf("got %q", text)
			}
		})
	}
}

// A pipe on both sides needs to be told.
func TestLabInAPipe(t *testing.T) {
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(file, "--plain")
	cmd.Stdin = strings.NewReader("q\n")
	cmd.Env = append(cmd.Environ(), "TERM=dumb")
	out, err := cmd.Output()
	if err != nil || strings.Contains(string(out), "\x1b") || !strings.Contains(string(out), "oversell") {
		t.Errorf("%v: %q", err, out)
	}
}
