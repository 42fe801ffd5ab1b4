package theme

import (
	"strings"
	"testing"

	"github.com/muesli/termenv"
)

// env returns a getenv over pairs written as "NAME=value NAME=value".
func env(pairs string) func(string) string {
	return func(name string) string {
		for pair := range strings.FieldsSeq(pairs) {
			if n, v, _ := strings.Cut(pair, "="); n == name {
				return v
			}
		}
		return ""
	}
}

func TestProfile(t *testing.T) {
	for _, tt := range []struct {
		env  string
		tty  bool
		want termenv.Profile
	}{
		{"TERM=xterm-256color", true, termenv.ANSI256},
		{"TERM=xterm-256color COLORTERM=truecolor", true, termenv.TrueColor},
		{"TERM=xterm-256color COLORTERM=24bit NO_COLOR=1", true, termenv.Ascii},
		{"TERM=xterm-256color NO_COLOR=", true, termenv.ANSI256},
		{"TERM=xterm-256color NO_COLOR=0 CLICOLOR_FORCE=1", true, termenv.Ascii},
		{"TERM=xterm-256color CLICOLOR=0", true, termenv.Ascii},
		{"TERM=xterm-256color CLICOLOR=0 CLICOLOR_FORCE=1", true, termenv.ANSI256},
		{"TERM=xterm-256color CLICOLOR=0 CLICOLOR_FORCE=0", true, termenv.Ascii},
		{"TERM=xterm-256color", false, termenv.Ascii},
		{"TERM=xterm-256color CLICOLOR_FORCE=1", false, termenv.ANSI256},
		{"TERM=dumb COLORTERM=truecolor", true, termenv.Ascii},
		{"TERM=dumb CLICOLOR_FORCE=1", false, termenv.ANSI},
		{"TERM=linux COLORTERM=truecolor", true, termenv.ANSI},
		{"TERM=screen-256color COLORTERM=truecolor", true, termenv.ANSI256},
		{"TERM=screen-256color COLORTERM=truecolor TERM_PROGRAM=tmux", true, termenv.TrueColor},
		{"TERM=tmux-256color COLORTERM=truecolor", true, termenv.TrueColor},
		{"TERM=xterm COLORTERM=yes", true, termenv.ANSI256},
		{"TERM=xterm-kitty", true, termenv.TrueColor},
		{"TERM=xterm-direct", true, termenv.TrueColor},
		{"TERM=xterm", true, termenv.ANSI},
		{"TERM=screen", true, termenv.ANSI},
		{"TERM=vt100", true, termenv.Ascii},
		{"", true, termenv.Ascii},
		{"WT_SESSION=1", true, termenv.TrueColor},
	} {
		if got := Profile(env(tt.env), tt.tty); got != tt.want {
			t.Errorf("%q, terminal %v: %s, want %s", tt.env, tt.tty, got.Name(), tt.want.Name())
		}
	}
}

func TestDetect(t *testing.T) {
	for value, want := range map[string]bool{
		"": true, "15;0": true, "0;15": false, "0;7": false, "7;8": true,
		"0;default;15": false, "12;default;default": true, "x": true,
	} {
		if got := Detect(env("COLORFGBG=" + value)); got != want {
			t.Errorf("COLORFGBG=%q: dark %v, want %v", value, got, want)
		}
	}
}

func TestASCIIDefault(t *testing.T) {
	for pairs, want := range map[string]bool{
		"":                                  false,
		"TERM=xterm-256color":               false,
		"TERM=linux LANG=en_US.UTF-8":       true,
		"TERM=dumb":                         true,
		"LANG=C":                            true,
		"LANG=POSIX":                        true,
		"LANG=C.UTF-8":                      false,
		"LANG=zh_CN.utf8":                   false,
		"LANG=zh_CN.GBK":                    true,
		"LANG=en_US.UTF-8 LC_ALL=C":         true,
		"LANG=C LC_CTYPE=UTF-8":             false,
		"LC_ALL=en_US.UTF-8 LC_CTYPE=C":     false,
		"LC_ALL= LC_CTYPE= LANG=de_DE@euro": true,
	} {
		if got := ASCIIDefault(env(pairs)); got != want {
			t.Errorf("%q: %v, want %v", pairs, got, want)
		}
	}
}
