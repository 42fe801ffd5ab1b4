package sqlgate_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"modernc.org/sqlite"

	"flashlab/sim"
	"flashlab/sim/proc"
	"flashlab/sim/source"
	"flashlab/sim/sqlgate"
	"flashlab/sim/world"
)

// open starts a world with one table of numbers.
func open(t *testing.T, e world.Engine, begin sqlgate.Begin) *world.World {
	t.Helper()
	w, err := world.Open(world.Config{Engine: e, Begin: begin, Schema: world.Schema{
		DDL:    []string{"CREATE TABLE n (id INTEGER PRIMARY KEY, v INTEGER UNIQUE, x)"},
		Seed:   []string{"INSERT INTO n VALUES (1, 10, NULL)"},
		Tables: []world.Table{{Name: "n", Columns: []string{"v", "x"}, Query: "SELECT v, x FROM n ORDER BY v"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	w.Kernel.Sources = source.NewResolver("flashlab/sim/sqlgate_test")
	if err := w.Reset(); err != nil {
		t.Fatal(err)
	}
	return w
}

func spawn(t *testing.T, w *world.World, body func(ctx context.Context) error) *sim.Actor {
	t.Helper()
	a, err := w.Kernel.Spawn("actor", "n1", false, body)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// finish steps the actors in turn until all have ended.
func finish(t *testing.T, w *world.World, actors ...*sim.Actor) {
	t.Helper()
	for busy := true; busy; {
		busy = false
		for _, a := range actors {
			if a.Alive() && w.Kernel.Enabled(a) {
				busy = true
				if err := w.Kernel.Step(a); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for _, a := range actors {
		if a.State() != sim.Done {
			t.Errorf("actor %s is in state %d: %v", a.Letter(), a.State(), a.Err)
		}
	}
}

// transact runs statements in a transaction, and ends it by the last word.
func transact(db *sql.DB, end string, o *sql.TxOptions, queries ...string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		tx, err := db.BeginTx(ctx, o)
		if err != nil {
			return err
		}
		defer func() { tx.Rollback() }()
		var failed error
		for _, q := range queries {
			if strings.HasPrefix(q, "SELECT") {
				var n int
				err = tx.QueryRowContext(ctx, q).Scan(&n)
			} else {
				_, err = tx.ExecContext(ctx, q)
			}
			failed = errors.Join(failed, err)
		}
		if end == "commit" {
			failed = errors.Join(failed, tx.Commit())
		}
		return failed
	}
}

// TestSteps: plain BEGIN is none, and neither is the rollback of a reader.
func TestSteps(t *testing.T) {
	const read, write = "SELECT v FROM n", "UPDATE n SET v = v + 1"
	for _, c := range []struct {
		begin   sqlgate.Begin
		options *sql.TxOptions
		end     string
		queries []string
		want    string
	}{
		{sqlgate.Immediate, nil, "commit", []string{read, write}, "BEGIN IMMEDIATE,SELECT,UPDATE,COMMIT"},
		{sqlgate.Immediate, nil, "rollback", []string{read}, "BEGIN IMMEDIATE,SELECT,ROLLBACK"},
		{sqlgate.Immediate, &sql.TxOptions{ReadOnly: true}, "commit", []string{read}, "SELECT,COMMIT"},
		{sqlgate.Immediate, &sql.TxOptions{ReadOnly: true}, "rollback", []string{read, read}, "SELECT,SELECT"},
		{sqlgate.Deferred, nil, "commit", []string{read, write}, "SELECT,UPDATE,COMMIT"},
		{sqlgate.Deferred, nil, "rollback", []string{read}, "SELECT"},
		{sqlgate.Deferred, nil, "rollback", []string{write}, "UPDATE,ROLLBACK"},
		{sqlgate.Deferred, nil, "rollback", nil, ""},
		{sqlgate.Deferred, &sql.TxOptions{Isolation: sql.LevelSerializable}, "commit", []string{read}, "BEGIN IMMEDIATE,SELECT,COMMIT"},
		// Refused by a constraint it has still taken the lock, so that its end is seen.
		{sqlgate.Deferred, nil, "rollback", []string{"INSERT INTO n (v) VALUES (10)"}, "INSERT,ROLLBACK"},
	} {
		w := open(t, world.WAL, c.begin)
		var got []string
		w.Kernel.OnDid = func(a *sim.Actor, op *sim.Op, err error) { got = append(got, op.Name) }
		finish(t, w, spawn(t, w, transact(w.DB, c.end, c.options, c.queries...)))
		if s := strings.Join(got, ","); s != c.want {
			t.Errorf("%v %v: steps %s, want %s", c.begin, c.queries, s, c.want)
		}
	}
}

// TestSnapshot: a transaction that has read may not write over what has been
// committed since; the refusal is an answer, not an error of the lab.
func TestSnapshot(t *testing.T) {
	w := open(t, world.WAL, sqlgate.Deferred)
	read := transact(w.DB, "commit", nil, "SELECT v FROM n", "UPDATE n SET v = v + 1")
	a, b := spawn(t, w, read), spawn(t, w, read)
	if err := w.Kernel.Step(a); err != nil {
		t.Fatal(err)
	}
	finish(t, w, b)
	finish(t, w, a)
	var e *sqlite.Error
	if !errors.As(a.Err, &e) || e.Code() != 517 || b.Err != nil {
		t.Errorf("the first reader: %v, the second: %v", a.Err, b.Err)
	}
	if rows, err := w.Rows("n"); err != nil || rows[0][0] != int64(11) {
		t.Errorf("rows %v, %v", rows, err)
	}
}

// TestConstraintKeepsLock: others wait until the transaction of a refused write ends.
func TestConstraintKeepsLock(t *testing.T) {
	w := open(t, world.WAL, sqlgate.Deferred)
	a := spawn(t, w, transact(w.DB, "commit", nil, "INSERT INTO n (v) VALUES (10)", "UPDATE n SET v = 7"))
	b := spawn(t, w, func(ctx context.Context) error {
		_, err := w.DB.ExecContext(ctx, "UPDATE n SET x = 1")
		return err
	})
	if err := w.Kernel.Step(a); err != nil {
		t.Fatal(err)
	}
	if w.Kernel.Enabled(b) || w.Store.Writer() != a {
		t.Error("nobody holds the write lock")
	}
	finish(t, w, a, b)
	if b.Err != nil {
		t.Error(b.Err)
	}
}

// TestTwoTransactions: one actor can have two, on two connections.
func TestTwoTransactions(t *testing.T) {
	w := open(t, world.WAL, sqlgate.Deferred)
	a := spawn(t, w, func(ctx context.Context) error {
		outer, err := w.DB.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer func() { outer.Rollback() }()
		var before, after int
		if err := outer.QueryRowContext(ctx, "SELECT v FROM n").Scan(&before); err != nil {
			return err
		}
		if err := transact(w.DB, "commit", nil, "UPDATE n SET v = 99")(ctx); err != nil {
			return err
		}
		if err := outer.QueryRowContext(ctx, "SELECT v FROM n").Scan(&after); err != nil || after != before {
			t.Errorf("the outer one has seen %d and sees %d, %v", before, after, err)
		}
		return nil
	})
	finish(t, w, a)
	if a.Err != nil {
		t.Error(a.Err)
	}
	if err := w.Reset(); err != nil {
		t.Error(err)
	}
}

// TestLeftOpen: a transaction that nobody ends is an error that says what to do.
func TestLeftOpen(t *testing.T) {
	w := open(t, world.WAL, sqlgate.Immediate)
	finish(t, w, spawn(t, w, func(ctx context.Context) error {
		_, err := w.DB.BeginTx(ctx, nil)
		return err
	}))
	if err := w.Reset(); err == nil || !strings.Contains(err.Error(), "Rollback") {
		t.Errorf("%v", err)
	}
}

// TestCancelledCommit: a transaction whose work is cancelled is rolled back, wherever
// that happens.
func TestCancelledCommit(t *testing.T) {
	for _, late := range []bool{false, true} {
		w := open(t, world.WAL, sqlgate.Immediate)
		var cancel context.CancelFunc
		var got []string
		w.Kernel.OnDid = func(a *sim.Actor, op *sim.Op, err error) { got = append(got, op.Name) }
		a := spawn(t, w, func(ctx context.Context) error {
			ctx, cancel = proc.WithCancel(ctx)
			tx, err := w.DB.BeginTx(ctx, nil)
			if err != nil {
				return err
			}
			defer func() { tx.Rollback() }()
			if _, err := tx.ExecContext(ctx, "UPDATE n SET v = 1"); err != nil {
				return err
			}
			if !late {
				cancel()
			}
			return tx.Commit()
		})
		for a.Alive() {
			if a.Op.Name == "COMMIT" {
				cancel() // while it stands there
			}
			if err := w.Kernel.Step(a); err != nil {
				t.Fatal(err)
			}
		}
		if !errors.Is(a.Err, context.Canceled) || w.Store.Writer() != nil {
			t.Errorf("late %v: %v, steps %v", late, a.Err, got)
		}
		if rows, err := w.Rows("n"); err != nil || rows[0][0] != int64(10) {
			t.Errorf("late %v: rows %v, %v", late, rows, err)
		}
		if err := w.Reset(); err != nil {
			t.Error(err)
		}
		if s := w.DB.Stats(); s.InUse != 0 {
			t.Errorf("%d connections in use", s.InUse)
		}
	}
}

// TestReturning: rows that a write returns are read like any others, and the
// write is seen.
func TestReturning(t *testing.T) {
	w := open(t, world.Memory, sqlgate.Immediate)
	if _, err := w.Rows("n"); err != nil {
		t.Fatal(err)
	}
	finish(t, w, spawn(t, w, func(ctx context.Context) error {
		var v int
		err := w.DB.QueryRowContext(ctx, "UPDATE n SET v = v - 1 RETURNING v").Scan(&v)
		if v != 9 {
			t.Errorf("returned %d", v)
		}
		return err
	}))
	if rows, err := w.Rows("n"); err != nil || rows[0][0] != int64(9) {
		t.Errorf("committed rows are %v, %v", rows, err)
	}
}

// TestTypes: values pass the gate as they are.
func TestTypes(t *testing.T) {
	w := open(t, world.Memory, sqlgate.Immediate)
	finish(t, w, spawn(t, w, func(ctx context.Context) error {
		var (
			n    sql.NullInt64
			f    float64
			s    string
			b    []byte
			many []int
		)
		err := w.DB.QueryRowContext(ctx, "SELECT NULL, 1.5, 'text', x'00ff'").Scan(&n, &f, &s, &b)
		if err != nil || n.Valid || f != 1.5 || s != "text" || string(b) != "\x00\xff" {
			t.Errorf("%v %v %q %x, %v", n, f, s, b, err)
		}
		rows, err := w.DB.QueryContext(ctx, "VALUES (3), (1), (2)")
		if err != nil {
			return err
		}
		defer func() { rows.Close() }()
		for rows.Next() {
			var i int
			if err := rows.Scan(&i); err != nil {
				return err
			}
			many = append(many, i)
		}
		if len(many) != 3 || many[0] != 3 {
			t.Errorf("rows %v", many)
		}
		if err := w.DB.QueryRowContext(ctx, "SELECT v FROM n WHERE id = 5").Scan(&f); err != sql.ErrNoRows {
			t.Errorf("%v", err)
		}
		if _, err := w.DB.ExecContext(ctx, "UPDATE nothing SET v = 1"); err == nil {
			t.Error("a missing table is no error")
		}
		return rows.Err()
	}))
}

// TestNoActor: a statement on another context than the actor's own is a hard error
// that names the line.
func TestNoActor(t *testing.T) {
	for _, stray := range []func(db *sql.DB){
		func(db *sql.DB) { db.Exec("DELETE FROM n") },
		func(db *sql.DB) { db.QueryRow("SELECT v FROM n") },
		func(db *sql.DB) { db.Begin() },
	} {
		w := open(t, world.Memory, sqlgate.Immediate)
		a := spawn(t, w, func(ctx context.Context) error {
			defer func() { stray(w.DB) }()
			_, err := w.DB.ExecContext(ctx, "UPDATE n SET v = 1")
			return err
		})
		err := w.Kernel.Step(a)
		if err == nil || !strings.Contains(err.Error(), "without its actor") || !strings.Contains(err.Error(), "conn_test.go:") {
			t.Errorf("%v", err)
		}
	}
}
