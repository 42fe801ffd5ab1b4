package progress

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// maxCarve is the size in bytes up to which a damaged file is searched byte by byte.
const maxCarve = 512 << 20

// rescueAsides puts what can be read of the files set aside into the log and counts
// it. The log remembers which were read, so that a lab that dies on the way is made
// up for by the next.
func (s *Store) rescueAsides(ctx context.Context, notice *Notice) error {
	entries, err := os.ReadDir(filepath.Dir(s.path))
	if err != nil {
		return err
	}
	prefix := filepath.Base(asideStem(s.path))
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasPrefix(name, prefix) || !strings.HasSuffix(name, ".db") || !entry.Type().IsRegular() {
			continue
		}
		var done int
		if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM meta WHERE name = ?", "rescued "+name).Scan(&done); err != nil {
			return err
		}
		if done > 0 {
			continue
		}
		path := filepath.Join(filepath.Dir(s.path), name)
		n, err := s.rescue(ctx, path)
		if err != nil {
			return fmt.Errorf("rescue events from %s: %w", path, err)
		}
		notice.Rescued += n
		if notice.Aside == "" && n > 0 {
			notice.Aside = path
		}
	}
	return nil
}

// rescue adds the events in a damaged file to the log and returns how many were new.
func (s *Store) rescue(ctx context.Context, path string) (added int, err error) {
	found, host := salvage(ctx, path)
	for _, part := range []string{path, path + "-wal"} {
		if info, err := os.Stat(part); err != nil || info.Size() > maxCarve {
			continue
		}
		raw, err := os.ReadFile(part)
		if err != nil {
			return 0, err
		}
		carve(raw, found)
	}
	err = s.write(ctx, func(tx *sql.Tx) error {
		added = 0
		for _, e := range found {
			isNew, err := insert(ctx, tx, e)
			if err != nil && !errors.Is(err, ErrConflict) {
				return err
			}
			if isNew {
				added++
			}
		}
		// The installation keeps its name, unless it has one that is in use.
		if host != "" {
			_, err := tx.ExecContext(ctx, "UPDATE meta SET value = ? WHERE name = 'host' AND NOT EXISTS (SELECT 1 FROM meta WHERE name LIKE 'rescued %')", host)
			if err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, "INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING",
			"rescued "+filepath.Base(path), fmt.Sprint(added))
		if err != nil {
			return err
		}
		return tx.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'host'").Scan(&s.host)
	})
	return added, err
}

// salvage reads with SQLite what it can: rows from the front until one is damaged,
// then rows from the back. It returns the events by ID and the host, "" if unknown.
func salvage(ctx context.Context, path string) (map[string]Event, string) {
	found := map[string]Event{}
	db, err := sql.Open("sqlite", dsn(path, salvaging))
	if err != nil {
		return found, ""
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	// The first query on a file that is too short may find no tables where the next
	// one does.
	var tables int
	_ = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables)
	for _, direction := range []string{"ASC", "DESC"} {
		// An error ends the scan and nothing else: what came before it is good.
		_ = scan(ctx, db, "SELECT doc, sum FROM event NOT INDEXED ORDER BY rowid "+direction, func(r row) error {
			if e, err := r.event(); err == nil {
				found[e.ID] = e
			}
			return nil
		})
	}
	host := ""
	if db.QueryRowContext(ctx, "SELECT value FROM meta WHERE name = 'host'").Scan(&host) != nil || !hostForm.MatchString(host) {
		host = ""
	}
	return found, host
}

// carve finds events in the bytes of a file without knowing where its pages and rows
// are: a doc is followed by its sum. That does not hold for one that is longer than a
// page (4 KiB); salvage may have it.
func carve(raw []byte, found map[string]Event) {
	start := []byte(`{"id":"`)
	const window = 64 << 10 // bytes; the largest page there can be
	for {
		at := bytes.Index(raw, start)
		if at < 0 {
			return
		}
		raw = raw[at:]
		dec := json.NewDecoder(bytes.NewReader(raw[:min(len(raw), window)]))
		var doc json.RawMessage
		if dec.Decode(&doc) == nil && len(raw) >= len(doc)+8 {
			r := row{string(doc), string(raw[len(doc) : len(doc)+8])}
			if e, err := r.event(); err == nil {
				found[e.ID] = e
			}
		}
		raw = raw[len(start):]
	}
}
