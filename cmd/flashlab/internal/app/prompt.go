package app

import (
	"strings"
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/lessons"
)

// prompt is a line being typed: a search after "/", a command after ":".
type prompt struct {
	sign rune
	text []rune
	hint string
	done func(text string) tea.Cmd // gets the line; nil: it is a search or a command
}

// promptLimit is the longest line that can be typed, in runes.
const promptLimit = 200

func newPrompt(sign rune, hint string) *prompt { return &prompt{sign: sign, hint: hint} }

func (p *prompt) insert(s string) {
	for _, r := range s {
		if !unicode.IsControl(r) && len(p.text) < promptLimit {
			p.text = append(p.text, r)
		}
	}
}

// foot is the bottom row of a mode.
func (m *model) foot(mode keymap.Mode) screen.Foot {
	f := screen.Foot{Mode: mode, Message: m.message, Bad: m.complaint, ASCII: m.o.ASCII}
	if len(m.modals) > 0 { // which have a bottom row of their own
		f.Mode = 0
	}
	if m.prompt != nil {
		f.Typing, f.Prompt, f.Hint = true, string(m.prompt.sign)+string(m.prompt.text), m.prompt.hint
	}
	return f
}

func (m *model) promptKey(k tea.KeyMsg) tea.Cmd {
	p := m.prompt
	switch k.Type {
	case tea.KeyEsc:
		m.prompt = nil
	case tea.KeyBackspace:
		if len(p.text) == 0 {
			m.prompt = nil
			return nil
		}
		p.text = p.text[:len(p.text)-1]
	case tea.KeyCtrlU:
		p.text = p.text[:0]
	case tea.KeySpace:
		p.insert(" ")
	case tea.KeyRunes:
		p.insert(string(k.Runes))
	case tea.KeyEnter:
		m.prompt = nil
		text := strings.TrimSpace(string(p.text))
		if p.done != nil {
			return p.done(text)
		}
		if p.sign == '/' {
			m.search(text)
			return nil
		}
		return m.command(text)
	}
	return nil
}

// command runs what was typed after ":".
func (m *model) command(text string) tea.Cmd {
	if text == "" {
		return nil
	}
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch strings.ToLower(word) {
	case "q", "quit":
		return tea.Quit
	case "help":
		m.openHelp()
		return nil
	case "lesson":
		l, err := lessons.Find(rest)
		if err != nil {
			m.complain(m.mistake(err))
			return nil
		}
		return m.openLesson(l, &l.Variants[0], "")
	case "token":
		return m.openToken(rest)
	}
	if m.lesson != nil {
		if cmd, ok := m.lessonCommand(strings.ToLower(word), rest); ok {
			return cmd
		}
	}
	m.complain(i18n.Fill(m.words.App.Unknown, "text", text))
	return nil
}
