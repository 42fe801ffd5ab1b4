package luabox

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// stringFormat is C's printf as far as Lua 5.1 offers it. Width and precision have
// two digits at most, so that no format asks for much.
func (b *Box) stringFormat(l *lua.LState) int {
	format := b.str(l, 1)
	var out strings.Builder
	arg := 1
	for i := 0; i < len(format); i++ {
		b.spend(l, 1)
		if format[i] != '%' {
			out.WriteByte(format[i])
			continue
		}
		if i++; i < len(format) && format[i] == '%' {
			out.WriteByte('%')
			continue
		}
		spec, next := b.formatSpec(l, format, i)
		if next >= len(format) {
			b.raise(l, "invalid option '%"+spec+"' to 'format'")
		}
		if arg++; arg > l.GetTop() {
			l.ArgError(arg, "no value")
		}
		s := b.formatItem(l, "%"+spec, format[next], arg)
		b.take(l, len(s))
		out.WriteString(s)
		i = next
	}
	return b.made(l, out.String())
}

// formatSpec reads flags, width and precision from offset i and returns them with
// the offset of the verb.
func (b *Box) formatSpec(l *lua.LState, format string, i int) (string, int) {
	from := i
	digits := func(most int) {
		for n := 0; n < most && i < len(format) && format[i] >= '0' && format[i] <= '9'; n++ {
			i++
		}
	}
	for i < len(format) && strings.IndexByte("-+ #0", format[i]) >= 0 {
		i++
	}
	if i-from > 5 {
		b.raise(l, "invalid format (repeated flags)")
	}
	digits(2)
	if i < len(format) && format[i] == '.' {
		i++
		digits(2)
	}
	if i < len(format) && format[i] >= '0' && format[i] <= '9' {
		b.raise(l, "invalid format (width or precision too long)")
	}
	return format[from:i], i
}

func (b *Box) formatItem(l *lua.LState, spec string, verb byte, arg int) string {
	switch verb {
	case 'd', 'i':
		return fmt.Sprintf(strings.ReplaceAll(spec, "#", "")+"d", toInt64(b.num(l, arg)))
	case 'u':
		return fmt.Sprintf(unsigned(spec)+"d", uint64(toInt64(b.num(l, arg))))
	case 'o', 'x', 'X':
		return fmt.Sprintf(unsigned(spec)+string(verb), uint64(toInt64(b.num(l, arg))))
	case 'e', 'E', 'f', 'g', 'G':
		if !strings.Contains(spec, ".") {
			spec += ".6" // C's default; Go would print as many digits as it takes
		}
		return cFloat(spec+string(verb), b.num(l, arg))
	case 'c':
		return pad(spec, string([]byte{byte(toInt64(b.num(l, arg)))}))
	case 's':
		s := b.str(l, arg)
		if !strings.Contains(spec, ".") && len(s) >= 100 {
			return s
		}
		return pad(spec, s)
	case 'q':
		return quoted(b.str(l, arg))
	}
	b.raise(l, "invalid option '%"+string(verb)+"' to 'format'")
	return ""
}

// unsigned drops the flags that C ignores for unsigned numbers.
func unsigned(spec string) string { return strings.NewReplacer("+", "", " ", "").Replace(spec) }

// pad cuts and fills bytes; Go's %s would count characters.
func pad(spec, s string) string {
	spec = strings.TrimLeft(spec, "%")
	left := strings.Contains(spec, "-")
	width, precision, cut := strings.Cut(strings.TrimLeft(spec, "-+ #0"), ".")
	if n := digitsOf(precision); cut && n < len(s) {
		s = s[:n]
	}
	fill := strings.Repeat(" ", max(digitsOf(width)-len(s), 0))
	if left {
		return s + fill
	}
	return fill + s
}

func digitsOf(s string) (n int) {
	for i := range len(s) {
		n = 10*n + int(s[i]-'0')
	}
	return n
}

// quoted renders text so that Lua reads it back.
func quoted(s string) string {
	var out strings.Builder
	out.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\', '\n':
			out.WriteByte('\\')
			out.WriteByte(c)
		case '\r':
			out.WriteString(`\r`)
		case 0:
			out.WriteString(`\000`)
		default:
			out.WriteByte(c)
		}
	}
	out.WriteByte('"')
	return out.String()
}
