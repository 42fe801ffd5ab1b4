package e2e

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// boxes are box drawing and block elements.
func boxes(r rune) bool { return r >= 0x2500 && r < 0x25a0 }

var colour = regexp.MustCompile(`\x1b\[[0-9;]*\b(3[0-8]|4[0-8]|9[0-7]|10[0-7])(;|m)`)

func TestNoColour(t *testing.T) {
	coloured := lab(t, 80, 24, "--lesson oversell")
	coloured.wait("Who steps next")
	if s := coloured.tmux("capture-pane", "-p", "-e"); !colour.MatchString(s) {
		t.Fatalf("no colour at all: the test tests nothing\n%q", s)
	}
	x := lab(t, 80, 24, "--lesson oversell", "NO_COLOR=1")
	x.wait("Who steps next")
	x.press("a", "b", "a", "b", "a", "b")
	x.wait("no-oversell broke")
	s := x.tmux("capture-pane", "-p", "-e")
	if at := colour.FindString(s); at != "" {
		t.Errorf("colour %q in\n%q", at, s)
	}
	if !strings.Contains(s, "\x1b[1m") && !strings.Contains(s, "\x1b[7m") {
		t.Error("neither bold nor reverse is left to tell things apart")
	}
}

func TestASCII(t *testing.T) {
	for name, start := range map[string]func() *terminal{
		"--ascii": func() *terminal { return lab(t, 120, 40, "--ascii --lesson oversell") },
		"LANG=C":  func() *terminal { return lab(t, 120, 40, "--lesson oversell", "LANG=C") },
		"TERM":    func() *terminal { return lab(t, 120, 40, "--lesson oversell", "TERM=linux") },
	} {
		t.Run(name, func(t *testing.T) {
			x := start()
			x.wait("Who steps next")
			x.press("a", "b", "a", "b", "a", "b")
			s := x.wait("no-oversell broke")
			if i := strings.IndexFunc(s, boxes); i >= 0 {
				t.Errorf("box drawing at %q", s[i:min(len(s), i+40)])
			}
			for _, text := range []string{"+-", "|", "+=", "x no-oversell"} {
				if !strings.Contains(s, text) {
					t.Errorf("no %q in\n%s", text, s)
				}
			}
			x.press("?")
			s = x.wait("Keys")
			if i := strings.IndexFunc(s, boxes); i >= 0 {
				t.Errorf("box drawing in the help at %q", s[i:min(len(s), i+40)])
			}
		})
	}
}

func TestChineseLocale(t *testing.T) {
	x := lab(t, 80, 24, "", "LANG=zh_CN.UTF-8")
	s := x.wait("课程地图")
	for i, row := range strings.Split(strings.TrimRight(s, "\n"), "\n") {
		if len([]rune(row)) > 80 {
			t.Errorf("row %d is too long: %q", i+1, row)
		}
	}
	x.press("Down", "Enter")
	x.wait("下一步谁走")
	x.press("a", "b", "a", "b", "a", "b")
	s = x.wait("在第 6 步被打破")
	// The divider stands in one column, whatever is beside it.
	if !strings.Contains(s, "├─ 5 不变量") {
		t.Errorf("the frames are bent:\n%s", s)
	}
	x.press("L")
	x.wait("Who steps next")
	x.press("q", "q")
	x.ended(0)
}

func TestDumbTerminal(t *testing.T) {
	x := lab(t, 80, 24, "", "TERM=dumb")
	x.wait("quit>")
	if got := x.flag("alternate_on"); got != "0" {
		t.Error("a dumb terminal was given a screen")
	}
	x.line("1")
	x.wait("1. A SELECT stock")
	x.line("a")
	x.wait("A reads stock=1")
	x.line("q")
	x.ended(0)
}

func TestRedirectedOutput(t *testing.T) {
	x := lab(t, 80, 24, ">out")
	x.line("1")
	x.line("a")
	x.line("q")
	x.ended(0)
	out := x.file("out")
	if strings.Contains(out, "\x1b") || !strings.Contains(out, "A reads stock=1") {
		t.Errorf("the file has %q", out)
	}
}

func TestNoTerminalAtAll(t *testing.T) {
	x := sit(t, 100, 40)
	x.line("echo | " + binary(t) + " >out 2>err; echo code $? end")
	x.wait("code 2 end")
	if out := x.file("out"); !strings.Contains(out, "Usage:") || !strings.Contains(out, "--plain") || strings.Contains(out, "\x1b") {
		t.Errorf("standard output has %q", out)
	}
	if text := x.file("err"); strings.Count(text, "\n") != 1 || !strings.Contains(text, "needs a terminal") {
		t.Errorf("standard error has %q", text)
	}
}

// TestPlainThroughPipes is the newcomer's story told by a script: no terminal at all.
func TestPlainThroughPipes(t *testing.T) {
	cmd := exec.Command(binary(t), "--plain", "--lang", "en")
	cmd.Stdin = strings.NewReader("1\na\nb\na\nb\na\nb\nw\nu\nu\nu\nu\nu\na\na\nb\nP\nq\n")
	cmd.Env = append(cmd.Environ(), "TERM=dumb")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, text := range []string{"✗ no-oversell", "Orders: 2, stock left: 0", "B: sold out", "Orders: 1, stock left: 0", "no-oversell breaks in 12 of 16 schedules, the shortest has 6 steps"} {
		if !strings.Contains(string(out), text) {
			t.Errorf("%q was not said:\n%s", text, out)
		}
	}
	if strings.Contains(string(out), "\x1b") {
		t.Error("escape sequences")
	}
}

func TestReducedMotion(t *testing.T) {
	x := lab(t, 80, 24, "--lesson oversell --reduced-motion")
	x.wait("Who steps next")
	x.press("P")
	x.wait("breaks in 12 of 16")
	x.press("C-c")
	x.ended(130)
}
