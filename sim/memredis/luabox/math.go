package luabox

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

var mathConstants = map[string]lua.LValue{
	"pi":   lua.LNumber(math.Pi),
	"huge": lua.LNumber(math.Inf(1)),
}

func (b *Box) mathLibrary() map[string]lua.LGFunction {
	fns := map[string]lua.LGFunction{
		"max": b.mathMax, "min": b.mathMin, "modf": b.mathModf, "frexp": b.mathFrexp, "ldexp": b.mathLdexp,
		"random": b.mathRandom, "randomseed": b.mathRandomSeed,
	}
	for name, f := range map[string]func(float64) float64{
		"abs": math.Abs, "ceil": math.Ceil, "floor": math.Floor, "sqrt": math.Sqrt,
		"exp": math.Exp, "log": math.Log, "log10": math.Log10,
		"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
		"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh,
		"deg": func(x float64) float64 { return x / (math.Pi / 180) },
		"rad": func(x float64) float64 { return x * (math.Pi / 180) },
	} {
		fns[name] = func(l *lua.LState) int {
			l.Push(lua.LNumber(f(b.num(l, 1))))
			return 1
		}
	}
	for name, f := range map[string]func(x, y float64) float64{
		"atan2": math.Atan2, "pow": math.Pow, "fmod": math.Mod, "mod": math.Mod,
	} {
		fns[name] = func(l *lua.LState) int {
			l.Push(lua.LNumber(f(b.num(l, 1), b.num(l, 2))))
			return 1
		}
	}
	return fns
}

func (b *Box) mathMax(l *lua.LState) int {
	most := b.num(l, 1)
	for i := 2; i <= l.GetTop(); i++ {
		if v := b.num(l, i); v > most {
			most = v
		}
	}
	l.Push(lua.LNumber(most))
	return 1
}

func (b *Box) mathMin(l *lua.LState) int {
	least := b.num(l, 1)
	for i := 2; i <= l.GetTop(); i++ {
		if v := b.num(l, i); v < least {
			least = v
		}
	}
	l.Push(lua.LNumber(least))
	return 1
}

func (b *Box) mathModf(l *lua.LState) int {
	v := b.num(l, 1)
	whole, part := math.Trunc(v), 0.0
	if !math.IsInf(v, 0) {
		part = v - whole
	}
	l.Push(lua.LNumber(whole))
	l.Push(lua.LNumber(part))
	return 2
}

func (b *Box) mathFrexp(l *lua.LState) int {
	m, e := math.Frexp(b.num(l, 1))
	l.Push(lua.LNumber(m))
	l.Push(lua.LNumber(e))
	return 2
}

func (b *Box) mathLdexp(l *lua.LState) int {
	e := max(min(b.whole(l, 2), 5000), -5000)
	l.Push(lua.LNumber(math.Ldexp(b.num(l, 1), e)))
	return 1
}

// mathRandom yields the numbers that Redis yields after the same randomseed. Every
// run starts from seed 0, as in Redis before version 7, so that a script repeats.
func (b *Box) mathRandom(l *lua.LState) int {
	const most = math.MaxInt32
	r := float64(b.rand.next()%most) / most
	switch l.GetTop() {
	case 0:
		l.Push(lua.LNumber(r))
	case 1:
		to := math.Trunc(b.num(l, 1))
		if !(to >= 1) {
			l.ArgError(1, "interval is empty")
		}
		l.Push(lua.LNumber(math.Floor(r*to) + 1))
	case 2:
		from, to := math.Trunc(b.num(l, 1)), math.Trunc(b.num(l, 2))
		if !(from <= to) {
			l.ArgError(2, "interval is empty")
		}
		l.Push(lua.LNumber(math.Floor(r*(to-from+1)) + from))
	default:
		b.raise(l, "wrong number of arguments")
	}
	return 1
}

func (b *Box) mathRandomSeed(l *lua.LState) int {
	b.rand.seed(int32(toInt64(b.num(l, 1))))
	return 0
}

// lrand48 is the generator of POSIX by that name: a linear congruence modulo 2^48
// whose upper 31 bits are the result.
type lrand48 uint64

func (r *lrand48) seed(n int32) { *r = lrand48(uint64(uint32(n))<<16 | 0x330E) }

func (r *lrand48) next() int32 {
	*r = (*r*0x5DEECE66D + 0xB) & (1<<48 - 1)
	return int32(*r >> 17)
}
