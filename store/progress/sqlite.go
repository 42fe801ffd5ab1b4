package progress

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// What can be wrong with a progress file or an export. Errors of this package wrap
// them in a sentence that names the file and says what to do.
var (
	ErrNewer    = errors.New("made by a newer flashlab")
	ErrForeign  = errors.New("belongs to another program")
	ErrReadOnly = errors.New("it cannot be written")
	ErrFull     = errors.New("the disk is full")
	ErrBusy     = errors.New("another lab is writing to it")
	ErrMoved    = errors.New("the progress file was moved or replaced while the lab was running")
	ErrConflict = errors.New("two different events have the same id")
)

// program is the application_id in the header of the file: "flab".
const program = 0x666c6162

// busyTimeout is how long a lab waits for another that writes; the data source names
// below say the same.
const busyTimeout = 5 * time.Second

// migrations returns the statements that bring the file from schema i to i+1. A
// program that has more of them makes a file that earlier ones refuse; so what they
// can live with goes into new kinds and fields of events instead.
//
// Schema 1: doc is the JSON form of the event and sum its CRC-32 in hexadecimal. SQLite
// stores the columns of a row one after the other, so that both can be found in the
// bytes of a file that SQLite cannot read any more.
func migrations() []string {
	return []string{
		`CREATE TABLE meta (
			name  TEXT PRIMARY KEY,
			value TEXT NOT NULL
		) STRICT;
		CREATE TABLE event (
			id  TEXT PRIMARY KEY,
			at  INTEGER NOT NULL, -- milliseconds since 1970
			doc TEXT NOT NULL,
			sum TEXT NOT NULL
		) STRICT;
		CREATE INDEX event_order ON event (at, id);`,
	}
}

// migrate brings the file to the schema after the last step, all or nothing.
func migrate(ctx context.Context, db *sql.DB, steps []string) error {
	// BEGIN takes the write lock, so that of two labs one finds the work done. It also
	// finds out whether the file can be written.
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var version int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return fmt.Errorf("read the schema version: %w", err)
	}
	if version > len(steps) {
		return newer(version, len(steps))
	}
	for ; version < len(steps); version++ {
		if _, err := tx.ExecContext(ctx, steps[version]); err != nil {
			return fmt.Errorf("migrate to schema %d: %w", version+1, err)
		}
	}
	for _, pragma := range []string{"user_version", "application_id"} {
		value := program
		if pragma == "user_version" {
			value = version
		}
		var now int
		if err := tx.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(&now); err != nil {
			return err
		}
		if now == value {
			continue
		}
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA %s = %d", pragma, value)); err != nil {
			return fmt.Errorf("note schema %d: %w", version, err)
		}
	}
	return tx.Commit()
}

func newer(has, known int) error {
	return fmt.Errorf("%w (schema %d, this one knows up to %d); update flashlab to use it", ErrNewer, has, known)
}

// readOnly and readWrite are what a data source name ends in. The timeout is the first
// pragma, for the others may have to wait.
const (
	readOnly  = "?mode=ro&_pragma=busy_timeout(5000)"
	readWrite = "?mode=rw&_pragma=busy_timeout(5000)&_pragma=synchronous(FULL)&_txlock=immediate"
	// salvaging opens a file that is shorter than its header says, too. To set
	// synchronous would read the schema first.
	salvaging = readOnly + "&_pragma=writable_schema(1)"
	inMemory  = "?vfs=memdb&_pragma=busy_timeout(5000)&_txlock=immediate"
)

// dsn returns the data source name of the file at path.
func dsn(path, options string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/...
	}
	u := url.URL{Scheme: "file", Path: path}
	return u.String() + options
}

// useWAL puts the file into WAL mode, where readers do not hinder the writer. SQLite
// does not wait for others to let go when it changes the mode, so this does. On a file
// system that cannot do it the file stays as it is: as safe, only slower.
func useWAL(ctx context.Context, db *sql.DB) error {
	deadline := time.Now().Add(busyTimeout)
	for {
		_, err := db.ExecContext(ctx, "PRAGMA journal_mode = WAL")
		if code(err) != lib.SQLITE_BUSY || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// code returns the primary result code of SQLite in err, 0 if there is none.
func code(err error) int {
	var e *sqlite.Error
	if errors.As(err, &e) {
		return e.Code() & 0xff
	}
	return 0
}

// explain says in a sentence what an error of the system or SQLite means for the file
// at path. It leaves errors alone that say so already.
func explain(err error, path string) error {
	var meaning error
	advice := ""
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrNewer):
		return fmt.Errorf("the progress file %s is left untouched: %w", path, err)
	case errors.Is(err, syscall.ENOSPC) || code(err) == lib.SQLITE_FULL:
		meaning, advice = ErrFull, "make room"
	case code(err) == lib.SQLITE_BUSY || code(err) == lib.SQLITE_LOCKED:
		meaning, advice = ErrBusy, "try again"
	case errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) ||
		code(err) == lib.SQLITE_READONLY || code(err) == lib.SQLITE_CANTOPEN || code(err) == lib.SQLITE_PERM:
		meaning, advice = ErrReadOnly, "make it and its directory writable, or set XDG_STATE_HOME to another"
	case code(err) == lib.SQLITE_CORRUPT || code(err) == lib.SQLITE_NOTADB:
		return fmt.Errorf("the progress file %s is damaged; start the lab again to have it repaired: %w", path, err)
	case errors.Is(err, fs.ErrExist) || errors.As(err, new(*fs.PathError)):
		return fmt.Errorf("the progress file %s cannot be used: %w", path, err)
	default:
		return err
	}
	return fmt.Errorf("the progress file %s: %w; %s (%w)", path, meaning, advice, err)
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

func checksum(doc []byte) string {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], crc32.ChecksumIEEE(doc))
	return fmt.Sprintf("%x", b)
}

// insert appends an event and reports whether it was new. An event that is there
// already must be equal, or the error is ErrConflict.
func insert(ctx context.Context, db querier, e Event) (bool, error) {
	doc, err := encodeEvent(e)
	if err != nil {
		return false, fmt.Errorf("encode an event: %w", err)
	}
	r, err := db.ExecContext(ctx, "INSERT INTO event (id, at, doc, sum) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
		e.ID, e.At.UnixMilli(), string(doc), checksum(doc))
	if err != nil {
		return false, err
	}
	if n, err := r.RowsAffected(); err != nil || n == 1 {
		return true, err
	}
	var known row
	if err := db.QueryRowContext(ctx, "SELECT doc, sum FROM event WHERE id = ?", e.ID).Scan(&known.doc, &known.sum); err != nil {
		return false, err
	}
	if old, err := known.event(); err != nil {
		return false, err
	} else if !old.Equal(e) {
		return false, fmt.Errorf("%w: %s is %s of %q here and %s of %q there", ErrConflict,
			e.ID, old.Kind, clip(old.Subject), e.Kind, clip(e.Subject))
	}
	return false, nil
}

// latest returns the last event of the log dated until then, only its ID and At, or
// the zero Event.
func latest(ctx context.Context, db querier, until time.Time) (Event, error) {
	var e Event
	var at int64
	err := db.QueryRowContext(ctx, "SELECT id, at FROM event WHERE at <= ? ORDER BY at DESC, id DESC LIMIT 1",
		until.UnixMilli()).Scan(&e.ID, &at)
	if errors.Is(err, sql.ErrNoRows) {
		return Event{}, nil
	}
	e.At = time.UnixMilli(at).UTC()
	return e, err
}

// row is an event as the file holds it.
type row struct{ doc, sum string }

// event decodes a row and reports one that was changed behind SQLite's back.
func (r row) event() (Event, error) {
	if checksum([]byte(r.doc)) != r.sum {
		return Event{}, errors.New("the checksum of an event is wrong")
	}
	e, wrong := decodeEvent([]byte(r.doc))
	if wrong != nil {
		return Event{}, fmt.Errorf("an event is not readable: %w", wrong)
	}
	return e, nil
}

// readAll returns the log in its order.
func readAll(ctx context.Context, db querier) ([]Event, error) {
	var events []Event
	err := scan(ctx, db, "SELECT doc, sum FROM event ORDER BY at, id", func(r row) error {
		e, err := r.event()
		if err == nil {
			events = append(events, e)
		}
		return err
	})
	return events, err
}

// scan calls each with every row of a query until it returns an error.
func scan(ctx context.Context, db querier, query string, each func(row) error) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.doc, &r.sum); err != nil {
			return err
		}
		if err := each(r); err != nil {
			return err
		}
	}
	return rows.Err()
}
