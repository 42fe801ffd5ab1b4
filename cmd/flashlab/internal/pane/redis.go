package pane

import (
	"strings"
	"time"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/trace"
)

// keyRow is one key of Redis on the screen.
type keyRow struct {
	trace.Key
	full    time.Duration // the longest its TTL has been, the whole of its bar
	changed bool          // by the step at the cursor
	gone    bool          // by that step too
}

// Redis paints the keys with their values and what is left of their leases.
func (d *Lesson) Redis(v canvas.View) int {
	s := d.sheet(v)
	w := d.words()
	rows := d.keyRows()
	streams := d.streamLines()
	total := len(rows) + len(streams)
	if total == 0 {
		s.sentence(1, 0, w.NoKeys, theme.Dim)
		return 0
	}
	head := 0
	if len(rows) > 0 && (s.h >= 2 && s.h > total || s.h > 4) {
		head = 1
	}
	first, last := total, 0
	for i := range rows {
		if rows[i].changed {
			first, last = min(first, i), i
		}
	}
	for i := range streams {
		if streams[i].changed {
			first, last = min(first, len(rows)+i), len(rows)+i
		}
	}
	win := look(total, s.h-head, s.h, min(first, last), last, d.scroll(layout.PaneRedis))
	c := keyColumnsOf(&s, rows, w)
	if head > 0 {
		s.put(c.key, 0, canvas.Truncate(w.KeyColumn, c.value-c.key-1, ""), theme.Title)
		s.put(c.value, 0, canvas.Truncate(w.ValueColumn, c.ttl-c.value-1, ""), theme.Title)
		s.put(c.ttl, 0, w.TTLColumn, theme.Title)
		if c.owner > 0 {
			s.put(c.owner, 0, w.OwnerColumn, theme.Title)
		}
	}
	for i := win.top; i < win.end(); i++ {
		y := head + i - win.top
		if i < len(rows) {
			d.key(&s, y, &rows[i], c)
		} else {
			streams[i-len(rows)].paint(&s, y)
		}
	}
	s.more(win, w)
	return win.scroll
}

// keyRows lists the keys that are there, and those that the step at the cursor has
// taken away.
func (d *Lesson) keyRows() []keyRow {
	now, before := d.state(), d.before()
	rows := make([]keyRow, 0, len(now.Keys)+1)
	for _, k := range now.Keys {
		if k.Type == "stream" {
			continue // shown below with its entries
		}
		row := keyRow{Key: k, full: k.TTL, gone: k.Missing}
		if before != nil {
			old := keyOf(before, k.Name)
			row.changed = old == nil || old.Value != k.Value || old.Owner != k.Owner ||
				k.TTL > old.TTL || k.TTL < 0 && old.TTL >= 0 || old.Missing != k.Missing
		}
		d.ran(func(f *trace.Frame) bool {
			if old := keyOf(&f.State, k.Name); old != nil {
				row.full = max(row.full, old.TTL)
			}
			return true
		})
		rows = append(rows, row)
	}
	if before == nil {
		return rows
	}
	for _, k := range before.Keys {
		if keyOf(now, k.Name) == nil && !k.Missing {
			rows = append(rows, keyRow{Key: k, changed: true, gone: true})
		}
	}
	return rows
}

func keyOf(s *trace.State, name string) *trace.Key {
	for i := range s.Keys {
		if s.Keys[i].Name == name {
			return &s.Keys[i]
		}
	}
	return nil
}

// keyColumns are the columns of the table of keys.
type keyColumns struct {
	key, value, ttl int
	owner           int // 0 where there is no room, or nothing to show
	bar             int // cells of a full bar
	mark            int // column of the mark of change
}

// keyColumnsOf gives every column what it needs and the bar what is left. Where that
// is nothing, headings are cut first, then values, then keys.
func keyColumnsOf(s *sheet, rows []keyRow, w *i18n.Panes) keyColumns {
	keyW, valueW, ttlW, ownerW := canvas.Width(w.KeyColumn), canvas.Width(w.ValueColumn), canvas.Width(w.TTLColumn), 0
	value := 3 // the least that a heading needs to be guessed
	leased := false
	for i := range rows {
		k := &rows[i]
		keyW = max(keyW, canvas.Width(k.Name))
		value = max(value, canvas.Width(k.Value))
		ttlW = max(ttlW, canvas.Width(k.ttl(w)))
		leased = leased || k.TTL >= 0 && !k.gone
		if holder := k.holder(); holder != "" {
			ownerW = max(ownerW, canvas.Width(w.OwnerColumn), canvas.Width(holder))
		}
	}
	valueW = max(valueW, value)
	c := keyColumns{key: 1, mark: s.w - 2}
	room := s.w - 4 - 2 // a margin, the mark of change with its space, two gaps
	if ownerW > 0 {
		room -= ownerW + 1
	}
	for _, p := range []struct {
		w     *int
		least int
	}{{&valueW, value}, {&valueW, 4}, {&keyW, 8}, {&valueW, 3}, {&keyW, 3}} {
		if over := keyW + valueW + ttlW - room; over > 0 {
			*p.w = max(*p.w-over, min(*p.w, p.least))
		}
	}
	if spare := room - keyW - valueW - ttlW - 1; leased && spare >= 4 {
		c.bar = min(spare, 12)
		ttlW += c.bar + 1
	}
	c.value = c.key + keyW + 1
	c.ttl = c.value + valueW + 1
	if ownerW > 0 {
		c.owner = c.ttl + ttlW + 1
	}
	return c
}

// ttl is what is left of a lease, in words. A lock without an end is worth a word; any
// other key without one is nothing special.
func (k *keyRow) ttl(w *i18n.Panes) string {
	switch {
	case k.gone:
		return "✗ " + w.Gone
	case k.TTL >= 0:
		return left(k.TTL)
	case k.Owner != "":
		return w.NoTTL
	}
	return "-"
}

// holder is who holds a lock, and with a question mark who only believes to.
func (k *keyRow) holder() string {
	out := k.Owner
	for _, b := range k.Believers {
		if b != k.Owner {
			out = strings.TrimSpace(out + " " + b + "?")
		}
	}
	return out
}

// key paints one key: its lease as a bar and in seconds, with a mark if this step has
// changed it.
func (d *Lesson) key(s *sheet, y int, k *keyRow, c keyColumns) {
	w := d.words()
	name, value := canvas.Style(theme.Text), canvas.Style(theme.Text)
	if k.changed {
		value = theme.Accent
	}
	if k.gone {
		name, value = theme.Dim, theme.Dim
	}
	s.field(c.key, y, c.value-c.key-1, k.Name, name)
	s.field(c.value, y, c.ttl-c.value-1, k.Value, value)
	end := s.w - 3
	if c.owner > 0 {
		end = c.owner - 1
	}
	x, style := c.ttl, canvas.Style(theme.TTLFull)
	switch {
	case k.gone:
		style = theme.Bad
	case k.TTL < 0 && k.Owner != "":
		style = theme.Warn
	case k.TTL < 0:
		style = theme.Dim
	case k.TTL <= k.full/4:
		style = theme.TTLLow
	}
	if c.bar > 0 && k.TTL >= 0 && !k.gone {
		x = bar(s, x, y, c.bar, int64(k.TTL), int64(k.full), style) + 1
	}
	s.field(x, y, end-x, k.ttl(w), style)
	if holder := k.holder(); c.owner > 0 && holder != "" {
		style := actorStyle(k.Owner)
		if strings.Contains(holder, "?") {
			style = theme.Bad
		}
		s.put(c.owner, y, holder, style)
	}
	if k.changed {
		s.rune1(c.mark, y, '◀', theme.Accent)
	}
}

// bar paints part/all as w cells, and returns the column after them. It is neither
// empty nor full unless the part is.
func bar(s *sheet, x, y, w int, part, all int64, style canvas.Style) int {
	n := 0
	if all > 0 {
		n = int(float64(part)/float64(all)*float64(w) + 0.5)
		if part > 0 {
			n = max(n, 1)
		}
		if part < all {
			n = min(n, w-1)
		}
	}
	n = min(max(n, 0), w)
	s.Fill(canvas.Rect{X: x, Y: y, W: n, H: 1}, '█', style)
	s.Fill(canvas.Rect{X: x + n, Y: y, W: w - n, H: 1}, '░', style)
	return x + w
}
