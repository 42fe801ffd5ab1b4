package luabox

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// The functions of the string library that take patterns.

func (b *Box) matcher(src, pat string) *matcher {
	return &matcher{src: src, pat: pat, afford: b.afford}
}

// try matches at one place and raises the errors of the pattern.
func (b *Box) try(l *lua.LState, m *matcher, from int) int {
	p := 0
	if m.anchored() {
		p = 1
	}
	return b.tryFrom(l, m, from, p)
}

// tryFrom is try with a pattern that is read from offset p.
func (b *Box) tryFrom(l *lua.LState, m *matcher, from, p int) int {
	end, err := m.at(from, p)
	if err != nil {
		b.spend(l, 0) // raises when it was the budget
		b.raise(l, err.Error())
	}
	return end
}

// capture returns the i-th capture, or the whole match where the pattern has none.
func (b *Box) capture(l *lua.LState, m *matcher, i, from, end int) lua.LValue {
	if i >= len(m.captures) {
		if i > 0 {
			b.raise(l, "invalid capture index")
		}
		return lua.LString(m.src[from:end])
	}
	c := m.captures[i]
	switch c.length {
	case captureOpen:
		b.raise(l, "unfinished capture")
	case capturePosition:
		return lua.LNumber(c.from + 1)
	}
	return lua.LString(m.src[c.from : c.from+c.length])
}

// pushCaptures pushes all captures; none at all where whole is false and the
// pattern has none.
func (b *Box) pushCaptures(l *lua.LState, m *matcher, from, end int, whole bool) int {
	n := len(m.captures)
	if n == 0 && whole {
		n = 1
	}
	for i := range n {
		l.Push(b.capture(l, m, i, from, end))
	}
	return n
}

func (b *Box) stringFind(l *lua.LState) int {
	src, pat := b.str(l, 1), b.str(l, 2)
	from := max(position(b.wholeOr(l, 3, 1), len(src)), 1) - 1
	if from > len(src) {
		// Lua 5.1 looks at the end instead of giving up.
		from = len(src)
	}
	if lua.LVAsBool(l.Get(4)) || !strings.ContainsAny(pat, "^$*+?.([%-") {
		b.spend(l, (len(src)-from)/bytesPerStep)
		i := strings.Index(src[from:], pat)
		if i < 0 {
			l.Push(lua.LNil)
			return 1
		}
		l.Push(lua.LNumber(from + i + 1))
		l.Push(lua.LNumber(from + i + len(pat)))
		return 2
	}
	m := b.matcher(src, pat)
	for ; from <= len(src); from++ {
		if end := b.try(l, m, from); end >= 0 {
			l.Push(lua.LNumber(from + 1))
			l.Push(lua.LNumber(end))
			return 2 + b.pushCaptures(l, m, from, end, false)
		}
		if m.anchored() {
			break
		}
	}
	l.Push(lua.LNil)
	return 1
}

func (b *Box) stringMatch(l *lua.LState) int {
	src, pat := b.str(l, 1), b.str(l, 2)
	from := min(max(position(b.wholeOr(l, 3, 1), len(src)), 1)-1, len(src))
	m := b.matcher(src, pat)
	for ; from <= len(src); from++ {
		if end := b.try(l, m, from); end >= 0 {
			return b.pushCaptures(l, m, from, end, true)
		}
		if m.anchored() {
			break
		}
	}
	l.Push(lua.LNil)
	return 1
}

// stringGmatch returns an iterator. There ^ is no anchor but stands for itself.
func (b *Box) stringGmatch(l *lua.LState) int {
	m := b.matcher(b.str(l, 1), b.str(l, 2))
	next := 0
	l.Push(l.NewFunction(func(l *lua.LState) int {
		for from := next; from <= len(m.src); from++ {
			end := b.tryFrom(l, m, from, 0)
			if end < 0 {
				continue
			}
			if next = end; end == from {
				next++
			}
			return b.pushCaptures(l, m, from, end, true)
		}
		next = len(m.src) + 1
		return 0
	}))
	return 1
}

func (b *Box) stringGsub(l *lua.LState) int {
	src, pat := b.str(l, 1), b.str(l, 2)
	with := l.Get(3)
	switch with.Type() {
	case lua.LTString, lua.LTNumber, lua.LTTable, lua.LTFunction:
	default:
		l.ArgError(3, "string/function/table expected")
	}
	most := b.wholeOr(l, 4, len(src)+1)
	m := b.matcher(src, pat)
	var out strings.Builder
	n, from := 0, 0
	for n < most {
		end := b.try(l, m, from)
		if end >= 0 {
			n++
			s := b.replacement(l, m, with, from, end)
			b.take(l, len(s))
			out.WriteString(s)
		}
		switch {
		case end > from:
			from = end
		case from < len(src):
			out.WriteByte(src[from])
			from++
		default:
			from++
		}
		if from > len(src) || m.anchored() {
			break
		}
	}
	if from < len(src) {
		out.WriteString(src[from:])
	}
	b.made(l, out.String())
	l.Push(lua.LNumber(n))
	return 2
}

// replacement is what gsub puts in the place of a match: a text with captures in
// it, the field of a table, or what a function returns; the match itself where
// that is nil or false.
func (b *Box) replacement(l *lua.LState, m *matcher, with lua.LValue, from, end int) string {
	var v lua.LValue
	switch w := with.(type) {
	case *lua.LTable:
		v = l.GetTable(w, b.capture(l, m, 0, from, end))
	case *lua.LFunction:
		l.Push(w)
		l.Call(b.pushCaptures(l, m, from, end, true), 1)
		v = l.Get(-1)
		l.Pop(1)
	default:
		return b.fill(l, m, b.text(with), from, end)
	}
	if !lua.LVAsBool(v) {
		return m.src[from:end]
	}
	if !lua.LVCanConvToString(v) {
		b.raise(l, "invalid replacement value (a "+v.Type().String()+")")
	}
	return b.text(v)
}

// fill replaces %0 to %9 in a replacement text; any other byte after % stands for
// itself.
func (b *Box) fill(l *lua.LState, m *matcher, text string, from, end int) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			out.WriteByte(text[i])
			continue
		}
		i++
		switch {
		case i >= len(text):
			out.WriteByte(0)
		case text[i] == '0':
			out.WriteString(m.src[from:end])
		case text[i] >= '1' && text[i] <= '9':
			s := b.text(b.capture(l, m, int(text[i]-'1'), from, end))
			b.take(l, len(s))
			out.WriteString(s)
		default:
			out.WriteByte(text[i])
		}
	}
	return out.String()
}
