package luabox

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// toNumber reads a number as Lua 5.1 does: decimal, with exponent, hexadecimal,
// "inf" and "nan" in any case, blanks around it.
func toNumber(s string) (float64, bool) {
	s = strings.Trim(s, " \t\n\v\f\r")
	if s == "" || strings.ContainsRune(s, '_') {
		return 0, false
	}
	digits, sign := s, 1.0
	switch s[0] {
	case '-':
		digits, sign = s[1:], -1
	case '+':
		digits = s[1:]
	}
	if len(digits) > 2 && digits[0] == '0' && digits[1]|0x20 == 'x' && !strings.ContainsAny(digits, ".pP") {
		n, err := strconv.ParseUint(digits[2:], 16, 64)
		return sign * float64(n), err == nil
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}

// toInteger reads digits of a base from 2 to 36 like C's strtoul, which takes a
// sign and wraps around, but stops at 2^64-1.
func toInteger(s string, base int) (float64, bool) {
	s = strings.Trim(s, " \t\n\v\f\r")
	neg := strings.HasPrefix(s, "-")
	if s != "" && (s[0] == '-' || s[0] == '+') {
		s = s[1:]
	}
	if base == 16 && len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' {
		s = s[2:]
	}
	if s == "" || s[0] == '-' || s[0] == '+' || strings.ContainsRune(s, '_') {
		return 0, false
	}
	n, err := strconv.ParseUint(s, base, 64)
	if err != nil {
		return math.MaxUint64, errors.Is(err, strconv.ErrRange)
	}
	if neg {
		n = -n
	}
	return float64(n), true
}

// number renders a number as tostring and .. do: C's "%.14g", which drops what a
// 17-digit id has at its end.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e14 && (v != 0 || !math.Signbit(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	return cFloat("%.14g", v)
}

// exact renders a number as Redis passes it to a command: no digit is lost, and
// whole numbers up to 17 digits are written out.
func exact(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e17 && (v != 0 || !math.Signbit(v)) {
		return strconv.FormatInt(int64(v), 10)
	}
	return shortFloat(v)
}

// shortFloat renders a number with as few digits as identify it.
func shortFloat(v float64) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 0):
		return cFloat("%g", v)
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

// cFloat is C's printf for one floating point verb, like "%8.3f". Go and C differ in
// the names of the infinities and of NaN.
func cFloat(format string, v float64) string {
	if !math.IsInf(v, 0) && !math.IsNaN(v) {
		return fmt.Sprintf(format, v)
	}
	word := "inf"
	switch {
	case math.IsNaN(v):
		word = "nan"
	case v < 0:
		word = "-inf"
	case strings.ContainsRune(format, '+'):
		word = "+inf"
	}
	flags, width, _ := splitSpec(format[:len(format)-1])
	return fill(word, width, strings.Contains(flags, "-"))
}

// toInt64 truncates like the C compiler's conversion on x86, which Redis runs on
// most: what does not fit becomes the smallest integer.
func toInt64(v float64) int64 {
	if v != v || v >= math.MaxInt64 || v < math.MinInt64 {
		return math.MinInt64
	}
	return int64(v)
}

// str returns an argument that is a string or a number.
func (b *Box) str(l *lua.LState, n int) string {
	switch v := l.Get(n).(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return number(float64(v))
	}
	b.wrongType(l, n, "string")
	return ""
}

// num returns an argument that is a number or text that reads as one.
func (b *Box) num(l *lua.LState, n int) float64 {
	switch v := l.Get(n).(type) {
	case lua.LNumber:
		return float64(v)
	case lua.LString:
		if f, ok := toNumber(string(v)); ok {
			return f
		}
	}
	b.wrongType(l, n, "number")
	return 0
}

// whole returns a number argument without its fraction, kept small enough to
// calculate with.
func (b *Box) whole(l *lua.LState, n int) int {
	const most = 1 << 53
	v := b.num(l, n)
	switch {
	case v != v:
		return 0
	case v > most:
		return most
	case v < -most:
		return -most
	}
	return int(v)
}

// wholeOr is whole for an argument that may be missing.
func (b *Box) wholeOr(l *lua.LState, n, missing int) int {
	if l.Get(n) == lua.LNil {
		return missing
	}
	return b.whole(l, n)
}

func (b *Box) wrongType(l *lua.LState, n int, want string) {
	got := "no value"
	if n <= l.GetTop() {
		got = l.Get(n).Type().String()
	}
	l.ArgError(n, want+" expected, got "+got)
}

// text renders any value without calling into the script.
func (b *Box) text(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return number(float64(v))
	case lua.LBool, *lua.LNilType:
		return v.String()
	case *lua.LUserData:
		if v == b.null {
			return "userdata: (nil)"
		}
	}
	// Addresses differ from run to run.
	id, ok := b.names[v]
	if !ok {
		id = len(b.names) + 1
		b.names[v] = id
	}
	return fmt.Sprintf("%s: 0x%08x", v.Type(), id)
}
