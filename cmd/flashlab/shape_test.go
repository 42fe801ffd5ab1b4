package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A shape says what a JSON document looks like. It is written one line a value:
//
//	lesson             string
//	invariants[].ties  decimal null
//	params{}           int
//	bound?             string
//
// A path goes through objects with ".", through lists with "[]" and through objects
// whose keys are data with "{}". Behind it stand the types that are allowed; "?"
// marks a key that may be missing. Nothing else may be there.
type shape struct {
	types    []string
	optional bool
	inside   map[string]*shape // by key; "[]" and "{}" are all there are
}

func parseShape(text string) *shape {
	root := &shape{inside: map[string]*shape{}}
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		path := strings.NewReplacer("[]", ".[]", "{}", ".{}").Replace(f[0])
		at := root
		for _, key := range strings.Split(path, ".") {
			key, optional := strings.CutSuffix(key, "?")
			next := at.inside[key]
			if next == nil {
				next = &shape{inside: map[string]*shape{}}
				at.inside[key] = next
			}
			next.optional = next.optional || optional
			at = next
		}
		at.types = append(at.types, f[1:]...)
	}
	return root
}

// check compares a decoded value and returns what does not fit.
func (s *shape) check(v any, path string) (bad []string) {
	switch x := v.(type) {
	case map[string]any:
		if each := s.inside["{}"]; each != nil {
			for _, e := range x {
				bad = append(bad, each.check(e, path+"{}")...)
			}
			return bad
		}
		for k, e := range x {
			if s.inside[k] == nil {
				bad = append(bad, path+"."+k+" is not expected")
			} else {
				bad = append(bad, s.inside[k].check(e, path+"."+k)...)
			}
		}
		for k, want := range s.inside {
			if _, there := x[k]; !there && !want.optional {
				bad = append(bad, path+"."+k+" is missing")
			}
		}
		return bad
	case []any:
		each := s.inside["[]"]
		if each == nil {
			return []string{path + " is a list"}
		}
		for _, e := range x {
			bad = append(bad, each.check(e, path+"[]")...)
		}
		return bad
	}
	if !slices.ContainsFunc(s.types, func(t string) bool { return fits(v, t) }) {
		return []string{fmt.Sprintf("%s is %v, want %s", path, v, strings.Join(s.types, " or "))}
	}
	return nil
}

var decimals = regexp.MustCompile(`^(0|[1-9][0-9]*)$`)

func fits(v any, t string) bool {
	switch x := v.(type) {
	case nil:
		return t == "null"
	case bool:
		return t == "bool"
	case string:
		return t == "string" || t == "decimal" && decimals.MatchString(x)
	case json.Number:
		_, err := x.Int64()
		return t == "number" || t == "int" && err == nil || t == x.String()
	}
	return false
}

// decode reads one JSON document and checks its shape.
func decode(t *testing.T, text string, s *shape) map[string]any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var doc map[string]any
	if err := d.Decode(&doc); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	if d.More() {
		t.Errorf("more than one document in:\n%s", text)
	}
	bad := s.check(doc, "")
	slices.Sort(bad)
	for _, b := range slices.Compact(bad) {
		t.Error(b)
	}
	return doc
}

func TestShapeNotices(t *testing.T) {
	s := parseShape("\nschema 1\nlist[].n decimal null\nmap{} int\nlate? string\n")
	for text, want := range map[string]string{
		`{"schema":1,"list":[{"n":"12"},{"n":null}],"map":{"a":3}}`: "",
		`{"schema":1,"list":[],"map":{},"late":"x"}`:                "",
		`{"schema":2,"list":[],"map":{}}`:                           ".schema is 2, want 1",
		`{"schema":1,"list":[{"n":12}],"map":{}}`:                   ".list[].n is 12, want decimal or null",
		`{"schema":1,"list":[{}],"map":{}}`:                         ".list[].n is missing",
		`{"schema":1,"list":[],"map":{"a":"x"}}`:                    ".map{} is x, want int",
		`{"schema":1,"list":[],"map":{},"more":1}`:                  ".more is not expected",
		`{"schema":1,"list":[]}`:                                    ".map is missing",
	} {
		var doc any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&doc); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.check(doc, ""), "; "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
