package world

import (
	"context"
	"database/sql/driver"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/sqlgate"
)

// Look makes the next read of committed rows look again; until then a free world
// shows what it saw last. It and all reads are for one goroutine at a time.
func (w *World) Look() { w.rows.forget() }

// loadFree reads the committed rows of all tables as one snapshot.
func (w *World) loadFree() error {
	c := &w.rows
	if c.valid {
		return nil
	}
	err := w.snapshot(func() error {
		for i, t := range w.cfg.Schema.Tables {
			rows, err := sqlgate.Query(w.queries[2+i])
			if err != nil {
				return fmt.Errorf("reading table %s: %w", t.Name, err)
			}
			c.tables[i] = rows
		}
		return nil
	})
	c.valid = err == nil
	return err
}

// snapshot runs f in a transaction that only reads.
func (w *World) snapshot(f func() error) error {
	run := func(i int) error {
		_, err := w.queries[i].(driver.StmtExecContext).ExecContext(context.Background(), nil)
		return err
	}
	if err := run(0); err != nil {
		return err
	}
	err := f()
	if e := run(1); err == nil {
		err = e
	}
	return err
}

// Figures counts the committed rows by table. Of a table with a single row it also
// returns the whole numbers, as "table.column".
func (w *World) Figures() (map[string]int64, error) {
	out := map[string]int64{}
	tables := w.cfg.Schema.Tables
	err := w.snapshot(func() error {
		for i, t := range tables {
			rows, err := sqlgate.Query(w.queries[2+len(tables)+i])
			if err != nil {
				return fmt.Errorf("counting %s: %w", t.Name, err)
			}
			n, _ := rows[0][0].(int64)
			out[t.Name] = n
			if n != 1 {
				continue
			}
			if rows, err = sqlgate.Query(w.queries[2+i]); err != nil {
				return fmt.Errorf("reading %s: %w", t.Name, err)
			}
			for j, column := range t.Columns {
				if v, ok := rows[0][j].(int64); ok {
					out[t.Name+"."+column] = v
				}
			}
		}
		return nil
	})
	return out, err
}

func (w *World) existsFree(key string) bool {
	if w.direct == nil {
		return false
	}
	n, err := w.direct.Exists(context.Background(), key).Result()
	return err == nil && n > 0
}

// ttlFree is 0 for a key without a time to live and one that is not there.
func (w *World) ttlFree(key string) time.Duration {
	if w.direct == nil {
		return 0
	}
	d, err := w.direct.PTTL(context.Background(), key).Result()
	if err != nil {
		return 0
	}
	return max(d, 0)
}

// page is how many entries are read at a time.
const page = 1000

// inFlightFree is InFlight by commands alone: on whatever server.
func (w *World) inFlightFree(stream, group string) ([]Entry, error) {
	if w.direct == nil || !w.existsFree(stream) {
		return nil, nil
	}
	ctx := context.Background()
	infos, err := w.direct.XInfoGroups(ctx, stream).Result()
	if err != nil {
		return nil, fmt.Errorf("reading the groups of %s: %w", stream, err)
	}
	delivered := "0-0"
	var out []Entry
	for _, g := range infos {
		if g.Name != group {
			continue
		}
		delivered = g.LastDeliveredID
		if g.Pending > 0 {
			if out, err = w.pendingFree(stream, group); err != nil {
				return nil, err
			}
		}
	}
	unread, err := w.after(stream, delivered)
	for _, m := range unread {
		out = append(out, Entry{ID: m.ID, Fields: fieldsOf(m)})
	}
	return out, err
}

func (w *World) pendingFree(stream, group string) ([]Entry, error) {
	ctx := context.Background()
	var out []Entry
	for from := "-"; ; {
		list, err := w.direct.XPendingExt(ctx, &redis.XPendingExtArgs{
			Stream: stream, Group: group, Start: from, End: "+", Count: page,
		}).Result()
		if err != nil {
			return nil, fmt.Errorf("reading what is pending in %s: %w", stream, err)
		}
		for _, p := range list {
			x := Entry{ID: p.ID, Consumer: p.Consumer, Idle: p.Idle, Count: p.RetryCount, Fields: map[string]string{}}
			there, err := w.direct.XRange(ctx, stream, p.ID, p.ID).Result()
			if err != nil {
				return nil, fmt.Errorf("reading entry %s of %s: %w", p.ID, stream, err)
			}
			for _, m := range there {
				x.Fields = fieldsOf(m)
			}
			out = append(out, x)
			from = following(p.ID)
		}
		if len(list) < page {
			return out, nil
		}
	}
}

// after returns the entries behind an id.
func (w *World) after(stream, id string) ([]redis.XMessage, error) {
	var out []redis.XMessage
	for {
		list, err := w.direct.XRangeN(context.Background(), stream, following(id), "+", page).Result()
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", stream, err)
		}
		out = append(out, list...)
		if len(list) < page {
			return out, nil
		}
		id = list[len(list)-1].ID
	}
}

// following is the least id after one.
func following(id string) string {
	t, seq := splitID(id)
	return fmt.Sprintf("%d-%d", t, seq+1)
}

func fieldsOf(m redis.XMessage) map[string]string {
	out := map[string]string{}
	for k, v := range m.Values {
		out[k] = fmt.Sprint(v)
	}
	return out
}

func (w *World) entriesFree(stream string) ([]map[string]string, error) {
	if w.direct == nil || !w.existsFree(stream) {
		return nil, nil
	}
	list, err := w.after(stream, "0-0")
	var out []map[string]string
	for _, m := range list {
		out = append(out, fieldsOf(m))
	}
	return out, err
}
