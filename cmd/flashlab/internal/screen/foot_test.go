package screen

import (
	"fmt"
	"strings"
	"testing"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/lessons"
)

var languages = []lessons.Lang{lessons.EN, lessons.ZH}

// rows paints something on a canvas and returns its rows without trailing spaces.
func rows(w, h int, paint func(v canvas.View)) []string {
	c := canvas.New(w, h)
	paint(c.View(c.Bounds()))
	return strings.Split(strings.TrimSuffix(c.Trimmed(canvas.Unicode), "\n"), "\n")
}

func bottom(f *Foot, w, h int, lang lessons.Lang) []string {
	return rows(w, h, func(v canvas.View) { f.paint(v, canvas.Rect{Y: h - 1, W: w, H: 1}, lang) })
}

// Whatever the width, help and the way out are whole, and no key is cut.
func TestFootKeys(t *testing.T) {
	for name, mode := range map[string]keymap.Mode{"home": keymap.Home, "step": keymap.Step, "watch": keymap.Watch, "prove": keymap.Prove} {
		for _, lang := range languages {
			list := keymap.Footer(mode)
			var all []string
			for _, b := range list {
				all = append(all, KeyName(b.Shown(), lang)+" "+b.Label.In(lang))
			}
			for w := 60; w <= 220; w++ {
				row := bottom(&Foot{Mode: mode}, w, 1, lang)[0]
				for _, must := range all[len(all)-2:] {
					if !strings.Contains(row, must) {
						t.Fatalf("%s %s at %d: no %q in %q", name, lang, w, must, row)
					}
				}
				for _, shown := range strings.Split(strings.TrimSpace(row), "  ") {
					if !strings.Contains(strings.Join(all, "\n")+"\n", shown+"\n") {
						t.Fatalf("%s %s at %d: %q is cut in %q", name, lang, w, shown, row)
					}
				}
			}
		}
	}
}

// What would do nothing now is left out, and the actors' keys are those there are.
func TestFootOff(t *testing.T) {
	f := &Foot{Mode: keymap.Step, Actors: "a-c", Off: []keymap.Action{keymap.Back, keymap.Why}}
	row := bottom(f, 120, 1, lessons.EN)[0]
	if !strings.Contains(row, "a-c step") || strings.Contains(row, "back") || strings.Contains(row, "why") || !strings.Contains(row, "P prove") {
		t.Error(row)
	}
	if row := bottom(&Foot{}, 80, 1, lessons.EN)[0]; row != "" {
		t.Errorf("a foot of no mode shows %q", row)
	}
}

// A message is read whole: it takes rows above the foot if it must.
func TestFootMessage(t *testing.T) {
	text := "no command nonsense; try :12, :set buyers=3, :variant guarded, :staged NAME, :token TOKEN, :lesson NAME"
	got := bottom(&Foot{Message: text}, 60, 5, lessons.EN)
	if strings.Join(got[3:], "") != " no command nonsense; try :12, :set buyers=3, :variant guarded, :staged NAME, :token TOKEN, :lesson NAME" {
		t.Errorf("%q", got)
	}
	got = bottom(&Foot{Message: strings.Repeat("word ", 100)}, 60, 5, lessons.EN)
	if got[1] != "" || !strings.HasSuffix(got[4], "…") {
		t.Errorf("%q", got)
	}
	for _, w := range []int{0, 1, 2, 3} {
		bottom(&Foot{Message: text, Bad: true}, w, 1, lessons.EN)
		bottom(&Foot{Typing: true, Prompt: ":" + text, Hint: "hint"}, w, 1, lessons.EN)
		bottom(&Foot{Mode: keymap.Step}, w, 1, lessons.ZH)
	}
}

// Of a line being typed the end is seen, with the cursor behind it.
func TestFootPrompt(t *testing.T) {
	for _, text := range []string{"", "set buyers=3", strings.Repeat("x", 200) + "END", strings.Repeat("锁", 150) + "尾"} {
		f := &Foot{Typing: true, Prompt: ":" + text, Hint: "enter do it"}
		row := bottom(f, 80, 1, lessons.EN)[0]
		end := []rune(text)
		if !strings.Contains(row, string(end[max(0, len(end)-3):])) || canvas.Width(row) > 80 {
			t.Errorf("%.20s…: %q", text, row)
		}
		if short := len(text) < 20; strings.Contains(row, "enter do it") != short {
			t.Errorf("the hint: %q", row)
		}
	}
}

func TestTail(t *testing.T) {
	for _, c := range []struct {
		text  string
		cells int
		want  string
	}{{"abc", 3, "abc"}, {"abcd", 3, "…cd"}, {"锁锁锁", 5, "…锁锁"}, {"锁锁锁", 4, "…锁"}, {"abc", 1, "…"}, {"abc", 0, "…"}, {"", 0, ""}} {
		if got := tail(c.text, c.cells); got != c.want {
			t.Errorf("tail(%q, %d) = %q, want %q", c.text, c.cells, got, c.want)
		}
	}
}

// The header drops what is least important first, and never cuts an item at the right.
func TestHeader(t *testing.T) {
	right := []string{"2 branches", "both-read-one", "watch", "step 3/6", "EN"}
	for w := 0; w <= 200; w++ {
		row := rows(w, 1, func(v canvas.View) { header(v, "1 oversell · check-then-decrement buyers=3", right) })[0]
		if w < 60 {
			continue
		}
		if !strings.HasSuffix(row, "step 3/6   EN") || !strings.HasPrefix(row, " 1 oversell") {
			t.Fatalf("%d: %q", w, row)
		}
		if w >= 120 && !strings.Contains(row, strings.Join(right, "   ")) {
			t.Fatalf("%d: %q", w, row)
		}
	}
}

func TestModal(t *testing.T) {
	m := &Modal{Title: "Title", Lang: lessons.EN, Foot: Foot{Mode: keymap.Reader}}
	for i := range 30 {
		m.Lines = append(m.Lines, Line{Text: fmt.Sprintf("line %d", i)})
	}
	paint := func(w, h int) string {
		c := canvas.New(w, h)
		m.Paint(c)
		return c.Trimmed(canvas.Unicode)
	}
	first := paint(80, 24)
	if !strings.Contains(first, "line 0") || strings.Contains(first, "line 29") || !strings.Contains(first, "more") || !strings.Contains(first, "esc close") {
		t.Error(first)
	}
	m.Scroll = 30 // beyond the end
	last := paint(80, 24)
	if !strings.Contains(last, "line 29") || !strings.Contains(last, "↑") || strings.Contains(last, "↓") {
		t.Error(last)
	}
	m.List, m.Selected, m.Foot.Mode = true, 15, keymap.List
	if s := paint(80, 24); !strings.Contains(s, "▶line 15") && !strings.Contains(s, "▶ine 15") {
		t.Error(s)
	}
	for _, size := range [][2]int{{0, 0}, {1, 1}, {3, 3}, {60, 4}, {4, 60}, {400, 200}} {
		paint(size[0], size[1])
	}
	m.Lines = nil
	paint(80, 24)
}

func TestTooSmall(t *testing.T) {
	for _, lang := range languages {
		for w := 0; w < 70; w++ {
			c := canvas.New(w, 5)
			TooSmall(c, i18n.For(lang))
			if s := c.Plain(canvas.Unicode); w >= 20 && !strings.Contains(strings.Join(strings.Fields(s), ""), "60x16") {
				t.Errorf("%d: %q", w, s)
			}
		}
	}
}
