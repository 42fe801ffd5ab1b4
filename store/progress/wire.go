package progress

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
)

// Limits of one event, in bytes.
const (
	maxName = 200       // subject
	maxKind = 32        // kind
	maxHost = 64        // host
	maxData = 256 << 10 // data
)

// atLayout is RFC 3339 with exactly three digits of fraction.
const atLayout = "2006-01-02T15:04:05.000Z07:00"

// wire is the JSON form of an event, in the file and in an export.
type wire struct {
	ID      string          `json:"id"`
	At      string          `json:"at"`
	Host    string          `json:"host"`
	Kind    Kind            `json:"kind"`
	Subject string          `json:"subject"`
	Data    json.RawMessage `json:"data"`
}

// fieldError says what is wrong with a field of an event, such as data.confidence.
type fieldError struct{ field, problem string }

func (e *fieldError) Error() string { return e.field + " " + e.problem }

func wrong(field, format string, args ...any) *fieldError {
	return &fieldError{field, fmt.Sprintf(format, args...)}
}

func filled(field, value string) *fieldError {
	if value == "" {
		return wrong(field, "is missing or empty")
	}
	return nil
}

// encodeEvent returns the one spelling of an event: an object on one line. Data must
// be valid JSON.
func encodeEvent(e Event) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	// Data goes through as it is; escaping would change it.
	enc.SetEscapeHTML(false)
	err := enc.Encode(wire{e.ID, e.At.UTC().Format(atLayout), e.Host, e.Kind, e.Subject, e.Data})
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// decodeEvent reads the JSON form of an event and checks all of it but whether Data
// fits its kind: a newer version may have put more into a kind.
func decodeEvent(raw []byte) (Event, *fieldError) {
	fields, err := object(raw)
	if err != nil {
		return Event{}, wrong("event", "is not a JSON object: %v", err)
	}
	var e Event
	for name := range fields {
		switch name {
		case "id", "at", "host", "kind", "subject", "data":
		default:
			return e, wrong(clip(name), "is not a field of an event")
		}
	}
	var at string
	for _, f := range []struct {
		name string
		into *string
	}{{"id", &e.ID}, {"at", &at}, {"host", &e.Host}, {"kind", (*string)(&e.Kind)}, {"subject", &e.Subject}} {
		value, ok := fields[f.name]
		if !ok {
			return e, wrong(f.name, "is missing")
		}
		if len(value) == 0 || value[0] != '"' || json.Unmarshal(value, f.into) != nil {
			return e, wrong(f.name, "must be a string")
		}
	}
	if e.At, err = time.Parse(time.RFC3339Nano, at); err != nil {
		return e, wrong("at", "is %q, must be a time such as 2026-11-30T18:04:05.123Z", clip(at))
	}
	e.At = e.At.UTC()
	data, ok := fields["data"]
	if !ok {
		return e, wrong("data", "is missing")
	}
	var b bytes.Buffer
	if err := json.Compact(&b, data); err != nil {
		return e, wrong("data", "%v", err)
	}
	e.Data = b.Bytes()
	return e, checkEvent(e)
}

var (
	kindForm = regexp.MustCompile(`^[a-z][a-z0-9_-]*$`)
	hostForm = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
)

// checkEvent reports the first field that no event can have.
func checkEvent(e Event) *fieldError {
	if problem := checkID(e.ID); problem != "" {
		return wrong("id", "%s", problem)
	}
	if !e.At.Equal(e.At.Truncate(time.Millisecond)) {
		return wrong("at", "must be in whole milliseconds")
	}
	if year := e.At.Year(); year < 1970 || year > 9999 {
		return wrong("at", "is in the year %d, must be from 1970 to 9999", year)
	}
	if len(e.Host) > maxHost || !hostForm.MatchString(e.Host) {
		return wrong("host", "is %q, must be up to %d letters, digits, - and _", clip(e.Host), maxHost)
	}
	if len(e.Kind) > maxKind || !kindForm.MatchString(string(e.Kind)) {
		return wrong("kind", "is %q, must be up to %d lower-case letters, digits, - and _", clip(string(e.Kind)), maxKind)
	}
	if err := checkSubject(e.Subject); err != nil {
		return err
	}
	if len(e.Data) > maxData {
		return wrong("data", "has %d bytes, the limit is %d", len(e.Data), maxData)
	}
	if len(e.Data) == 0 || e.Data[0] != '{' || !utf8.Valid(e.Data) || !json.Valid(e.Data) {
		return wrong("data", "must be a JSON object")
	}
	return nil
}

func checkSubject(s string) *fieldError {
	switch {
	case s == "":
		return wrong("subject", "is empty")
	case len(s) > maxName:
		return wrong("subject", "has %d bytes, the limit is %d", len(s), maxName)
	case !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl):
		return wrong("subject", "is %q, must be a name without control characters", clip(s))
	}
	return nil
}

// checkID says why id is no id of an event, or "". One spelling only, for ids are
// compared as text.
func checkID(id string) string {
	u, err := uuid.Parse(id)
	if err != nil || u.String() != id || u.Version() != 7 || u.Variant() != uuid.RFC4122 {
		return fmt.Sprintf("is %q, must be a version 7 UUID in lower case", clip(id))
	}
	return ""
}

// clip shortens text from outside before it goes into a message.
func clip(s string) string {
	const most = 60 // characters
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// object splits a JSON object into its fields. Unlike json.Unmarshal it tells upper
// from lower case and refuses a field that comes twice.
func object(raw []byte) (map[string]json.RawMessage, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if open, err := dec.Token(); err != nil {
		return nil, plainEOF(err)
	} else if open != json.Delim('{') {
		return nil, fmt.Errorf("it starts with %v", clip(fmt.Sprint(open)))
	}
	fields := map[string]json.RawMessage{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, plainEOF(err)
		}
		key, _ := name.(string) // the decoder allows no other key
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, plainEOF(err)
		}
		if _, twice := fields[key]; twice {
			return nil, fmt.Errorf("the field %q comes twice", clip(key))
		}
		fields[key] = value
	}
	if _, err := dec.Token(); err != nil {
		return nil, plainEOF(err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is more after its end")
	}
	return fields, nil
}

func plainEOF(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("it ends too early")
	}
	return err
}

// sameJSON reports whether a and b differ in spelling only: order of fields, escapes.
// Numbers are compared as written.
func sameJSON(a, b []byte) bool {
	ca, errA := canonical(a)
	cb, errB := canonical(b)
	return errA == nil && errB == nil && bytes.Equal(ca, cb)
}

func canonical(raw []byte) ([]byte, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(v) // sorts the keys of a map
}
