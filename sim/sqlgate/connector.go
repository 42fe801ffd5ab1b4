// Package sqlgate wraps a database/sql driver: actors park before each
// statement, COMMIT and ROLLBACK, and the write lock of SQLite is modelled, so
// that nobody ever waits inside the engine for another parked actor.
//
// The package must not know a table or a rule of the shop. Reading committed
// rows for checks goes around it, over a connection of the base driver.
package sqlgate

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"flashlab/sim"
)

// Begin is the form in which BeginTx opens a transaction.
type Begin uint8

const (
	// Immediate: BEGIN IMMEDIATE takes the write lock at once; it is a step.
	Immediate Begin = iota
	// Deferred: plain BEGIN belongs to the first statement; it is no step.
	Deferred
)

// String returns "immediate" or "deferred".
func (b Begin) String() string { return [...]string{"immediate", "deferred"}[b] }

// Store is one database as all its connections share it.
type Store struct {
	// Kernel, when set, puts the database under control: a statement without
	// an actor is a hard error then.
	Kernel *sim.Kernel
	// Begin is used by BeginTx unless the options ask for read-only.
	Begin Begin
	// ReadersBlock says that an open write transaction also blocks readers, as
	// on the memdb VFS and in rollback-journal mode; WAL readers go on.
	ReadersBlock bool
	// Replace holds statements that run in the place of others, by the text of those
	// with single spaces: the code stays as it is, and runs what somebody else has
	// written.
	Replace map[string]string

	// Distance is how long a statement of a free run is on its way before it is executed,
	// as to a server; 0: the database is in the same process.
	Distance time.Duration

	writer  *conn   // whose open transaction holds the write lock
	open    []*conn // with an open transaction, in the order of their BEGIN
	commits uint64  // grows with every committed change
	begun   bool    // some transaction has been begun since the store was made
	scratch []byte

	mu    sync.RWMutex // guards the rest: free runs come from many goroutines
	stmts map[string]*statement
	conns map[*conn]struct{} // all that have not been closed
}

// NewStore returns the shared state of one database.
func NewStore(b Begin, readersBlock bool) *Store {
	return &Store{Begin: b, ReadersBlock: readersBlock, stmts: map[string]*statement{}, conns: map[*conn]struct{}{}}
}

// Commits grows with every committed change, so that readers know when to look.
func (s *Store) Commits() uint64 { return s.commits }

// Transactions reports whether any have been begun, in this run or an earlier one.
func (s *Store) Transactions() bool { return s.begun }

// Writer is the actor that holds the write lock, or nil.
func (s *Store) Writer() *sim.Actor {
	if s.writer == nil {
		return nil
	}
	return s.writer.owner
}

// AppendKey appends the open transactions: whose they are, whether they write,
// and the rows that their snapshot shows.
func (s *Store) AppendKey(b []byte, actors []*sim.Actor) []byte {
	if len(s.open) == 0 {
		return b
	}
	for _, a := range actors {
		for _, c := range s.open { // one actor may have several
			if c.owner == a {
				b = c.appendKey(append(b, 'T', byte(a.ID)))
			}
		}
	}
	return b
}

// NeedsMark reports whether some transaction has just taken its snapshot.
func (s *Store) NeedsMark() bool {
	for _, c := range s.open {
		if c.snapshot && !c.marked {
			return true
		}
	}
	return false
}

// Mark tells the store which rows are committed now; transactions that have just
// taken their snapshot remember it.
func (s *Store) Mark(rows uint32) {
	for _, c := range s.open {
		if c.snapshot && !c.marked {
			c.marked, c.seenRows = true, rows
		}
	}
}

// Reset forgets the run. Open transactions have been rolled back before, when
// their actors were killed.
func (s *Store) Reset() error {
	for _, c := range s.open {
		return fmt.Errorf("actor %s left a transaction open: every BeginTx needs a deferred Rollback", c.owner.Letter())
	}
	s.commits = 0
	return nil
}

// Close closes connections that the pool has lost sight of, those of a dead actor
// whose goroutine had to be ended inside a query. The pool must be closed before.
func (s *Store) Close() error {
	s.mu.Lock()
	left := slices.Collect(maps.Keys(s.conns))
	s.mu.Unlock()
	var err error
	for _, c := range left {
		err = errors.Join(err, c.Close())
	}
	return err
}

func (s *Store) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}

// Connector opens gated connections.
type Connector struct {
	Base  driver.Connector
	Store *Store
}

// Connect opens one connection.
func (c *Connector) Connect(ctx context.Context) (driver.Conn, error) {
	// Opening is local work; a cancellable context would start a watcher.
	b, err := c.Base.Connect(context.WithoutCancel(ctx))
	if err != nil {
		return nil, err
	}
	x := &conn{base: b, store: c.Store, prepared: map[string]driver.Stmt{}}
	c.Store.mu.Lock()
	defer c.Store.mu.Unlock()
	c.Store.conns[x] = struct{}{}
	return x, nil
}

// Driver returns the base driver.
func (c *Connector) Driver() driver.Driver { return c.Base.Driver() }
