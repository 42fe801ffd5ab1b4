package trace

import (
	"fmt"
	"strings"
)

// textWidth is the widest line of the text form, in cells: it must fit a
// terminal of 100 columns with room for the cursor. More than four actors widen
// the lanes beyond it.
const textWidth = 99

// lanes lays steps out in columns: a mark and a number, one column an actor,
// one for what the stores answered and how they changed.
type lanes struct {
	b      *strings.Builder
	cast   []Actor
	ids    map[string]int // letter to column
	stores string         // heading of the last column
	actor  int            // width of an actor's column without its gap, in cells
	store  int            // width of the last column, in cells
	inPlay map[string]bool
}

const (
	gutter = 6 // mark, three digits, two spaces
	gap    = 2 // between columns
)

func newLanes(b *strings.Builder, l *Log) *lanes {
	t := &lanes{b: b, cast: l.cast(), ids: map[string]int{}, inPlay: map[string]bool{}}
	for i, a := range t.cast {
		t.ids[a.Letter] = i
	}
	t.stores = strings.Join(l.engines(), "/")
	if t.stores == "" {
		t.stores = "Answer"
	}
	// The stores' column is worth more the fewer lanes compete with it; five
	// actors and more take lanes as narrow as four do.
	n := min(len(t.cast), 4)
	t.store = 41 - 4*n
	if n == 0 {
		t.store = textWidth - gutter
		return t
	}
	t.actor = (textWidth-gutter-t.store)/n - gap
	return t
}

// width is that of a whole line, in cells.
func (t *lanes) width() int {
	return gutter + len(t.cast)*(t.actor+gap) + t.store
}

// row writes one line of the grid; cells beyond the given ones are empty.
func (t *lanes) row(mark, number string, cells []string, store string) {
	var b strings.Builder
	b.WriteString(fit(mark, 1))
	fmt.Fprintf(&b, "%3s  ", number)
	for i := range t.cast {
		b.WriteString(fit(cells[i], t.actor))
		b.WriteString(strings.Repeat(" ", gap))
	}
	b.WriteString(clip(store, t.store))
	t.line(b.String())
}

// line writes s without spaces at its end.
func (t *lanes) line(s string) {
	t.b.WriteString(strings.TrimRight(s, " "))
	t.b.WriteByte('\n')
}

// head names the columns and rules them off.
func (t *lanes) head() {
	names := make([]string, len(t.cast))
	rules := make([]string, len(t.cast))
	for i, a := range t.cast {
		names[i] = oneLine(heading(a))
		rules[i] = strings.Repeat("-", t.actor)
	}
	t.row("", "#", names, t.stores)
	t.row("", "---", rules, strings.Repeat("-", t.store))
}

// heading is "A buyer n1", or what is known of it.
func heading(a Actor) string {
	return strings.Join(strings.Fields(a.Letter+" "+a.Name.String()+" "+a.Node), " ")
}

// step writes one event and, below it, the lights that it broke.
func (t *lanes) step(e *Event, before, after *State) {
	mark, number := "", fmt.Sprint(e.Seq)
	if len(e.Broken) > 0 {
		mark = "✗"
	}
	if e.RunOut {
		number = "·"
	}
	store := outcome(e, changes(before, after))
	if e.environment() {
		t.rule(mark, number, happening(e), store)
	} else {
		cells := make([]string, len(t.cast))
		for i, a := range t.cast {
			if t.inPlay[a.Letter] {
				cells[i] = "│"
			}
		}
		cells[t.ids[e.Actor]] = oneLine(e.command())
		t.row(mark, number, cells, store)
		t.inPlay[e.Actor] = e.End == ""
	}
	for _, a := range after.Actors {
		if a.Phase == Dead || a.Phase == Done {
			delete(t.inPlay, a.Letter)
		}
	}
	for _, name := range e.Broken {
		t.broken(name, after)
	}
}

// broken names a light that turned red, with the figures behind it.
func (t *lanes) broken(name string, after *State) {
	t.line(strings.Repeat(" ", gutter) + clip("✗ "+oneLine(verdict(name, after)), t.width()-gutter))
}

// rule draws a step of the environment as a line through all lanes: it is
// nobody's step.
func (t *lanes) rule(mark, number, words, store string) {
	w := max(0, len(t.cast)*(t.actor+gap)-gap)
	s := clip("~~~ "+oneLine(words)+" ~~~", w)
	s += strings.Repeat("~", max(0, w-displayWidth(s)))
	if w > 0 {
		s += strings.Repeat(" ", gap)
	} else {
		store = strings.TrimSpace(oneLine(words) + " " + store)
	}
	t.line(fit(mark, 1) + fmt.Sprintf("%3s  ", number) + s + clip(store, t.store))
}

// outcome is the answer of a step and what it changed: "→ 1 row · stock 1→0".
func outcome(e *Event, changed []string) string {
	var parts []string
	switch {
	case e.Failed && e.Reply == "":
		parts = append(parts, "→ failed")
	case e.Failed:
		parts = append(parts, "→ failed: "+e.Reply)
	case e.Reply != "":
		parts = append(parts, "→ "+e.Reply)
	}
	return oneLine(strings.Join(append(parts, changed...), " · "))
}

// happening puts a step of the environment into words. Args may name whom it
// concerns with or without the operation before it: "crash A", "lock:order:7".
func happening(e *Event) string {
	what := strings.TrimSpace(strings.TrimPrefix(e.Args, e.Op))
	if what == "" && len(e.Access) > 0 {
		what = e.Access[0].Resource
	}
	switch e.Op {
	case "expire":
		return phrase("TTL expires", ": ", what)
	case "clock":
		return "clock moves to " + instant(e.At)
	case "crash":
		return phrase("crash", " of ", what)
	case "pause":
		return phrase("pause", " of ", what)
	case "redeliver":
		return phrase("redelivery", " to ", what)
	}
	return phrase(e.Op, ": ", what)
}

// phrase joins words and what they concern, if that is known.
func phrase(words, link, what string) string {
	if what == "" {
		return words
	}
	return words + link + what
}

// verdict is the name of a light with the figures behind it, if there are any.
func verdict(name string, s *State) string {
	for _, l := range s.Lights {
		if l.Name == name && !l.Detail.Empty() {
			return name + ": " + l.Detail.String()
		}
	}
	return name
}

// newlyRed lists the lights that are red only in the second picture. A frame
// without an event judges what can be judged only when all is over.
func newlyRed(before, after *State) []string {
	var out []string
	for _, l := range after.Lights {
		if l.Status == Red && !before.Broken(l.Name) {
			out = append(out, l.Name)
		}
	}
	return out
}
