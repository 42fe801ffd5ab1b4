package app

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim"
	"flashlab/sim/history"
	"flashlab/sim/trace"
)

// modalView lies over a screen until it is left.
type modalView struct {
	screen.Modal
	choose func(i int) tea.Cmd // for lists
	again  func()              // makes it again in another language; may be nil
}

func (m *model) push(v *modalView) { m.modals = append(m.modals, v) }

// openText shows lines of one style.
func (m *model) openText(title string, lines []string, st canvas.Style) {
	v := &modalView{Modal: screen.Modal{Title: title}}
	for _, l := range lines {
		v.Lines = append(v.Lines, screen.Line{Text: l, Style: st})
	}
	m.push(v)
}

func (m *model) modalKey(a keymap.Action) tea.Cmd {
	v := m.modals[len(m.modals)-1]
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

func (m *model) pop() { m.modals = m.modals[:len(m.modals)-1] }

// relabel makes open lists and texts again after a change of language.
func (m *model) relabel() {
	old := m.modals
	m.modals = nil
	for _, v := range old {
		if v.again == nil {
			m.modals = append(m.modals, v)
			continue
		}
		v.again()
	}
}

// openHelp lists the keys of the present mode, generated from the key map.
func (m *model) openHelp() {
	mode := m.mode()
	v := &modalView{Modal: screen.Modal{Title: m.words.App.Help, Keys: 12}, again: m.openHelp}
	for c, title := range keymap.Categories() {
		first := true
		heading := func() {
			if first {
				if len(v.Lines) > 0 {
					v.Lines = append(v.Lines, screen.Line{})
				}
				v.Lines = append(v.Lines, screen.Line{Text: title.In(m.lang), Style: theme.Title})
				first = false
			}
		}
		if keymap.Category(c) == keymap.Stepping && mode&keymap.Lesson != 0 {
			heading()
			v.Lines = append(v.Lines, screen.Line{Key: "a-g", Text: m.words.App.HelpActors})
		}
		for _, b := range keymap.In(mode) {
			if b.Category != keymap.Category(c) {
				continue
			}
			heading()
			v.Lines = append(v.Lines, screen.Line{Key: keyNames(&b), Text: b.Help.In(m.lang)})
		}
	}
	m.push(v)
}

// keyNames writes the keys of a binding for people.
func keyNames(b *keymap.Binding) string {
	if b.Show != "" && len(b.Keys) > 3 {
		return b.Show
	}
	names := map[string]string{"left": "←", "right": "→", "up": "↑", "down": "↓", " ": "space", "pgup": "PgUp", "pgdown": "PgDn"}
	var out []string
	for _, k := range b.Keys {
		if n, ok := names[k]; ok {
			k = n
		}
		out = append(out, k)
	}
	s := strings.Join(out, " ")
	if canvas.Width(s) > 11 {
		s = strings.Join(out[:2], " ")
	}
	return s
}

// openPalette lists everything that can be gone to.
func (m *model) openPalette() {
	v := &modalView{Modal: screen.Modal{Title: m.words.App.Palette, List: true}, again: m.openPalette}
	var list []screen.Entry
	for _, e := range m.entries() {
		if e.Heading != "" {
			continue
		}
		text := ""
		switch {
		case e.Variant != nil:
			text = "  " + e.Variant.Name + " - " + e.Variant.Title.In(m.lang)
		case e.Staged != nil:
			text = "  " + m.words.App.Staged + ": " + e.Staged.Name + " - " + e.Staged.Title.In(m.lang)
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
	m.push(v)
}

// openCards shows the cards of the lesson, one below the other.
func (m *model) openCards() {
	cards := m.lesson.lesson.Cards
	if len(cards) == 0 {
		m.complain(m.words.App.NoCards)
		return
	}
	v := &modalView{Modal: screen.Modal{Title: m.words.App.CardsTitle}, again: m.openCards}
	for i, c := range cards {
		if i > 0 {
			v.Lines = append(v.Lines, screen.Line{})
		}
		v.Lines = append(v.Lines, screen.Line{Text: c.Title.In(m.lang), Style: theme.Title})
		for _, l := range canvas.Wrap(c.Body.In(m.lang), m.textWidth()) {
			v.Lines = append(v.Lines, screen.Line{Text: l})
		}
	}
	m.push(v)
}

// textWidth is how wide running text may be in a modal, in cells.
func (m *model) textWidth() int { return max(10, min(76, m.w-10)) }

// openWhy explains each light that is red by the two steps that raced.
func (m *model) openWhy() {
	v := &modalView{Modal: screen.Modal{Title: m.words.App.Why}, again: m.openWhy}
	for _, l := range m.lesson.shown().Lights {
		if l.Status != trace.Red {
			continue
		}
		if len(v.Lines) > 0 {
			v.Lines = append(v.Lines, screen.Line{})
		}
		v.Lines = append(v.Lines, screen.Line{Text: "✗ " + l.Name + ": " + l.Detail, Style: theme.Bad})
		for _, line := range canvas.Wrap(m.stage().Pane().Why(l.Name), m.textWidth()) {
			v.Lines = append(v.Lines, screen.Line{Text: line})
		}
	}
	if len(v.Lines) == 0 {
		m.say(m.words.App.NothingRed)
		return
	}
	v.Lines = append(v.Lines, screen.Line{})
	for _, line := range canvas.Wrap(m.lesson.variant.Moral.In(m.lang), m.textWidth()) {
		v.Lines = append(v.Lines, screen.Line{Text: line, Style: theme.Accent})
	}
	m.push(v)
}

// openShortest shows the shortest schedule that breaks the light that broke, or
// the first that can break, beside the learner's own.
func (m *model) openShortest() {
	res := m.results.get(m.lesson.scenario)
	if res == nil {
		m.complain(m.words.App.NotYetProved)
		return
	}
	light := m.watchedLight()
	if light < 0 {
		m.say(m.words.App.AllHolds)
		return
	}
	l := res.Lights[light]
	s, err := history.Open(m.lesson.scenario)
	if err != nil {
		m.fault(err)
		return
	}
	defer s.Close()
	if err := s.Load(l.Schedule); err != nil {
		m.fault(err)
		return
	}
	var theirs []trace.Frame
	for _, n := range s.Path() {
		theirs = append(theirs, n.Frame)
	}
	mine := m.stage().Frames()[:m.lesson.session.Cursor().Depth+1]
	n := strconv.Itoa(l.Shortest)
	v := &modalView{Modal: screen.Modal{Title: i18n.Fill(m.words.App.ShortestOne, "n", n)}, again: m.openShortest}
	half := max(10, min(48, (m.w-12)/2))
	v.Lines = append(v.Lines, screen.Line{Text: canvas.PadRight(m.words.App.Mine, half) + " │ " + i18n.Fill(m.words.App.ShortestOne, "n", n), Style: theme.Title})
	for i := 1; i < max(len(mine), len(theirs)); i++ {
		v.Lines = append(v.Lines, screen.Line{Text: canvas.PadRight(m.besideText(mine, i), half) + " │ " + m.besideText(theirs, i)})
	}
	v.Lines = append(v.Lines, screen.Line{})
	cert := i18n.Fill(m.words.App.Certificate, "light", m.lesson.scenario.Lights[light].Name, "states", strconv.Itoa(l.Clean), "steps", strconv.Itoa(l.Shortest-1))
	for _, line := range canvas.Wrap(cert, max(20, 2*half)) {
		v.Lines = append(v.Lines, screen.Line{Text: line, Style: theme.OK})
	}
	m.push(v)
}

// besideText is one step of a schedule in a comparison.
func (m *model) besideText(frames []trace.Frame, i int) string {
	if i >= len(frames) || frames[i].Event == nil {
		return ""
	}
	e := frames[i].Event
	text := strconv.Itoa(i) + " " + e.Actor + " " + m.stage().Pane().Short(*e)
	if len(e.Broken) > 0 {
		text += " ✗ " + e.Broken[0]
	}
	return text
}

// watchedLight is the light that hints speak of: one that is red, else the first
// that some schedule breaks; -1 if none does or nothing is known.
func (m *model) watchedLight() int {
	res := m.results.get(m.lesson.scenario)
	if res == nil {
		return -1
	}
	first := -1
	for i, l := range res.Lights {
		if !l.Broken {
			continue
		}
		if first < 0 {
			first = i
		}
		if m.lesson.shown().Broken(m.lesson.scenario.Lights[i].Name) {
			return i
		}
	}
	return first
}

// tokenOf is the token of a schedule of the open scene.
func (m *model) tokenOf(moves []sim.Move) string {
	return history.TokenOf(m.lesson.scenario, m.lesson.session.Hash(), moves)
}
