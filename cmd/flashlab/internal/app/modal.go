package app

import (
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/history"
	"flashlab/sim/live"
	"flashlab/sim/trace"
)

// modalView lies over a screen until it is left.
type modalView struct {
	screen.Modal
	choose func(i int) tea.Cmd // for lists
	// through: a key that means nothing here but something below closes it and acts
	// there.
	through bool
}

// modal is a modalView with the way to make it again for another language or size.
type modal struct {
	*modalView
	build func() *modalView // nil if there is nothing to show any more
}

// show lays over the screen what build makes; it reports whether that was anything.
func (m *model) show(build func() *modalView) bool {
	v := build()
	if v == nil {
		return false
	}
	m.modals = append(m.modals, modal{v, build})
	return true
}

// rebuild makes what lies over the screen again; each stays where it was.
func (m *model) rebuild() {
	for i := range m.modals {
		old := m.modals[i].modalView
		v := m.modals[i].build()
		if v == nil {
			continue
		}
		v.Selected = max(0, min(old.Selected, len(v.Lines)-1))
		v.Scroll = max(0, min(old.Scroll, len(v.Lines)-v.Rows(m.w, m.h)))
		m.modals[i].modalView = v
	}
}

func (m *model) pop() { m.modals = m.modals[:len(m.modals)-1] }

func (m *model) modalKey(a keymap.Action) tea.Cmd {
	v := m.modals[len(m.modals)-1].modalView
	page := max(1, v.Rows(m.w, m.h)-1)
	move := func(d int) {
		if v.List {
			v.Selected = max(0, min(v.Selected+d, len(v.Lines)-1))
			return
		}
		v.Scroll = max(0, min(v.Scroll+d, len(v.Lines)-v.Rows(m.w, m.h)))
	}
	switch a {
	case keymap.Up:
		move(-1)
	case keymap.Down:
		move(1)
	case keymap.PageUp:
		move(-page)
	case keymap.PageDn:
		move(page)
	case keymap.First:
		move(-len(v.Lines))
	case keymap.Last:
		move(len(v.Lines))
	case keymap.Open:
		m.pop()
		return v.choose(v.Selected)
	case keymap.Leave:
		m.pop()
	}
	return nil
}

// textWidth is how wide running text may be in a modal, in cells.
func (m *model) textWidth() int { return max(10, min(76, m.w-10)) }

// write appends running text, wrapped.
func (m *model) write(v *modalView, text string, st canvas.Style) {
	for _, l := range canvas.Wrap(text, m.textWidth()) {
		v.Lines = append(v.Lines, screen.Line{Text: l, Style: st})
	}
}

// gap appends an empty line between two passages.
func (v *modalView) gap() {
	if len(v.Lines) > 0 {
		v.Lines = append(v.Lines, screen.Line{})
	}
}

// fault shows an error over the screen; nothing that was done is lost.
func (m *model) fault(err error) tea.Cmd {
	m.show(func() *modalView {
		v := &modalView{Modal: screen.Modal{Title: m.words.App.Problem}}
		m.write(v, m.mistake(err), theme.Bad)
		if m.lesson != nil {
			v.gap()
			m.write(v, m.words.App.AfterFault, theme.Text)
		}
		return v
	})
	return nil
}

// mistake is an error in the words of the language, if it is one that the user can mend:
// a mistake of his own, or trouble with a server. What has gone wrong inside the lab is
// told as it is.
func (m *model) mistake(err error) string {
	var said trace.Mistake
	var trouble *live.Trouble
	switch {
	case errors.As(err, &said):
		return m.words.Say(said.Phrase)
	case errors.As(err, &trouble):
		return trouble.In(m.words.Say)
	case errors.Is(err, history.ErrNotPossible):
		return m.words.App.NoWayOn
	}
	return err.Error()
}

// helpKeys is the width of the key column in the help, in cells.
const helpKeys = 12

// openHelp lists the keys of the present mode, generated from the key map.
func (m *model) openHelp() {
	mode := m.mode()
	m.show(func() *modalView { return m.help(mode) })
}

func (m *model) help(mode keymap.Mode) *modalView {
	v := &modalView{Modal: screen.Modal{Title: m.words.App.Help, Keys: helpKeys}}
	line := func(key, text string) {
		for _, l := range canvas.Wrap(text, m.textWidth()-helpKeys+2) {
			v.Lines = append(v.Lines, screen.Line{Key: key, Text: l})
			key = ""
		}
	}
	for c, title := range keymap.Categories() {
		first := true
		heading := func() {
			if first {
				v.gap()
				v.Lines = append(v.Lines, screen.Line{Text: title.In(m.lang), Style: theme.Title, Head: true})
				first = false
			}
		}
		for _, b := range keymap.In(mode) {
			if b.Category != keymap.Category(c) {
				continue
			}
			heading()
			line(m.keyNames(&b), b.Help.In(m.lang))
		}
	}
	return v
}

// keyNames writes the keys of a binding for people, as many as fit.
func (m *model) keyNames(b *keymap.Binding) string {
	s := ""
	if b.Action == keymap.Take || b.Show != "" && len(b.Keys) > 6 {
		s = b.Show // stands for keys that are not in the table, or for a row of them
	}
	for _, k := range b.Keys {
		next := strings.TrimSpace(s + " " + screen.KeyName(k, m.lang))
		if len(b.Keys) > 6 || canvas.Width(next) >= helpKeys {
			break
		}
		s = next
	}
	return s
}

// openPalette lists everything that can be gone to.
func (m *model) openPalette() { m.show(m.palettes) }

func (m *model) palettes() *modalView {
	v := &modalView{Modal: screen.Modal{Title: m.words.App.Palette, List: true}}
	var list []screen.Entry
	for _, e := range m.allEntries() {
		if e.Heading != "" {
			continue
		}
		text := ""
		switch {
		case e.Variant != nil:
			text = "  " + e.Variant.Name + " - " + e.Variant.Title.In(m.lang)
		case e.Staged != nil:
			text = "  " + m.words.App.Staged + m.words.Panes.Colon + e.Staged.Name + " - " + e.Staged.Title.In(m.lang)
		default:
			text = e.Lesson.Name + " - " + e.Lesson.Title.In(m.lang)
		}
		if m.lesson != nil && e.Variant == m.lesson.variant {
			v.Selected = len(v.Lines)
		}
		list = append(list, e)
		v.Lines = append(v.Lines, screen.Line{Text: text})
	}
	v.choose = func(i int) tea.Cmd { return m.openEntry(list[i]) }
	return v
}
