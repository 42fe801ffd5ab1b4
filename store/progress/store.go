package progress

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/adrg/xdg"
	"github.com/google/uuid"
)

// Store is an open log. It may be used by several goroutines.
type Store struct {
	path   string // "" for one in memory
	db     *sql.DB
	keeper *sql.Conn   // holds a log in memory alive, nil for a file
	file   os.FileInfo // the file as it was opened
	host   string
	now    func() time.Time
}

// Option changes how a Store is opened.
type Option func(*Store)

// WithClock makes a Store take the time from now instead of the system's clock.
func WithClock(now func() time.Time) Option {
	return func(s *Store) { s.now = now }
}

// DefaultPath returns where the progress of this user is kept: flashlab/progress.db in
// the XDG state directory as the environment names it now. It makes the directory. It
// changes what package xdg holds, so it must not run beside other uses of that.
func DefaultPath() (string, error) {
	xdg.Reload()
	path, err := xdg.StateFile("flashlab/progress.db")
	if err != nil {
		return "", fmt.Errorf("no place to keep progress (XDG_STATE_HOME names another): %w", err)
	}
	return path, nil
}

// Open opens the log in the file at path and makes it (mode 0600, its directory 0700)
// if it is not there. A damaged file is set aside and what can be read of it goes into
// a new one; the Notice says so and must be shown. Errors are ErrNewer, ErrForeign,
// ErrReadOnly, ErrFull, ErrBusy or of the system; a lab can go on with Memory.
func Open(ctx context.Context, path string, options ...Option) (*Store, Notice, error) {
	s := &Store{now: time.Now}
	for _, o := range options {
		o(s)
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, Notice{}, fmt.Errorf("find the progress file: %w", err)
	}
	s.path = path
	notice, err := s.open(ctx)
	if err != nil {
		s.Close()
		return nil, Notice{}, explain(err, path)
	}
	return s, notice, nil
}

func (s *Store) open(ctx context.Context) (Notice, error) {
	if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
		return Notice{}, err
	}
	notice := Notice{Path: s.path}
	reason, err := damage(ctx, s.path)
	if err == nil && reason != "" {
		notice.Aside, notice.Reason, err = s.setAside(ctx)
	}
	if err != nil {
		return Notice{}, err
	}
	if err := create(s.path); err != nil {
		return Notice{}, err
	}
	if s.db, err = sql.Open("sqlite", dsn(s.path, readWrite)); err != nil {
		return Notice{}, err
	}
	// One connection: the log is small, and its writers would only wait for each
	// other in SQLite instead of here.
	s.db.SetMaxOpenConns(1)
	if err := useWAL(ctx, s.db); err != nil {
		return Notice{}, err
	}
	if err := s.prepare(ctx); err != nil {
		return Notice{}, err
	}
	if s.file, err = os.Stat(s.path); err != nil {
		return Notice{}, err
	}
	return notice, s.rescueAsides(ctx, &notice)
}

// Memory returns an empty log that lasts until it is closed, for a lab that has no
// place to write.
func Memory(ctx context.Context, options ...Option) (*Store, error) {
	s := &Store{now: time.Now}
	for _, o := range options {
		o(s)
	}
	var err error
	if s.db, err = sql.Open("sqlite", "file:/progress-"+uuid.NewString()+inMemory); err != nil {
		return nil, fmt.Errorf("open a log in memory: %w", err)
	}
	// The log goes with its last connection, and database/sql may drop one.
	if s.keeper, err = s.db.Conn(ctx); err == nil {
		s.db.SetMaxOpenConns(2)
		err = s.prepare(ctx)
	}
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("open a log in memory: %w", err)
	}
	return s, nil
}

// prepare brings the schema up to date and finds out the host.
func (s *Store) prepare(ctx context.Context) error {
	if err := migrate(ctx, s.db, migrations()); err != nil {
		return err
	}
	_, err := s.db.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES ('host', ?) ON CONFLICT DO NOTHING", uuid.NewString())
	if err != nil {
		return fmt.Errorf("name this installation: %w", err)
	}
	return s.db.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'host'").Scan(&s.host)
}

// Close closes the log. Nothing waits to be written.
func (s *Store) Close() error {
	if s.keeper != nil {
		s.keeper.Close()
	}
	if s.db == nil {
		return nil
	}
	return s.db.Close()
}

// Host returns the random id of this installation.
func (s *Store) Host() string { return s.host }

// Path returns the file the log is in, "" for one in memory.
func (s *Store) Path() string { return s.path }

// Add appends an event about subject to the log and returns it. It is on the disk when
// Add returns without an error. The event is dated now, or right after the latest
// event of the last 24 hours and the next: what is added later comes later in the log
// even if the clock was set back.
//
// Errors: a subject or payload without meaning; ErrBusy, ErrFull, ErrReadOnly;
// ErrMoved if another file has taken the place of this one.
func (s *Store) Add(ctx context.Context, subject string, payload Payload) (Event, error) {
	e := Event{Host: s.host, Kind: payload.Kind(), Subject: subject}
	err := s.append(ctx, &e, payload)
	if err != nil {
		return Event{}, fmt.Errorf("add to the progress (%s of %q): %w", e.Kind, clip(subject), err)
	}
	return e, nil
}

// append fills in what e lacks and writes it.
func (s *Store) append(ctx context.Context, e *Event, payload Payload) error {
	if wrong := payload.check(e.Subject); wrong != nil {
		return wrong
	}
	var err error
	if e.Data, err = json.Marshal(payload); err != nil {
		return err
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		now := s.now()
		last, err := latest(ctx, tx, now.Add(skew))
		if err != nil {
			return err
		}
		e.At, e.ID = stamp(now, last)
		if wrong := checkEvent(*e); wrong != nil {
			return wrong
		}
		_, err = insert(ctx, tx, *e)
		return err
	})
}

// Events returns the whole log in its order.
func (s *Store) Events(ctx context.Context) ([]Event, error) {
	events, err := readAll(ctx, s.db)
	if err != nil {
		return nil, fmt.Errorf("read the progress: %w", explain(err, s.path))
	}
	return events, nil
}

// Book returns what the log adds up to now.
func (s *Store) Book(ctx context.Context) (Book, error) {
	events, err := s.Events(ctx)
	if err != nil {
		return Book{}, err
	}
	return Fold(events, s.now()), nil
}

// write runs do in a transaction that holds the write lock from its start, and makes
// sure that what it wrote is where the next lab will look for it.
func (s *Store) write(ctx context.Context, do func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return explain(err, s.path)
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return explain(err, s.path)
	}
	if err := tx.Commit(); err != nil {
		return explain(err, s.path)
	}
	if s.path == "" {
		return nil
	}
	// Another lab may have found the file damaged and set it aside, or somebody has
	// deleted it: SQLite writes on into a file that has no name.
	if file, err := os.Stat(s.path); err != nil || !os.SameFile(file, s.file) {
		return fmt.Errorf("%w: %s; start the lab again", ErrMoved, s.path)
	}
	return nil
}

// create makes an empty file that only its owner may read, or takes that right from
// others if it is there. SQLite gives its -wal and -shm files the mode of the file.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case err == nil:
		f.Close()
		// The name must survive a power cut as well; not every system can sync a
		// directory.
		if dir, err := os.Open(filepath.Dir(path)); err == nil {
			dir.Sync()
			dir.Close()
		}
		return nil
	case !os.IsExist(err):
		return err
	}
	for _, part := range []string{path, path + "-wal", path + "-shm"} {
		if info, err := os.Stat(part); err == nil && info.Mode().Perm()&0o077 != 0 {
			os.Chmod(part, 0o600) // of somebody else's file: then it is not ours to hide
		}
	}
	return nil
}
