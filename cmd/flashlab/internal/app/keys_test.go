package app

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/screen"
)

// lesson opens the first lesson.
func lesson(t testing.TB, w, h int) *player {
	t.Helper()
	p := play(t, english(), w, h)
	p.press("down", "enter")
	p.settle()
	if p.m.lesson == nil {
		t.Fatalf("enter opened nothing:\n%s", p.text())
	}
	return p
}

// depth is the number of steps taken.
func (p *player) depth() int { return p.m.lesson.session.Cursor().Depth }

// Keys that were typed fast arrive as one message.
func TestBurst(t *testing.T) {
	p := lesson(t, 80, 24)
	p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("aab")})
	if p.depth() != 3 {
		t.Errorf("aab took %d steps", p.depth())
	}
	p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("uu")})
	if p.depth() != 1 {
		t.Errorf("uu went back to %d", p.depth())
	}
	p.command(":staged both-read-one")
	p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("nnn")})
	if p.depth() != 3 {
		t.Errorf("nnn in watching went to %d", p.depth())
	}
	p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(":2")})
	p.press("down", "enter")
	if p.depth() != 2 {
		t.Errorf(":2 went to %d", p.depth())
	}
}

// A Chinese input method produces signs of double width.
func TestFullWidthKeys(t *testing.T) {
	p := lesson(t, 80, 24)
	p.press("？")
	p.must("Keys")
	p.press("esc", "：")
	p.must("enter do it")
	p.press("esc", "、", "x", "enter")
	p.mustNot("esc end search")
	p.press("／", "s", "t", "o", "c", "k", "enter")
	p.must("found")
	p.press("esc")
	p.press("！")
	p.must("expire: not possible here")
	p.press("　")
	if !p.m.lesson.playing {
		t.Error("an ideographic space does not play")
	}
	p.press("》")
	p.settle()
	p.must("check-then-decrement")
	p.press("《")
	p.settle()
	p.must("lost-update")
	p.press("】", "】")
	if p.m.lesson.speed != normalSpeed+2 {
		t.Errorf("】 made the speed %d", p.m.lesson.speed)
	}
	p.press("。")
	if strings.TrimSpace(p.text()) != "" {
		t.Error("。 does not blank the screen")
	}
	p.press("x")
	p.must("lost-update")
}

// What is pasted outside a prompt is no series of commands.
func TestPaste(t *testing.T) {
	p := lesson(t, 80, 24)
	paste := func(s string) { p.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(s), Paste: true}) }
	paste("aaabbbq")
	if p.depth() != 0 || p.m.lesson == nil {
		t.Error("a paste was taken for keys")
	}
	p.press(":")
	paste("token oversell.lost-update@xza:AB\r\n\x1b[2J")
	if got := string(p.m.prompt.text); strings.ContainsAny(got, "\r\n\x1b") {
		t.Errorf("control characters were pasted: %q", got)
	}
	p.press("esc", ":")
	paste("12")
	p.press("esc")
	if p.depth() != 0 {
		t.Error("esc did not leave the prompt")
	}
	p.press("?")
	paste("q")
	p.must("Keys")
}

// TestEveryKey presses every key of every mode once, and every letter: the program
// answers each in some way, and none leads to an error.
func TestEveryKey(t *testing.T) {
	opens := map[string]func(p *player){
		"home":  func(*player) {},
		"step":  func(p *player) { p.press("down", "enter"); p.settle() },
		"watch": func(p *player) { p.press("down", "enter"); p.settle(); p.press("f3"); p.settle() },
		"prove": func(p *player) { p.press("down", "enter"); p.settle(); p.press("P"); p.settle() },
		"list":  func(p *player) { p.press("ctrl+p") },
		"reader": func(p *player) {
			p.press("?")
		},
	}
	modes := map[string]keymap.Mode{
		"home": keymap.Home, "step": keymap.Step, "watch": keymap.Watch, "prove": keymap.Prove, "list": keymap.List, "reader": keymap.Reader,
	}
	for name, open := range opens {
		for i, key := range allKeys() {
			if raced && i%6 != 0 {
				continue // the race detector need not see every one
			}
			p := play(t, english(), 80, 24)
			open(p)
			if p.m.mode() != modes[name] {
				t.Fatalf("%s is not reached, mode %d", name, p.m.mode())
			}
			before := p.m.View()
			p.press(key)
			_, known := keymap.Lookup(modes[name], key)
			silent := p.m.View() == before && len(p.cmds) == 0 && len(p.ticks) == 0
			p.settle()
			p.mustNot(p.m.words.App.Problem)
			if !known && silent && name != "list" && name != "reader" {
				t.Errorf("%s: %s is not answered at all", name, key)
			}
		}
	}
}

// allKeys are the keys of the table, letters, and some that nothing is bound to.
func allKeys() []string {
	seen := map[string]bool{}
	var out []string
	add := func(k string) {
		if !seen[k] {
			seen[k] = true
			out = append(out, k)
		}
	}
	for _, b := range keymap.In(keymap.All) {
		for _, k := range b.Keys {
			if k != "ctrl+c" && k != "ctrl+z" {
				add(k)
			}
		}
	}
	for r := 'a'; r <= 'z'; r++ {
		add(string(r))
		add(string(r - 'a' + 'A'))
	}
	for _, k := range []string{"0", "9", "~", "f1", "f11", "delete", "insert", "é", "锁", "alt+x", "ctrl+a", "？", "：", "、", "！", "【", "】", "　"} {
		add(k)
	}
	return out
}

func TestLeaving(t *testing.T) {
	p := lesson(t, 80, 24)
	p.press("z")
	if p.m.lesson.zoom == 0 {
		t.Fatal("z does not zoom")
	}
	p.press("esc")
	if p.m.lesson == nil || p.m.lesson.zoom != 0 {
		t.Fatal("esc leaves zoom first")
	}
	p.press("q")
	if p.m.lesson != nil {
		t.Fatal("q does not go to the map")
	}
	p.must("lost-update")
	if e := p.m.entries()[p.m.home.selected]; e.Variant == nil || e.Variant.Name != "lost-update" || !e.Resume || e.Mark != screen.Opened {
		t.Errorf("the map stands at %+v", e)
	}
	p.press("q")
	if len(p.cmds) != 1 {
		t.Fatal("q on the map does nothing")
	}
	if _, ok := p.cmds[0]().(tea.QuitMsg); !ok {
		t.Error("q on the map does not quit")
	}
}

// ctrl+c and ctrl+z work wherever the user is.
func TestWayOut(t *testing.T) {
	for name, open := range map[string]func(p *player){
		"home": func(*player) {}, "lesson": func(p *player) { p.press("down", "enter") }, "blank": func(p *player) { p.press(".") },
		"prompt": func(p *player) { p.press("down", "enter", ":") }, "help": func(p *player) { p.press("?") }, "prove": func(p *player) { p.press("down", "enter", "P") },
	} {
		p := play(t, english(), 80, 24)
		open(p)
		p.cmds = nil
		p.press("ctrl+z")
		if len(p.cmds) != 1 {
			t.Fatalf("%s: ctrl+z does nothing", name)
		}
		if _, ok := p.cmds[0]().(tea.SuspendMsg); !ok {
			t.Errorf("%s: ctrl+z does not suspend", name)
		}
		p.cmds = nil
		p.press("ctrl+c")
		if len(p.cmds) != 1 || !p.m.interrupted {
			t.Fatalf("%s: ctrl+c does nothing", name)
		}
		if _, ok := p.cmds[0]().(tea.QuitMsg); !ok {
			t.Errorf("%s: ctrl+c does not quit", name)
		}
	}
}

// A letter right behind the report that the focus was lost is read as a key of rxvt.
func TestLetterBehindFocusReport(t *testing.T) {
	p := lesson(t, 80, 24)
	p.send(tea.KeyMsg{Type: tea.KeyCtrlDown, Alt: true})
	if got := p.m.lesson.session.Cursor().Move.String(); got != "B" {
		t.Errorf("b did not step B: %s", got)
	}
}
