package i18n

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"flashlab/lessons"
)

var blank = regexp.MustCompile(`\{[a-zA-Z0-9]+\}`)

// TestSameWords: both languages have every word, with the same blanks to fill in.
func TestSameWords(t *testing.T) {
	en, zh := reflect.ValueOf(english), reflect.ValueOf(chinese)
	for i := range en.NumField() {
		group := en.Type().Field(i)
		for j := range group.Type.NumField() {
			f := group.Type.Field(j)
			x, y := en.Field(i).Field(j), zh.Field(i).Field(j)
			if f.Type.Kind() == reflect.Array {
				for k := range x.Len() {
					if x.Index(k).String() == "" || y.Index(k).String() == "" {
						t.Errorf("%s.%s: word %d is missing", group.Name, f.Name, k)
					}
				}
			}
			if f.Type.Kind() != reflect.String {
				continue
			}
			a, b := x.String(), y.String()
			name := group.Name + "." + f.Name
			if a == "" || b == "" {
				t.Errorf("%s is missing: %q, %q", name, a, b)
			}
			blanks := func(s string) []string {
				list := blank.FindAllString(s, -1)
				slices.Sort(list)
				return list
			}
			if !slices.Equal(blanks(a), blanks(b)) {
				t.Errorf("%s has other blanks in Chinese: %q, %q", name, a, b)
			}
			for _, s := range []string{a, b} {
				if strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' }) {
					t.Errorf("%s has a control character", name)
				}
			}
		}
	}
}

func TestParse(t *testing.T) {
	for name, want := range map[string]lessons.Lang{
		"en": lessons.EN, "zh": lessons.ZH, "ZH": lessons.ZH, "zh_CN.UTF-8": lessons.ZH, "zh-Hans": lessons.ZH, "en_GB.UTF-8": lessons.EN,
	} {
		if got, ok := Parse(name); !ok || got != want {
			t.Errorf("%s: %v, %v", name, got, ok)
		}
	}
	for _, name := range []string{"", "de", "C", "english", "zhuang"} {
		if _, ok := Parse(name); ok {
			t.Errorf("%q is a language", name)
		}
	}
}

func TestLocale(t *testing.T) {
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	for _, c := range []struct {
		get  func(string) string
		want lessons.Lang
	}{
		{env(), lessons.EN},
		{env("LANG", "zh_CN.UTF-8"), lessons.ZH},
		{env("LANG", "zh_CN.UTF-8", "LC_ALL", "C.UTF-8"), lessons.EN},
		{env("LANG", "C", "LC_MESSAGES", "zh_TW.UTF-8"), lessons.ZH},
		{env("LANG", "zh_CN.UTF-8", "FLASHLAB_LANG", "en"), lessons.EN},
		{env("LANG", "de_DE.UTF-8"), lessons.EN},
	} {
		if got := Locale(c.get); got != c.want {
			t.Errorf("%v, want %v", got, c.want)
		}
	}
}

func TestFill(t *testing.T) {
	if got := Fill("{a} and {b}, {a}", "a", "x", "b", "y"); got != "x and y, x" {
		t.Error(got)
	}
	if got := Fill("{a}", "a"); got != "{a}" {
		t.Error(got)
	}
	// What is filled in is no form itself.
	if got := Fill("{text}: {n}", "text", "{n}", "n", "3"); got != "{n}: 3" {
		t.Errorf("a value was taken for a blank: %s", got)
	}
}
