package pane

import (
	"strconv"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/trace"
)

// streamLine is one row about a stream: its heading, a group or an entry.
type streamLine struct {
	text, right string
	style       canvas.Style
	indent      int
	changed     bool // by the step at the cursor
}

func (l *streamLine) paint(s *sheet, y int) {
	x := 1 + l.indent
	room := s.w - x - 3
	if l.right != "" {
		w := min(canvas.Width(l.right), room/2)
		room = s.right(s.w-3-w, y, w, l.right, l.style) - x - 1
	}
	s.field(x, y, room, l.text, l.style)
	if l.changed {
		s.rune1(s.w-2, y, '◀', theme.Accent)
	}
}

// streamLines lists the streams: a heading each, its groups, and its entries with
// who has them, for how long, and how often they were handed out.
func (d *Lesson) streamLines() []streamLine {
	w := d.words()
	now, before := d.state(), d.before()
	var out []streamLine
	for i := range now.Streams {
		st := &now.Streams[i]
		old := streamOf(before, st.Name)
		head := streamLine{text: st.Name, right: i18n.Fill(w.Entries, "n", strconv.Itoa(len(st.Entries))), style: theme.Title}
		out = append(out, head)
		for _, g := range st.Groups {
			out = append(out, streamLine{
				text:  i18n.Fill(w.Group, "name", g.Name, "read", strconv.Itoa(g.Delivered), "pending", strconv.Itoa(g.Pending)),
				style: theme.Dim, indent: 1,
			})
		}
		for j := range st.Entries {
			out = append(out, d.entryLine(w, &st.Entries[j], entryOf(old, st.Entries[j].Rank), before != nil))
		}
	}
	return out
}

// entryLine tells of one entry: unread, pending with its owner, or dealt with.
func (d *Lesson) entryLine(w *i18n.Panes, e, old *trace.Entry, known bool) streamLine {
	l := streamLine{text: strconv.Itoa(e.Rank) + " " + e.Fields, indent: 1, style: theme.Text}
	switch {
	case e.Consumer != "":
		l.right = i18n.Fill(w.PendingEntry, "consumer", e.Consumer, "idle", left(e.Idle), "count", strconv.FormatInt(e.Count, 10))
		l.style = theme.Warn
	case e.Delivered:
		l.right, l.style = w.EntryDone, theme.OK
	default:
		l.right = w.EntryUnread
	}
	l.changed = known && (old == nil || old.Consumer != e.Consumer || old.Delivered != e.Delivered || old.Count != e.Count)
	return l
}

func streamOf(s *trace.State, name string) *trace.Stream {
	if s == nil {
		return nil
	}
	for i := range s.Streams {
		if s.Streams[i].Name == name {
			return &s.Streams[i]
		}
	}
	return nil
}

func entryOf(s *trace.Stream, rank int) *trace.Entry {
	if s == nil {
		return nil
	}
	for i := range s.Entries {
		if s.Entries[i].Rank == rank {
			return &s.Entries[i]
		}
	}
	return nil
}
