package sqlgate

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"modernc.org/sqlite"

	"flashlab/sim"
	"flashlab/sim/trace"
)

// conn is one gated connection.
type conn struct {
	base     driver.Conn
	store    *Store
	prepared map[string]driver.Stmt // so that business code needs no Prepare

	inTx     bool
	writes   bool // its transaction holds the write lock
	changed  bool // its transaction has changed a row
	snapshot bool // its transaction has begun to read or write
	marked   bool // seenRows is valid
	owner    *sim.Actor
	// what the snapshot of a reading transaction shows
	seenCommits uint64
	seenRows    uint32
}

// Prepare implements driver.Conn.
func (c *conn) Prepare(q string) (driver.Stmt, error) { return &stmt{c, q}, nil }

// PrepareContext implements driver.ConnPrepareContext.
func (c *conn) PrepareContext(_ context.Context, q string) (driver.Stmt, error) {
	return &stmt{c, q}, nil
}

// Close implements driver.Conn.
func (c *conn) Close() error {
	for _, s := range c.prepared {
		s.Close()
	}
	c.store.forget(c)
	return c.base.Close()
}

// Begin implements driver.Conn.
func (c *conn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

// BeginTx implements driver.ConnBeginTx. Serializable isolation takes the write
// lock at once, a read-only transaction never; for others the store decides.
func (c *conn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	q := "BEGIN IMMEDIATE"
	serializable := sql.IsolationLevel(o.Isolation) == sql.LevelSerializable
	if o.ReadOnly || c.store.Begin == Deferred && !serializable {
		q = "BEGIN"
	}
	if _, err := c.ExecContext(ctx, q, nil); err != nil {
		return nil, err
	}
	return &tx{c, ctx}, nil
}

// ResetSession and IsValid implement their driver interfaces: a connection is
// always as good as new, since the dead roll back.
func (c *conn) ResetSession(context.Context) error { return nil }

// IsValid implements driver.Validator.
func (c *conn) IsValid() bool { return true }

// Ping implements driver.Pinger without reaching the engine: it is no operation.
func (c *conn) Ping(context.Context) error { return nil }

// replaced returns the statement that runs in the place of q, q itself if none does.
func (s *Store) replaced(q string) string {
	if len(s.Replace) == 0 {
		return q
	}
	if r, ok := s.Replace[strings.Join(strings.Fields(q), " ")]; ok {
		return r
	}
	return q
}

func (c *conn) prepare(q string) (driver.Stmt, error) {
	if s, ok := c.prepared[q]; ok {
		return s, nil
	}
	s, err := c.base.(driver.ConnPrepareContext).PrepareContext(context.Background(), q)
	if err != nil {
		return nil, err
	}
	c.prepared[q] = s
	return s, nil
}

// park stops the actor before the statement, if there is one and it is a step.
func (c *conn) park(ctx context.Context, call *call) (*sim.Actor, error) {
	a := sim.From(ctx)
	if a == nil {
		if c.store.Kernel != nil {
			return nil, c.store.Kernel.NoActor(call.name)
		}
		return nil, c.travel(ctx, call)
	}
	silent := call.verb == begins || call.verb == rollsBack && !c.writes
	if silent {
		if a.Refused() {
			return nil, sim.ErrKilled
		}
		c.after(a, call)
		return nil, nil
	}
	if err := ctx.Err(); err != nil && call.verb != rollsBack {
		return nil, err // a lost lock cancels its work: see the package comment of sim
	}
	op, err := a.Prepare(sim.KindSQL, call.name)
	if err != nil {
		return nil, err
	}
	call.inTx = c.inTx
	op.Detail = call
	if call.verb == writes || call.verb == beginsImmediate || call.verb == reads && c.store.ReadersBlock {
		op.Blocked = c.blocked
	}
	if err := a.ParkErr(); err != nil {
		return a, err
	}
	if err := ctx.Err(); err != nil && call.verb != rollsBack { // cancelled while it stood here
		a.Did(nil, err)
		return nil, err
	}
	return a, nil
}

// travel takes the time that a statement needs to reach the database.
func (c *conn) travel(ctx context.Context, call *call) error {
	if c.store.Distance <= 0 {
		return nil
	}
	if call.verb == rollsBack { // it must arrive
		ctx = context.WithoutCancel(ctx)
	}
	select {
	case <-time.After(c.store.Distance):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// blocked tells whether another connection's transaction holds the write lock.
func (c *conn) blocked() (trace.Reason, bool) {
	w := c.store.writer
	if w == nil || w == c {
		return trace.Reason{}, false
	}
	by := ""
	if w.owner != nil {
		by = w.owner.Letter()
	}
	return trace.Reason{Kind: "write-lock", Name: WriteLock, By: by}, true
}

// after keeps the model of the write lock in step with the engine.
func (c *conn) after(a *sim.Actor, call *call) {
	s := c.store
	switch call.verb {
	case begins, beginsImmediate:
		c.inTx, c.owner = true, a
		s.open, s.begun = append(s.open, c), true
		if call.verb == beginsImmediate {
			c.writes, c.snapshot, s.writer = true, true, c
		}
	case reads, writes:
		if c.inTx && !c.snapshot {
			c.snapshot, c.seenCommits = true, s.commits
		}
		switch {
		case call.verb == reads:
		case !c.inTx:
			if call.changed > 0 {
				s.commits++
			}
		default:
			// Even an UPDATE that matches no row takes the lock.
			c.writes, s.writer = true, c
			c.changed = c.changed || call.changed > 0
		}
	case commits:
		if c.changed {
			s.commits++
		}
		c.end()
	case rollsBack:
		c.end()
	}
}

// appendKey appends what the open transaction is to the state.
func (c *conn) appendKey(b []byte) []byte {
	switch {
	case c.writes:
		return append(b, 'w') // nobody else commits meanwhile: rows are as at its start
	case c.snapshot:
		stale := byte(0)
		if c.seenCommits != c.store.commits {
			stale = 1
		}
		b = append(b, 's', stale)
		return binary.LittleEndian.AppendUint32(b, c.seenRows)
	}
	return append(b, '-')
}

// end forgets the transaction.
func (c *conn) end() {
	if c.store.writer == c {
		c.store.writer = nil
	}
	if i := slices.Index(c.store.open, c); i >= 0 {
		c.store.open = slices.Delete(c.store.open, i, i+1)
	}
	c.inTx, c.writes, c.changed, c.snapshot, c.marked, c.owner = false, false, false, false, false, nil
}

// ErrBusy is the hard error for SQLITE_BUSY where the model said the lock is free.
var ErrBusy = errors.New("sqlgate: the engine is busy although the write lock is free in the model")

// busy recognises SQLITE_BUSY and SQLITE_LOCKED. BUSY_SNAPSHOT is not among
// them: it is an answer that business code must deal with.
func busy(err error) bool {
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() {
		case 5, 6, 262: // BUSY, LOCKED, LOCKED_SHAREDCACHE
			return true
		}
	}
	return false
}

// refused recognises a write that broke a constraint. It changed nothing, but its
// transaction goes on and holds the write lock.
func refused(err error) bool {
	const constraint = 19 // SQLITE_CONSTRAINT
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == constraint
}

// did publishes the outcome of an actor's statement.
func (c *conn) did(a *sim.Actor, call *call) error {
	err := call.err
	if busy(err) {
		hint := ""
		if c.store.ReadersBlock {
			hint = " (transactions that read need the WAL engine)"
		}
		err = fmt.Errorf("%w: %s: %w%s", ErrBusy, call.name, err, hint)
		c.store.Kernel.Fail(err)
		return err
	}
	if err == nil || call.verb == writes && refused(err) {
		c.after(a, call)
	}
	b := c.store.scratch[:0]
	if call.rows != nil {
		b = appendRows(b, call.rows.data)
	} else {
		b = strconv.AppendInt(b, call.changed, 10)
	}
	c.store.scratch = b
	a.Did(b, err)
	return err
}

// ExecContext implements driver.ExecerContext.
func (c *conn) ExecContext(ctx context.Context, q string, args []driver.NamedValue) (driver.Result, error) {
	q = c.store.replaced(q)
	call := &call{statement: c.store.lookup(q), args: args, store: c.store}
	a, err := c.park(ctx, call)
	if err != nil {
		return nil, err
	}
	st, err := c.prepare(q)
	var res driver.Result
	if err == nil {
		// Not ctx: a cancellable one makes the driver start a watcher goroutine.
		res, err = st.(driver.StmtExecContext).ExecContext(context.Background(), args)
	}
	if a == nil {
		return res, err
	}
	call.err = err
	if err == nil && call.verb == writes {
		call.changed = 1
		if call.counts { // after others the engine reports the count of an earlier one
			call.changed, _ = res.RowsAffected()
		}
	}
	if err := c.did(a, call); err != nil {
		return nil, err
	}
	return result{res, a}, nil
}

// result notes that its actor has looked at the id of the row it has inserted:
// other than the number of rows, which is part of every answer, the id depends on
// who came first, and few ask for it.
type result struct {
	driver.Result
	actor *sim.Actor
}

// LastInsertId implements driver.Result.
func (r result) LastInsertId() (int64, error) {
	id, err := r.Result.LastInsertId()
	r.actor.Saw(strconv.AppendInt([]byte("id "), id, 10))
	return id, err
}

// QueryContext implements driver.QueryerContext.
func (c *conn) QueryContext(ctx context.Context, q string, args []driver.NamedValue) (driver.Rows, error) {
	q = c.store.replaced(q)
	call := &call{statement: c.store.lookup(q), args: args, store: c.store}
	a, err := c.park(ctx, call)
	if err != nil {
		return nil, err
	}
	st, err := c.prepare(q)
	var out *rows
	if err == nil {
		var r driver.Rows
		if r, err = st.(driver.StmtQueryContext).QueryContext(context.Background(), args); err == nil {
			out, err = materialise(r)
		}
	}
	if a != nil {
		call.rows, call.err = out, err
		if err == nil && call.verb == writes {
			call.changed = int64(len(out.data)) // RETURNING
		}
		err = c.did(a, call)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// stmt defers to its connection, which caches the prepared form.
type stmt struct {
	c *conn
	q string
}

// Close, NumInput, Exec and Query implement driver.Stmt.
func (s *stmt) Close() error { return nil }

// NumInput returns -1: the engine checks the number of arguments.
func (s *stmt) NumInput() int { return -1 }

// Exec is never reached: database/sql prefers ExecContext.
func (s *stmt) Exec([]driver.Value) (driver.Result, error) { return nil, driver.ErrSkip }

// Query is never reached: database/sql prefers QueryContext.
func (s *stmt) Query([]driver.Value) (driver.Rows, error) { return nil, driver.ErrSkip }

// ExecContext implements driver.StmtExecContext.
func (s *stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.c.ExecContext(ctx, s.q, args)
}

// QueryContext implements driver.StmtQueryContext.
func (s *stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.c.QueryContext(ctx, s.q, args)
}

// tx ends a transaction on behalf of the context that began it.
type tx struct {
	c   *conn
	ctx context.Context
}

// Commit implements driver.Tx.
func (t *tx) Commit() error { return t.finish("COMMIT") }

// Rollback implements driver.Tx.
func (t *tx) Rollback() error { return t.finish("ROLLBACK") }

func (t *tx) finish(q string) error {
	a := sim.From(t.ctx)
	if a == nil || !a.Refused() {
		_, err := t.c.ExecContext(t.ctx, q, nil)
		if err != nil && (a == nil || t.c.inTx && !a.Refused()) && q != "ROLLBACK" {
			// Not committed, because its work was cancelled for instance. To
			// database/sql the transaction is over: nobody else will end it.
			t.c.ExecContext(t.ctx, "ROLLBACK", nil)
		}
		if a == nil || !a.Refused() {
			return err
		}
	}
	// The actor is dead, perhaps killed while it was parked here: the database
	// rolls back as it does for a client that has vanished.
	if st, err := t.c.prepare("ROLLBACK"); err == nil {
		if _, err = st.(driver.StmtExecContext).ExecContext(context.Background(), nil); err != nil {
			a.Kernel().Fail(fmt.Errorf("sqlgate: rolling back for a dead actor: %w", err))
		}
	}
	t.c.end()
	return sim.ErrKilled
}
