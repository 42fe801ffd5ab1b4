package pane

import "strings"

// syntax is a language whose words can be told apart.
type syntax uint8

const (
	plainText syntax = iota
	golang
	java
	lua
)

// syntaxOf tells the language of a file by its name.
func syntaxOf(file string, isJava bool) syntax {
	switch {
	case isJava, strings.HasSuffix(file, ".java"):
		return java
	case strings.HasSuffix(file, ".lua"):
		return lua
	case strings.HasSuffix(file, ".go"), file == "":
		return golang
	}
	return plainText
}

// class is what a piece of code is.
type class uint8

const (
	codeText class = iota
	codeKeyword
	codeString
	codeComment
)

// token is a piece of a line, from one byte to before another.
type token struct {
	from, to int
	class    class
}

// lexer tells keywords, strings and comments apart, line by line. It remembers what a
// line leaves open: a raw string or a comment that goes on.
type lexer struct {
	lang syntax
	open string // what closes it: "`", "*/", `"""`, "]]" or ""
	kind class  // of what is open
}

// skip takes a line without looking at its pieces.
func (l *lexer) skip(line string) {
	if l.open != "" && !strings.Contains(line, l.open) {
		return
	}
	if l.open == "" && !strings.ContainsAny(line, "`/\"[") {
		return // nothing that could open anything
	}
	l.line(line, nil)
}

// line appends the pieces of the next line, which cover it without a gap.
func (l *lexer) line(line string, tokens []token) []token {
	if l.lang == plainText {
		return append(tokens, token{0, len(line), codeText})
	}
	for i := 0; i < len(line); {
		from := i
		c := codeText
		switch {
		case l.open != "":
			i, c = l.closing(line, i), l.kind
		case l.opens(line[i:]):
			i, c = l.closing(line, i+l.opener(line[i:])), l.kind
		case l.comment(line[i:]):
			i, c = len(line), codeComment
		case line[i] == '"' || line[i] == '\'':
			i, c = quoted(line, i), codeString
		case isWord(line[i]):
			for i < len(line) && isWord(line[i]) {
				i++
			}
			if l.keyword(line[from:i]) {
				c = codeKeyword
			}
		default:
			i++
		}
		if n := len(tokens); n > 0 && tokens[n-1].class == c && tokens[n-1].to == from {
			tokens[n-1].to = i
			continue
		}
		tokens = append(tokens, token{from, i, c})
	}
	return tokens
}

// opens reports whether s begins something that may go on over lines, and notes it.
func (l *lexer) opens(s string) bool {
	open, kind := "", codeString
	switch {
	case l.lang == golang && s[0] == '`':
		open = "`"
	case l.lang != lua && strings.HasPrefix(s, "/*"):
		open, kind = "*/", codeComment
	case l.lang == java && strings.HasPrefix(s, `"""`):
		open = `"""`
	case l.lang == lua && strings.HasPrefix(s, "--[["):
		open, kind = "]]", codeComment
	case l.lang == lua && strings.HasPrefix(s, "[["):
		open = "]]"
	default:
		return false
	}
	l.open, l.kind = open, kind
	return true
}

// opener is the length of what has begun the open piece.
func (l *lexer) opener(s string) int {
	switch {
	case strings.HasPrefix(s, "--[["):
		return 4
	case s[0] == '`':
		return 1
	case s[0] == '"':
		return 3
	}
	return 2
}

// closing is the end in line of what is open at byte i.
func (l *lexer) closing(line string, i int) int {
	n := strings.Index(line[i:], l.open)
	if n < 0 {
		return len(line)
	}
	i += n + len(l.open)
	l.open = ""
	return i
}

// comment reports whether the rest of a line is a comment.
func (l *lexer) comment(s string) bool {
	if l.lang == lua {
		return strings.HasPrefix(s, "--")
	}
	return strings.HasPrefix(s, "//")
}

// quoted is the end of the string that begins at byte i. One that is not closed ends
// with its line.
func quoted(line string, i int) int {
	for j := i + 1; j < len(line); j++ {
		switch line[j] {
		case '\\':
			j++
		case line[i]:
			return j + 1
		}
	}
	return len(line)
}

// keyword reports whether a word belongs to the language.
func (l *lexer) keyword(word string) bool {
	switch l.lang {
	case golang:
		switch word {
		case "break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for",
			"func", "go", "goto", "if", "import", "interface", "map", "package", "range", "return", "select",
			"struct", "switch", "type", "var", "nil", "true", "false":
			return true
		}
	case java:
		switch word {
		case "abstract", "boolean", "break", "case", "catch", "class", "continue", "default", "do", "double",
			"else", "enum", "extends", "final", "finally", "for", "if", "implements", "import", "instanceof",
			"int", "interface", "long", "new", "package", "private", "protected", "public", "record", "return",
			"static", "super", "switch", "synchronized", "this", "throw", "throws", "try", "var", "void",
			"volatile", "while", "null", "true", "false":
			return true
		}
	case lua:
		switch word {
		case "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local",
			"nil", "not", "or", "repeat", "return", "then", "true", "until", "while":
			return true
		}
	}
	return false
}
