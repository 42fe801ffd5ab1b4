package pane

import (
	"strings"

	"flashlab/cmd/flashlab/internal/canvas"
)

// label is an operation in few words, for lanes and lists: what it does to which
// column, without what goes without saying.
type label struct {
	long  string
	short string // "" where long is the shortest there is
}

// in returns the form that fits into w cells, cut if none does.
func (l label) in(w int) string {
	if len(l.long) <= w || l.short == "" {
		return fit(l.long, w)
	}
	if s := fit(l.long, w); s == l.long {
		return s
	}
	return fit(l.short, w)
}

// least is the width of the shortest form.
func (l label) least() int {
	if l.short == "" {
		return canvas.Width(l.long)
	}
	return canvas.Width(l.short)
}

// labelOf shortens an operation, given as its short name and its whole text:
//
//	SELECT stock FROM voucher WHERE id = 1               SELECT stock
//	UPDATE voucher SET stock = 0 WHERE id = 1            UPDATE stock=0
//	UPDATE voucher SET stock = stock - 1
//	    WHERE id = 1 AND stock > 0                       UPDATE stock=stock-1 WHERE stock>0
//	INSERT INTO orders (user_id, voucher_id)
//	    VALUES (2, 1)                                    INSERT orders user=2 voucher=1
//
// Conditions on ids only say which row; the others decide whether anything happens
// and stay. Whatever is no such statement is returned as it stands.
func labelOf(op, text string) label {
	if text == "" {
		return label{long: op}
	}
	switch {
	case strings.HasPrefix(op, "SELECT"):
		return selectLabel(text)
	case strings.HasPrefix(op, "UPDATE"):
		return updateLabel(text)
	case strings.HasPrefix(op, "INSERT"), strings.HasPrefix(op, "REPLACE"):
		return insertLabel(op, text)
	case strings.HasPrefix(op, "DELETE"):
		return deleteLabel(text)
	}
	return label{long: text}
}

func selectLabel(text string) label {
	columns, rest, ok := cutWord(text, "FROM")
	if !ok {
		return label{long: text}
	}
	columns = squeeze(strings.TrimPrefix(columns, "SELECT"))
	table, rest := firstWord(rest)
	l := "SELECT " + columns
	if !namesColumn(columns) {
		l += " " + table
	}
	return withConditions(l, rest)
}

func updateLabel(text string) label {
	_, rest, ok := cutWord(text, "SET")
	if !ok {
		return label{long: text}
	}
	set, where, ok := cutWord(rest, "WHERE")
	if ok {
		where = "WHERE " + where
	}
	return withConditions("UPDATE "+squeeze(set), where)
}

func insertLabel(op, text string) label {
	_, rest, ok := cutWord(text, "INTO")
	if !ok {
		return label{long: text}
	}
	into, values, ok := cutWord(rest, "VALUES")
	if !ok {
		return label{long: text}
	}
	verb, _ := firstWord(op)
	table, names := firstWord(into)
	if i := strings.IndexByte(table, '('); i >= 0 { // no space before the columns
		table, names = table[:i], table[i:]+names
	}
	columns, cells := list(names), list(values)
	if len(cells) == 0 {
		return label{long: text}
	}
	long, short := verb+" "+table, verb+" "+table
	for i, cell := range cells {
		name := ""
		if i < len(columns) {
			name = columns[i]
		}
		base, isID := strings.CutSuffix(name, "_id")
		switch {
		case name == "":
			long += " " + cell
			short += " " + cell
		case isID && base != "":
			long += " " + base + "=" + cell
			short += " " + base[:1] + cell
		default:
			long += " " + name + "=" + cell
			short += " " + cell
		}
	}
	return label{long: long, short: short}
}

func deleteLabel(text string) label {
	_, rest, ok := cutWord(text, "FROM")
	if !ok {
		return label{long: text}
	}
	table, rest := firstWord(rest)
	return withConditions("DELETE "+table, rest)
}

// withConditions appends the conditions of a statement that decide something. The
// short form only marks that there are any.
func withConditions(l, rest string) label {
	_, where, ok := cutWord(rest, "WHERE")
	if !ok {
		return label{long: l}
	}
	for _, end := range []string{"ORDER", "GROUP", "LIMIT", "RETURNING"} {
		where, _, _ = cutWord(where, end)
	}
	kept := ""
	for more := true; more; {
		var c string
		c, where, more = cutWord(where, "AND")
		if c = squeeze(c); c == "" || onID(c) {
			continue
		}
		if kept != "" {
			kept += " AND "
		}
		kept += c
	}
	if kept == "" {
		return label{long: l}
	}
	return label{long: l + " WHERE " + kept, short: l + " " + cut}
}

// onID reports whether a squeezed condition asks for one id, as in "id=1".
func onID(condition string) bool {
	name, _, ok := strings.Cut(condition, "=")
	return ok && (name == "id" || strings.HasSuffix(name, "_id"))
}

// namesColumn reports whether a list of columns says what is read: not "*", "1" or
// "COUNT(*)".
func namesColumn(columns string) bool {
	if columns == "" || columns[0] >= '0' && columns[0] <= '9' {
		return false
	}
	return !strings.Contains(columns, "*")
}

// cutWord splits s around a keyword given in upper case, outside of quotes and
// parentheses.
func cutWord(s, word string) (before, after string, ok bool) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\'':
			j := strings.IndexByte(s[i+1:], '\'')
			if j < 0 {
				return s, "", false
			}
			i += j + 1
		case c == '(':
			depth++
		case c == ')':
			depth--
		case depth == 0 && isWord(c) && (i == 0 || !isWord(s[i-1])):
			end := i
			for end < len(s) && isWord(s[end]) {
				end++
			}
			if end-i == len(word) && strings.EqualFold(s[i:end], word) {
				return strings.TrimSpace(s[:i]), strings.TrimSpace(s[end:]), true
			}
			i = end - 1
		}
	}
	return s, "", false
}

// firstWord splits s at its first space.
func firstWord(s string) (word, rest string) {
	s = strings.TrimSpace(s)
	word, rest, _ = strings.Cut(s, " ")
	return word, strings.TrimSpace(rest)
}

// list returns the members of the first list in parentheses.
func list(s string) []string {
	open := strings.IndexByte(s, '(')
	end := strings.LastIndexByte(s, ')')
	if open < 0 || end < open {
		return nil
	}
	members := strings.Split(s[open+1:end], ",")
	for i := range members {
		members[i] = strings.TrimSpace(members[i])
	}
	return members
}

// squeeze takes the spaces around operators out of s and leaves one after commas.
func squeeze(s string) string {
	s = strings.TrimSpace(s)
	b := make([]byte, 0, len(s))
	quoted := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\'' {
			quoted = !quoted
		}
		if c == ' ' && !quoted {
			next := byte(0)
			if i+1 < len(s) {
				next = s[i+1]
			}
			if next == ' ' || isOperator(next) || len(b) > 0 && isOperator(b[len(b)-1]) {
				continue
			}
		}
		b = append(b, c)
	}
	return string(b)
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func isOperator(c byte) bool { return strings.IndexByte("=<>+-/!|", c) >= 0 && c != 0 }
