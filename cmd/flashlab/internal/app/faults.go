package app

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/sim/token"
	"flashlab/sim/trace"
)

// faultMoves are the beginnings of the moves, as in a token, that a key of the
// environment stands for.
var faultMoves = map[keymap.Action]string{
	keymap.Expire: "e", keymap.Clock: "t", keymap.Crash: "xk", keymap.Pause: "p", keymap.Redeliver: "r", keymap.LoseReply: "l",
}

// possible lists the moves of an action that can be taken now.
func (v *lessonView) possible(a keymap.Action) []string {
	var out []string
	for _, c := range v.session.Cursor().Frame.State.Choices {
		if c.Actor == "" && c.Move != "" && strings.Contains(faultMoves[a], c.Move[:1]) {
			out = append(out, c.Move)
		}
	}
	return out
}

// environment takes a step of the environment. Whom a crash or a pause strikes is
// asked first.
func (m *model) environment(a keymap.Action) tea.Cmd {
	moves := m.lesson.possible(a)
	switch {
	case len(moves) == 0:
		m.complain(m.words.App.NoFault, "name", m.label(a))
		return nil
	case a == keymap.Expire || a == keymap.Clock || a == keymap.Redeliver && len(moves) == 1:
		return m.takeMove(moves[0])
	}
	m.lesson.pending = a
	m.say(m.words.App.WhichActor, "what", m.label(a))
	return nil
}

// faultTarget says whom the pending fault strikes: the actor with that letter, or its
// node, or the node with that number. Any other key takes the fault back.
func (m *model) faultTarget(key string) tea.Cmd {
	v := m.lesson
	a := v.pending
	v.pending = ""
	target := strings.ToUpper(key)
	if len(key) != 1 || (key[0] < 'a' || key[0] > 'z') && (key[0] < '1' || key[0] > '9') {
		return nil
	}
	node := ""
	if x := v.session.Cursor().Frame.State.Actor(target); x != nil {
		node = nodeNumber(x)
	}
	for _, move := range v.possible(a) {
		if at := move[1:]; at == target || at == node {
			return m.takeMove(move)
		}
	}
	m.complain(m.words.App.NotStruck, "what", m.label(a), "letter", target)
	return nil
}

// nodeNumber is the number of an actor's node, as it stands in moves.
func nodeNumber(a *trace.Actor) string { return strings.TrimPrefix(a.Node, "n") }

// takeMove takes a step given as in a token.
func (m *model) takeMove(text string) tea.Cmd {
	moves, err := token.ParseSteps(text)
	if err != nil {
		return m.fault(err)
	}
	return m.take(moves[0])
}

// label is what an action of a lesson is called.
func (m *model) label(a keymap.Action) string {
	for _, b := range keymap.In(keymap.Lesson) {
		if b.Action == a {
			return b.Label.In(m.lang)
		}
	}
	return string(a)
}
