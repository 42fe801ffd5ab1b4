package luabox

import (
	"math/bits"
	"sort"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

func (b *Box) tableLibrary() map[string]lua.LGFunction {
	return map[string]lua.LGFunction{
		"concat": b.tableConcat, "insert": b.tableInsert, "remove": b.tableRemove, "sort": b.tableSort,
		"maxn": b.tableMaxN, "getn": b.tableGetN, "foreach": b.tableForeach, "foreachi": b.tableForeachI,
		"setn": func(l *lua.LState) int { b.raise(l, "'setn' is obsolete"); return 0 },
	}
}

// wordsPerStep is how many table slots are moved in the time of one instruction.
const slotsPerStep = 32

func (b *Box) tableConcat(l *lua.LState) int {
	t := b.behind(l.CheckTable(1))
	sep := ""
	if l.Get(2) != lua.LNil {
		sep = b.str(l, 2)
	}
	from, to := b.wholeOr(l, 3, 1), b.wholeOr(l, 4, t.Len())
	var out strings.Builder
	for i := from; i <= to; i++ {
		v := t.RawGet(lua.LNumber(i))
		if !lua.LVCanConvToString(v) {
			b.raise(l, "invalid value ("+v.Type().String()+") at index "+number(float64(i))+" in table for 'concat'")
		}
		s := b.text(v)
		b.spend(l, 1)
		b.take(l, len(s)+len(sep))
		out.WriteString(s)
		if i < to {
			out.WriteString(sep)
		}
	}
	l.Push(lua.LString(out.String()))
	return 1
}

func (b *Box) tableInsert(l *lua.LState) int {
	t := b.writable(l, 1)
	n := t.Len()
	switch l.GetTop() {
	case 2:
		b.set(l, t, lua.LNumber(n+1), l.Get(2))
	case 3:
		at, v := b.whole(l, 2), l.Get(3)
		if at < 1 || at > n {
			b.set(l, t, lua.LNumber(at), v)
			break
		}
		b.spend(l, (n-at)/slotsPerStep)
		b.take(l, sizeSlot)
		t.Insert(at, v)
	default:
		b.raise(l, "wrong number of arguments to 'insert'")
	}
	return 0
}

func (b *Box) tableRemove(l *lua.LState) int {
	t := b.writable(l, 1)
	n := t.Len()
	at := b.wholeOr(l, 2, n)
	if at < 1 || at > n {
		return 0
	}
	b.spend(l, (n-at)/slotsPerStep)
	v := t.RawGetInt(at)
	if at == n {
		t.RawSetInt(at, lua.LNil)
	} else {
		t.Remove(at)
	}
	l.Push(v)
	return 1
}

// tableSort sorts by < or by a function. An order that is none (a < b and b < a)
// gives some permutation, always the same; Redis may raise an error instead.
func (b *Box) tableSort(l *lua.LState) int {
	t := b.writable(l, 1)
	n := t.Len()
	less := func(x, y lua.LValue) bool { return l.LessThan(x, y) }
	if l.Get(2) != lua.LNil {
		fn := l.CheckFunction(2)
		less = func(x, y lua.LValue) bool {
			l.Push(fn)
			l.Push(x)
			l.Push(y)
			l.Call(2, 1)
			v := l.Get(-1)
			l.Pop(1)
			return lua.LVAsBool(v)
		}
	}
	b.spend(l, n*bits.Len(uint(n)))
	b.take(l, n*sizeSlot)
	values := make([]lua.LValue, n)
	for i := range values {
		values[i] = t.RawGetInt(i + 1)
	}
	sort.Slice(values, func(i, j int) bool { return less(values[i], values[j]) })
	for i, v := range values {
		t.RawSetInt(i+1, v)
	}
	return 0
}

// tableMaxN returns the largest positive number among the keys.
func (b *Box) tableMaxN(l *lua.LState) int {
	t := b.behind(l.CheckTable(1))
	most := lua.LNumber(t.MaxN())
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		b.spend(l, 1)
		if n, ok := k.(lua.LNumber); ok && n > most {
			most = n
		}
	}
	l.Push(most)
	return 1
}

func (b *Box) tableGetN(l *lua.LState) int {
	l.Push(lua.LNumber(b.behind(l.CheckTable(1)).Len()))
	return 1
}

// tableForeach calls a function with each key and value until it returns
// something.
func (b *Box) tableForeach(l *lua.LState) int {
	t := b.behind(l.CheckTable(1))
	fn := l.CheckFunction(2)
	for k, v := t.Next(lua.LNil); k != lua.LNil; k, v = t.Next(k) {
		if b.each(l, fn, k, v) {
			return 1
		}
	}
	return 0
}

func (b *Box) tableForeachI(l *lua.LState) int {
	t := b.behind(l.CheckTable(1))
	fn := l.CheckFunction(2)
	for i := 1; i <= t.Len(); i++ {
		if b.each(l, fn, lua.LNumber(i), t.RawGetInt(i)) {
			return 1
		}
	}
	return 0
}

// each calls fn(k, v) and leaves its result on the stack if it has one.
func (b *Box) each(l *lua.LState, fn *lua.LFunction, k, v lua.LValue) bool {
	b.spend(l, 1)
	l.Push(fn)
	l.Push(k)
	l.Push(v)
	l.Call(2, 1)
	if l.Get(-1) != lua.LNil {
		return true
	}
	l.Pop(1)
	return false
}
