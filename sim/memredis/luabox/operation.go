package luabox

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// The functions that rewritten code calls; see rewrite.

// concat is the operator .. for two or more operands, grouped to the right.
func (b *Box) concat(l *lua.LState) int {
	n := l.GetTop()
	right := l.Get(n)
	for i := n - 1; i >= 1; {
		// As many operands at once as are text.
		first, size := i+1, 0
		if !lua.LVCanConvToString(right) {
			right = b.concatMeta(l, l.Get(i), right)
			i--
			continue
		}
		for first > 1 && lua.LVCanConvToString(l.Get(first-1)) {
			first--
		}
		if first > i {
			right = b.concatMeta(l, l.Get(i), right)
			i--
			continue
		}
		parts := make([]string, 0, i-first+2)
		for j := first; j <= i; j++ {
			parts = append(parts, b.text(l.Get(j)))
		}
		parts = append(parts, b.text(right))
		for _, p := range parts {
			size += len(p)
		}
		b.take(l, size)
		right = lua.LString(strings.Join(parts, ""))
		i = first - 1
	}
	l.Push(right)
	return 1
}

func (b *Box) concatMeta(l *lua.LState, left, right lua.LValue) lua.LValue {
	op := l.GetMetaField(left, "__concat")
	if op == lua.LNil {
		op = l.GetMetaField(right, "__concat")
	}
	if op == lua.LNil {
		bad := left
		if lua.LVCanConvToString(left) {
			bad = right
		}
		b.raise(l, "attempt to concatenate a "+bad.Type().String()+" value")
	}
	l.Push(op)
	l.Push(left)
	l.Push(right)
	l.Call(2, 1)
	v := l.Get(-1)
	l.Pop(1)
	return v
}

// store is the assignment t[k] = v.
func (b *Box) store(l *lua.LState) int {
	obj, key, value := l.Get(1), l.Get(2), l.Get(3)
	for range lua.MaxTableGetLoop {
		t, isTable := obj.(*lua.LTable)
		if isTable && (t.Metatable == lua.LNil || t.RawGet(key) != lua.LNil) {
			b.set(l, t, key, value)
			return 0
		}
		handler := l.GetMetaField(obj, "__newindex")
		switch {
		case handler == lua.LNil && isTable:
			b.set(l, t, key, value)
			return 0
		case handler == lua.LNil:
			b.raise(l, "attempt to index a "+obj.Type().String()+" value")
		case handler.Type() == lua.LTFunction:
			l.Push(handler)
			l.Push(obj)
			l.Push(key)
			l.Push(value)
			l.Call(3, 0)
			return 0
		}
		obj = handler
	}
	b.raise(l, "loop in settable")
	return 0
}

// set is the only way in which the box lets a table grow by an index that the
// script has computed. It charges for the slots: an array is filled with nil up to
// the index.
func (b *Box) set(l *lua.LState, t *lua.LTable, key, value lua.LValue) {
	if n, ok := arrayIndex(key); ok {
		if more := n - t.Len(); more > 0 {
			b.take(l, more*sizeSlot)
		}
		t.RawSetInt(n, value)
		return
	}
	switch k := key.(type) {
	case *lua.LNilType:
		b.raise(l, "table index is nil")
	case lua.LNumber:
		if k != k {
			b.raise(l, "table index is NaN")
		}
	}
	if value != lua.LNil && t.RawGet(key) == lua.LNil {
		b.take(l, sizeField)
	}
	t.RawSet(key, value)
}

// arrayIndex tells whether gopher-lua keeps the value of a key in its array.
func arrayIndex(key lua.LValue) (int, bool) {
	n, ok := key.(lua.LNumber)
	if !ok || n < 1 || n >= lua.LNumber(lua.MaxArrayIndex) || n != lua.LNumber(int(n)) {
		return 0, false
	}
	return int(n), true
}

// key charges for a computed index in a table constructor.
func (b *Box) key(l *lua.LState) int {
	if n, ok := arrayIndex(l.Get(1)); ok {
		b.take(l, n*sizeSlot)
	}
	l.SetTop(1)
	return 1
}

// table charges for a table constructor.
func (b *Box) table(l *lua.LState) int {
	t, fields := l.Get(1).(*lua.LTable), int(l.Get(2).(lua.LNumber))
	b.take(l, sizeTable+fields*sizeField+t.Len()*sizeSlot)
	l.SetTop(1)
	return 1
}
