package app

import (
	"fmt"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// oversold is a lesson at its fullest: broken, with every pane in use.
func oversold(t testing.TB, w, h int) *player {
	p := lesson(t, w, h)
	p.press("a", "b", "a", "b", "a", "b")
	return p
}

// BenchmarkRepaint composes and encodes a whole screen, though nothing has changed.
func BenchmarkRepaint(b *testing.B) {
	for _, size := range [][2]int{{80, 24}, {120, 40}, {200, 60}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			p := oversold(b, size[0], size[1])
			b.ReportAllocs()
			for b.Loop() {
				p.m.paint()
			}
		})
	}
}

// BenchmarkView is what bubbletea pays for every message.
func BenchmarkView(b *testing.B) {
	p := oversold(b, 200, 60)
	for b.Loop() {
		if p.m.View() == "" {
			b.Fatal("no view")
		}
	}
}

// BenchmarkStep is the way from a key to the new frame: back and forward along what
// was done, and new steps on real engines.
func BenchmarkStep(b *testing.B) {
	left, right := keyOf("left"), keyOf("right")
	b.Run("walk", func(b *testing.B) {
		p := oversold(b, 200, 60)
		for b.Loop() {
			p.m.Update(left)
			p.m.Update(right)
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(2*b.N), "µs/key")
	})
	b.Run("new", func(b *testing.B) {
		keys := []tea.KeyMsg{keyOf("a"), keyOf("b"), keyOf("a"), keyOf("b"), keyOf("a"), keyOf("b")}
		p := lesson(b, 200, 60)
		for b.Loop() {
			for _, k := range keys {
				p.m.Update(k)
			}
			b.StopTimer()
			p.m.Update(keyOf("ctrl+r"))
			b.StartTimer()
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(6*b.N), "µs/key")
	})
}

// The bars are for a quiet machine; a test allows for a loaded one.
func TestFastEnough(t *testing.T) {
	if testing.Short() || raced {
		t.Skip("measures time")
	}
	p := oversold(t, 200, 60)
	best := func(f func()) time.Duration {
		least := time.Hour
		for range 20 {
			start := time.Now()
			for range 10 {
				f()
			}
			least = min(least, time.Since(start)/10)
		}
		return least
	}
	for _, c := range []struct {
		what string
		bar  time.Duration
		f    func()
	}{
		{"repainting 200x60", 300 * time.Microsecond, p.m.paint},
		{"a view", 50 * time.Microsecond, func() { _ = p.m.View() }},
		{"a step back", 500 * time.Microsecond, func() { p.m.Update(keyOf("left")); p.m.Update(keyOf("right")) }},
	} {
		took := best(c.f)
		t.Logf("%s: %v", c.what, took)
		if took > 20*c.bar {
			t.Errorf("%s takes %v, the bar is %v", c.what, took, c.bar)
		}
	}
}
