package app

import (
	"io"
	"os"

	"github.com/aymanbagabas/go-osc52/v2"
	tea "github.com/charmbracelet/bubbletea"
)

// copyToken sends a token to the clipboard of the user's terminal and says it, for
// terminals that do not listen.
func (m *model) copyToken(token string) tea.Cmd {
	m.say(m.words.App.Copied, "token", token)
	seq := osc52.New(token)
	text := seq.String()
	switch {
	case os.Getenv("TMUX") != "":
		// tmux takes the one if set-clipboard is on, and hands the other on if
		// allow-passthrough is.
		text += seq.Tmux().String()
	case os.Getenv("STY") != "":
		text = seq.Screen().String()
	}
	// Through the same lock as frames, or it would tear one.
	return m.guard.cmd(func() tea.Msg {
		// A terminal that is gone cannot be told so.
		_, _ = io.WriteString(m.out, text)
		return nil
	})
}
