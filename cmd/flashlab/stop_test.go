package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// busy is a search that takes a minute and more.
var busy = []string{"explore", "oversell", "--variant", "lost-update", "--set", "buyers=7"}

// A signal ends a search early; what it has found is printed.
func TestSignals(t *testing.T) {
	for name, tt := range map[string]struct {
		signal syscall.Signal
		code   int
		args   []string
		want   string
	}{
		"int":  {syscall.SIGINT, 130, busy, "NOT COMPLETE (stopped before the end)"},
		"term": {syscall.SIGTERM, 143, append(busy, "--json"), `"bound": "cancelled"`},
		"hup":  {syscall.SIGHUP, 129, append(busy, "--json"), `"bound": "cancelled"`},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errOut bytes.Buffer
			cmd := start(t, func(c *exec.Cmd) { c.Stdout, c.Stderr = &out, &errOut }, tt.args...)
			time.Sleep(700 * time.Millisecond) // far into the search, far from its end
			if err := cmd.Process.Signal(tt.signal); err != nil {
				t.Fatal(err)
			}
			sent := time.Now()
			if code := exitCode(t, cmd); code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
			if took := time.Since(sent); took > 5*time.Second {
				t.Errorf("it took %v to stop", took)
			}
			if errOut.Len() > 0 {
				t.Errorf("stderr %q", errOut.String())
			}
			if !strings.Contains(out.String(), tt.want) || !strings.Contains(out.String(), "breaks") {
				t.Errorf("what was found is missing:\n%s", out.String())
			}
			if name != "int" {
				if x := readExplored(t, out.String()); x.Complete || x.Interleavings != nil || x.Verdict != "breaks" {
					t.Errorf("got %+v", x)
				}
			}
		})
	}
}

// In plain mode the program waits for a line; a signal ends it all the same.
func TestSignalWhileReading(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var out bytes.Buffer
	cmd := start(t, func(c *exec.Cmd) { c.Stdin, c.Stdout = r, &out }, "--plain")
	time.Sleep(300 * time.Millisecond)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code := exitCode(t, cmd); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
}

// exitCode waits for a program, but not for ever.
func exitCode(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	late := time.AfterFunc(20*time.Second, func() { cmd.Process.Kill() })
	defer late.Stop()
	err := cmd.Wait()
	var e *exec.ExitError
	if err != nil && !errors.As(err, &e) {
		t.Fatal(err)
	}
	if s, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return 128 + int(s.Signal()) // as a shell tells it
	}
	return cmd.ProcessState.ExitCode()
}

// A reader that has seen enough is no fault: no message, and the code of SIGPIPE.
func TestBrokenPipe(t *testing.T) {
	for _, args := range [][]string{
		{"explore", "oversell"}, {"run", "oversell", "--format", "html"}, {"lessons", "--json"}, {"version"}, {"--help"},
		{"man"}, {"completion", "bash"}, {"doctor"}, {"help", "run"}, {"--version"},
	} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		r.Close()
		var errOut bytes.Buffer
		if code := Main(args, strings.NewReader(""), w, &errOut); code != exitPipe || errOut.Len() > 0 {
			t.Errorf("%v: exit code %d, want %d; stderr %q", args, code, exitPipe, errOut.String())
		}
		w.Close()
	}
}

// The same in a shell's pipeline, where the pipe breaks while the program writes.
func TestBrokenPipeline(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var errOut bytes.Buffer
	cmd := start(t, func(c *exec.Cmd) { c.Stdout, c.Stderr = w, &errOut }, "run", "oversell", "--staged", "both-read-one", "--format", "html")
	w.Close()
	if _, err := io.ReadFull(r, make([]byte, 64)); err != nil {
		t.Fatal(err)
	}
	r.Close()
	if code := exitCode(t, cmd); code != exitPipe || errOut.Len() > 0 {
		t.Errorf("exit code %d, want %d; stderr %q", code, exitPipe, errOut.String())
	}
}

// full refuses every byte, as a full disk does.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

func TestFullDisk(t *testing.T) {
	for _, args := range [][]string{{"explore", "oversell"}, {"lessons"}, {"--help"}, {"completion", "zsh"}, {"run", "oversell", "--format", "svg"}} {
		var errOut bytes.Buffer
		code := Main(args, strings.NewReader(""), full{}, &errOut)
		if text := errOut.String(); code != exitService || !strings.Contains(text, "no space left") || strings.Count(text, "\n") != 1 {
			t.Errorf("%v: exit code %d, want %d; stderr %q", args, code, exitService, text)
		}
	}
}

// A fault in the program itself must not look like bad input, whose code a Go panic
// would end with.
func TestPanic(t *testing.T) {
	var errOut bytes.Buffer
	code := execute(context.Background(), []string{"lessons"}, strings.NewReader(""), panics{}, &errOut)
	if text := errOut.String(); code != exitFault || !strings.HasPrefix(text, "flashlab: internal fault: out of order") || !strings.Contains(text, "stop_test.go") {
		t.Errorf("exit code %d, want %d; stderr %q", code, exitFault, text)
	}
}

type panics struct{}

func (panics) Write([]byte) (int, error) { panic("out of order") }
