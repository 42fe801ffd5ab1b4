package app

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/sim/token"
)

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
	p.press("down", "enter")
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
		p.press("down", "enter")
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
