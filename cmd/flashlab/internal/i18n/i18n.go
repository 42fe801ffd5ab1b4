// Package i18n holds the words of the program itself, in every language: English
// is the source, Chinese is written for its own readers. Texts of lessons live
// with their lessons.
//
// The package must not paint or choose; it only knows words.
package i18n

import (
	"strings"

	"flashlab/lessons"
)

// Strings are the words of one language.
type Strings struct {
	App   App
	Panes Panes
	Plain Plain
	Learn Learn
	Storm Storm
	Live  Live

	Showdown Showdown
}

// For returns the words of a language.
func For(l lessons.Lang) *Strings {
	if l == lessons.ZH {
		return &chinese
	}
	return &english
}

var (
	english = Strings{App: appEN, Panes: panesEN, Plain: plainEN, Learn: learnEN, Storm: stormEN, Live: liveEN, Showdown: showdownEN}
	chinese = Strings{App: appZH, Panes: panesZH, Plain: plainZH, Learn: learnZH, Storm: stormZH, Live: liveZH, Showdown: showdownZH}
)

// Parse returns the language of a name: "en", "zh", and what locales are called,
// such as "zh_CN.UTF-8". ok is false for others.
func Parse(name string) (l lessons.Lang, ok bool) {
	name = strings.ToLower(name)
	switch {
	case name == "en", strings.HasPrefix(name, "en_"), strings.HasPrefix(name, "en-"):
		return lessons.EN, true
	case name == "zh", strings.HasPrefix(name, "zh_"), strings.HasPrefix(name, "zh-"):
		return lessons.ZH, true
	}
	return lessons.EN, false
}

// Locale returns the language of the environment, English if it names another.
func Locale(getenv func(string) string) lessons.Lang {
	for _, name := range []string{"FLASHLAB_LANG", "LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := getenv(name); v != "" {
			l, _ := Parse(v)
			return l
		}
	}
	return lessons.EN
}

// Fill replaces {name} by values given as name, value, name, value, ... A value is
// taken as it is, whatever braces it has.
func Fill(s string, pairs ...string) string {
	if len(pairs) < 2 || strings.IndexByte(s, '{') < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 16)
	for {
		open := strings.IndexByte(s, '{')
		end := strings.IndexByte(s[max(open, 0):], '}')
		if open < 0 || end < 0 {
			b.WriteString(s)
			return b.String()
		}
		end += open
		b.WriteString(s[:open])
		value, known := s[open:end+1], false
		for i := 0; i+1 < len(pairs) && !known; i += 2 {
			if pairs[i] == s[open+1:end] {
				value, known = pairs[i+1], true
			}
		}
		if !known { // a brace of the text itself; another may begin behind it
			value, end = "{", open
		}
		b.WriteString(value)
		s = s[end+1:]
	}
}
