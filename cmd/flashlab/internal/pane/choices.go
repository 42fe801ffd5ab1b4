package pane

import (
	"strconv"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/trace"
)

// Choices paints who can step next: a row for each actor with its letter, the line
// it stands at, what it would do or why it cannot, and what that is worth; then what
// the environment could do. Where there are fewer rows than actors, those that have
// ended are left out, and then actors share rows.
func (d *Lesson) Choices(v canvas.View) int {
	s := d.sheet(v)
	t := newChoiceList(d, s.w, s.h)
	who, what := t.windows()
	for i := who.top; i < who.end(); i++ {
		for c := range t.columns {
			if n := i*t.columns + c; n < len(t.actors) {
				cell := newSheet(v.Sub(canvas.Rect{X: c * t.cell, Y: i - who.top, W: t.cell, H: 1}), d.Search)
				t.actor(&cell, t.actors[n])
			}
		}
	}
	s.more(who, t.words)
	if what.rows == 0 {
		return who.scroll
	}
	below := newSheet(v.Sub(canvas.Rect{Y: t.actorRows, W: s.w, H: what.rows}), d.Search)
	for i := what.top; i < what.end(); i++ {
		t.faults(&below, i-what.top, i)
	}
	below.more(what, t.words)
	return what.scroll
}

// ChoiceAt returns the index in the state's Choices of what a pane of w cells and h
// rows shows at column x of row y; ok is false where that is nothing that can be
// chosen.
func (d *Lesson) ChoiceAt(w, h, x, y int) (choice int, ok bool) {
	t := newChoiceList(d, w, h)
	who, what := t.windows()
	if x < 0 || x >= w || y < 0 || y >= h {
		return 0, false
	}
	if row := who.top + y; row < who.end() {
		c := x / max(t.cell, 1)
		if n := row*t.columns + c; c < t.columns && n < len(t.actors) {
			choice = t.step(t.state.Actors[t.actors[n]].Letter)
			return choice, choice >= 0
		}
		return 0, false
	}
	row := what.top + y - t.actorRows
	if row < what.top || row >= what.end() {
		return 0, false
	}
	for _, f := range t.wrapped[row] {
		if f.choice >= 0 && x >= f.x && x < f.x+canvas.Width(f.text) {
			return f.choice, true
		}
	}
	return 0, false
}

// choiceList is the content of the pane with its places.
type choiceList struct {
	d     *Lesson
	words *i18n.Panes
	state *trace.State
	w, h  int

	actors    []int // by index in the state, those that are shown
	columns   int   // actors that share a row
	cell      int   // width of one of them
	actorRows int
	name      int // widest name, in cells
	line      int // widest number of a line, in digits

	wrapped [][]fault // rows of the environment
	focused bool
}

func newChoiceList(d *Lesson, w, h int) *choiceList {
	t := &choiceList{d: d, words: d.words(), state: d.state(), w: w, h: h, columns: 1, cell: w, line: 2}
	t.focused = d.Focus == layout.PaneChoices
	t.wrapped = t.wrap(t.environment())
	room := max(h, 1)
	if len(t.wrapped) > 0 && room > 1 {
		room--
	}
	living := 0
	for i := range t.state.Actors {
		a := &t.state.Actors[i]
		t.name = max(t.name, canvas.Width(t.words.Say(a.Name)))
		t.line = max(t.line, len(strconv.Itoa(lineOf(a))))
		if a.Phase != trace.Done && a.Phase != trace.Dead {
			living++
		}
	}
	all := len(t.state.Actors) <= room || living == 0
	for i := range t.state.Actors {
		if p := t.state.Actors[i].Phase; all || p != trace.Done && p != trace.Dead {
			t.actors = append(t.actors, i)
		}
	}
	if n := len(t.actors); n > room && w > 0 {
		// A cell narrower than a letter and a line number would say nothing.
		t.columns = min((n+room-1)/room, max(w/12, 1))
		t.cell = w / t.columns
	}
	t.actorRows = (len(t.actors) + t.columns - 1) / t.columns
	return t
}

// windows follow the chosen step: the actors stay where they are as long as there is
// a row for each, and only what the environment can do moves below them.
func (t *choiceList) windows() (who, what window) {
	actor, row := 0, 0
	if c := t.selected(); c != nil {
		for i, n := range t.actors {
			if t.state.Actors[n].Letter == c.Actor {
				actor = i / t.columns
			}
		}
		for i := range t.wrapped {
			for _, f := range t.wrapped[i] {
				if f.choice == t.d.Selected {
					row = i
				}
			}
		}
	}
	scroll := t.d.scroll(layout.PaneChoices)
	who = look(t.actorRows, min(t.actorRows, t.h), t.h/2, actor, actor, scroll)
	what = look(len(t.wrapped), t.h-t.actorRows, 0, row, row, scroll)
	return who, what
}

// selected is the chosen step, or nil.
func (t *choiceList) selected() *trace.Choice {
	if i := t.d.Selected; i >= 0 && i < len(t.state.Choices) {
		return &t.state.Choices[i]
	}
	return nil
}

// step is the index of an actor's ordinary step among the choices, -1 if it has none.
func (t *choiceList) step(letter string) int {
	for i := range t.state.Choices {
		if c := &t.state.Choices[i]; c.Actor == letter && letter != "" && !c.Fault {
			return i
		}
	}
	return -1
}

// lineOf is the line at which an actor stands, 0 if it is nowhere.
func lineOf(a *trace.Actor) int {
	if len(a.Stack) == 0 {
		return 0
	}
	return a.Stack[0].Line
}

// nameRoom is the least width at which the names of actors are worth their room.
const nameRoom = 64

// actor paints one actor in a cell of one row: "▶ A L16  UPDATE stock=0   odds".
func (t *choiceList) actor(s *sheet, i int) {
	a := &t.state.Actors[i]
	choice := t.step(a.Letter)
	selected := choice >= 0 && choice == t.d.Selected
	letter, body, dim := actorStyle(a.Letter), canvas.Style(theme.Text), canvas.Style(theme.Dim)
	if selected {
		if letter, body, dim = theme.Selected, theme.Selected, theme.Selected; !t.focused {
			letter, body, dim = theme.CursorLine, theme.CursorLine, theme.CursorLine
		}
		s.ground(0, body)
		s.put(1, 0, "▶", body)
	}
	x := 3
	if s.w < 24 {
		x = 2
	}
	end := s.w - 1
	x = s.put(x, 0, a.Letter, letter) + 1
	if s.w >= nameRoom {
		s.put(x, 0, t.words.Say(a.Name), letter)
		x += t.name + 1
	}
	if n := lineOf(a); n > 0 {
		s.put(x, 0, "L"+strconv.Itoa(n), dim)
	}
	x += t.line + 2
	text, style := t.doing(a, body, dim)
	if choice >= 0 && choice < len(t.d.Worth) {
		odds, oddsStyle := "", style
		// Rather the odds in short than the words cut, and rather no words than no odds.
		for _, words := range []int{text.least(), min(text.least(), 12), -2} {
			if odds == "" {
				odds, oddsStyle = t.odds(t.d.Worth[choice], end-x-words-3)
			}
		}
		if selected {
			oddsStyle = body
		}
		if odds != "" {
			end = s.right(x, 0, end-x, odds, oddsStyle) - 2
		}
	}
	if s.w >= 40 {
		x++
	}
	s.field(x, 0, end-x, text.in(end-x), style)
}

// doing is what an actor would do, or why it does nothing.
func (t *choiceList) doing(a *trace.Actor, body, dim canvas.Style) (label, canvas.Style) {
	switch a.Phase {
	case trace.Blocked, trace.Paused:
		return label{long: "▒ " + waiting(t.words, a.Why)}, theme.Warn
	case trace.Dead:
		return label{long: "✗ " + result(t.words, a, false)}, theme.Bad
	case trace.Done:
		return label{long: "╵ " + result(t.words, a, t.d.ordered(a.Letter)), short: "╵ " + result(t.words, a, false)}, dim
	}
	return labelOf(a.NextOp, a.Next), body
}

// odds puts what a choice is worth into at most w cells, "" if it does not fit.
func (t *choiceList) odds(worth Worth, w int) (string, canvas.Style) {
	if worth.All == nil || worth.Bad == nil || worth.All.Sign() <= 0 {
		return "", theme.Text
	}
	mark, style := "! ", canvas.Style(theme.Warn)
	switch {
	case worth.Bad.Sign() <= 0:
		mark, style = "✓ ", theme.OK
	case worth.Bad.Cmp(worth.All) >= 0:
		mark, style = "✗ ", theme.Bad
	}
	bad, all := grouped(worth.Bad), grouped(worth.All)
	forms := []string{
		mark + i18n.Fill(t.words.Odds, "bad", bad, "all", all),
		mark + i18n.Fill(t.words.OddsShare, "share", percent(worth.Bad, worth.All)),
		mark + bad + "/" + all,
		mark + percent(worth.Bad, worth.All),
	}
	if len(all) > len("99,999") { // nobody compares numbers of nine digits
		forms = forms[1:]
	}
	for _, f := range forms {
		if canvas.Width(f) <= w {
			return f, style
		}
	}
	return "", style
}

// fault is a piece of the rows of the environment.
type fault struct {
	choice int // -1 for words between choices
	text   string
	x      int
	style  canvas.Style
}

// environment lists what the environment can do, each kind after its key, or why
// nobody can do anything.
func (t *choiceList) environment() []fault {
	var out []fault
	kind := byte(0)
	for i := range t.state.Choices {
		c := &t.state.Choices[i]
		if !c.Fault && c.Actor != "" || c.Move == "" {
			continue
		}
		if c.Move[0] != kind {
			kind = c.Move[0]
			key, verb := faultWords(t.words, kind)
			out = append(out, fault{-1, key, 0, theme.Key}, fault{-1, verb, 0, theme.KeyText})
		}
		what := c.What
		style := canvas.Style(theme.Env)
		if len(what) == 1 {
			style = actorStyle(what)
		}
		if what == "" { // the verb says it all
			out[len(out)-1].choice = i
			continue
		}
		out = append(out, fault{i, what, 0, style})
	}
	switch {
	case t.state.Deadlock:
		out = append(out, fault{-1, "✗ " + t.words.Deadlock, 0, theme.Bad})
	case t.state.Ended:
		out = append(out, fault{-1, t.words.NobodyLeft, 0, theme.Dim})
	}
	return out
}

// faultWords are the key for a kind of fault, given by the first letter of its move,
// and what it does. A node dies by the key that kills an actor: a lesson has only one
// of the two.
func faultWords(w *i18n.Panes, kind byte) (key, verb string) {
	switch kind {
	case 'e':
		return "!", w.Expire
	case 't':
		return "t", w.Clock
	case 'x':
		return "x", w.Crash
	case 'k':
		return "x", w.Kill
	case 'p':
		return "p", w.Pause
	case 'r':
		return "r", w.Redeliver
	case 'l':
		return "l", w.LoseReply
	}
	return string(rune(kind)), ""
}

// wrap gives pieces their places, in as many rows as they take.
func (t *choiceList) wrap(pieces []fault) [][]fault {
	var rows [][]fault
	x := 0
	for _, p := range pieces {
		w := canvas.Width(p.text)
		gap := 1
		if p.style == theme.Key {
			gap = 3
		}
		if len(rows) == 0 || x+gap+w > t.w-1 {
			rows = append(rows, nil)
			x, gap = 1, 0
		}
		p.x = x + gap
		x = p.x + w
		rows[len(rows)-1] = append(rows[len(rows)-1], p)
	}
	return rows
}

// faults paints row i of the environment.
func (t *choiceList) faults(s *sheet, y, i int) {
	for _, p := range t.wrapped[i] {
		style := p.style
		if p.choice >= 0 && p.choice == t.d.Selected {
			style = theme.Selected
			s.put(p.x-1, y, "▶", style)
		}
		s.field(p.x, y, s.w-p.x, p.text, style)
	}
}
