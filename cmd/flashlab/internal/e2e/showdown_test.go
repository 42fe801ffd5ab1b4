package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestShowdownByHand opens the showdown from the map, measures it quickly, keeps the
// figures, and compares with them outside the lab. What the figures are is nobody's
// business here.
func TestShowdownByHand(t *testing.T) {
	x := lab(t, 120, 60, "--lang en") // high enough for all that is printed
	x.wait("lesson map")
	x.press("V")
	x.wait("Guess before you measure")
	x.press("a") // quickly
	x.wait("b stop")
	s := x.within(4*patience, "the end of the measurement", func(s string) bool {
		return !strings.Contains(s, "b stop") && strings.Contains(s, "keep these figures")
	})
	if strings.Contains(s, "broke a promise") || strings.Contains(s, "were measured") {
		t.Errorf("the showdown is not whole:\n%s", s)
	}
	x.press("b") // keep
	x.wait("kept in ")
	file := filepath.Join(x.home, ".local", "state", "flashlab", "showdown.json")
	if _, err := os.Stat(file); err != nil {
		t.Fatalf("nothing was kept: %v", err)
	}
	x.press("q")
	x.wait("lesson map")
	x.press("q")
	x.ended(0)
	x.line("clear; " + binary(t) + " showdown --requests 50 --concurrency 1 --stock 100 --compare " + file)
	s = x.wait("answers a second, before and now")
	if !strings.HasPrefix(s, "50 requests in each sale") {
		t.Errorf("what is printed does not begin on a row of its own:\n%s", s)
	}
	x.ended(0)
}
