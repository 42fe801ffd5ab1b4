package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// patience is how long a screen may take to show what is waited for.
const patience = 15 * time.Second

// prompt is what the shell in a terminal says when it waits.
const prompt = "ready$ "

// terminal is a shell in a terminal of a tmux server of its own.
type terminal struct {
	t      *testing.T
	socket string
	home   string // the home directory of whoever sits there
}

var terminals atomic.Int64

// hasTmux skips a test on a machine without tmux. Where everything is to be tested,
// which CI=true says, it fails instead.
func hasTmux(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("tmux is not installed, and CI=true asks for every test")
		}
		t.Skip("tmux is not installed: the tests in a real terminal are left out")
	}
}

// sit opens a terminal of w cells by h rows. The environment is the same everywhere
// but for env.
func sit(t *testing.T, w, h int, env ...string) *terminal {
	t.Helper()
	hasTmux(t)
	n := terminals.Add(1)
	x := &terminal{t: t, socket: filepath.Join(scratch, fmt.Sprintf("s%d", n)), home: t.TempDir()}
	conf := filepath.Join(scratch, "tmux.conf")
	text := "set -g status off\nset -g default-terminal tmux-256color\nset -s escape-time 0\nset -g focus-events on\n"
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(x.home, "tmp"), 0o700); err != nil {
		t.Fatal(err)
	}
	all := append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + x.home, "TMPDIR=" + filepath.Join(x.home, "tmp"), "TERM=tmux-256color",
		"LANG=en_US.UTF-8", "PS1=" + prompt,
	}, env...)
	words := append([]string{"-f", conf, "new-session", "-d", "-x", strconv.Itoa(w), "-y", strconv.Itoa(h), "env", "-i"}, all...)
	x.tmux(append(words, "sh", "-c", `cd "$HOME" && exec sh -i`)...)
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", x.socket, "kill-server").Run() })
	x.wait(strings.TrimSpace(prompt))
	return x
}

// lab opens a terminal and starts the program in it.
func lab(t *testing.T, w, h int, args string, env ...string) *terminal {
	t.Helper()
	hasTmux(t)
	file := binary(t)
	x := sit(t, w, h, env...)
	// On one line: what is typed ahead would be taken by the program.
	x.line(strings.TrimSpace("clear; stty -a >before; " + file + " " + args))
	return x
}

// tmux runs a tmux command and returns what it says.
func (x *terminal) tmux(args ...string) string {
	x.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-u", "-S", x.socket}, args...)...).CombinedOutput()
	if err != nil {
		x.t.Fatalf("tmux %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// screen is what can be seen, row by row.
func (x *terminal) screen() string {
	x.t.Helper()
	return x.tmux("capture-pane", "-p")
}

// flag is a property of the terminal, such as "alternate_on".
func (x *terminal) flag(name string) string {
	x.t.Helper()
	return strings.TrimSpace(x.tmux("display-message", "-p", "#{"+name+"}"))
}

// until waits until the screen fulfils what is asked for.
func (x *terminal) until(what string, ok func(screen string) bool) string {
	x.t.Helper()
	return x.within(patience, what, ok)
}

// within is until for what takes long.
func (x *terminal) within(d time.Duration, what string, ok func(screen string) bool) string {
	x.t.Helper()
	end := time.Now().Add(d)
	for {
		s := x.screen()
		if ok(s) {
			return s
		}
		if time.Now().After(end) {
			x.t.Fatalf("waited in vain for %s:\n%s", what, s)
		}
		time.Sleep(15 * time.Millisecond)
	}
}

// wait waits until the screen shows a text.
func (x *terminal) wait(text string) string {
	x.t.Helper()
	return x.until(strconv.Quote(text), func(s string) bool { return strings.Contains(s, text) })
}

// gone waits until a text is gone from the screen.
func (x *terminal) gone(text string) string {
	x.t.Helper()
	return x.until("an end of "+strconv.Quote(text), func(s string) bool { return !strings.Contains(s, text) })
}

// press sends one key after the other, as tmux names them.
func (x *terminal) press(keys ...string) {
	x.t.Helper()
	for _, k := range keys {
		x.tmux("send-keys", k)
	}
}

// typed sends a text letter by letter.
func (x *terminal) typed(text string) {
	x.t.Helper()
	for _, r := range text {
		key := string(r)
		if key == ";" { // tmux would end its command there
			key = `\;`
		}
		x.tmux("send-keys", "-l", key)
	}
}

// line types a line at once and ends it.
func (x *terminal) line(text string) {
	x.t.Helper()
	x.tmux("send-keys", "-l", text)
	x.tmux("send-keys", "Enter")
}

// shell waits until the shell is back.
func (x *terminal) shell() string {
	x.t.Helper()
	return x.until("the shell", func(s string) bool {
		rows := strings.Split(strings.TrimRight(s, "\n "), "\n")
		return strings.TrimSpace(rows[len(rows)-1]) == strings.TrimSpace(prompt)
	})
}

// ended waits until the program has ended and checks its exit code and that the
// terminal is as it was.
func (x *terminal) ended(code int) {
	x.t.Helper()
	x.shell()
	x.line("echo code $? end")
	x.wait("code " + strconv.Itoa(code) + " end")
	x.sane()
}

// size is the part of a terminal's settings that is not the program's.
var size = regexp.MustCompile(`rows \d+; columns \d+;`)

// sane checks that the terminal is as it was before the program.
func (x *terminal) sane() {
	x.t.Helper()
	x.line("stty -a >after; echo saved $?")
	x.wait("saved 0")
	before, after := size.ReplaceAllString(x.file("before"), ""), size.ReplaceAllString(x.file("after"), "")
	if before != after || before == "" {
		x.t.Errorf("the terminal was\n%s\nand is\n%s", before, after)
	}
	for name, want := range map[string]string{"alternate_on": "0", "cursor_flag": "1", "mouse_any_flag": "0", "mouse_sgr_flag": "0"} {
		if got := x.flag(name); got != want {
			x.t.Errorf("%s is %s after the program, want %s", name, got, want)
		}
	}
}

// file reads a file of the home directory, where the shell starts.
func (x *terminal) file(name string) string {
	x.t.Helper()
	text, err := os.ReadFile(filepath.Join(x.home, name))
	if err != nil {
		x.t.Fatal(err)
	}
	return string(text)
}

// child is the process that the shell runs, waited for.
func (x *terminal) child() int {
	x.t.Helper()
	shell := x.flag("pane_pid")
	end := time.Now().Add(patience)
	for time.Now().Before(end) {
		list, err := children(shell)
		if err != nil {
			x.t.Fatal(err)
		}
		if len(list) > 0 {
			pid, err := strconv.Atoi(list[0])
			if err != nil {
				x.t.Fatal(err)
			}
			return pid
		}
		time.Sleep(15 * time.Millisecond)
	}
	x.t.Fatal("the shell runs nothing")
	return 0
}

// children lists the processes that a process has started.
func children(pid string) ([]string, error) {
	// A small Linux may have no ps, others have no such file.
	if text, err := os.ReadFile("/proc/" + pid + "/task/" + pid + "/children"); err == nil {
		return strings.Fields(string(text)), nil
	}
	out, err := exec.Command("ps", "-A", "-o", "pid=,ppid=").Output()
	if err != nil {
		return nil, fmt.Errorf("listing processes: %w", err)
	}
	var list []string
	for _, l := range strings.Split(string(out), "\n") {
		if f := strings.Fields(l); len(f) == 2 && f[1] == pid {
			list = append(list, f[0])
		}
	}
	return list, nil
}
