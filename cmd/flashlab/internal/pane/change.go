package pane

import (
	"slices"

	"flashlab/sim/trace"
)

// changedRow is a row of a table with what a step did to it.
type changedRow struct {
	cells   []string
	old     []string // the row it replaces, nil if there is none
	changed bool
	gone    bool
}

// cellChanged reports whether cell i differs from what it was. All cells of a new row
// do.
func (r *changedRow) cellChanged(i int) bool {
	return r.changed && (r.old == nil || i >= len(r.old) || r.old[i] != r.cells[i])
}

// changedRows compares a table with what it was. Rows that went are paired with rows
// that came by their first cell, the key in most tables of the lab; what is left over
// was inserted or deleted. before is nil where there is nothing to compare with.
func changedRows(before *trace.State, t *trace.Table) []changedRow {
	rows := make([]changedRow, 0, len(t.Rows)+1)
	old := tableOf(before, t.Name)
	if old == nil {
		for _, r := range t.Rows {
			rows = append(rows, changedRow{cells: r})
		}
		return rows
	}
	if len(old.Rows) == len(t.Rows) && slices.EqualFunc(old.Rows, t.Rows, slices.Equal) {
		for _, r := range t.Rows { // as after most steps
			rows = append(rows, changedRow{cells: r})
		}
		return rows
	}
	gone := slices.Clone(old.Rows)
	take := func(same func([]string) bool) []string {
		i := slices.IndexFunc(gone, same)
		if i < 0 {
			return nil
		}
		r := gone[i]
		gone = slices.Delete(gone, i, i+1)
		return r
	}
	for _, r := range t.Rows {
		kept := take(func(g []string) bool { return slices.Equal(g, r) })
		rows = append(rows, changedRow{cells: r, old: kept, changed: kept == nil})
	}
	for i := range rows {
		if r := &rows[i]; r.changed {
			r.old = take(func(g []string) bool { return len(g) > 0 && len(r.cells) > 0 && g[0] == r.cells[0] })
		}
	}
	for _, g := range gone {
		rows = append(rows, changedRow{cells: g, changed: true, gone: true})
	}
	return rows
}

// tableOf is the table with that name, or nil.
func tableOf(s *trace.State, name string) *trace.Table {
	if s == nil {
		return nil
	}
	for i := range s.Tables {
		if s.Tables[i].Name == name {
			return &s.Tables[i]
		}
	}
	return nil
}

// settled reports whether a column has had the same values all along: where room is
// short, it can go.
func (d *Lesson) settled(table string, column int) bool {
	var first []string
	seen := false
	same := true
	for i := range d.Path {
		t := tableOf(&d.Path[i].State, table)
		if t == nil {
			continue
		}
		var values []string
		for _, r := range t.Rows {
			if column < len(r) {
				values = append(values, r[column])
			}
		}
		if !seen {
			first, seen = values, true
			continue
		}
		same = same && slices.Equal(first, values)
	}
	return seen && same
}
