package e2e

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestNewcomer is the first ten minutes with the program, typed into a real terminal.
func TestNewcomer(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			x := lab(t, size[0], size[1], "")
			x.wait("lesson map")
			x.press("Down", "Enter")
			x.wait("Who steps next")
			for i, key := range []string{"a", "b", "a", "b", "a", "b"} {
				x.press(key)
				x.wait(fmt.Sprintf("step %d", i+1))
			}
			s := x.wait("no-oversell broke at step 6")
			for _, text := range []string{"Orders: 2, stock left: 0", "✗ no-oversell", "SELECT (step 2)"} {
				if !strings.Contains(s, text) {
					t.Errorf("%q is not on the screen:\n%s", text, s)
				}
			}
			x.press("Left", "Left", "Left", "Left")
			x.wait("Go back (←) before step")
			x.press("Left")
			x.gone("Go back")
			x.press("a", "a")
			x.wait("╵ ok, has an order")
			x.press("b")
			x.wait("B: sold out")
			if s := x.wait("Orders: 1, stock left: 0"); !strings.Contains(s, "Everything") || strings.Contains(s, "✗") {
				t.Errorf("the end is not green:\n%s", s)
			}
			x.press("P")
			x.wait("breaks in 12 of 16")
			x.press("Enter")
			x.wait("no-oversell breaks at step 6")
			x.press("End")
			x.wait("no-oversell broke at step 6")
			x.press("L")
			x.wait("在第 6 步被打破")
			x.press("L", "?")
			x.wait("Keys")
			x.press("Escape")
			x.gone("Keys")
			x.press("q")
			x.wait("lesson map")
			x.press("q")
			x.ended(0)
		})
	}
}

func TestResizeWhileRunning(t *testing.T) {
	x := lab(t, 80, 24, "--lesson oversell")
	x.wait("Who steps next")
	x.press("a", "b")
	x.wait("step 2")
	for _, size := range [][2]int{{120, 40}, {59, 15}, {200, 50}, {30, 10}, {60, 16}, {100, 30}, {80, 24}} {
		w, h := size[0], size[1]
		x.tmux("resize-window", "-x", fmt.Sprint(w), "-y", fmt.Sprint(h))
		if w < 60 || h < 16 {
			x.wait(fmt.Sprintf("%dx%d", w, h))
			continue
		}
		s := x.until("a whole screen", func(s string) bool {
			rows := strings.Split(strings.TrimRight(s, "\n"), "\n")
			return len(rows) == h && strings.HasPrefix(rows[0], " 1 oversell") && strings.HasSuffix(strings.TrimRight(rows[0], " "), "EN") &&
				strings.Contains(rows[h-1], "q map")
		})
		if !strings.Contains(s, "Who steps next") {
			t.Errorf("%dx%d: no choices:\n%s", w, h, s)
		}
	}
	x.press("b")
	x.wait("step 3")
	x.press("C-c")
	x.ended(130)
}

// Two labs at once, in the same home, do not disturb each other.
func TestTwoLabs(t *testing.T) {
	x := lab(t, 80, 24, "--lesson oversell --variant guarded")
	y := sit(t, 80, 24, "XDG_STATE_HOME="+x.home, "TMPDIR="+filepath.Join(x.home, "tmp"))
	y.line("clear; stty -a >before; " + binary(t) + " --lesson oversell --variant guarded")
	x.wait("Who steps next")
	y.wait("Who steps next")
	for i := range 4 {
		x.press("a")
		y.press("b")
		x.wait(fmt.Sprintf("step %d", i+1))
		y.wait(fmt.Sprintf("step %d", i+1))
	}
	x.press("P")
	y.press("P")
	x.wait("every schedule")
	y.wait("every schedule")
	x.press("C-c")
	x.ended(130)
	y.press("q")
	y.wait("Who steps next")
	y.press("a")
	y.wait("step 5")
	y.press("q", "q")
	y.ended(0)
}
