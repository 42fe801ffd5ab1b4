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
	if len(rows)+len(streams) == 0 {
		s.sentence(1, 0, w.NoKeys, theme.Dim)
		return 0
	}
	c := keyColumnsOf(&s, rows, w)
	lines, leases := d.redisLines(&s, rows, streams, c), 0
	for i := range rows {
		if rows[i].TTL > 0 && !rows[i].gone {
			leases++
		}
	}
	head := 0
	if len(rows) > 0 && (s.h >= 2 && s.h > len(lines) || s.h > 4) {
		head = 1
	}
	// Where a bar does not fit beside the figures, it gets a row of its own, and the
	// heading gives way to it.
	if c.bar == 0 && leases > 0 && s.h >= len(lines)+leases {
		c.below = true
		lines = d.redisLines(&s, rows, streams, c)
		head = min(head, s.h-len(lines))
	}
	first, last := len(lines), 0
	for i := range lines {
		if lines[i].changed {
			first, last = min(first, i), i
		}
	}
	win := look(len(lines), s.h-head, s.h, min(first, last), last, d.scroll(layout.PaneRedis))
	if head > 0 {
		s.put(c.key, 0, canvas.Truncate(w.KeyColumn, c.value-c.key-1, ""), theme.Title)
		s.put(c.value, 0, canvas.Truncate(w.ValueColumn, c.ttl-c.value-1, ""), theme.Title)
		s.put(c.ttl, 0, w.TTLColumn, theme.Title)
		if c.owner > 0 {
			s.put(c.owner, 0, w.OwnerColumn, theme.Title)
		}
	}
	for i := win.top; i < win.end(); i++ {
		lines[i].paint(head + i - win.top)
	}
	s.more(win, w)
	return win.scroll
}

// redisLine is one row of the pane.
type redisLine struct {
	paint   func(y int)
	changed bool
}

// redisLines lists the rows of keys, of their bars where those stand below, and of
// streams.
func (d *Lesson) redisLines(s *sheet, rows []keyRow, streams []streamLine, c keyColumns) []redisLine {
	var out []redisLine
	for i := range rows {
		k := &rows[i]
		out = append(out, redisLine{func(y int) { d.key(s, y, k, c) }, k.changed})
		if c.below && k.TTL > 0 && !k.gone {
			out = append(out, redisLine{func(y int) {
				bar(s, c.key+1, y, max(3, s.w-c.key-4), int64(k.TTL), int64(k.full), k.barStyle())
			}, false})
		}
	}
	for i := range streams {
		l := &streams[i]
		out = append(out, redisLine{func(y int) { l.paint(s, y) }, l.changed})
	}
	return out
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
		row := keyRow{Key: d.passing(k), full: k.TTL, gone: k.Missing}
		if before != nil {
			old := keyOf(before, k.Name)
			row.changed = old == nil || old.Value != k.Value || old.Owner != k.Owner ||
				k.TTL > old.TTL || k.TTL < 0 && old.TTL >= 0 || old.Missing != k.Missing
		}
		row.full = max(row.full, d.longest(k.Name))
		rows = append(rows, row)
	}
	if before == nil {
		return rows
	}
	for _, k := range before.Keys {
		if keyOf(now, k.Name) != nil || k.Missing {
			continue
		}
		if x := d.passing(k); x.TTL > 0 && x.TTL != k.TTL { // still running out
			rows = append(rows, keyRow{Key: x, full: d.longest(k.Name), changed: true})
			continue
		}
		rows = append(rows, keyRow{Key: k, changed: true, gone: true})
	}
	return rows
}

// longest is the longest that the time to live of a key has been so far.
func (d *Lesson) longest(name string) (most time.Duration) {
	d.ran(func(f *trace.Frame) bool {
		if old := keyOf(&f.State, name); old != nil {
			most = max(most, old.TTL)
		}
		return true
	})
	return most
}

// passing is a key while the time that the last step let pass is being shown: its
// lease is somewhere between before and after.
func (d *Lesson) passing(k trace.Key) trace.Key {
	e, before := d.event(), d.before()
	if d.Passing <= 0 || d.Passing >= 1 || before == nil || e == nil || e.Op != "clock" && e.Op != "expire" {
		return k
	}
	old, now := keyOf(before, k.Name), keyOf(d.state(), k.Name)
	if old == nil || old.TTL <= 0 || now == nil && e.Op == "expire" && !strings.HasSuffix(e.Args, k.Name) {
		return k
	}
	var end time.Duration
	if now != nil {
		end = now.TTL
	}
	if end < old.TTL {
		k.TTL = old.TTL + time.Duration(float64(end-old.TTL)*d.Passing)
	}
	return k
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
	owner           int  // 0 where there is no room, or nothing to show
	bar             int  // cells of a full bar
	mark            int  // column of the mark of change
	below           bool // bars stand in rows of their own
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

// barStyle is how a lease is shown: with time left, about to end, over, or endless.
func (k *keyRow) barStyle() canvas.Style {
	switch {
	case k.gone:
		return theme.Bad
	case k.TTL < 0 && k.Owner != "":
		return theme.Warn
	case k.TTL < 0:
		return theme.Dim
	case k.TTL <= k.full/4:
		return theme.TTLLow
	}
	return theme.TTLFull
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
	x, style := c.ttl, k.barStyle()
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
