package world

import (
	"database/sql/driver"
	"fmt"

	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
)

// rowCache keeps the committed rows between commits.
type rowCache struct {
	valid   bool
	commits uint64
	tables  [][][]driver.Value
	id      uint32 // interned content
	ids     map[string]uint32
	buf     []byte
}

func (c *rowCache) init(tables int) {
	c.tables = make([][][]driver.Value, tables)
	c.ids = map[string]uint32{}
}

func (c *rowCache) forget() { c.valid = false }

// load reads the committed rows unless they are known. On the memory engine an
// open write transaction bars readers; nothing is committed meanwhile, so the
// cache has just been filled or the state at the transaction's start is kept.
func (w *World) load() error {
	c := &w.rows
	if w.free != nil {
		return w.loadFree()
	}
	if c.valid && c.commits == w.Store.Commits() {
		return nil
	}
	if w.cfg.Engine == Memory && w.Store.Writer() != nil {
		return fmt.Errorf("the memory engine cannot be read beside an open transaction: declare the scenario on WAL")
	}
	c.buf = c.buf[:0]
	for i, st := range w.queries {
		rows, err := sqlgate.Query(st)
		if err != nil {
			return fmt.Errorf("reading table %s: %w", w.cfg.Schema.Tables[i].Name, err)
		}
		c.tables[i] = rows
		for _, row := range rows {
			for _, v := range row {
				c.buf = sqlgate.AppendValue(c.buf, v)
			}
			c.buf = append(c.buf, '\n')
		}
		c.buf = append(c.buf, '#')
	}
	id, ok := c.ids[string(c.buf)]
	if !ok {
		id = uint32(len(c.ids) + 1)
		c.ids[string(c.buf)] = id
	}
	c.id, c.valid, c.commits = id, true, w.Store.Commits()
	return nil
}

// Rows returns the committed rows of a table in canonical order.
func (w *World) Rows(table string) ([][]driver.Value, error) {
	if err := w.load(); err != nil {
		return nil, err
	}
	for i, t := range w.cfg.Schema.Tables {
		if t.Name == table {
			return w.rows.tables[i], nil
		}
	}
	return nil, fmt.Errorf("the schema has no table %q", table)
}

// Tables renders the committed rows for the screen.
func (w *World) Tables() ([]trace.Table, error) {
	if err := w.load(); err != nil {
		return nil, err
	}
	var out []trace.Table
	for i, t := range w.cfg.Schema.Tables {
		x := trace.Table{Name: t.Name, Columns: t.Columns}
		for _, row := range w.rows.tables[i] {
			r := make([]string, len(row))
			for j, v := range row {
				if v == nil {
					r[j] = "NULL"
				} else {
					r[j] = fmt.Sprint(v)
				}
			}
			x.Rows = append(x.Rows, r)
		}
		out = append(out, x)
	}
	return out, nil
}
