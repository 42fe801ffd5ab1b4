package progress

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	lib "modernc.org/sqlite/lib"
)

// Notice says what Open had to do about a damaged file. It is the zero value but for
// Path if there was nothing to do.
type Notice struct {
	Path    string // the progress file
	Aside   string // where the damaged file is now, "" if none
	Reason  string // what was wrong with it, "" if an earlier start set it aside
	Rescued int    // events that were read from it
}

// String returns one sentence for the learner, "" if there is nothing to say.
func (n Notice) String() string {
	events := "no events could be rescued"
	switch {
	case n.Aside == "":
		return ""
	case n.Rescued == 1:
		events = "1 event was rescued"
	case n.Rescued > 1:
		events = fmt.Sprintf("%d events were rescued", n.Rescued)
	}
	if n.Reason == "" {
		return fmt.Sprintf("The damaged progress file kept as %s was read again: %s from it.", n.Aside, events)
	}
	return fmt.Sprintf("The progress file %s was damaged (%s): it is kept as %s, and %s from it.", n.Path, n.Reason, n.Aside, events)
}

// damage says why the file at path cannot be used as a progress file, "" if it can or
// is not there. It does not change the file. Errors are what says nothing about the
// contents: no permission, a newer schema, another program's database.
func damage(ctx context.Context, path string) (string, error) {
	for {
		file, err := present(path)
		if file == nil || err != nil {
			return "", err
		}
		reason, err := look(ctx, path)
		now, statErr := os.Stat(path)
		if ctx.Err() != nil || statErr == nil && os.SameFile(file, now) {
			return reason, err
		}
		// Another lab has set the file aside meanwhile. What was found does not hold
		// for the one that is there now.
	}
}

// present returns the file at path, nil if there is none or an empty one. It must not
// open it: on POSIX systems, closing a file takes away the locks that another Store of
// this process has on it (https://sqlite.org/howtocorrupt.html, 2.2).
func present(path string) (os.FileInfo, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "open", Path: path, Err: errors.New("not a regular file")}
	case info.Size() == 0:
		return nil, nil
	}
	return info, nil
}

// look opens the file at path and says what is wrong with it.
func look(ctx context.Context, path string) (string, error) {
	// Read only: a connection that may write tidies the file up when it is closed.
	db, err := sql.Open("sqlite", dsn(path, readOnly))
	if err != nil {
		return "", err
	}
	defer db.Close()
	reason, err := inspect(ctx, db)
	switch code(err) {
	case lib.SQLITE_NOTADB:
		return "it is not an SQLite database", nil
	case lib.SQLITE_CORRUPT:
		return "SQLite finds it malformed", nil
	}
	return reason, err
}

// inspect says what is wrong with an open file.
func inspect(ctx context.Context, db *sql.DB) (string, error) {
	var version, app, tables, ours int
	for _, q := range []struct {
		query string
		into  *int
	}{
		{"PRAGMA user_version", &version},
		{"PRAGMA application_id", &app},
		{"SELECT count(*) FROM sqlite_schema", &tables},
		{"SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('event', 'meta')", &ours},
	} {
		if err := db.QueryRowContext(ctx, q.query).Scan(q.into); err != nil {
			return "", err
		}
	}
	switch {
	case tables == 0 && version == 0:
		return "", nil // made by a lab that came no further
	case app != program && ours < 2:
		return "", fmt.Errorf("%w: it is a database, but not one of flashlab; give another file", ErrForeign)
	case version > len(migrations()):
		return "", newer(version, len(migrations()))
	case app != program || version == 0 || ours < 2:
		return "its schema is not what it should be", nil
	}
	var verdict string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return "", err
	}
	if verdict != "ok" {
		first, _, _ := strings.Cut(strings.TrimPrefix(verdict, "*** in database main ***\n"), "\n")
		return "SQLite finds it malformed: " + first, nil
	}
	// quick_check does not look into the text of a row. Every schema so far has doc
	// and sum.
	reason := ""
	err := scan(ctx, db, "SELECT doc, sum FROM event", func(r row) error {
		if _, err := r.event(); err != nil {
			reason = err.Error()
		}
		return nil
	})
	return reason, err
}

// setAside gives a damaged file another name and returns that, and what was wrong. Two
// labs may have found the same file damaged; the second must not set aside what the
// first has put in its place, so it waits and looks again. Then both are "".
func (s *Store) setAside(ctx context.Context) (aside, reason string, err error) {
	unlock, err := lock(ctx, s.path+".lock")
	if err != nil {
		return "", "", err
	}
	defer unlock()
	if reason, err = damage(ctx, s.path); err != nil || reason == "" {
		return "", "", err
	}
	stem := asideStem(s.path) + s.now().UTC().Format("2006-01-02T150405Z")
	aside = stem + ".db"
	for n := 2; exists(aside) || exists(aside+"-wal"); n++ {
		aside = fmt.Sprintf("%s-%d.db", stem, n)
	}
	// The file itself goes last: a new one beside the old -wal would be given what is
	// in that.
	for _, part := range []string{"-wal", "-shm", ""} {
		err := os.Rename(s.path+part, aside+part)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", "", fmt.Errorf("set the damaged file aside: %w", err)
		}
	}
	return aside, reason, nil
}

// asideStem is what the names of the files set aside for path start with.
func asideStem(path string) string {
	return strings.TrimSuffix(path, filepath.Ext(path)) + ".damaged-"
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// lock waits until no other process holds the lock file at path. The lock is SQLite's
// own, on an empty database: it works on every system and goes with its process.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	if err := create(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dsn(path, readWrite))
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(ctx)
	if err == nil {
		_, err = conn.ExecContext(ctx, "BEGIN EXCLUSIVE")
	}
	if err != nil {
		db.Close()
		return nil, fmt.Errorf("wait for another lab: %w", err)
	}
	return func() {
		conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		conn.Close()
		db.Close()
	}, nil
}
