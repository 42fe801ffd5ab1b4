package luabox

import "errors"

// The patterns of Lua 5.1 (reference manual, section 5.4.1). They are matched
// here, not by gopher-lua, because a pattern of a few bytes can take longer than
// the age of the universe; this matcher counts its steps.

const (
	maxCaptures  = 32  // in a pattern
	maxBacktrack = 200 // matches within matches, a limit of later Lua versions
)

// Lengths of a capture that is none yet or none at all.
const (
	captureOpen     = -1
	capturePosition = -2
)

var (
	errPatternLimit = errors.New("")
	errTooComplex   = errors.New("pattern too complex")
)

type capture struct{ from, length int }

// matcher matches one pattern at one place of a subject after the other.
type matcher struct {
	src, pat string
	afford   func(steps int) bool
	captures []capture
	depth    int
}

// fail is how the matcher gives up; match turns it into an error.
type fail struct{ err error }

// at returns the end of the match of the pattern, read from offset p, that begins
// at offset s of the subject, or -1.
func (m *matcher) at(s, p int) (end int, err error) {
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(fail)
			if !ok {
				panic(r)
			}
			end, err = -1, f.err
		}
	}()
	m.captures, m.depth = m.captures[:0], 0
	return m.match(s, p), nil
}

func (m *matcher) anchored() bool { return len(m.pat) > 0 && m.pat[0] == '^' }

// match matches the pattern from offset p against the subject from offset s.
func (m *matcher) match(s, p int) int {
	if m.depth++; m.depth > maxBacktrack {
		panic(fail{errTooComplex})
	}
	defer func() { m.depth-- }()
	for {
		if !m.afford(1) {
			panic(fail{errPatternLimit})
		}
		if p == len(m.pat) {
			return s
		}
		switch m.pat[p] {
		case '(':
			if p+1 < len(m.pat) && m.pat[p+1] == ')' {
				return m.open(s, p+2, capturePosition)
			}
			return m.open(s, p+1, captureOpen)
		case ')':
			return m.shut(s, p+1)
		case '$':
			if p+1 == len(m.pat) {
				if s == len(m.src) {
					return s
				}
				return -1
			}
		case '%':
			if p+1 == len(m.pat) {
				break
			}
			switch c := m.pat[p+1]; {
			case c == 'b':
				if s = m.balance(s, p+2); s < 0 {
					return -1
				}
				p += 4
				continue
			case c == 'f':
				p += 2
				if p >= len(m.pat) || m.pat[p] != '[' {
					panic(fail{errors.New("missing '[' after '%f' in pattern")})
				}
				end := m.classEnd(p)
				if m.inSet(m.byteAt(s-1), p, end-1) || !m.inSet(m.byteAt(s), p, end-1) {
					return -1
				}
				p = end
				continue
			case c >= '0' && c <= '9':
				if s = m.again(s, c); s < 0 {
					return -1
				}
				p += 2
				continue
			}
		}

		end := m.classEnd(p)
		quantifier := byte(0)
		if end < len(m.pat) {
			quantifier = m.pat[end]
		}
		one := s < len(m.src) && m.single(m.src[s], p, end)
		switch quantifier {
		case '?':
			if one {
				if r := m.match(s+1, end+1); r >= 0 {
					return r
				}
			}
			p = end + 1
		case '*':
			return m.most(s, p, end, 0)
		case '+':
			if !one {
				return -1
			}
			return m.most(s+1, p, end, 0)
		case '-':
			return m.least(s, p, end)
		default:
			if !one {
				return -1
			}
			s, p = s+1, end
		}
	}
}

// byteAt is the byte at an offset, zero outside: what %f compares with.
func (m *matcher) byteAt(s int) byte {
	if s < 0 || s >= len(m.src) {
		return 0
	}
	return m.src[s]
}

// most takes as many bytes as belong to the class and gives them back one by one.
func (m *matcher) most(s, p, end, least int) int {
	n := 0
	for s+n < len(m.src) && m.single(m.src[s+n], p, end) {
		n++
		if !m.afford(1) {
			panic(fail{errPatternLimit})
		}
	}
	for ; n >= least; n-- {
		if r := m.match(s+n, end+1); r >= 0 {
			return r
		}
	}
	return -1
}

func (m *matcher) least(s, p, end int) int {
	for {
		if r := m.match(s, end+1); r >= 0 {
			return r
		}
		if s >= len(m.src) || !m.single(m.src[s], p, end) {
			return -1
		}
		s++
	}
}

func (m *matcher) open(s, p, length int) int {
	if len(m.captures) >= maxCaptures {
		panic(fail{errors.New("too many captures")})
	}
	m.captures = append(m.captures, capture{s, length})
	n := len(m.captures)
	r := m.match(s, p)
	if r < 0 {
		m.captures = m.captures[:n-1]
	}
	return r
}

func (m *matcher) shut(s, p int) int {
	for i := len(m.captures) - 1; i >= 0; i-- {
		if m.captures[i].length != captureOpen {
			continue
		}
		m.captures[i].length = s - m.captures[i].from
		r := m.match(s, p)
		if r < 0 {
			m.captures[i].length = captureOpen
		}
		return r
	}
	panic(fail{errors.New("invalid pattern capture")})
}

// balance matches %bxy, whose two bytes stand at offset p.
func (m *matcher) balance(s, p int) int {
	if p+1 >= len(m.pat) {
		panic(fail{errors.New("unbalanced pattern")})
	}
	x, y := m.pat[p], m.pat[p+1]
	if s >= len(m.src) || m.src[s] != x {
		return -1
	}
	for depth, i := 1, s+1; i < len(m.src); i++ {
		if !m.afford(1) {
			panic(fail{errPatternLimit})
		}
		switch m.src[i] {
		case y:
			if depth--; depth == 0 {
				return i + 1
			}
		case x:
			depth++
		}
	}
	return -1
}

// again matches what an earlier capture holds.
func (m *matcher) again(s int, digit byte) int {
	i := int(digit) - '1'
	if i < 0 || i >= len(m.captures) || m.captures[i].length == captureOpen {
		panic(fail{errors.New("invalid capture index")})
	}
	c := m.captures[i]
	if c.length < 0 {
		return -1
	}
	if !m.afford(c.length / bytesPerStep) {
		panic(fail{errPatternLimit})
	}
	if text := m.src[c.from : c.from+c.length]; len(m.src)-s < len(text) || m.src[s:s+len(text)] != text {
		return -1
	}
	return s + c.length
}

// classEnd returns the offset behind the single-byte item at p.
func (m *matcher) classEnd(p int) int {
	c := m.pat[p]
	p++
	switch c {
	case '%':
		if p >= len(m.pat) {
			panic(fail{errors.New("malformed pattern (ends with '%')")})
		}
		return p + 1
	case '[':
		if p < len(m.pat) && m.pat[p] == '^' {
			p++
		}
		for first := true; first || p >= len(m.pat) || m.pat[p] != ']'; first = false {
			if p >= len(m.pat) {
				panic(fail{errors.New("malformed pattern (missing ']')")})
			}
			if m.pat[p] == '%' {
				p++
			}
			p++
		}
		return p + 1
	}
	return p
}

// single tells whether a byte belongs to the item from p to end.
func (m *matcher) single(c byte, p, end int) bool {
	switch m.pat[p] {
	case '.':
		return true
	case '%':
		return inClass(c, m.pat[p+1])
	case '[':
		return m.inSet(c, p, end-1)
	}
	return m.pat[p] == c
}

// inSet tells whether a byte belongs to the set whose brackets stand at p and
// last.
func (m *matcher) inSet(c byte, p, last int) bool {
	found := true
	p++
	if m.pat[p] == '^' {
		found = false
		p++
	}
	for ; p < last; p++ {
		switch {
		case m.pat[p] == '%' && p+1 < last:
			p++
			if inClass(c, m.pat[p]) {
				return found
			}
		case p+2 < last && m.pat[p+1] == '-':
			if m.pat[p] <= c && c <= m.pat[p+2] {
				return found
			}
			p += 2
		case m.pat[p] == c:
			return found
		}
	}
	return !found
}

// inClass tells whether a byte belongs to %class; a class in upper case is the
// complement, and any other byte stands for itself.
func inClass(c, class byte) bool {
	var in bool
	lower := c >= 'a' && c <= 'z'
	upper := c >= 'A' && c <= 'Z'
	digit := c >= '0' && c <= '9'
	switch class | 0x20 {
	case 'a':
		in = lower || upper
	case 'c':
		in = c < ' ' || c == 127
	case 'd':
		in = digit
	case 'l':
		in = lower
	case 'p':
		in = c > ' ' && c < 127 && !lower && !upper && !digit
	case 's':
		in = c == ' ' || c >= '\t' && c <= '\r'
	case 'u':
		in = upper
	case 'w':
		in = lower || upper || digit
	case 'x':
		in = digit || c|0x20 >= 'a' && c|0x20 <= 'f'
	case 'z':
		in = c == 0
	default:
		return class == c
	}
	if class >= 'A' && class <= 'Z' {
		return !in
	}
	return in
}
