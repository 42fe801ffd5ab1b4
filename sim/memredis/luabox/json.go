package luabox

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
)

// maxJSON is how deep cjson reads and writes.
const maxJSON = 1000

// A table is an excessively sparse array for cjson when its last index is beyond
// jsonSafe and more than jsonRatio times the number of its elements.
const (
	jsonSafe  = 10
	jsonRatio = 2
)

func (b *Box) jsonLibrary() map[string]lua.LGFunction {
	return map[string]lua.LGFunction{"encode": b.jsonEncode, "decode": b.jsonDecode}
}

// jsonEncode writes a value as lua-cjson does: numbers with 14 digits (a longer id
// loses its end), an empty table as an object, fields in the order of their names.
func (b *Box) jsonEncode(l *lua.LState) int {
	if l.GetTop() != 1 {
		l.ArgError(1, "expected 1 argument")
	}
	w := &jsonWriter{b: b, l: l}
	w.value(l.Get(1), 0)
	l.Push(lua.LString(w.out))
	return 1
}

type jsonWriter struct {
	b   *Box
	l   *lua.LState
	out []byte
}

func (w *jsonWriter) value(v lua.LValue, depth int) {
	w.b.spend(w.l, 1)
	before := len(w.out)
	switch v := v.(type) {
	case *lua.LNilType:
		w.out = append(w.out, "null"...)
	case lua.LBool:
		w.out = strconv.AppendBool(w.out, bool(v))
	case lua.LNumber:
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			w.fail("number", "must not be NaN or Inf")
		}
		w.out = append(w.out, number(float64(v))...)
	case lua.LString:
		w.text(string(v))
	case *lua.LTable:
		w.table(w.b.behind(v), depth+1)
		return // charged piece by piece
	default:
		if v != lua.LValue(w.b.null) {
			w.fail(v.Type().String(), "type not supported")
		}
		w.out = append(w.out, "null"...)
	}
	w.b.take(w.l, len(w.out)-before)
}

func (w *jsonWriter) fail(what, why string) {
	w.b.raise(w.l, "Cannot serialise "+what+": "+why)
}

func (w *jsonWriter) table(t *lua.LTable, depth int) {
	if depth > maxJSON {
		w.b.raise(w.l, fmt.Sprintf("Cannot serialise, excessive nesting (%d)", depth))
	}
	n := w.arrayLength(t)
	w.b.take(w.l, 2)
	if n > 0 {
		w.out = append(w.out, '[')
		for i := 1; i <= n; i++ {
			if i > 1 {
				w.out = append(w.out, ',')
			}
			w.value(t.RawGet(lua.LNumber(i)), depth)
		}
		w.out = append(w.out, ']')
		return
	}
	type field struct {
		name  string
		value lua.LValue
	}
	var fields []field
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		if !lua.LVCanConvToString(k) {
			w.fail(k.Type().String(), "table key must be a number or string")
		}
		fields = append(fields, field{w.b.text(k), v})
	}
	w.b.take(w.l, len(fields)*sizeField)
	sort.SliceStable(fields, func(i, j int) bool { return fields[i].name < fields[j].name })
	w.out = append(w.out, '{')
	for i, f := range fields {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		before := len(w.out)
		w.text(f.name)
		w.out = append(w.out, ':')
		w.b.take(w.l, len(w.out)-before)
		w.value(f.value, depth)
	}
	w.out = append(w.out, '}')
}

// arrayLength returns the last index of a table that is an array, or 0.
func (w *jsonWriter) arrayLength(t *lua.LTable) int {
	last, items := 0.0, 0
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		w.b.spend(w.l, 1)
		n, ok := k.(lua.LNumber)
		if !ok || n < 1 || float64(n) != math.Floor(float64(n)) {
			return 0
		}
		last = math.Max(last, float64(n))
		items++
	}
	if last > jsonSafe && last > float64(items*jsonRatio) {
		w.fail("table", "excessively sparse array")
	}
	return int(last)
}

func (w *jsonWriter) text(s string) {
	const hex = "0123456789abcdef"
	w.out = append(w.out, '"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\', '/':
			w.out = append(w.out, '\\', c)
		case '\b':
			w.out = append(w.out, `\b`...)
		case '\t':
			w.out = append(w.out, `\t`...)
		case '\n':
			w.out = append(w.out, `\n`...)
		case '\f':
			w.out = append(w.out, `\f`...)
		case '\r':
			w.out = append(w.out, `\r`...)
		default:
			if c < ' ' || c == 127 {
				w.out = append(w.out, `\u00`...)
				w.out = append(w.out, hex[c>>4], hex[c&15])
			} else {
				w.out = append(w.out, c)
			}
		}
	}
	w.out = append(w.out, '"')
}

// jsonDecode reads a value as lua-cjson does: null becomes cjson.null, which is not
// nil and is true in a condition.
func (b *Box) jsonDecode(l *lua.LState) int {
	if l.GetTop() != 1 {
		l.ArgError(1, "expected 1 argument")
	}
	r := &jsonReader{b: b, l: l, in: b.str(l, 1)}
	b.take(l, len(r.in))
	v := r.value(1)
	if r.blank(); r.pos < len(r.in) {
		r.expected("the end")
	}
	l.Push(v)
	return 1
}

type jsonReader struct {
	b   *Box
	l   *lua.LState
	in  string
	pos int
}

func (r *jsonReader) expected(what string) {
	found := "invalid token"
	if r.pos >= len(r.in) {
		found = "T_END"
	}
	r.b.raise(r.l, fmt.Sprintf("Expected %s but found %s at character %d", what, found, r.pos+1))
}

func (r *jsonReader) blank() {
	for r.pos < len(r.in) {
		switch r.in[r.pos] {
		case ' ', '\t', '\n', '\r':
			r.pos++
		default:
			return
		}
	}
}

// take consumes a byte if it is the next one behind blanks.
func (r *jsonReader) take(c byte) bool {
	r.blank()
	if r.pos < len(r.in) && r.in[r.pos] == c {
		r.pos++
		return true
	}
	return false
}

func (r *jsonReader) value(depth int) lua.LValue {
	r.b.spend(r.l, 1)
	if depth > maxJSON+1 {
		r.b.raise(r.l, fmt.Sprintf("Found too many nested data structures (%d)", depth-1))
	}
	r.blank()
	if r.pos >= len(r.in) {
		r.expected("value")
	}
	switch r.in[r.pos] {
	case '"':
		return lua.LString(r.text())
	case '[':
		return r.array(depth)
	case '{':
		return r.object(depth)
	}
	for word, v := range map[string]lua.LValue{"null": r.b.null, "true": lua.LTrue, "false": lua.LFalse} {
		if len(r.in)-r.pos >= len(word) && r.in[r.pos:r.pos+len(word)] == word {
			r.pos += len(word)
			return v
		}
	}
	end := r.pos
	for end < len(r.in) && numberByte(r.in[end]) {
		end++
	}
	f, ok := toNumber(r.in[r.pos:end])
	if !ok || r.in[r.pos] == '.' {
		r.expected("value")
	}
	r.pos = end
	return lua.LNumber(f)
}

// numberByte tells the bytes of numbers, hexadecimal, "inf" and "nan" included,
// which cjson reads unless told otherwise.
func numberByte(c byte) bool {
	return c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

func (r *jsonReader) array(depth int) lua.LValue {
	r.pos++
	t := r.b.l.CreateTable(0, 0)
	r.b.take(r.l, sizeTable)
	if r.take(']') {
		return t
	}
	for n := 1; ; n++ {
		r.b.take(r.l, sizeSlot)
		t.RawSetInt(n, r.value(depth+1))
		if r.take(']') {
			return t
		}
		if !r.take(',') {
			r.expected("comma or array end")
		}
	}
}

func (r *jsonReader) object(depth int) lua.LValue {
	r.pos++
	t := r.b.l.CreateTable(0, 0)
	r.b.take(r.l, sizeTable)
	if r.take('}') {
		return t
	}
	for {
		if r.blank(); r.pos >= len(r.in) || r.in[r.pos] != '"' {
			r.expected("object key string")
		}
		name := r.text()
		if !r.take(':') {
			r.expected("colon")
		}
		r.b.take(r.l, sizeField)
		t.RawSetString(name, r.value(depth+1))
		if r.take('}') {
			return t
		}
		if !r.take(',') {
			r.expected("comma or object end")
		}
	}
}

func (r *jsonReader) text() string {
	r.pos++
	from := r.pos
	var out []byte // only where there is an escape
	for r.pos < len(r.in) {
		switch c := r.in[r.pos]; c {
		case '"':
			part := r.in[from:r.pos]
			r.pos++
			if out == nil {
				return part
			}
			return string(append(out, part...))
		case '\\':
			out = append(out, r.in[from:r.pos]...)
			out = r.escape(out)
			from = r.pos
		default:
			r.pos++
		}
	}
	r.expected("string end")
	return ""
}

// escape reads what follows a backslash.
func (r *jsonReader) escape(out []byte) []byte {
	if r.pos+1 >= len(r.in) {
		r.pos = len(r.in)
		r.expected("escape code")
	}
	c := r.in[r.pos+1]
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		u, ok := r.unit(r.pos)
		if !ok {
			r.expected("unicode escape code")
		}
		r.pos += 6
		if utf16.IsSurrogate(u) {
			low, _ := r.unit(r.pos)
			if u = utf16.DecodeRune(u, low); u == utf8.RuneError {
				r.expected("unicode escape code")
			}
			r.pos += 6
		}
		return utf8.AppendRune(out, u)
	default:
		r.expected("escape code")
	}
	r.pos += 2
	return append(out, c)
}

// unit reads \u and four digits.
func (r *jsonReader) unit(at int) (rune, bool) {
	if at+6 > len(r.in) || r.in[at] != '\\' || r.in[at+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(r.in[at+2:at+6], 16, 16)
	return rune(n), err == nil
}
