package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestQuit(t *testing.T) {
	x := lab(t, 80, 24, "--mouse")
	x.wait("lesson map")
	for name, want := range map[string]string{"alternate_on": "1", "cursor_flag": "0", "mouse_any_flag": "1"} {
		if got := x.flag(name); got != want {
			t.Errorf("%s is %s in the program, want %s", name, got, want)
		}
	}
	x.press("q")
	x.ended(0)
}

func TestInterruptKey(t *testing.T) {
	x := lab(t, 80, 24, "--lesson oversell --mouse")
	x.wait("Who steps next")
	x.press("C-c")
	x.ended(130)
}

// Each signal restores the terminal, removes the engines' files and gives its exit
// code. The scene has its database in a file, and a search is going on.
func TestSignals(t *testing.T) {
	for sig, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		t.Run(sig.String(), func(t *testing.T) {
			x := lab(t, 80, 24, "--lesson oversell --variant guarded --mouse")
			x.wait("Who steps next")
			x.line(":set buyers=6 crashes=2")
			x.wait("buyers=6")
			x.press("P")
			x.wait("searching")
			if len(worlds(t, x)) == 0 {
				t.Fatal("no engine has a file: the test tests nothing")
			}
			if err := syscall.Kill(x.child(), sig); err != nil {
				t.Fatal(err)
			}
			x.ended(code)
			if left := worlds(t, x); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// Plain mode waits for a line and still obeys.
func TestSignalsInPlainMode(t *testing.T) {
	for sig, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		t.Run(sig.String(), func(t *testing.T) {
			x := lab(t, 80, 24, "--plain --lesson oversell --variant guarded")
			x.wait("quit>")
			if err := syscall.Kill(x.child(), sig); err != nil {
				t.Fatal(err)
			}
			x.ended(code)
			if left := worlds(t, x); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// worlds lists the directories of engines.
func worlds(t *testing.T, x *terminal) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(x.home, "tmp", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestQuitRemovesWorlds(t *testing.T) {
	x := lab(t, 80, 24, "--lesson oversell --variant guarded")
	x.wait("Who steps next")
	if len(worlds(t, x)) == 0 {
		t.Fatal("no engine has a file: the test tests nothing")
	}
	x.press("a", "b", "q", "q")
	x.ended(0)
	if left := worlds(t, x); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A lab that was killed outright leaves its files; the next one takes them away.
func TestStaleWorlds(t *testing.T) {
	x := lab(t, 80, 24, "--lesson oversell --variant guarded")
	x.wait("Who steps next")
	if err := syscall.Kill(x.child(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	x.until("the death", func(s string) bool { return strings.Contains(s, "Killed") })
	if len(worlds(t, x)) == 0 {
		t.Fatal("nothing is left of a killed lab: the test tests nothing")
	}
	// The terminal is as the lab had it: enter is not the end of a line there.
	x.typed("stty sane; tput rmcup; clear; " + binary(t))
	x.press("C-j")
	x.wait("lesson map")
	x.press("q")
	x.shell()
	if left := worlds(t, x); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSuspend(t *testing.T) {
	x := lab(t, 80, 24, "--lesson oversell --mouse")
	x.wait("Who steps next")
	x.press("a")
	x.wait("step 1")
	for range 2 {
		x.press("C-z")
		x.until("the shell", func(s string) bool { return strings.Contains(s, "Stopped") })
		x.line("clear")
		x.sane()
		x.line("clear; fg")
		x.wait("Who steps next")
		x.until("the mouse", func(string) bool { return x.flag("mouse_any_flag") == "1" && x.flag("alternate_on") == "1" })
	}
	x.press("b")
	x.wait("step 2")
	// What has changed in the meantime is noticed.
	x.press("C-z")
	x.until("the shell", func(s string) bool { return strings.Contains(s, "Stopped") })
	x.tmux("resize-window", "-x", "120", "-y", "40")
	x.line("clear; fg")
	x.until("the new size", func(s string) bool {
		return len(strings.Split(strings.TrimRight(s, "\n"), "\n")) == 40 && strings.Contains(s, "7 Events")
	})
	x.press("q", "q")
	x.ended(0)
}

// cpuTime is what a process has used so far, user and system.
func cpuTime(pid int) (time.Duration, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, false
	}
	// The name in parentheses may hold anything; what follows is numbers.
	f := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(f) < 13 {
		return 0, false
	}
	var user, sys int64
	if _, err := fmt.Sscan(f[11]+" "+f[12], &user, &sys); err != nil {
		return 0, false
	}
	const tick = time.Second / 100 // USER_HZ, the same on every Linux
	return time.Duration(user+sys) * tick, true
}

// A lab that nobody touches costs next to nothing.
func TestIdle(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	x := lab(t, 120, 40, "--lesson oversell")
	x.wait("Who steps next")
	x.press("a")
	x.wait("step 1")
	time.Sleep(time.Second) // the search on the side is over
	pid := x.child()
	before, ok := cpuTime(pid)
	if !ok {
		t.Skip("this system does not tell what a process uses")
	}
	const watch = 5 * time.Second
	time.Sleep(watch)
	after, _ := cpuTime(pid)
	share := 100 * (after - before).Seconds() / watch.Seconds()
	t.Logf("%.1f %% of a core", share)
	if share > 4 { // 1.5 is the aim; a loaded machine gets more
		t.Errorf("an idle lab uses %.1f %% of a core", share)
	}
	x.press("C-c")
	x.ended(130)
}
