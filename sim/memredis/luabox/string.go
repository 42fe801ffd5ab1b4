package luabox

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

func (b *Box) stringLibrary() map[string]lua.LGFunction {
	return map[string]lua.LGFunction{
		"byte": b.stringByte, "char": b.stringChar, "len": b.stringLen, "sub": b.stringSub,
		"lower": b.stringLower, "upper": b.stringUpper, "reverse": b.stringReverse, "rep": b.stringRep,
		"find": b.stringFind, "match": b.stringMatch, "gmatch": b.stringGmatch, "gsub": b.stringGsub,
		"format": b.stringFormat,
		"dump":   func(l *lua.LState) int { b.raise(l, "unable to dump given function"); return 0 },
		"gfind":  func(l *lua.LState) int { b.raise(l, "'string.gfind' was renamed to 'string.gmatch'"); return 0 },
	}
}

// bytesPerStep is how many bytes of text are handled in the time of one
// instruction.
const bytesPerStep = 64

// made charges for a new text and returns it.
func (b *Box) made(l *lua.LState, s string) int {
	b.spend(l, len(s)/bytesPerStep)
	b.take(l, len(s))
	l.Push(lua.LString(s))
	return 1
}

// position turns an index that may count from the end into a byte offset + 1.
func position(i, length int) int {
	if i < 0 {
		i += length + 1
	}
	return max(i, 0)
}

func (b *Box) stringByte(l *lua.LState) int {
	s := b.str(l, 1)
	from := position(b.wholeOr(l, 2, 1), len(s))
	to := min(position(b.wholeOr(l, 3, from), len(s)), len(s))
	from = max(from, 1)
	if from > to {
		return 0
	}
	if to-from+1 >= maxUnpack {
		b.raise(l, "string slice too long")
	}
	for i := from; i <= to; i++ {
		l.Push(lua.LNumber(s[i-1]))
	}
	return to - from + 1
}

func (b *Box) stringChar(l *lua.LState) int {
	out := make([]byte, l.GetTop())
	for i := range out {
		c := b.whole(l, i+1)
		if c < 0 || c > 255 {
			l.ArgError(i+1, "invalid value")
		}
		out[i] = byte(c)
	}
	return b.made(l, string(out))
}

func (b *Box) stringLen(l *lua.LState) int {
	l.Push(lua.LNumber(len(b.str(l, 1))))
	return 1
}

// stringSub costs no memory: the part shares the bytes of the whole.
func (b *Box) stringSub(l *lua.LState) int {
	s := b.str(l, 1)
	from := max(position(b.whole(l, 2), len(s)), 1)
	to := min(position(b.wholeOr(l, 3, -1), len(s)), len(s))
	if from > to {
		l.Push(lua.LString(""))
	} else {
		l.Push(lua.LString(s[from-1 : to]))
	}
	return 1
}

// stringLower and stringUpper know ASCII only, like C in the locale of Redis.
func (b *Box) stringLower(l *lua.LState) int {
	return b.made(l, mapBytes(b.str(l, 1), func(c byte) byte {
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}))
}

func (b *Box) stringUpper(l *lua.LState) int {
	return b.made(l, mapBytes(b.str(l, 1), func(c byte) byte {
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		return c
	}))
}

func mapBytes(s string, f func(byte) byte) string {
	out := []byte(s)
	for i, c := range out {
		out[i] = f(c)
	}
	return string(out)
}

func (b *Box) stringReverse(l *lua.LState) int {
	s := b.str(l, 1)
	out := make([]byte, len(s))
	for i := range len(s) {
		out[len(s)-1-i] = s[i]
	}
	return b.made(l, string(out))
}

func (b *Box) stringRep(l *lua.LState) int {
	s, n := b.str(l, 1), b.whole(l, 2)
	if n <= 0 || s == "" {
		l.Push(lua.LString(""))
		return 1
	}
	if n > b.bytes/len(s) {
		b.take(l, b.limits.Bytes+1) // refused before it is made
	}
	return b.made(l, strings.Repeat(s, n))
}
