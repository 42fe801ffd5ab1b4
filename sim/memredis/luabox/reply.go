package luabox

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// The conversions between replies and Lua values, as the Redis Lua API reference
// lists them under "Data type conversion".

// maxReply is how deep a script's answer may nest.
const maxReply = 1000

// replyReader makes a Lua value of a reply. In RESP2: integer -> number, bulk ->
// string, status -> {ok=}, error -> {err=}, array -> table, null -> false. In
// RESP3 also null -> nil, boolean -> boolean, double -> {double=}, map ->
// {map={}}, set -> {set={}} with the members as keys, and verbatim strings and big
// numbers as tables.
type replyReader struct {
	b  *Box
	l  *lua.LState
	in []byte
}

var errReply = errors.New("the reply of a command is not complete")

func (r *replyReader) value() (lua.LValue, error) {
	end := bytes.IndexByte(r.in, '\n')
	if end < 2 {
		return nil, errReply
	}
	kind, line := r.in[0], string(r.in[1:end-1])
	r.in = r.in[end+1:]
	switch kind {
	case '+':
		return r.b.single("ok", line), nil
	case '-':
		return r.b.single("err", line), nil
	case ':':
		n, err := strconv.ParseInt(line, 10, 64)
		return lua.LNumber(n), err
	case ',':
		f, _ := toNumber(line)
		t := r.b.l.CreateTable(0, 1)
		t.RawSetString("double", lua.LNumber(f))
		return t, nil
	case '#':
		return lua.LBool(line == "t"), nil
	case '_':
		return lua.LNil, nil
	case '(':
		return r.b.single("big_number", line), nil
	}

	n, err := strconv.Atoi(line)
	if err != nil {
		return nil, fmt.Errorf("%w: %q", errReply, line)
	}
	switch kind {
	case '$', '=':
		if n < 0 {
			return lua.LFalse, nil
		}
		if n+2 > len(r.in) {
			return nil, errReply
		}
		s := string(r.in[:n])
		r.in = r.in[n+2:]
		if kind == '=' {
			return r.verbatim(s), nil
		}
		return lua.LString(s), nil
	case '*', '>':
		if n < 0 {
			return lua.LFalse, nil
		}
		return r.array(n)
	case '~', '%':
		return r.fields(kind, n)
	}
	return nil, fmt.Errorf("a reply of unknown kind %q", kind)
}

func (r *replyReader) array(n int) (lua.LValue, error) {
	r.b.take(r.l, sizeTable+n*sizeSlot)
	t := r.b.l.CreateTable(n, 0)
	for i := range n {
		v, err := r.value()
		if err != nil {
			return nil, err
		}
		t.RawSetInt(i+1, v)
	}
	return t, nil
}

// fields reads a set or a map.
func (r *replyReader) fields(kind byte, n int) (lua.LValue, error) {
	r.b.take(r.l, 2*sizeTable+n*sizeField)
	inner, outer := r.b.l.CreateTable(0, n), r.b.l.CreateTable(0, 1)
	for range n {
		k, err := r.value()
		if err != nil {
			return nil, err
		}
		var v lua.LValue = lua.LTrue
		if kind == '%' {
			if v, err = r.value(); err != nil {
				return nil, err
			}
		}
		if k != lua.LNil {
			r.b.set(r.l, inner, k, v)
		}
	}
	outer.RawSetString(map[byte]string{'~': "set", '%': "map"}[kind], inner)
	return outer, nil
}

func (r *replyReader) verbatim(s string) lua.LValue {
	format, text, _ := strings.Cut(s, ":")
	inner, outer := r.b.single("format", format), r.b.l.CreateTable(0, 1)
	inner.RawSetString("string", lua.LString(text))
	outer.RawSetString("verbatim_string", inner)
	return outer
}

// appendReply appends the reply that a value stands for, in the client's protocol.
// A script may return a table that is larger written out than in memory, so this
// is charged as well; over tells when it was too much, and dst is of no use then.
func (b *Box) appendReply(dst []byte, v lua.LValue, depth int) []byte {
	if depth > maxReply && b.over == nil {
		b.over = errors.New("reached lua stack limit: the reply nests too deeply")
	}
	before := len(dst)
	if !b.afford(1) {
		return dst
	}
	switch v := v.(type) {
	case lua.LString:
		dst = appendBulk(dst, string(v))
	case lua.LNumber:
		dst = appendInt(dst, toInt64(float64(v)))
	case lua.LBool:
		dst = b.appendBool(dst, bool(v))
	case *lua.LTable:
		return b.appendTable(dst, b.behind(v), depth)
	default:
		// nil, and what has no form in a reply: functions, coroutines.
		dst = b.appendNull(dst)
	}
	b.hold(len(dst) - before)
	return dst
}

// appendTable appends a status, an error, a RESP3 type or an array. As in Redis,
// metatables do not count and an array ends at the first nil.
func (b *Box) appendTable(dst []byte, t *lua.LTable, depth int) []byte {
	if s, ok := t.RawGetString("err").(lua.LString); ok {
		return appendError(dst, string(s))
	}
	if s, ok := t.RawGetString("ok").(lua.LString); ok {
		return append(append(append(dst, '+'), lineBreaks.Replace(string(s))...), '\r', '\n')
	}
	if f, ok := t.RawGetString("double").(lua.LNumber); ok {
		text := shortFloat(float64(f))
		if !b.call.RESP3 {
			return appendBulk(dst, text)
		}
		return append(append(append(dst, ','), text...), '\r', '\n')
	}
	if m, ok := t.RawGetString("map").(*lua.LTable); ok {
		return b.appendFields(dst, '%', b.behind(m), depth)
	}
	if s, ok := t.RawGetString("set").(*lua.LTable); ok {
		return b.appendFields(dst, '~', b.behind(s), depth)
	}
	if s, ok := t.RawGetString("big_number").(lua.LString); ok {
		if b.call.RESP3 {
			return append(append(append(dst, '('), lineBreaks.Replace(string(s))...), '\r', '\n')
		}
		return appendBulk(dst, string(s))
	}
	if s, ok := t.RawGetString("verbatim_string").(*lua.LTable); ok {
		format, ok1 := s.RawGetString("format").(lua.LString)
		text, ok2 := s.RawGetString("string").(lua.LString)
		if ok1 && ok2 {
			if !b.call.RESP3 {
				return appendBulk(dst, string(text))
			}
			dst = appendHead(dst, '=', len(text)+4)
			return append(append(dst, (string(format) + "   ")[:3]+":"+string(text)...), '\r', '\n')
		}
	}
	n := 0
	for t.RawGet(lua.LNumber(n+1)) != lua.LNil {
		n++
	}
	dst = appendHead(dst, '*', n)
	for i := 1; i <= n && b.over == nil; i++ {
		dst = b.appendReply(dst, t.RawGet(lua.LNumber(i)), depth+1)
	}
	return dst
}

// appendFields appends a map or a set; for a client of RESP2 both are arrays.
func (b *Box) appendFields(dst []byte, kind byte, t *lua.LTable, depth int) []byte {
	n := 0
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		n++
	}
	switch {
	case b.call.RESP3:
		dst = appendHead(dst, kind, n)
	case kind == '%':
		dst = appendHead(dst, '*', 2*n)
	default:
		dst = appendHead(dst, '*', n)
	}
	for k, v := t.Next(lua.LNil); k != lua.LNil && b.over == nil; k, v = t.Next(k) {
		dst = b.appendReply(dst, k, depth+1)
		if kind == '%' {
			dst = b.appendReply(dst, v, depth+1)
		}
	}
	return dst
}

// appendBool: true is 1 and false is null, unless the script has chosen RESP3,
// where booleans are a type, for a client of RESP2 1 and 0.
func (b *Box) appendBool(dst []byte, v bool) []byte {
	switch {
	case !b.resp3 && !v:
		return b.appendNull(dst)
	case b.resp3 && b.call.RESP3:
		return append(dst, map[bool]string{true: "#t\r\n", false: "#f\r\n"}[v]...)
	case v:
		return appendInt(dst, 1)
	}
	return appendInt(dst, 0)
}

func (b *Box) appendNull(dst []byte) []byte {
	if b.call.RESP3 {
		return append(dst, "_\r\n"...)
	}
	return append(dst, "$-1\r\n"...)
}

func appendHead(dst []byte, kind byte, n int) []byte {
	return append(strconv.AppendInt(append(dst, kind), int64(n), 10), '\r', '\n')
}

func appendInt(dst []byte, n int64) []byte {
	return append(strconv.AppendInt(append(dst, ':'), n, 10), '\r', '\n')
}

func appendBulk(dst []byte, s string) []byte {
	return append(append(appendHead(dst, '$', len(s)), s...), '\r', '\n')
}

func appendError(dst []byte, text string) []byte {
	text = strings.TrimPrefix(text, "-")
	return append(append(append(dst, '-'), lineBreaks.Replace(text)...), '\r', '\n')
}
