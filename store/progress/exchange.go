package progress

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"
)

// ExportSchema is the version of the form of an export.
const ExportSchema = 1

// Limits of an import.
const (
	MaxImport       = 64 << 20  // bytes
	MaxImportEvents = 1_000_000 // events
)

// ImportError says which event of an export cannot be taken, and why.
type ImportError struct {
	Index int    // from 0
	Field string // such as at, or data.confidence; "" if it is the event as a whole
	Err   error
}

func (e *ImportError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("events[%d]: %v", e.Index, e.Err)
	}
	return fmt.Sprintf("events[%d].%s %v", e.Index, e.Field, e.Err)
}

// Unwrap returns Err.
func (e *ImportError) Unwrap() error { return e.Err }

// Export writes the log as one JSON document:
//
//	{"schema":1,"program":"flashlab","host":…,"exported":…,"events":[
//	{"id":…,"at":…,"host":…,"kind":…,"subject":…,"data":{…}},
//	…
//	]}
//
// with the events in the order of the log, one a line, and times in RFC 3339. The same
// log gives the same bytes, but for the moment of the export.
func (s *Store) Export(ctx context.Context, w io.Writer) error {
	events, err := s.Events(ctx)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `{"schema":%d,"program":"flashlab","host":%q,"exported":%q,"events":[`,
		ExportSchema, s.host, s.now().UTC().Format(time.RFC3339))
	for i, e := range events {
		doc, err := encodeEvent(e)
		if err != nil {
			return fmt.Errorf("export event %s: %w", e.ID, err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(doc)
	}
	b.WriteString("\n]}\n")
	if err := b.Flush(); err != nil { // an error of any write above stays
		return fmt.Errorf("write the export: %w", err)
	}
	return nil
}

// Import merges an export into the log, all of it or nothing, and returns how many of
// its events were added and how many were known. It is refused with ErrNewer if it has
// a newer schema, with an *ImportError if an event is wrong, and with one that is
// ErrConflict if an event differs from the one of the same ID in the log. What the
// export says about resets holds here too: they take effect by their place in the
// merged log.
func (s *Store) Import(ctx context.Context, r io.Reader) (added, known int, err error) {
	raw, err := io.ReadAll(io.LimitReader(r, MaxImport+1))
	if err != nil {
		return 0, 0, fmt.Errorf("read the export: %w", err)
	}
	events, err := parseExport(raw)
	if err != nil {
		return 0, 0, fmt.Errorf("the export cannot be imported, and nothing was changed: %w", err)
	}
	err = s.write(ctx, func(tx *sql.Tx) error {
		for i, e := range events {
			isNew, err := insert(ctx, tx, e)
			if errors.Is(err, ErrConflict) {
				return &ImportError{i, "id", err}
			}
			if err != nil {
				return err
			}
			if isNew {
				added++
			} else {
				known++
			}
		}
		return nil
	})
	if err != nil {
		return 0, 0, fmt.Errorf("import into the progress: %w", err)
	}
	return added, known, nil
}

// parseExport reads an export of schema 1 and checks every event.
func parseExport(raw []byte) ([]Event, error) {
	if len(raw) > MaxImport {
		return nil, fmt.Errorf("it has more than %d MiB", MaxImport>>20)
	}
	if !utf8.Valid(raw) {
		return nil, errors.New("it is not UTF-8 text")
	}
	fields, err := object(raw)
	if err != nil {
		return nil, fmt.Errorf("it is not the JSON document that flashlab exports: %w", err)
	}
	var name string
	if json.Unmarshal(fields["program"], &name) != nil || name != "flashlab" {
		return nil, errors.New(`it was not exported by flashlab: the field "program" must be "flashlab"`)
	}
	var schema int
	if err := json.Unmarshal(fields["schema"], &schema); err != nil || schema < 1 {
		return nil, errors.New(`the field "schema" must be a number, 1 or more`)
	}
	if schema > ExportSchema {
		return nil, newer(schema, ExportSchema)
	}
	for field := range fields {
		switch field {
		case "program", "schema", "host", "exported", "events":
		default:
			return nil, fmt.Errorf("the field %q is not one of an export", clip(field))
		}
	}
	var host, exported string
	if json.Unmarshal(fields["host"], &host) != nil || len(host) > maxHost || !hostForm.MatchString(host) {
		return nil, errors.New(`the field "host" must be the id of an installation`)
	}
	if json.Unmarshal(fields["exported"], &exported) != nil {
		return nil, errors.New(`the field "exported" must be a time`)
	}
	if _, err := time.Parse(time.RFC3339, exported); err != nil {
		return nil, fmt.Errorf(`the field "exported" is %q, must be a time such as 2026-11-30T18:04:05Z`, clip(exported))
	}
	return parseEvents(fields["events"])
}

func parseEvents(raw []byte) ([]Event, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('[') {
		return nil, errors.New(`the field "events" must be a list`)
	}
	var events []Event
	for i := 0; dec.More(); i++ {
		if i == MaxImportEvents {
			return nil, fmt.Errorf("it has more than %d events", MaxImportEvents)
		}
		var one json.RawMessage
		if err := dec.Decode(&one); err != nil {
			return nil, &ImportError{i, "", err}
		}
		e, wrong := decodeEvent(one)
		if wrong == nil {
			_, wrong = e.payload()
		}
		if wrong != nil {
			return nil, &ImportError{i, wrong.field, errors.New(wrong.problem)}
		}
		events = append(events, e)
	}
	return events, nil
}
