package luabox

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

func (b *Box) baseLibrary() map[string]lua.LGFunction {
	return map[string]lua.LGFunction{
		"assert": b.baseAssert, "error": b.baseError, "pcall": b.pcall, "xpcall": b.xpcall,
		"tonumber": b.baseToNumber, "tostring": b.baseToString, "type": b.baseType,
		"select": b.baseSelect, "unpack": b.baseUnpack,
		"next": b.baseNext, "pairs": b.basePairs, "ipairs": b.baseIpairs,
		"rawget": b.baseRawGet, "rawset": b.baseRawSet, "rawequal": b.baseRawEqual,
		"getmetatable": b.baseGetMetatable, "setmetatable": b.baseSetMetatable,
		"load": b.baseLoad, "loadstring": b.baseLoadString,
		// Memory is Go's; its figures would differ from run to run.
		"collectgarbage": func(l *lua.LState) int { l.Push(lua.LNumber(0)); return 1 },
		"gcinfo":         func(l *lua.LState) int { l.Push(lua.LNumber(0)); return 1 },
	}
}

func (b *Box) baseAssert(l *lua.LState) int {
	if l.CheckAny(1); l.ToBool(1) {
		return l.GetTop()
	}
	text := "assertion failed!"
	if l.Get(2) != lua.LNil {
		text = b.str(l, 2)
	}
	b.raise(l, text)
	return 0
}

// baseError adds the position to a message that is text; level 1 is the caller of
// error, 2 the caller of that, 0 none.
func (b *Box) baseError(l *lua.LState) int {
	v := l.Get(1)
	level := b.wholeOr(l, 2, 1)
	if lua.LVCanConvToString(v) && level > 0 {
		s := b.text(v)
		if at := b.where(l, level); at != "" {
			s = at + " " + s
		}
		b.take(l, len(s))
		v = lua.LString(s)
	}
	if b.line = strings.TrimSuffix(b.where(l, 1), ":"); v.Type() == lua.LTString {
		l.Error(v, 0)
	}
	l.Error(v, 1)
	return 0
}

func (b *Box) baseToNumber(l *lua.LState) int {
	v := l.CheckAny(1)
	base := b.wholeOr(l, 2, 10)
	var f float64
	ok := false
	switch {
	case base < 2 || base > 36:
		l.ArgError(2, "base out of range")
	case base != 10:
		f, ok = toInteger(b.str(l, 1), base)
	default:
		switch v := v.(type) {
		case lua.LNumber:
			f, ok = float64(v), true
		case lua.LString:
			f, ok = toNumber(string(v))
		}
	}
	if ok {
		l.Push(lua.LNumber(f))
	} else {
		l.Push(lua.LNil)
	}
	return 1
}

func (b *Box) baseToString(l *lua.LState) int {
	v := l.CheckAny(1)
	if op := l.GetMetaField(v, "__tostring"); op != lua.LNil {
		l.Push(op)
		l.Push(v)
		l.Call(1, 1)
		return 1
	}
	if _, ok := v.(lua.LString); !ok {
		s := b.text(v)
		b.take(l, len(s))
		v = lua.LString(s)
	}
	l.Push(v)
	return 1
}

func (b *Box) baseType(l *lua.LState) int {
	l.Push(lua.LString(l.CheckAny(1).Type().String()))
	return 1
}

func (b *Box) baseSelect(l *lua.LState) int {
	n := l.GetTop()
	if s, ok := l.Get(1).(lua.LString); ok && strings.HasPrefix(string(s), "#") {
		l.Push(lua.LNumber(n - 1))
		return 1
	}
	i := b.whole(l, 1)
	if i < 0 {
		i += n
	} else if i > n {
		i = n
	}
	if i < 1 {
		l.ArgError(1, "index out of range")
	}
	return n - i
}

func (b *Box) baseUnpack(l *lua.LState) int {
	t := b.behind(l.CheckTable(1))
	from, to := b.wholeOr(l, 2, 1), b.wholeOr(l, 3, t.Len())
	if from > to {
		return 0
	}
	n := to - from + 1
	if n >= maxUnpack {
		b.raise(l, "too many results to unpack")
	}
	b.spend(l, n/8)
	for i := from; i <= to; i++ {
		l.Push(t.RawGet(lua.LNumber(i)))
	}
	return n
}

func (b *Box) baseNext(l *lua.LState) int {
	t := l.CheckTable(1)
	real := b.behind(t)
	k, v := real.Next(l.Get(2))
	for real == b.globals && hiddenKey(k) {
		k, v = real.Next(k)
	}
	l.Push(k)
	if k == lua.LNil {
		return 1
	}
	l.Push(v)
	return 2
}

func (b *Box) basePairs(l *lua.LState) int {
	t := l.CheckTable(1)
	l.Push(b.next)
	l.Push(t)
	l.Push(lua.LNil)
	return 3
}

func (b *Box) baseIpairs(l *lua.LState) int {
	t := l.CheckTable(1)
	l.Push(b.inext)
	l.Push(t)
	l.Push(lua.LNumber(0))
	return 3
}

func (b *Box) baseInext(l *lua.LState) int {
	i := b.whole(l, 2) + 1
	v := b.behind(l.CheckTable(1)).RawGet(lua.LNumber(i))
	if v == lua.LNil {
		return 0
	}
	l.Push(lua.LNumber(i))
	l.Push(v)
	return 2
}

func (b *Box) baseRawGet(l *lua.LState) int {
	l.Push(b.behind(l.CheckTable(1)).RawGet(l.CheckAny(2)))
	return 1
}

func (b *Box) baseRawSet(l *lua.LState) int {
	t := b.writable(l, 1)
	b.set(l, t, l.CheckAny(2), l.CheckAny(3))
	l.SetTop(1)
	return 1
}

func (b *Box) baseRawEqual(l *lua.LState) int {
	l.Push(lua.LBool(l.CheckAny(1) == l.CheckAny(2)))
	return 1
}

// baseGetMetatable shows the metatable of strings through its view and none for
// the tables that are views themselves.
func (b *Box) baseGetMetatable(l *lua.LState) int {
	mt := lua.LNil
	switch v := l.CheckAny(1).(type) {
	case *lua.LTable:
		if _, ok := b.views[v]; !ok {
			mt = v.Metatable
		}
	case lua.LString:
		mt = b.strings[1]
	}
	if t, ok := mt.(*lua.LTable); ok {
		if shown := t.RawGetString("__metatable"); shown != lua.LNil {
			mt = shown
		}
	}
	l.Push(mt)
	return 1
}

func (b *Box) baseSetMetatable(l *lua.LState) int {
	t := b.writable(l, 1)
	mt := l.Get(2)
	if l.GetTop() < 2 || mt != lua.LNil && mt.Type() != lua.LTTable {
		l.ArgError(2, "nil or table expected")
	}
	if old, ok := t.Metatable.(*lua.LTable); ok && old.RawGetString("__metatable") != lua.LNil {
		b.raise(l, "cannot change a protected metatable")
	}
	t.Metatable = mt
	l.SetTop(1)
	return 1
}

func (b *Box) baseLoadString(l *lua.LState) int {
	source := b.str(l, 1)
	name := source
	if l.Get(2) != lua.LNil {
		name = b.str(l, 2)
	}
	return b.load(l, source, name)
}

// baseLoad gathers the pieces that a function returns until it returns none.
func (b *Box) baseLoad(l *lua.LState) int {
	piece := l.CheckFunction(1)
	name := "=(load)"
	if l.Get(2) != lua.LNil {
		name = b.str(l, 2)
	}
	var source strings.Builder
	for source.Len() <= maxSource {
		l.Push(piece)
		l.Call(0, 1)
		v := l.Get(-1)
		l.Pop(1)
		if v == lua.LNil || v == lua.LString("") {
			break
		}
		if !lua.LVCanConvToString(v) {
			b.raise(l, "reader function must return a string")
		}
		source.WriteString(b.text(v))
		b.take(l, source.Len())
	}
	return b.load(l, source.String(), name)
}

func (b *Box) load(l *lua.LState, source, name string) int {
	b.spend(l, stepsPerByte*len(source))
	b.take(l, 32*len(source)) // what a compiled chunk needs
	proto, writes, err := compile(source, chunkName(name))
	if err != nil {
		l.Push(lua.LNil)
		l.Push(lua.LString(err.Error()))
		return 2
	}
	l.Push(b.function(proto, writes))
	return 1
}

// chunkName shows the origin of a chunk in errors as Lua does.
func chunkName(name string) string {
	if s, ok := strings.CutPrefix(name, "="); ok {
		return s
	}
	if s, ok := strings.CutPrefix(name, "@"); ok {
		return s
	}
	first, _, more := strings.Cut(name, "\n")
	if more || len(first) > 40 {
		first = first[:min(len(first), 40)] + "..."
	}
	return `[string "` + first + `"]`
}
