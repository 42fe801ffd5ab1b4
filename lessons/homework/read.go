package homework

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
	"unicode/utf8"
)

// Limits of a report: more than any learner comes to.
const (
	MaxReport = 8 << 20 // bytes
	MaxClaims = 2000
	MaxName   = 200 // bytes of a learner's name
)

// maxText is the longest text of a claim, in bytes.
const maxText = 64 << 10

// Read reads a report. The error says in half a sentence what is wrong with the
// file ("it is cut off"); the claims are not looked at, that is what [Verify] is for.
func Read(r io.Reader) (*Report, error) {
	raw, err := io.ReadAll(io.LimitReader(r, MaxReport+1))
	switch {
	case err != nil:
		return nil, err
	case len(raw) > MaxReport:
		return nil, fmt.Errorf("it has more than %d MiB: is it the right file?", MaxReport>>20)
	case len(bytes.TrimSpace(raw)) == 0:
		return nil, errors.New("it is empty")
	case !utf8.Valid(raw) || bytes.IndexByte(raw, 0) >= 0:
		return nil, errors.New("it is no text: is it the right file?")
	}
	if err := known(raw); err != nil {
		return nil, err
	}
	var rep Report
	if err := json.Unmarshal(raw, &rep); err != nil {
		return nil, plain(err)
	}
	return &rep, rep.check()
}

// known tells a report from other files, before its fields are read.
func known(raw []byte) error {
	var head struct {
		Schema  any             `json:"schema"`
		Program any             `json:"program"`
		Kind    any             `json:"kind"`
		Claims  json.RawMessage `json:"claims"`
		Events  json.RawMessage `json:"events"`
	}
	err := json.Unmarshal(raw, &head)
	if err != nil {
		return plain(err)
	}
	if head.Program != program {
		return errors.New("it is not a report of flashlab")
	}
	if head.Kind != kindReport {
		if head.Events != nil {
			return errors.New("it holds a whole log, not a report: flashlab progress export --report makes one")
		}
		return errors.New(`it is not a report: its field "kind" must be "report"`)
	}
	schema, ok := head.Schema.(float64)
	switch {
	case !ok || schema < 1:
		return errors.New(`its field "schema" must be a number, 1 or more`)
	case schema > Schema:
		return fmt.Errorf("it was made by a newer flashlab (schema %v, this one knows up to %d): update flashlab to check it", schema, Schema)
	case head.Claims == nil || head.Claims[0] != '[':
		return errors.New(`its field "claims" must be a list`)
	}
	return nil
}

// plain says what is wrong with a JSON text in words for people.
func plain(err error) error {
	var syntax *json.SyntaxError
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input":
		return errors.New("it is cut off: copy it whole")
	case errors.As(err, &syntax):
		return fmt.Errorf("it is no JSON (%w at byte %d)", syntax, syntax.Offset)
	case errors.As(err, &mistyped) && mistyped.Field == "":
		return errors.New("it is not a report of flashlab")
	case errors.As(err, &mistyped):
		return fmt.Errorf("its field %q holds a %s, where a %s belongs", mistyped.Field, mistyped.Value, mistyped.Type.Kind())
	}
	return err
}

func (r *Report) check() error {
	if len(r.Claims) > MaxClaims {
		return fmt.Errorf("it has %d claims, and more than %d are not read", len(r.Claims), MaxClaims)
	}
	if len(r.Name) > MaxName {
		return fmt.Errorf("the name in it has %d bytes, the limit is %d", len(r.Name), MaxName)
	}
	if len(r.Host) > MaxName || len(r.Version) > MaxName {
		return errors.New(`its field "host" or "version" is too long`)
	}
	if _, err := time.Parse(time.RFC3339, r.Made); err != nil {
		return errors.New(`its field "made" must be a time such as 2026-11-30T18:04:05Z`)
	}
	for i := range r.Claims {
		c := &r.Claims[i]
		for _, short := range []string{c.Kind, c.Lesson, c.Subject, c.Light, c.Form, c.Mistake, c.Option} {
			if len(short) > MaxName {
				return fmt.Errorf("a name in claim %d has %d bytes, the limit is %d", i+1, len(short), MaxName)
			}
		}
		for _, long := range []string{c.Token, c.Answer, c.Line} {
			if len(long) > maxText {
				return fmt.Errorf("a text in claim %d has %d bytes, the limit is %d", i+1, len(long), maxText)
			}
		}
	}
	return nil
}
