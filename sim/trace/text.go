package trace

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// WriteText writes the run as lanes for a terminal without colour, a column an
// actor, followed by the reasons behind it and by the world at its end. Lines
// stay below 100 cells for up to four actors; longer commands end in "…". An
// error is the writer's.
func WriteText(w io.Writer, l Log) error {
	var b strings.Builder
	writeHeader(&b, &l)
	writeLanes(&b, &l)
	writeWhy(&b, &l)
	writeEnd(&b, &l)
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the run as text: %w", err)
	}
	return nil
}

// put writes one line of at most textWidth cells.
func put(b *strings.Builder, s string) {
	b.WriteString(strings.TrimRight(clip(oneLine(s), textWidth), " "))
	b.WriteByte('\n')
}

func writeHeader(b *strings.Builder, l *Log) {
	if s := strings.TrimSpace(l.title() + "  " + l.Params); s != "" {
		put(b, s)
	}
	if l.Verdict != "" {
		put(b, "verdict  "+l.Verdict)
	}
	if l.Token != "" {
		put(b, "token    "+l.Token)
	}
	steps, env := 0, 0
	for _, e := range l.events() {
		if e.RunOut {
			continue
		}
		steps++
		if e.environment() {
			env++
		}
	}
	preempted := 0
	for _, t := range turns(l.Frames) {
		if t.Preempted {
			preempted++
		}
	}
	size := count(steps, "step")
	if env > 0 {
		size += fmt.Sprintf(" (%d of the environment)", env)
	}
	put(b, "size     "+size+", "+count(preempted, "preemption"))
}

// count is "1 step", "2 steps".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func writeLanes(b *strings.Builder, l *Log) {
	b.WriteByte('\n')
	t := newLanes(b, l)
	t.head()
	runOut := false
	before := &State{}
	for i := range l.Frames {
		f := &l.Frames[i]
		if f.Event != nil {
			if f.Event.RunOut && !runOut {
				runOut = true
				t.line("      --- run-out: no more faults, everybody goes on in turn ---")
			}
			t.step(f.Event, before, &f.State)
		} else if i > 0 {
			for _, name := range newlyRed(before, &f.State) {
				t.broken(name, &f.State)
			}
		}
		before = &f.State
	}
}

// writeWhy tells what raced, light by light, and why each turn went to another.
func writeWhy(b *strings.Builder, l *Log) {
	var lines []string
	told := map[string]bool{}
	for _, e := range l.events() {
		for _, light := range e.Broken {
			if told[light] {
				continue
			}
			told[light] = true
			s := light + ": no race behind it, see the step itself"
			if c, ok := Explain(l.Frames, light); ok {
				s = light + ": " + c.String()
			}
			lines = append(lines, wrap(oneLine(s), "  ", textWidth-2)...)
		}
	}
	section(b, "Why it broke", lines)

	lines = nil
	for _, t := range turns(l.Frames) {
		s := fmt.Sprintf("  %3d → %-3d  %s → %s  %s", t.After, t.Step, t.From, t.To, t.Why)
		if t.Preempted {
			// The mark stays readable when the command before it is clipped.
			mark := " (preemption)"
			s = clip(oneLine(s), textWidth-utf8.RuneCountInString(mark)) + mark
		}
		lines = append(lines, s)
	}
	section(b, "Why the turns changed", lines)
}

// writeEnd shows the world after the last step.
func writeEnd(b *strings.Builder, l *Log) {
	s := l.final()
	var stores []string
	for _, t := range s.Tables {
		stores = append(stores, tableLines(t)...)
	}
	keys := make([][]string, 0, len(s.Keys))
	for _, k := range s.Keys {
		ttl, grant := "no TTL", ""
		if k.TTL >= 0 {
			ttl = "TTL " + k.TTL.String()
		}
		if k.Owner != "" {
			grant = "granted to " + k.Owner
		}
		keys = append(keys, []string{k.Name, k.Type, k.Value, ttl, grant})
	}
	section(b, "Stores at the end ("+instant(s.Now)+")", append(stores, columns(keys)...))

	actors := make([][]string, 0, len(s.Actors))
	for _, a := range s.Actors {
		how := a.Phase.String()
		switch {
		case a.Phase == Done && a.Result != "":
			how = "returned: " + a.Result
		case a.Phase == Blocked || a.Phase == Paused:
			how = a.Why.words()
		}
		actors = append(actors, []string{heading(a), how})
	}
	lines := columns(actors)
	if s.Deadlock {
		lines = append(lines, "  deadlock: nobody can move")
	}
	section(b, "Actors", lines)

	lights := make([][]string, 0, len(s.Lights))
	for _, li := range s.Lights {
		lights = append(lights, []string{lightMark(li.Status), li.Name, lightWords(li)})
	}
	section(b, "Lights", columns(lights))

	notes := make([]string, 0, len(s.Notes))
	for _, n := range s.Notes {
		notes = append(notes, "  "+n.String())
	}
	section(b, "Notes", notes)
}

// section writes lines under a heading, or nothing when there are none.
func section(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	b.WriteByte('\n')
	put(b, title)
	for _, s := range lines {
		put(b, s)
	}
}

func lightMark(s Status) string {
	switch s {
	case Green:
		return "✓"
	case Red:
		return "✗"
	}
	return "·"
}

func lightWords(l Light) string {
	s := l.Status.String()
	switch {
	case l.Status == Red && l.Since > 0:
		s += fmt.Sprintf(" since step %d", l.Since)
	case l.Status == Grey:
		s += ", not judged here"
	}
	if !l.Detail.Empty() {
		s += ": " + l.Detail.String()
	}
	return s
}

// tableLines sets a table with its name at the left and its columns aligned.
func tableLines(t Table) []string {
	grid := [][]string{append([]string{t.Name}, t.Columns...)}
	for _, row := range t.Rows {
		grid = append(grid, append([]string{""}, row...))
	}
	if len(t.Rows) == 0 {
		grid = append(grid, []string{"", "(no rows)"})
	}
	return columns(grid)
}

// columnLimit keeps one long value from pushing its neighbours off the line, in
// cells.
const columnLimit = 40

// columns aligns rows of cells, two spaces apart and two from the left.
func columns(rows [][]string) []string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], min(columnLimit, displayWidth(oneLine(cell))))
		}
	}
	out := make([]string, 0, len(rows))
	for _, row := range rows {
		s := ""
		for i, cell := range row {
			if i == len(row)-1 {
				s += "  " + oneLine(cell) // the last one may run to the edge
			} else {
				s += "  " + fit(oneLine(cell), widths[i])
			}
		}
		out = append(out, s)
	}
	return out
}
