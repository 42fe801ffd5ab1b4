package pane

import (
	"time"

	"flashlab/cmd/flashlab/internal/canvas"
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
	if len(rows) == 0 {
		s.sentence(1, 0, w.NoKeys, theme.Dim)
		return 0
	}
	head := 0
	if s.h >= 2 && s.h > len(rows) || s.h > 4 {
		head = 1
	}
	first, last := len(rows), 0
	for i := range rows {
		if rows[i].changed {
			first, last = min(first, i), i
		}
	}
	win := look(len(rows), s.h-head, s.h, min(first, last), last, d.scroll(layout.PaneRedis))
	c := keyColumnsOf(&s, rows, w.KeyColumn, w.ValueColumn, w.TTLColumn, w.OwnerColumn)
	if head > 0 {
		s.field(c.key, 0, c.value-c.key-1, w.KeyColumn, theme.Title)
		s.field(c.value, 0, c.ttl-c.value-1, w.ValueColumn, theme.Title)
		s.field(c.ttl, 0, s.w-c.ttl-1, w.TTLColumn, theme.Title)
		if c.owner > 0 {
			s.field(c.owner, 0, s.w-c.owner-1, w.OwnerColumn, theme.Title)
		}
	}
	for i := win.top; i < win.end(); i++ {
		d.key(&s, head+i-win.top, &rows[i], c)
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
		row := keyRow{Key: k, full: k.TTL}
		if before != nil {
			old := keyOf(before, k.Name)
			row.changed = old == nil || old.Value != k.Value || old.Owner != k.Owner ||
				k.TTL > old.TTL || k.TTL < 0 && old.TTL >= 0
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
		if keyOf(now, k.Name) == nil {
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

// keyColumnsOf gives the key what it needs, then the bar, then the value; what is too
// long is cut, the key last.
func keyColumnsOf(s *sheet, rows []keyRow, key, value, ttl, owner string) keyColumns {
	keyW, valueW, owned, leased := canvas.Width(key), canvas.Width(value), false, false
	for i := range rows {
		keyW = max(keyW, canvas.Width(rows[i].Name))
		valueW = max(valueW, canvas.Width(rows[i].Value))
		owned = owned || rows[i].Owner != ""
		leased = leased || rows[i].TTL >= 0
	}
	c := keyColumns{key: 1, mark: s.w - 2}
	room := s.w - 4 // a margin and the mark of change with its space
	if owned {
		room -= canvas.Width(owner) + 1
	}
	ttlW := canvas.Width(ttl)
	if leased {
		ttlW = max(ttlW, 5) // "59.9s"
		c.bar = min(max(room-keyW-valueW-ttlW-3, 0), 12)
		if c.bar < 4 {
			c.bar = 0
		}
		if c.bar > 0 {
			ttlW += c.bar + 1
		}
	}
	if over := keyW + valueW + ttlW + 2 - room; over > 0 {
		take := min(over, max(valueW-4, 0))
		valueW -= take
		keyW = max(keyW-(over-take), 3)
	}
	c.value = c.key + keyW + 1
	c.ttl = c.value + valueW + 1
	if owned {
		c.owner = c.ttl + ttlW + 1
	}
	return c
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
	switch {
	case k.gone:
		s.field(c.ttl, y, end-c.ttl, "✗ "+w.Gone, theme.Bad)
	case k.TTL < 0:
		s.field(c.ttl, y, end-c.ttl, w.NoTTL, theme.Dim)
	default:
		style := canvas.Style(theme.TTLFull)
		if k.TTL*4 <= k.full {
			style = theme.TTLLow
		}
		x := c.ttl
		if c.bar > 0 {
			x = bar(s, x, y, c.bar, int64(k.TTL), int64(k.full), style) + 1
		}
		s.field(x, y, end-x, left(k.TTL), style)
	}
	if c.owner > 0 && k.Owner != "" && !k.gone {
		s.put(c.owner, y, k.Owner, actorStyle(k.Owner))
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
