// Package token is the short text form of a schedule:
//
//	lesson.variant[,name=number...]@hash:steps~check
//
// for instance oversell.lost-update,buyers=3@7k2:AB3A2~q. It only uses characters
// that a shell leaves alone. The hash names the scenario, so that a token of a
// changed scenario is refused instead of misread; the check catches typing errors.
// The package must not know more than the form: whether the steps are possible is
// for a run to find out.
package token

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"flashlab/sim"
)

// MaxSteps is the longest schedule a token may hold.
const MaxSteps = 4096

// alphabet is Crockford's base 32 in lower case: no i, l, o, u.
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

// Token is a parsed token.
type Token struct {
	Lesson, Variant string
	Sets            string // "k=v,k=v" of the values that are not the default, or ""
	Hash            string // three characters
	Steps           []sim.Move
}

// String returns the text form.
func (t Token) String() string {
	var b strings.Builder
	b.WriteString(t.Lesson + "." + t.Variant)
	if t.Sets != "" {
		b.WriteString("," + t.Sets)
	}
	b.WriteString("@" + t.Hash + ":" + Steps(t.Steps))
	return b.String() + "~" + string(check(b.String()))
}

// Steps renders moves, repeats of one actor as a letter with a count.
func Steps(moves []sim.Move) string {
	var b strings.Builder
	for i := 0; i < len(moves); {
		n := 1
		for moves[i].Actor() && i+n < len(moves) && moves[i+n] == moves[i] {
			n++
		}
		b.WriteString(moves[i].String())
		if n > 1 {
			b.WriteString(strconv.Itoa(n))
		}
		i += n
	}
	return b.String()
}

// Parse reads a token. The error is one sentence for the person who typed it.
func Parse(s string) (Token, error) {
	var t Token
	body, sum, ok := cutLast(s, "~")
	if !ok || len(sum) != 1 {
		return t, damaged(s, "it does not end in ~ and one check character")
	}
	if string(check(body)) != sum {
		return t, damaged(s, "its check character does not fit")
	}
	head, tail, ok := strings.Cut(body, "@")
	if !ok {
		return t, damaged(s, "the @ is missing")
	}
	name, sets, _ := strings.Cut(head, ",")
	if t.Lesson, t.Variant, ok = strings.Cut(name, "."); !ok || !word(t.Lesson) || !word(t.Variant) {
		return t, damaged(s, "it does not begin with lesson.variant")
	}
	t.Sets = sets
	var steps string
	if t.Hash, steps, ok = strings.Cut(tail, ":"); !ok || len(t.Hash) != 3 || strings.Trim(t.Hash, alphabet) != "" {
		return t, damaged(s, "there are no three hash characters between @ and :")
	}
	moves, err := ParseSteps(steps)
	if err != nil {
		return t, damaged(s, err.Error())
	}
	t.Steps = moves
	return t, nil
}

// ErrDamaged marks every error of [Parse].
var ErrDamaged = errors.New("damaged token")

func damaged(s, why string) error {
	if len(s) > 80 {
		s = s[:77] + "..."
	}
	return fmt.Errorf("%w %q: %s; copy it whole, as it was printed", ErrDamaged, s, why)
}

// ParseSteps reads the steps part of a token.
func ParseSteps(s string) ([]sim.Move, error) {
	var out []sim.Move
	for i := 0; i < len(s); {
		c := s[i]
		i++
		if c >= 'A' && c <= 'Z' {
			n, used, err := count(s[i:])
			if err != nil {
				return nil, err
			}
			i += used
			if len(out)+n > MaxSteps {
				return nil, fmt.Errorf("it has more than %d steps", MaxSteps)
			}
			for ; n > 0; n-- {
				out = append(out, sim.Move{Kind: sim.MoveActor, Arg: c - 'A'})
			}
			continue
		}
		if c == 't' {
			out = append(out, sim.Move{Kind: sim.MoveClock})
		} else {
			if i == len(s) {
				return nil, fmt.Errorf("its last step %q is cut off", c)
			}
			m, err := environment(c, s[i])
			if err != nil {
				return nil, err
			}
			i++
			out = append(out, m)
		}
		if len(out) > MaxSteps {
			return nil, fmt.Errorf("it has more than %d steps", MaxSteps)
		}
	}
	return out, nil
}

// environment reads a step of the environment: a letter for what, one for whom.
func environment(c, arg byte) (sim.Move, error) {
	kinds := map[byte]sim.MoveKind{
		'e': sim.MoveExpire, 'x': sim.MoveCrash, 'k': sim.MoveKillNode,
		'p': sim.MovePause, 'r': sim.MoveRedeliver, 'l': sim.MoveLoseReply,
	}
	kind, ok := kinds[c]
	if !ok {
		return sim.Move{}, fmt.Errorf("there is no step that begins with %q", c)
	}
	var first, last byte = 'A', 'Z'
	switch kind {
	case sim.MoveExpire:
		first, last = 'a', 'z'
	case sim.MoveKillNode, sim.MovePause:
		first, last = '0', '9'
		if arg == '0' {
			return sim.Move{}, fmt.Errorf("nodes are counted from 1")
		}
	}
	if arg < first || arg > last {
		return sim.Move{}, fmt.Errorf("%q cannot follow %q", arg, c)
	}
	return sim.Move{Kind: kind, Arg: arg - first}, nil
}

// count reads an optional repeat count from 2 up.
func count(s string) (n, used int, err error) {
	for used < len(s) && s[used] >= '0' && s[used] <= '9' {
		used++
	}
	if used == 0 {
		return 1, 0, nil
	}
	n, err = strconv.Atoi(s[:used])
	if err != nil || n < 2 || n > MaxSteps || s[0] == '0' {
		return 0, 0, fmt.Errorf("the repeat count %s is not possible", s[:used])
	}
	return n, used, nil
}

func word(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}

func cutLast(s, sep string) (before, after string, ok bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}

// check is a CRC-5 (polynomial x^5+x^2+1): it catches every slip within one
// letter's case or one digit, and nearly all others.
func check(s string) byte {
	crc := byte(0x1f)
	for i := 0; i < len(s); i++ {
		for bit := 7; bit >= 0; bit-- {
			in := s[i] >> bit & 1
			top := crc >> 4 & 1
			crc = crc << 1 & 0x1f
			if in != top {
				crc ^= 0x05
			}
		}
	}
	return alphabet[crc]
}

// Hash turns the first 15 bits of a digest into three characters.
func Hash(digest []byte) string {
	v := uint(digest[0])<<8 | uint(digest[1])
	v >>= 1
	return string([]byte{alphabet[v>>10&31], alphabet[v>>5&31], alphabet[v&31]})
}
