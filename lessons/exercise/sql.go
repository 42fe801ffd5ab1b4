package exercise

import (
	"slices"
	"strings"
	"unicode"
)

// sqlWords are the words that a condition may use, besides the columns of its table.
var sqlWords = []string{"and", "or", "not", "is", "null", "between", "in", "true", "false"}

// Condition checks what a learner has written behind WHERE: comparisons of columns,
// numbers and "?". Statements, functions and subqueries are refused, for nothing that
// is typed here may do more than choose rows. The error is a [lessons.Miss].
func Condition(text string, columns ...string) error {
	if strings.TrimSpace(text) == "" {
		return miss(ChecksNothing, "The gap is empty: nothing is asked before the write.", "空格还空着：写之前什么都没问。")
	}
	rest := text
	for rest != "" {
		r := []rune(rest)[0]
		switch {
		case unicode.IsSpace(r) || strings.ContainsRune("=<>!?()+-*,", r):
			rest = rest[len(string(r)):]
		case unicode.IsDigit(r) && r < 128:
			rest = strings.TrimLeft(rest, "0123456789")
		case r == '_' || r < 128 && unicode.IsLetter(r):
			word := rest
			if i := strings.IndexFunc(rest, func(r rune) bool {
				return r != '_' && (r >= 128 || !unicode.IsLetter(r) && !unicode.IsDigit(r))
			}); i >= 0 {
				word = rest[:i]
			}
			if w := strings.ToLower(word); !slices.Contains(sqlWords, w) && !slices.Contains(columns, w) {
				return miss(Forbidden, "%q cannot stand here: use the columns %s, numbers and comparisons.",
					"这里不能用 %q，只能用 %s 这些列、数字和比较。", word, strings.Join(columns, ", "))
			}
			rest = rest[len(word):]
		default:
			return miss(Syntax, "%q cannot stand in a condition.", "条件里不能有 %q。", string(r))
		}
	}
	if strings.Contains(text, "--") || strings.Contains(text, "/*") {
		return miss(Forbidden, "A comment cannot stand in the gap.", "空格里不能写注释。")
	}
	return nil
}
