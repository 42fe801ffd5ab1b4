package main

import (
	"bytes"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// Packages that are ready are initialised in the order of their paths. The prelude
// works only while it comes before bubbletea, which asks the terminal in its init.
func TestPreludeComesFirst(t *testing.T) {
	const (
		prelude   = "flashlab/cmd/flashlab/internal/prelude"
		bubbletea = "github.com/charmbracelet/bubbletea"
	)
	module, _, _ := strings.Cut(strings.TrimPrefix(slurp(t, "go.mod"), "module "), "\n")
	if !strings.HasPrefix(prelude, module+"/") {
		t.Fatalf("the module is called %s now; set the path above", module)
	}
	if prelude >= bubbletea {
		t.Errorf("%s must sort before %s: choose another name for the module", prelude, bubbletea)
	}
	// What the prelude imports must be ready no later than what bubbletea imports.
	for _, path := range treeOf(t).imports("cmd/flashlab/internal/prelude") {
		if path != "os" && path != "github.com/charmbracelet/lipgloss" {
			t.Errorf("prelude imports %s", path)
		}
	}
}

// In a terminal that never answers, nothing is asked and nothing waits.
func TestSilentTerminal(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--version"}, {"--help"}, {"lessons"}} {
		var screen bytes.Buffer
		file, err := program()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(file, args...)
		cmd.Env = append(cmd.Environ(), "TERM=xterm-256color")
		begin := time.Now()
		tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 80, Rows: 24})
		if err != nil {
			t.Skipf("no pseudo terminal here: %v", err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			io.Copy(&screen, tty) // ends with an error when the program does
		}()
		if code := exitCode(t, cmd); code != exitHolds {
			t.Errorf("%v: exit code %d", args, code)
		}
		took := time.Since(begin)
		<-done
		tty.Close()
		// Bubbletea would wait five seconds; a busy machine gets two.
		if took > 2*time.Second {
			t.Errorf("%v took %v", args, took)
		}
		if i := bytes.IndexByte(screen.Bytes(), 0x1b); i >= 0 {
			t.Errorf("%v asks the terminal: %q", args, screen.Bytes()[i:])
		}
	}
}
