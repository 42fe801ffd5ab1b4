package lessons

// Lang is a language of the lab.
type Lang uint8

// The languages. English is the source; Chinese is written for its own readers.
const (
	EN Lang = iota
	ZH
)

// String returns the language code.
func (l Lang) String() string { return [...]string{"en", "zh"}[l] }

// Text is one passage in every language. Paragraphs are separated by "\n".
type Text struct{ EN, ZH string }

// In returns the passage in a language.
func (t Text) In(l Lang) string {
	if l == ZH {
		return t.ZH
	}
	return t.EN
}
