package theme

import (
	"strconv"
	"strings"

	"github.com/muesli/termenv"
)

// Detect reports whether the terminal's ground is dark, as far as COLORFGBG tells
// ("15;0" or "0;default;15", the last number being the ground). Without it, as in
// most terminals, the answer is dark.
func Detect(getenv func(string) string) (dark bool) {
	fields := strings.Split(getenv("COLORFGBG"), ";")
	ground, err := strconv.Atoi(fields[len(fields)-1])
	if err != nil {
		return true
	}
	// Of the 16 colours white and all bright ones but bright black are light.
	return ground < 7 || ground == 8
}

// Profile returns the colour depth to use for a terminal. Colours are refused
// (termenv.Ascii) by a non-empty NO_COLOR, which wins over everything
// (https://no-color.org), by CLICOLOR=0, by TERM=dumb and where the output is no
// terminal; CLICOLOR_FORCE, unless "0", overrides the last three
// (https://bixense.com/clicolors). The depth itself is read from TERM and
// COLORTERM.
func Profile(getenv func(string) string, isTTY bool) termenv.Profile {
	if getenv("NO_COLOR") != "" {
		return termenv.Ascii
	}
	force := getenv("CLICOLOR_FORCE")
	forced := force != "" && force != "0"
	if !forced && (getenv("CLICOLOR") == "0" || !isTTY) {
		return termenv.Ascii
	}
	p := depth(getenv)
	if forced && p == termenv.Ascii {
		return termenv.ANSI
	}
	return p
}

// depth returns what the terminal says it can show.
func depth(getenv func(string) string) termenv.Profile {
	term := strings.ToLower(getenv("TERM"))
	switch term {
	case "dumb":
		return termenv.Ascii
	case "linux": // the console takes longer sequences, but rounds them to 16 colours
		return termenv.ANSI
	}
	switch strings.ToLower(getenv("COLORTERM")) {
	case "truecolor", "24bit":
		// GNU screen passes COLORTERM on but knows 256 colours; tmux, which also
		// calls itself screen, knows more.
		if strings.HasPrefix(term, "screen") && getenv("TERM_PROGRAM") != "tmux" {
			return termenv.ANSI256
		}
		return termenv.TrueColor
	case "yes", "true":
		return termenv.ANSI256
	}
	switch {
	case strings.HasSuffix(term, "-direct"):
		return termenv.TrueColor
	case strings.Contains(term, "256color"):
		return termenv.ANSI256
	}
	switch term {
	case "alacritty", "contour", "foot", "rio", "wezterm", "xterm-ghostty", "xterm-kitty":
		return termenv.TrueColor
	case "":
		// Windows sets no TERM; its terminal announces itself.
		if getenv("WT_SESSION") != "" {
			return termenv.TrueColor
		}
		return termenv.Ascii
	}
	for _, family := range []string{"xterm", "screen", "tmux", "rxvt", "color", "ansi", "cygwin"} {
		if strings.Contains(term, family) {
			return termenv.ANSI
		}
	}
	return termenv.Ascii
}

// ASCIIDefault reports whether lines and signs should be ASCII unless the user says
// otherwise: on the Linux console and dumb terminals, whose fonts lack them, in a
// locale that is not UTF-8, and with RUNEWIDTH_EASTASIAN=1, which says that the
// terminal draws them two cells wide (Bubble Tea obeys it and would cut our rows).
// No locale at all counts as UTF-8, as on Windows and in many containers.
func ASCIIDefault(getenv func(string) string) bool {
	switch getenv("TERM") {
	case "linux", "dumb":
		return true
	}
	if wide, err := strconv.ParseBool(getenv("RUNEWIDTH_EASTASIAN")); err == nil && wide {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(getenv(name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}
