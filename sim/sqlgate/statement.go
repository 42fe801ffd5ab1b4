package sqlgate

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"flashlab/sim/trace"
)

// verb classes a statement by what it does to the write lock.
type verb uint8

const (
	reads verb = iota
	writes
	begins
	beginsImmediate
	commits
	rollsBack
)

// statement is what the gate knows of an SQL text.
type statement struct {
	text   string // on one line
	verb   verb
	counts bool   // the engine counts the rows it changes
	name   string // "SELECT", "BEGIN IMMEDIATE"
	table  string // first table named, lower case
}

// lookup classifies q once and remembers it. Unknown statements count as
// writes: too careful is only slower.
func (s *Store) lookup(q string) *statement {
	s.mu.RLock()
	st := s.stmts[q]
	s.mu.RUnlock()
	if st == nil {
		st = classify(q)
		s.mu.Lock()
		s.stmts[q] = st
		s.mu.Unlock()
	}
	return st
}

func classify(q string) *statement {
	words := strings.FieldsFunc(proper(q), func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("(),;", r) })
	st := &statement{text: strings.Join(strings.Fields(q), " "), verb: writes}
	word := func(i int) string {
		if i < len(words) {
			return strings.ToUpper(words[i])
		}
		return ""
	}
	after := func(key string) string {
		for i, w := range words {
			if strings.EqualFold(w, key) && i+1 < len(words) {
				return strings.ToLower(words[i+1])
			}
		}
		return ""
	}
	st.name = word(0)
	st.counts = dml[st.name]
	switch st.name {
	case "SELECT", "VALUES", "EXPLAIN":
		st.verb, st.table = reads, after("FROM")
	case "UPDATE":
		st.table = strings.ToLower(word(1))
		if word(1) == "OR" { // UPDATE OR IGNORE ...
			st.table = strings.ToLower(word(3))
		}
	case "DELETE":
		st.table = after("FROM")
	case "INSERT", "REPLACE":
		st.table = after("INTO")
	case "BEGIN":
		st.verb = begins
		if w := word(1); w == "IMMEDIATE" || w == "EXCLUSIVE" {
			st.verb, st.name = beginsImmediate, "BEGIN "+w
		}
	case "COMMIT", "END":
		st.verb = commits
	case "ROLLBACK":
		if word(1) != "TO" {
			st.verb = rollsBack
		}
	}
	return st
}

// dml are the statements that change rows.
var dml = map[string]bool{"INSERT": true, "REPLACE": true, "UPDATE": true, "DELETE": true}

// proper returns q without the common table expressions in front of it.
func proper(q string) string {
	if f := strings.Fields(q); len(f) == 0 || !strings.EqualFold(f[0], "WITH") {
		return q
	}
	depth, quoted, from := 0, false, 0 // from: where the present word begins
	for i, r := range q {
		switch {
		case r == '\'':
			quoted = !quoted
		case quoted:
		case r == '(':
			depth++
		case r == ')':
			depth--
		}
		if unicode.IsLetter(r) || r == '_' {
			continue
		}
		if w := strings.ToUpper(q[from:i]); depth == 0 && (dml[w] || w == "SELECT") {
			return q[from:]
		}
		from = i + utf8.RuneLen(r)
	}
	return q
}

// call is one execution of a statement; it implements sim.Detail.
type call struct {
	*statement
	args  []driver.NamedValue
	store *Store
	inTx  bool

	rows    *rows
	changed int64
	err     error
}

// Command renders the statement with its arguments filled in.
func (c *call) Command() string {
	var b strings.Builder
	n, quoted := 0, false
	for _, r := range c.text {
		switch {
		case r == '\'':
			quoted = !quoted
			b.WriteRune(r)
		case r == '?' && !quoted && n < len(c.args):
			b.WriteString(literal(c.args[n].Value))
			n++
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Reply renders the answer: columns and values of a single row, or a count.
func (c *call) Reply() string {
	switch {
	case c.err != nil:
		return c.err.Error()
	case c.rows != nil:
		return c.rows.text()
	case c.verb == writes && c.changed == 1:
		return "1 row"
	case c.verb == writes:
		return fmt.Sprintf("%d rows", c.changed)
	}
	return "ok"
}

// Accesses names the table, and the write lock where the statement moves it.
func (c *call) Accesses() []trace.Access {
	var out []trace.Access
	if c.table != "" {
		out = append(out, trace.Access{Resource: c.table, Write: c.verb == writes})
	}
	switch c.verb {
	case beginsImmediate, commits, rollsBack:
		out = append(out, trace.Access{Resource: WriteLock, Write: true})
	case writes:
		// An autocommit write takes and frees the lock within its step.
		out = append(out, trace.Access{Resource: WriteLock, Write: c.inTx})
	case reads:
		if c.store.ReadersBlock {
			out = append(out, trace.Access{Resource: WriteLock})
		}
	}
	return out
}

// WriteLock is the resource name of the database's write lock.
const WriteLock = "write lock"

func literal(v driver.Value) string {
	switch x := v.(type) {
	case nil:
		return "NULL"
	case string:
		return "'" + strings.ReplaceAll(x, "'", "''") + "'"
	case []byte:
		return fmt.Sprintf("x'%x'", x)
	case time.Time:
		return "'" + x.UTC().Format(time.RFC3339Nano) + "'"
	}
	return fmt.Sprint(v)
}
