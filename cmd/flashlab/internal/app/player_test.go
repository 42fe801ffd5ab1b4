package app

import (
	"context"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	_ "flashlab/lessons/all"
)

// player is somebody at the keyboard of a model that no program runs: commands are
// run when the player says so, and time passes only on request.
type player struct {
	t     testing.TB
	m     *model
	cmds  []tea.Cmd // not run yet
	ticks []tea.Msg // due
}

// play opens the program at a size.
func play(t testing.TB, o Options, w, h int) *player {
	if o.Theme == theme.Auto {
		o.Theme = theme.Dark
	}
	p := &player{t: t, m: newModel(context.Background(), o, &guard{}, io.Discard)}
	p.m.tick = func(_ time.Duration, f func(time.Time) tea.Msg) tea.Cmd {
		p.ticks = append(p.ticks, f(time.Time{}))
		return nil
	}
	t.Cleanup(p.m.close)
	p.add(p.m.Init())
	p.resize(w, h)
	p.settle()
	return p
}

func english() Options { return Options{Lang: lessons.EN, Profile: termenv.TrueColor} }

func (p *player) add(cmd tea.Cmd) {
	if cmd != nil {
		p.cmds = append(p.cmds, cmd)
	}
}

// send hands a message to the model and looks at what it shows then.
func (p *player) send(msg tea.Msg) {
	p.t.Helper()
	_, cmd := p.m.Update(msg)
	p.add(cmd)
	p.look()
}

// look checks that a frame is exactly as large as the screen and has no control
// character but those of its styles.
func (p *player) look() {
	p.t.Helper()
	if err := misfit(p.m.View(), p.m.w, p.m.h); err != "" {
		p.t.Fatalf("%dx%d: %s", p.m.w, p.m.h, err)
	}
}

// misfit says what is wrong with a frame for a screen of w cells and h rows.
func misfit(frame string, w, h int) string {
	if w <= 0 || h <= 0 {
		if frame != "" {
			return "a frame on a screen without cells"
		}
		return ""
	}
	lines := strings.Split(frame, "\n")
	if len(lines) != h {
		return strconv.Itoa(len(lines)) + " lines"
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n != w {
			return "line " + strconv.Itoa(i+1) + " has " + strconv.Itoa(n) + " cells: " + ansi.Strip(l)
		}
		if control(l) {
			return "line " + strconv.Itoa(i+1) + " has a control character: " + strconv.Quote(l)
		}
	}
	return ""
}

// control reports whether a line has a control character that does not belong to a
// sequence which sets a style.
func control(line string) bool {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == 0x1b && strings.HasPrefix(line[i+1:], "["):
			n := strings.IndexFunc(line[i+2:], func(r rune) bool { return (r < '0' || r > '9') && r != ';' })
			if i += 2 + n; n < 0 || line[i] != 'm' {
				return true
			}
		case c < ' ' || c == 0x7f || c == 0xc2 && i+1 < len(line) && line[i+1] < 0xa0: // the last: U+0080 to U+009F
			return true
		}
	}
	return false
}

func (p *player) resize(w, h int) {
	p.t.Helper()
	p.send(tea.WindowSizeMsg{Width: w, Height: h})
}

// settle runs all commands and hands on what they return, until nothing moves.
func (p *player) settle() {
	p.t.Helper()
	for len(p.cmds) > 0 {
		cmd := p.cmds[0]
		p.cmds = p.cmds[1:]
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				p.add(c)
			}
		default:
			p.send(msg)
		}
	}
}

// tick lets the time pass that the model has asked for.
func (p *player) tick() {
	p.t.Helper()
	due := p.ticks
	p.ticks = nil
	for _, msg := range due {
		p.send(msg)
	}
}

// press presses keys, named as bubbletea names them.
func (p *player) press(keys ...string) {
	p.t.Helper()
	for _, k := range keys {
		p.send(keyOf(k))
	}
}

// typed types a text, a rune at a time.
func (p *player) typed(text string) {
	p.t.Helper()
	for _, r := range text {
		p.press(string(r))
	}
}

// command types a line at the prompt.
func (p *player) command(text string) {
	p.t.Helper()
	p.typed(text)
	p.press("enter")
	p.settle()
}

// special are the keys that are no runes, by name.
var special = func() map[string]tea.KeyType {
	m := map[string]tea.KeyType{}
	for k := tea.KeyF20; k <= tea.KeyRunes; k++ {
		m[tea.Key{Type: k}.String()] = k
	}
	for k := tea.KeyType(0); k < 128; k++ {
		if name := (tea.Key{Type: k}).String(); name != "" {
			m[name] = k
		}
	}
	delete(m, "")
	return m
}()

func keyOf(name string) tea.KeyMsg {
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	if k, ok := special[name]; ok {
		return tea.KeyMsg{Type: k}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}

// text is what is on the screen, without styles.
func (p *player) text() string { return ansi.Strip(p.m.View()) }

// flat is the text with line breaks and runs of spaces taken out, so that a sentence
// is found wherever it was wrapped.
func flat(s string) string { return strings.Join(strings.Fields(s), "") }

// sees reports whether the screen, or one of its panes by itself, shows a text.
func (p *player) sees(text string) bool {
	rows := strings.Split(p.m.View(), "\n")
	for _, r := range p.regions() {
		var b strings.Builder
		for y := r.Y; y < r.Y+r.H && y < len(rows); y++ {
			b.WriteString(ansi.Strip(ansi.Cut(rows[y], r.X, r.X+r.W)))
		}
		if strings.Contains(flat(b.String()), flat(text)) {
			return true
		}
	}
	return false
}

// regions are the rectangles in which sentences are wrapped: the whole screen, and
// the insides of what is on it.
func (p *player) regions() []canvas.Rect {
	m := p.m
	all := []canvas.Rect{{W: m.w, H: m.h}}
	add := func(r canvas.Rect) { all = append(all, r.Inset(1, 1)) }
	for _, v := range m.modals {
		add(v.Rect(m.w, m.h))
	}
	switch {
	case m.prove != nil:
		l := layout.Prove(m.w, m.h)
		for _, r := range []canvas.Rect{l.Counters, l.Histogram, l.Verdicts, l.Counterexample} {
			all = append(all, r)
			add(r)
		}
	case m.lesson != nil:
		l := layout.Lesson(m.w, m.h, m.stage().Need())
		for n := layout.PaneTimeline; n <= layout.PaneChoices; n++ {
			all = append(all, screen.Inside(&l, n))
		}
	default:
		l := layout.Home(m.w, m.h)
		all = append(all, l.Path, l.Detail)
		add(l.Detail)
	}
	return all
}

// must fails unless the screen shows a text.
func (p *player) must(text string) {
	p.t.Helper()
	if !p.sees(text) {
		p.t.Fatalf("the screen does not show %q:\n%s", text, p.text())
	}
}

func (p *player) mustNot(text string) {
	p.t.Helper()
	if p.sees(text) {
		p.t.Fatalf("the screen shows %q:\n%s", text, p.text())
	}
}

func TestControl(t *testing.T) {
	for line, want := range map[string]bool{
		"": false, "plain": false, "\x1b[1;38;5;12mstyled\x1b[0m": false, "锁 ├─▶ é": false,
		"\x1b[2J": true, "\x1b]11;?\x07": true, "\x1b": true, "\x1b[1": true, "tab\t": true, "\u0085": true, "\x7f": true,
	} {
		if control(line) != want {
			t.Errorf("%q: %v", line, !want)
		}
	}
}
