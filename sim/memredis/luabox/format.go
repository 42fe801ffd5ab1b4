package luabox

import (
	"strconv"
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
	case 'd', 'i', 'u', 'o', 'x', 'X':
		return cInteger(spec, verb, toInt64(b.num(l, arg)))
	case 'e', 'E', 'f', 'g', 'G':
		if !strings.Contains(spec, ".") {
			spec += ".6" // C's default; Go would print as many digits as it takes
		}
		return cFloat(spec+string(verb), b.num(l, arg))
	case 'c':
		flags, width, _ := splitSpec(spec)
		s := fill(string([]byte{byte(toInt64(b.num(l, arg)))}), width, strings.Contains(flags, "-"))
		// Lua 5.1 measures the result as a C string.
		s, _, _ = strings.Cut(s, "\x00")
		return s
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

// cInteger is C's printf for one integer verb.
func cInteger(spec string, verb byte, n int64) string {
	flags, width, precision := splitSpec(spec)
	sign, digits := "", ""
	switch verb {
	case 'd', 'i':
		digits = strconv.FormatUint(magnitude(n), 10)
		switch {
		case n < 0:
			sign = "-"
		case strings.Contains(flags, "+"):
			sign = "+"
		case strings.Contains(flags, " "):
			sign = " "
		}
	case 'u':
		digits = strconv.FormatUint(uint64(n), 10)
	case 'o':
		digits = strconv.FormatUint(uint64(n), 8)
	default:
		digits = strconv.FormatUint(uint64(n), 16)
		if n != 0 && strings.Contains(flags, "#") {
			sign = "0x"
		}
	}
	if n == 0 && precision == 0 {
		digits = ""
	}
	least := precision
	if precision < 0 && strings.Contains(flags, "0") && !strings.Contains(flags, "-") {
		least = width - len(sign)
	}
	digits = strings.Repeat("0", max(least-len(digits), 0)) + digits
	if verb == 'o' && strings.Contains(flags, "#") && !strings.HasPrefix(digits, "0") {
		digits = "0" + digits
	}
	text := sign + digits
	if verb == 'X' {
		text = strings.ToUpper(text)
	}
	return fill(text, width, strings.Contains(flags, "-"))
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// splitSpec takes "%-5.2" apart; a precision that is not there is -1.
func splitSpec(spec string) (flags string, width, precision int) {
	spec = strings.TrimPrefix(spec, "%")
	rest := strings.TrimLeft(spec, "-+ #0")
	flags = spec[:len(spec)-len(rest)]
	w, p, found := strings.Cut(rest, ".")
	width, precision = digitsOf(w), -1
	if found {
		precision = digitsOf(p)
	}
	return flags, width, precision
}

// fill pads a text with blanks.
func fill(s string, width int, left bool) string {
	blanks := strings.Repeat(" ", max(width-len(s), 0))
	if left {
		return s + blanks
	}
	return blanks + s
}

// pad cuts and fills bytes; Go's %s would count characters.
func pad(spec, s string) string {
	flags, width, precision := splitSpec(spec)
	if precision >= 0 && precision < len(s) {
		s = s[:precision]
	}
	return fill(s, width, strings.Contains(flags, "-"))
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
