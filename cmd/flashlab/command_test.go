package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/adrg/xdg"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite testdata, README.md and the generated files in assets")

// top is the top of the source tree, seen from this package.
const top = "../.."

// scratch is a directory for the whole test run, and here that of the package: a test
// may have gone elsewhere.
var scratch, here string

func TestMain(m *testing.M) {
	flag.Parse()
	code, err := withScratch(m.Run)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// withScratch runs the tests in an environment that is the same everywhere.
func withScratch(tests func() int) (code int, err error) {
	if here, err = os.Getwd(); err != nil {
		return 1, err
	}
	if scratch, err = os.MkdirTemp("", "flashlab-test-"); err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	for _, name := range []string{"FLASHLAB_LANG", "LC_ALL", "LC_MESSAGES", "LC_CTYPE", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLORTERM", "COLORFGBG", "REDUCED_MOTION", "TMUX"} {
		os.Unsetenv(name)
	}
	os.Setenv("LANG", "en_US.UTF-8")
	os.Setenv("TERM", "xterm-256color")
	os.Setenv("XDG_STATE_HOME", filepath.Join(scratch, "state"))
	xdg.Reload()
	return tests(), nil
}

// result is what one command line has left behind.
type result struct {
	code     int
	out, err string
}

// flashlab runs a command line in this process, without input.
func flashlab(t *testing.T, args ...string) result {
	t.Helper()
	return flashlabReading(t, "", args...)
}

// flashlabReading runs a command line that finds a text on its standard input.
func flashlabReading(t *testing.T, in string, args ...string) result {
	t.Helper()
	var out, errOut bytes.Buffer
	code := Main(args, strings.NewReader(in), &out, &errOut)
	return result{code, out.String(), errOut.String()}
}

// flashlabUnder runs a command line in a context of the caller's, which may be over.
func flashlabUnder(ctx context.Context, args ...string) result {
	var out, errOut bytes.Buffer
	code := execute(ctx, args, strings.NewReader(""), &out, &errOut)
	return result{code, out.String(), errOut.String()}
}

// wants fails unless the command ended with code and said nothing on stderr.
func (r result) wants(t *testing.T, code int) {
	t.Helper()
	if r.code != code || r.err != "" {
		t.Fatalf("exit code %d, want %d; stderr %q; stdout:\n%s", r.code, code, r.err, r.out)
	}
}

// program is the built binary, for what a process alone can show: signals, pipes
// and terminals. It is built once.
var program = sync.OnceValues(func() (string, error) {
	file := filepath.Join(scratch, "flashlab")
	cmd := exec.Command("go", "build", "-o", file, ".")
	cmd.Dir = here
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return file, nil
})

// start runs the binary. Its standard input is empty unless prepare says otherwise.
func start(t *testing.T, prepare func(*exec.Cmd), args ...string) *exec.Cmd {
	t.Helper()
	file, err := program()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(file, args...)
	prepare(cmd)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd
}

// golden compares got with a file, or writes the file under -update. The name is
// seen from this package.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		t.Fatalf("%v (go test ./cmd/flashlab -update writes it)", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	if string(want) == got {
		return
	}
	diff := cmp.Diff(string(want), got)
	const most = 4000 // bytes; a picture is one long difference
	if len(diff) > most {
		diff = diff[:most] + "..."
	}
	t.Errorf("%s differs (-want +got; if it is meant to, go test ./cmd/flashlab -update):\n%s", file, diff)
}

// hashes are the parts of a token that change whenever the scenario does.
var hashes = regexp.MustCompile(`@[0-9a-z]{3}:([A-Za-z0-9]*)~[0-9a-z]`)

// steady masks them, so that golden files only change when what they show does.
func steady(text string) string { return hashes.ReplaceAllString(text, "@...:$1~.") }

// slurp reads a file of the source tree, named from its top.
func slurp(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(top, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
