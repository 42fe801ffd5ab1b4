package token

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"flashlab/sim"
)

// moves draws any schedule that a token can hold.
func moves(t *rapid.T) []sim.Move {
	one := rapid.Custom(func(t *rapid.T) sim.Move {
		k := sim.MoveKind(rapid.IntRange(0, int(sim.MoveLoseReply)).Draw(t, "kind"))
		switch k {
		case sim.MoveClock:
			return sim.Move{Kind: k}
		case sim.MoveKillNode, sim.MovePause:
			return sim.Move{Kind: k, Arg: uint8(rapid.IntRange(1, 9).Draw(t, "node"))}
		}
		return sim.Move{Kind: k, Arg: uint8(rapid.IntRange(0, 25).Draw(t, "letter"))}
	})
	return rapid.SliceOfN(one, 0, 60).Draw(t, "moves")
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := Token{Lesson: "oversell", Variant: "lost-update", Sets: rapid.SampledFrom([]string{"", "buyers=3", "buyers=3,stock=2"}).Draw(t, "sets"), Hash: "7k2", Steps: moves(t)}
		got, err := Parse(want.String())
		if err != nil {
			t.Fatal(err)
		}
		if want.Steps == nil || len(want.Steps) == 0 {
			want.Steps = nil
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%s: %s", want, d)
		}
	})
}

// A slip of the case of one letter, or of one digit, is always caught.
func TestTypingErrors(t *testing.T) {
	s := Token{Lesson: "misdeletion", Variant: "get-then-del", Hash: "7k2", Steps: mustSteps("A3eaBA")}.String()
	for i := 0; i < len(s); i++ {
		var slips []byte
		switch c := s[i]; {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z':
			slips = append(slips, c^0x20)
		case c >= '0' && c <= '9':
			for d := byte('0'); d <= '9'; d++ {
				if d != c {
					slips = append(slips, d)
				}
			}
		}
		for _, x := range slips {
			bad := s[:i] + string(x) + s[i+1:]
			if _, err := Parse(bad); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s read as if it were %s", bad, s)
			}
		}
	}
}

func TestRefusals(t *testing.T) {
	seal := func(body string) string { return body + "~" + string(check(body)) }
	for _, tc := range []struct{ in, says string }{
		{"", "check character"},
		{"oversell.lost-update@7k2:AB", "check character"},
		{seal("oversell@7k2:AB"), "lesson.variant"},
		{seal("oversell.lost-update:AB"), "@ is missing"},
		{seal("oversell.lost-update@7k:AB"), "hash"},
		{seal("oversell.lost-update@7ku:AB"), "hash"},
		{seal("oversell.lost-update@7k2:AB1"), "repeat count"},
		{seal("oversell.lost-update@7k2:AB0"), "repeat count"},
		{seal("oversell.lost-update@7k2:A9999"), "repeat count"},
		{seal("oversell.lost-update@7k2:x"), "cut off"},
		{seal("oversell.lost-update@7k2:k0"), "counted from 1"},
		{seal("oversell.lost-update@7k2:eA"), "cannot follow"},
		{seal("oversell.lost-update@7k2:z1"), "no step that begins"},
		{seal("oversell.lost-update@7k2:" + strings.Repeat("A4096", 2)), "more than"},
	} {
		_, err := Parse(tc.in)
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), tc.says) {
			t.Errorf("Parse(%q): %v, want a sentence with %q", tc.in, err, tc.says)
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("Parse(%q): more than one line", tc.in)
		}
	}
}

func mustSteps(s string) []sim.Move {
	m, err := ParseSteps(s)
	if err != nil {
		panic(err)
	}
	return m
}

func FuzzParse(f *testing.F) {
	f.Add("oversell.lost-update,buyers=3@7k2:AB3A2~q")
	f.Add("misdeletion.get-then-del@7k2:A3eaBA~q")
	f.Add("~")
	f.Fuzz(func(t *testing.T, s string) {
		tok, err := Parse(s)
		if err != nil {
			return
		}
		again, err := Parse(tok.String())
		if err != nil || again.String() != tok.String() {
			t.Fatalf("%q: parsed as %q, which reads back as %q, %v", s, tok, again, err)
		}
	})
}
