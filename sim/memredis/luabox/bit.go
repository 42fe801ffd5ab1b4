package luabox

import (
	"fmt"
	"math"
	"math/bits"

	lua "github.com/yuin/gopher-lua"
)

// bitLibrary is BitOp: whole numbers modulo 2^32, results as signed. What a script
// shifts beyond 32 bits is gone, which is how ids made in Lua collide.
func (b *Box) bitLibrary() map[string]lua.LGFunction {
	fns := map[string]lua.LGFunction{"tohex": b.bitToHex}
	for name, f := range map[string]func(x uint32) uint32{
		"tobit": func(x uint32) uint32 { return x },
		"bnot":  func(x uint32) uint32 { return ^x },
		"bswap": bits.ReverseBytes32,
	} {
		fns[name] = func(l *lua.LState) int { return pushBits(l, f(b.bits(l, 1))) }
	}
	for name, f := range map[string]func(x, y uint32) uint32{
		"band": func(x, y uint32) uint32 { return x & y },
		"bor":  func(x, y uint32) uint32 { return x | y },
		"bxor": func(x, y uint32) uint32 { return x ^ y },
	} {
		fns[name] = func(l *lua.LState) int {
			x := b.bits(l, 1)
			for i := 2; i <= l.GetTop(); i++ {
				x = f(x, b.bits(l, i))
			}
			return pushBits(l, x)
		}
	}
	for name, f := range map[string]func(x uint32, n int) uint32{
		"lshift":  func(x uint32, n int) uint32 { return x << n },
		"rshift":  func(x uint32, n int) uint32 { return x >> n },
		"arshift": func(x uint32, n int) uint32 { return uint32(int32(x) >> n) },
		"rol":     bits.RotateLeft32,
		"ror":     func(x uint32, n int) uint32 { return bits.RotateLeft32(x, -n) },
	} {
		fns[name] = func(l *lua.LState) int { return pushBits(l, f(b.bits(l, 1), int(b.bits(l, 2)&31))) }
	}
	return fns
}

// bits rounds an argument to a whole number and takes it modulo 2^32.
func (b *Box) bits(l *lua.LState, n int) uint32 {
	v := math.RoundToEven(b.num(l, n))
	if v != v || math.IsInf(v, 0) {
		return 0
	}
	v = math.Mod(v, 1<<32)
	return uint32(int64(v))
}

func pushBits(l *lua.LState, x uint32) int {
	l.Push(lua.LNumber(int32(x)))
	return 1
}

// bitToHex renders the lowest n digits, 8 unless said; a negative n asks for upper
// case.
func (b *Box) bitToHex(l *lua.LState) int {
	x, n, format := b.bits(l, 1), 8, "%08x"
	if l.Get(2) != lua.LNil {
		if n = int(int32(b.bits(l, 2))); n < 0 {
			n, format = -n, "%08X"
		}
	}
	n = min(n, 8)
	l.Push(lua.LString(fmt.Sprintf(format, x)[8-n:]))
	return 1
}
