package trace

import (
	"fmt"
	"strings"
)

// Phrase is a short text for people. It is kept in pieces, so that a screen can say
// it in another language: under its key it finds words of its own, and fills their
// braces with the same values. Exporters take the English of String.
type Phrase struct {
	Key     string   // "sale.orders"; "" if the text is the same in every language
	English string   // "orders {orders}, stock at start {start}"
	Values  []string // for the braces: name, value, name, value, ...
}

// Say returns a phrase. Values are given as name, value, name, value, ... and written
// as fmt.Sprint does.
func Say(key, english string, pairs ...any) Phrase {
	p := Phrase{Key: key, English: english}
	for _, x := range pairs {
		p.Values = append(p.Values, fmt.Sprint(x))
	}
	return p
}

// Verbatim returns a text that is the same in every language, such as a name.
func Verbatim(text string) Phrase { return Phrase{English: text} }

// Empty reports whether there is nothing to say.
func (p Phrase) Empty() bool { return p.English == "" }

// String is the phrase in English.
func (p Phrase) String() string {
	if len(p.Values) == 0 {
		return p.English
	}
	var pairs []string
	for i := 0; i+1 < len(p.Values); i += 2 {
		pairs = append(pairs, "{"+p.Values[i]+"}", p.Values[i+1])
	}
	return strings.NewReplacer(pairs...).Replace(p.English)
}

// Mistake is an error in what a person has asked for, told so that it can be mended.
type Mistake struct{ Phrase }

// Error is the mistake in English.
func (m Mistake) Error() string { return m.String() }
