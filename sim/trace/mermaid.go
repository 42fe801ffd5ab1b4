package trace

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// WriteMermaid writes the run as a Mermaid sequence diagram: actors and the
// stores they use as participants, a command and its answer as two arrows, the
// environment as notes, and a red rectangle round each step that broke a light.
// An error is the writer's.
func WriteMermaid(w io.Writer, l Log) error {
	m := mermaid{cast: l.cast(), engines: l.engines()}
	m.ids = laneIDs(m.cast)
	m.put("sequenceDiagram")
	if t := strings.TrimSpace(l.title()); t != "" {
		m.put("    title %s", mermaidText(t))
	}
	for _, a := range m.cast {
		m.put("    participant %s as %s", m.ids[a.Letter], mermaidText(heading(a)))
	}
	for _, e := range m.engines {
		m.put("    participant %s", e)
	}
	runOut := false
	for i := range l.Frames {
		e := l.Frames[i].Event
		if e == nil {
			if i > 0 {
				m.broken(m.everybody(), newlyRed(&l.Frames[i-1].State, &l.Frames[i].State), &l.Frames[i].State)
			}
			continue
		}
		if e.RunOut && !runOut {
			runOut = true
			m.put("    Note over %s: run-out", m.everybody())
		}
		m.step(e, &l.Frames[i].State)
	}
	if _, err := io.WriteString(w, m.b.String()); err != nil {
		return fmt.Errorf("writing the run as a Mermaid diagram: %w", err)
	}
	return nil
}

type mermaid struct {
	b       strings.Builder
	cast    []Actor
	ids     map[string]string // letter to participant
	engines []string
}

func (m *mermaid) put(format string, args ...any) {
	fmt.Fprintf(&m.b, format+"\n", args...)
}

func (m *mermaid) step(e *Event, after *State) {
	if len(e.Broken) > 0 {
		m.put("    rect rgb(255,220,220)")
		defer m.put("    end")
	}
	number := strconv.Itoa(e.Seq)
	if e.RunOut {
		number = "·"
	}
	who, engine := m.ids[e.Actor], e.engine()
	over := who
	switch {
	case e.environment():
		over = cmp.Or(engine, m.ids[e.target()], m.everybody())
		m.put("    Note over %s: %s %s", over, number, mermaidText(happening(e)))
	case engine == "":
		s := number + " " + e.command()
		if e.Reply != "" {
			s += " → " + e.Reply
		}
		m.put("    %s->>%s: %s", who, who, mermaidText(s))
	default:
		over = who + "," + engine
		m.put("    %s->>%s: %s %s", who, engine, number, mermaidText(e.command()))
		arrow, text := "-->>", e.Reply
		if e.Failed {
			arrow = "--x"
		}
		if text == "" {
			text = "(no answer)"
		}
		m.put("    %s%s%s: %s", engine, arrow, who, mermaidText(text))
	}
	m.broken(over, e.Broken, after)
}

// broken notes lights that turned red, with the figures behind them.
func (m *mermaid) broken(over string, names []string, after *State) {
	for _, name := range names {
		m.put("    Note over %s: %s", over, mermaidText("✗ "+verdict(name, after)))
	}
}

// everybody is the span from the first participant to the last.
func (m *mermaid) everybody() string {
	var all []string
	for _, a := range m.cast {
		all = append(all, m.ids[a.Letter])
	}
	all = append(all, m.engines...)
	switch len(all) {
	case 0:
		return "World" // a note may introduce a participant
	case 1:
		return all[0]
	}
	return all[0] + "," + all[len(all)-1]
}

// mermaidEscapes are entity codes in Mermaid's own form. ";" ends a statement
// and "#" begins a comment even inside a message; "%%" begins a comment or a
// directive, "$$" a formula, "<" an HTML tag.
var mermaidEscapes = strings.NewReplacer(
	";", "#59;", "#", "#35;", "%", "#37;", "$", "#36;", "<", "#lt;", ">", "#gt;", "&", "#amp;",
)

// mermaidText makes s safe as the text of a message, note or alias: one line,
// no syntax, never empty.
func mermaidText(s string) string {
	s = mermaidEscapes.Replace(strings.TrimSpace(oneLine(s)))
	// "wrap:" at the start is an instruction to the renderer.
	for _, word := range []string{"wrap:", "nowrap:"} {
		if len(s) >= len(word) && strings.EqualFold(s[:len(word)], word) {
			s = s[:len(word)-1] + "#58;" + s[len(word):]
		}
	}
	if s == "" {
		return "-"
	}
	return s
}
