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
	switch {
	case os.Getenv("TMUX") != "":
		seq = seq.Tmux()
	case os.Getenv("STY") != "":
		seq = seq.Screen()
	}
	// Through the same lock as frames, or it would tear one.
	text := seq.String()
	return m.guard.cmd(func() tea.Msg {
		// A terminal that is gone cannot be told so.
		_, _ = io.WriteString(m.out, text)
		return nil
	})
}
