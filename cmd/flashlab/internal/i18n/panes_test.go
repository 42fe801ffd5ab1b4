package i18n

import (
	"reflect"
	"regexp"
	"slices"
	"testing"
)

var placeholder = regexp.MustCompile(`\{\w+\}`)

// TestPanesInBothLanguages holds the words to the same set in every language, with
// the same places to fill in.
func TestPanesInBothLanguages(t *testing.T) {
	en, zh := reflect.ValueOf(panesEN), reflect.ValueOf(panesZH)
	for i := range en.NumField() {
		name := en.Type().Field(i).Name
		if en.Field(i).Kind() != reflect.String {
			continue // a map may lack what needs no word
		}
		a, b := en.Field(i).String(), zh.Field(i).String()
		if a == "" || b == "" {
			t.Errorf("%s: %q, %q", name, a, b)
		}
		names := func(s string) []string {
			found := placeholder.FindAllString(s, -1)
			slices.Sort(found)
			return slices.Compact(found)
		}
		if !slices.Equal(names(a), names(b)) {
			t.Errorf("%s does not fill in the same: %q, %q", name, a, b)
		}
	}
}

func TestGlossesInBothLanguages(t *testing.T) {
	for name := range panesEN.Glosses {
		if panesZH.Glosses[name] == "" {
			t.Errorf("%s has no Chinese gloss", name)
		}
		if panesEN.ShortGlosses[name] == "" {
			t.Errorf("%s has no short gloss", name)
		}
	}
}
