package keymap

import (
	"strings"
	"testing"
	"unicode"
)

var modes = map[string]Mode{"home": Home, "step": Step, "watch": Watch, "prove": Prove, "list": List, "reader": Reader}

// actorKeys are the letters that step an actor.
const actorKeys = "abcdefg"

func TestNoClashes(t *testing.T) {
	for name, m := range modes {
		seen := map[string]Action{}
		if m == Step {
			for _, k := range actorKeys {
				seen[string(k)] = "step actor"
			}
		}
		for _, b := range In(m) {
			for _, k := range b.Keys {
				if other, ok := seen[k]; ok && other != b.Action {
					t.Errorf("mode %s: %q means %s and %s", name, k, other, b.Action)
				}
				seen[k] = b.Action
			}
		}
	}
}

// ctrl+s and ctrl+q stop some terminals, ctrl+i, ctrl+m, ctrl+j and ctrl+h are other
// keys there, and alt arrives as escape.
func TestNoKeysThatTerminalsTake(t *testing.T) {
	for _, b := range table {
		for _, k := range b.Keys {
			switch k {
			case "ctrl+s", "ctrl+q", "ctrl+i", "ctrl+m", "ctrl+j", "ctrl+h":
				t.Errorf("%s is bound to %s", b.Action, k)
			}
			if strings.HasPrefix(k, "alt+") {
				t.Errorf("%s is bound to %s", b.Action, k)
			}
		}
	}
}

// A Chinese input method swallows letters, so whatever the main flow needs has a
// key that is none.
func TestMainFlowWithoutLetters(t *testing.T) {
	need := map[Mode][]Action{
		Home:  {Up, Down, Open, Help},
		Step:  {Up, Down, Take, Forward, Back, Play, NextPane, Search, Leave, Help},
		Watch: {Forward, Back, Play, Leave, Help},
		Prove: {Up, Down, Open, Leave, Help},
		List:  {Up, Down, Open, Leave},
	}
	for m, actions := range need {
		for _, a := range actions {
			ok := false
			for _, b := range In(m) {
				for _, k := range b.Keys {
					if b.Action == a && (len(k) > 1 || !unicode.IsLetter(rune(k[0]))) {
						ok = true
					}
				}
			}
			if !ok {
				t.Errorf("mode %d: %s needs a letter", m, a)
			}
		}
	}
}

func TestBothLanguages(t *testing.T) {
	for _, b := range table {
		if b.Label.EN == "" || b.Label.ZH == "" || b.Help.EN == "" || b.Help.ZH == "" {
			t.Errorf("%s (%s): a text is missing", b.Action, b.Shown())
		}
	}
}

func TestFullWidthTwins(t *testing.T) {
	for in, want := range map[string]Action{"？": Help, "：": Command, "、": Search, "！": Expire, "　": Play, "】": Faster} {
		if got, _ := Lookup(Step, in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}
