package app

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"pgregory.net/rapid"

	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/lessons"
	"flashlab/sim/explore"
)

// sizes are those that a walk resizes to beside any others.
var sizes = [][2]int{{80, 24}, {120, 40}, {60, 16}, {59, 15}, {0, 0}, {1, 1}, {2, 100}, {100, 2}, {99, 33}, {160, 45}, {200, 60}, {400, 200}}

// lines are what is typed at prompts now and then.
var lines = []string{
	":set buyers=3", ":set buyers=5 stock=2", ":set crashes=1", ":set stock=0", ":variant guarded", ":variant immediate-tx", ":variant cas-version",
	":set expiries=2", ":set pauses=1", ":set redeliveries=1", ":set ticks=2", ":set nodes=2",
	":staged both-read-one", ":staged crash-between", ":lesson oversell", ":3", ":0", ":999", ":nonsense", "/stock", "/order", "/guarded", "/锁", "/",
}

// scene is a variant of a lesson, by name.
type scene struct{ lesson, variant string }

// scenes are all that there are: one of them is open at the start of a walk.
func scenes() []scene {
	var out []scene
	for _, l := range lessons.All() {
		for _, v := range l.Variants {
			out = append(out, scene{l.Name, v.Name})
		}
	}
	return out
}

// TestWalks presses thousands of random keys on screens of random sizes: the program
// never panics, and every frame is exactly as large as the screen (player.look).
func TestWalks(t *testing.T) {
	if checks := flag.Lookup("rapid.checks"); raced && checks.Value.String() == checks.DefValue {
		if err := checks.Value.Set("15"); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = checks.Value.Set(checks.DefValue) }()
	}
	keys := allKeys()
	rapid.Check(t, func(r *rapid.T) {
		o := english()
		if rapid.Bool().Draw(r, "zh") {
			o.Lang = lessons.ZH
		}
		o.ASCII = rapid.Bool().Draw(r, "ascii")
		if rapid.Bool().Draw(r, "in a lesson") {
			at := rapid.SampledFrom(scenes()).Draw(r, "scene")
			o.Lesson, o.Variant = at.lesson, at.variant
		}
		p := play(t, o, 80, 24)
		p.m.side, p.m.limits = explore.Limits{States: 300}, explore.Limits{States: 300}
		defer p.m.close()
		size := rapid.SampledFrom(sizes)
		key := rapid.SampledFrom(keys)
		line := rapid.SampledFrom(lines)
		length := rapid.IntRange(0, 410)
		for range rapid.IntRange(20, 100).Draw(r, "keys") {
			switch rapid.IntRange(0, 40).Draw(r, "what") {
			case 0:
				s := size.Draw(r, "size")
				p.resize(s[0], s[1])
			case 1:
				p.resize(length.Draw(r, "w"), length.Draw(r, "h"))
			case 2:
				p.press("esc")
				p.typed(line.Draw(r, "line"))
				p.press("down", "enter")
			case 3:
				p.settle()
			case 4:
				p.tick()
			case 5:
				x, y := length.Draw(r, "x"), length.Draw(r, "y")
				b := rapid.SampledFrom([]tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelDown, tea.MouseButtonWheelUp}).Draw(r, "button")
				p.send(tea.MouseMsg{X: x, Y: y, Button: b, Action: tea.MouseActionPress})
			case 6:
				p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(strings.Repeat(key.Draw(r, "burst"), 3))})
			case 7, 8, 9, 10, 11, 12, 13:
				p.press(rapid.SampledFrom([]string{"a", "b", "c", "d", "enter", " ", "right", "left", "!", "t", "x", "p", "r"}).Draw(r, "step"))
			default:
				p.press(key.Draw(r, "key"))
			}
			if len(p.cmds) > 8 {
				p.settle()
			}
		}
		p.settle()
		if bad := p.m.guard.err(); bad != nil {
			r.Fatal(bad)
		}
		// However confused, the user gets home with the keys that say so.
		p.resize(80, 24)
		for range 6 {
			p.press("esc")
		}
		if p.m.lesson != nil || len(p.m.modals) > 0 || p.m.prompt != nil {
			r.Fatalf("esc does not lead home:\n%s", p.text())
		}
	})
}

// TestTooSmall: below the smallest screen one sentence says so, and nothing is lost.
func TestTooSmall(t *testing.T) {
	for _, lang := range []lessons.Lang{lessons.EN, lessons.ZH} {
		o := english()
		o.Lang = lang
		p := play(t, o, 80, 24)
		p.press("down", "enter", "a", "b")
		for _, s := range [][2]int{{59, 15}, {59, 24}, {80, 15}, {30, 8}} {
			p.resize(s[0], s[1])
			p.must("60x16")
			p.must(fmt.Sprintf("%dx%d", s[0], s[1]))
			if n := strings.Count(strings.TrimSpace(p.text()), "\n"); n > 1 {
				t.Errorf("%v: more than a sentence:\n%s", s, p.text())
			}
		}
		p.press("a", "?") // keys still work
		p.resize(1, 1)
		p.resize(0, 0)
		if p.m.View() != "" {
			t.Error("a frame on a screen without cells")
		}
		p.resize(layout.MinWidth, layout.MinHeight)
		p.press("esc")
		if p.depth() != 3 {
			t.Errorf("at step %d after all that", p.depth())
		}
	}
}
