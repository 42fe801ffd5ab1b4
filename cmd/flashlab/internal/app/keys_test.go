package app

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/lessons"
	"flashlab/sim/token"
)

// lesson opens the first lesson.
func lesson(t testing.TB, w, h int) *player {
	t.Helper()
	p := play(t, english(), w, h)
	p.press("enter")
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
	p.press("enter")
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

func TestPrompt(t *testing.T) {
	p := lesson(t, 80, 24)
	p.press(":")
	p.typed("set 中文xy")
	p.press("backspace", "backspace", "backspace")
	p.must(":set 中")
	p.press("ctrl+u")
	if p.m.prompt == nil || len(p.m.prompt.text) != 0 {
		t.Error("ctrl+u did not empty the line")
	}
	p.press("backspace")
	if p.m.prompt != nil {
		t.Error("backspace on an empty line did not leave it")
	}
	p.press(":")
	p.typed(strings.Repeat("long line ", 40) + "END")
	if n := len(p.m.prompt.text); n != promptLimit {
		t.Errorf("%d runes were taken", n)
	}
	p.press("ctrl+u")
	p.typed(strings.Repeat("x", 100) + "END")
	p.must("xEND") // the end is where the cursor is
	p.press("up", "tab", "f5", "pgup", "ctrl+p")
	p.must("xEND")
	p.press("enter")
	p.must("no command xxx")
}

func TestPromptCommands(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{":nonsense", "no command nonsense"},
		{":variant nonsense", `no variant "nonsense"`},
		{":variant gaurded", "guarded"}, // the near name
		{":variant guarded", "1 oversell · guarded"},
		{":set buyers=3", "1 oversell · lost-update buyers=3"},
		{":set buyers=3 stock=2", "lost-update buyers=3,stock=2"},
		{":set buyers=99", "buyers takes a whole number from 1 to 8"},
		{":set nonsense", "is no setting"},
		{":set", "is no setting"},
		{":set crashes=1", "crashes=1"},
		{":staged both-read-one", "both-read-one   watch   step 0"},
		{":staged nonsense", `no staged schedule "nonsense"`},
		{":token nonsense", "token"},
		{":token oversell.nonsense@xza:AB", "nonsense"},
		{":lesson oversell", "1 oversell · lost-update"},
		{":lesson nonsense", `no lesson "nonsense"`},
		{":help", "Keys"},
		{":", "1 oversell · lost-update"},
		{":   ", "1 oversell · lost-update"},
		{":12", "1 oversell · lost-update"},
		{":99999999999999999999", "no command 9999"},
		{":-1", "no command -1"},
	} {
		p := lesson(t, 120, 40)
		p.command(c.text)
		if !p.sees(c.want) {
			t.Errorf("%s: the screen does not show %q:\n%s", c.text, c.want, p.text())
		}
		if p.m.lesson == nil {
			t.Errorf("%s left the lesson", c.text)
		}
	}
	for _, text := range []string{":q", ":quit"} {
		p := lesson(t, 80, 24)
		p.typed(text)
		p.press("enter")
		if len(p.cmds) != 1 {
			t.Fatalf("%s: %d commands", text, len(p.cmds))
		}
		if _, ok := p.cmds[0]().(tea.QuitMsg); !ok {
			t.Errorf("%s does not quit", text)
		}
	}
}

// A token brings back the schedule that it was made from; one of another version of
// the lesson is refused, and the lesson stays.
func TestToken(t *testing.T) {
	p := lesson(t, 120, 40)
	p.command(":set buyers=3")
	p.press("a", "b", "c", "b")
	text := p.m.lesson.session.Token()
	p.press("q")
	p.command(":token " + text)
	p.must("1 oversell · lost-update buyers=3")
	p.must("watch step 4")
	if got := p.m.lesson.session.Token(); got != text {
		t.Errorf("%s came back as %s", text, got)
	}
	moved, err := token.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	moved.Hash = "zzz"
	p.press("ctrl+r")
	p.command(":token " + moved.String())
	if p.depth() != 0 {
		t.Error("a token with a wrong hash was loaded")
	}
	p.must("another version")
}

func TestSearch(t *testing.T) {
	p := lesson(t, 120, 40)
	p.press("a", "b", "a", "b")
	p.command("/update")
	p.must("found")
	p.press("n")
	if p.depth() != 3 {
		t.Errorf("n went to step %d, want 3", p.depth())
	}
	p.press("n")
	if p.depth() != 4 {
		t.Errorf("n went to step %d, want 4", p.depth())
	}
	p.press("n")
	if p.depth() != 3 {
		t.Errorf("n went to step %d, want 3 again", p.depth())
	}
	p.press("N")
	if p.depth() != 4 {
		t.Errorf("N went to step %d, want 4", p.depth())
	}
	p.must("n next  N previous")
	p.press("esc")
	p.mustNot("n next  N previous")
	if p.m.lesson == nil {
		t.Fatal("esc left the lesson, not the search")
	}
	p.command("/no such text anywhere")
	p.must("not found")
	p.command("/package oversell") // in the source only
	p.press("n")
	p.must("in no step")
	p.press("q")
	if p.m.lesson == nil {
		t.Fatal("q left the lesson, not the search")
	}
}

func TestSearchOnTheMap(t *testing.T) {
	p := play(t, english(), 80, 24)
	p.command("/lock")
	first := p.m.home.selected
	p.press("n")
	if p.m.home.selected == first {
		t.Error("n did not go on")
	}
	p.press("N")
	if p.m.home.selected != first {
		t.Error("N did not go back")
	}
	p.command("/guarded")
	p.press("enter")
	p.settle()
	p.must("1 oversell · guarded")
}

// TestEveryKey presses every key of every mode once, and every letter: the program
// answers each in some way, and none leads to an error.
func TestEveryKey(t *testing.T) {
	opens := map[string]func(p *player){
		"home":  func(*player) {},
		"step":  func(p *player) { p.press("enter"); p.settle() },
		"watch": func(p *player) { p.press("enter"); p.settle(); p.press("f3"); p.settle() },
		"prove": func(p *player) { p.press("enter"); p.settle(); p.press("P"); p.settle() },
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
		"home": func(*player) {}, "lesson": func(p *player) { p.press("enter") }, "blank": func(p *player) { p.press(".") },
		"prompt": func(p *player) { p.press("enter", ":") }, "help": func(p *player) { p.press("?") }, "prove": func(p *player) { p.press("enter", "P") },
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

func TestMouse(t *testing.T) {
	p := lesson(t, 120, 40)
	p.press("a", "b", "a", "b")
	p.press("M")
	p.must("mouse on")
	p.cmds = nil
	p.send(tea.ResumeMsg{}) // suspending has switched it off
	if len(p.cmds) != 1 {
		t.Error("after a suspend the mouse stays off")
	}
	p.cmds = nil
	click := func(x, y int) {
		p.send(tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress})
	}
	l := layout.Lesson(120, 40, p.m.stage().Need())
	click(l.Timeline.X+5, l.Timeline.Y+3) // heading, then step 2
	if p.depth() != 2 || p.m.lesson.focus != layout.PaneTimeline {
		t.Errorf("a click on step 2 went to %d, focus %d", p.depth(), p.m.lesson.focus)
	}
	click(l.Choices.X+5, l.Choices.Y+2) // B
	if p.m.lesson.selected != 1 || p.m.lesson.focus != layout.PaneChoices {
		t.Errorf("a click on B chose %d, focus %d", p.m.lesson.selected, p.m.lesson.focus)
	}
	click(l.Source.X+5, l.Source.Y+2)
	if p.m.lesson.focus != layout.PaneSource {
		t.Errorf("a click on the source focused %d", p.m.lesson.focus)
	}
	for range 100 {
		p.send(tea.MouseMsg{X: l.Source.X + 5, Y: l.Source.Y + 2, Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
	}
	if n := p.m.lesson.scroll[layout.PaneSource]; n <= 0 || n > 40 {
		t.Errorf("the wheel scrolled by %d rows", n)
	}
	click(1000, 1000)
	p.press("q")
	p.send(tea.MouseMsg{Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
	p.press("M")
	p.must("mouse off")
}

// A pane that was scrolled beyond its end comes back with the first key.
func TestScrollComesBack(t *testing.T) {
	p := lesson(t, 120, 40)
	p.press("2")
	for range 200 {
		p.press("j")
	}
	end := p.m.View()
	p.press("k")
	if p.m.View() == end {
		t.Error("the source does not come back from its end")
	}
	p.press("2", "z")
	for range 200 {
		p.press("ctrl+u")
	}
	top := p.m.View()
	p.press("j")
	if p.m.lesson.scroll[2] > 40 || p.m.View() == top && len(p.m.View()) == 0 {
		t.Errorf("scrolled by %d", p.m.lesson.scroll[2])
	}
}

// The language and the theme can be changed at any time without losing the place.
func TestSwitchKeepsPlace(t *testing.T) {
	p := lesson(t, 80, 24)
	p.press("a", "b", "a", "b", "a", "b", "left", "?")
	for range 7 {
		p.press("j")
	}
	scroll := p.m.modals[0].Scroll
	if scroll == 0 {
		t.Fatal("the help does not scroll")
	}
	p.press("L")
	p.must("按键")
	if got := p.m.modals[0].Scroll; got != scroll {
		t.Errorf("the help jumped from %d to %d", scroll, got)
	}
	p.press("T", "T", "esc")
	p.must("你来走")
	if p.depth() != 5 {
		t.Errorf("at step %d", p.depth())
	}
	p.press("ctrl+p", "down", "down", "down")
	at := p.m.modals[0].Selected
	p.press("L")
	if got := p.m.modals[0].Selected; got != at {
		t.Errorf("the list jumped from %d to %d", at, got)
	}
	p.press("esc", "P")
	p.settle()
	p.press("down", "L")
	if p.m.prove == nil || p.m.prove.selected != 1 {
		t.Error("the proof lost its place")
	}
	p.must("搜索完整")
	p.press("up", "enter")
	p.must("最短的走法，6 步")
	p.press("L")
	p.must("the shortest, 6 steps") // also the name of what is watched
	p.press("q", "L")
	p.must("课程地图")
}

func TestLanguages(t *testing.T) {
	if play(t, Options{Lang: lessons.ZH}, 80, 24).must("课程地图"); t.Failed() {
		return
	}
}
