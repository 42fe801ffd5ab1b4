package theme

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"flashlab/cmd/flashlab/internal/canvas"
)

var roleNames = [roleCount]string{
	"Text", "Dim", "Accent", "Title", "Frame", "FrameFocus",
	"ActorA", "ActorB", "ActorC", "ActorD", "ActorE", "ActorF", "ActorG", "ActorH", "Env",
	"OK", "Warn", "Bad", "BadBlock", "CursorLine", "Key", "KeyText", "TTLFull", "TTLLow",
	"Code", "CodeKeyword", "CodeString", "CodeComment", "Selected", "Header", "Chart1", "Chart2", "Chart3",
}

var (
	themes = []Theme{Dark, Light, HighContrast, Mono}
	depths = []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI, termenv.Ascii}
)

func TestPalettes(t *testing.T) {
	var b strings.Builder
	for _, theme := range themes {
		fmt.Fprintf(&b, "%s\n", theme)
		var palettes []*canvas.Palette
		for _, p := range depths {
			palettes = append(palettes, theme.Palette(p))
		}
		for role, name := range roleNames {
			line := fmt.Sprintf("  %-11s", name)
			for i, w := range []int{44, 24, 14, 8} {
				sgr := strings.TrimPrefix(palettes[i].SGR[role], "\x1b")
				line += fmt.Sprintf(" %-*s", w, sgr)
			}
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	golden(t, "palettes.txt", b.String())
}

func TestEscapesAreColoursAndAttributes(t *testing.T) {
	// Nothing faint (2) and nothing that blinks (5): the first vanishes on a
	// projector, the second disturbs.
	sgr := regexp.MustCompile(`^(\x1b\[([147]|[349][0-7]|10[0-7]|[34]8;5;\d+|[34]8;2;\d+;\d+;\d+)(;([147]|[349][0-7]|10[0-7]|[34]8;5;\d+|[34]8;2;\d+;\d+;\d+))*m)?$`)
	for _, theme := range append(themes, Auto) {
		for _, p := range depths {
			pal := theme.Palette(p)
			for i, s := range pal.SGR {
				if !sgr.MatchString(s) {
					t.Errorf("%v, %s: role %d has %q", theme, p.Name(), i, s)
				}
				if p == termenv.Ascii && strings.Contains(s, ";3") {
					t.Errorf("%v has colour although refused: %q", theme, s)
				}
				if i >= roleCount && s != pal.SGR[Text] {
					t.Errorf("%v: style %d has no role but %q", theme, i, s)
				}
			}
		}
	}
}

func TestColoursRefused(t *testing.T) {
	for _, theme := range themes {
		p := theme.Palette(termenv.Ascii)
		if got := p.SGR[BadBlock]; got != "\x1b[1;7m" {
			t.Errorf("%v: BadBlock is %q", theme, got)
		}
		if got := p.SGR[Selected]; got != "\x1b[7m" {
			t.Errorf("%v: Selected is %q", theme, got)
		}
	}
}

func TestEveryDepthHasItsValue(t *testing.T) {
	hex := regexp.MustCompile(`^#[0-9a-f]{6}$`)
	between := func(s string, from, to int) bool {
		n, err := strconv.Atoi(s)
		return err == nil && n >= from && n <= to
	}
	for _, theme := range themes {
		roles, _ := theme.looks()
		for i, l := range roles {
			for _, c := range []struct{ rgb, of256, of16 string }{
				{l.fg.TrueColor, l.fg.ANSI256, l.fg.ANSI}, {l.bg.TrueColor, l.bg.ANSI256, l.bg.ANSI},
			} {
				if c.rgb == "" && c.of256 == "" && c.of16 == "" {
					continue
				}
				if !hex.MatchString(c.rgb) || !between(c.of256, 16, 255) || !between(c.of16, 0, 15) {
					t.Errorf("%v %s: %+v", theme, roleNames[i], c)
				}
			}
		}
	}
}

func TestActorsDiffer(t *testing.T) {
	for _, theme := range []Theme{Dark, Light, HighContrast} {
		for _, p := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256} {
			seen := map[string]int{}
			pal := theme.Palette(p)
			for i := range 8 {
				s := pal.SGR[Actor(i)]
				if j, ok := seen[s]; ok {
					t.Errorf("%v, %s: actors %d and %d look the same", theme, p.Name(), j, i)
				}
				seen[s] = i
				if s == pal.SGR[Bad] {
					t.Errorf("%v, %s: actor %d looks like a failure", theme, p.Name(), i)
				}
			}
		}
	}
}

// TestContrast holds text to the ratio that WCAG 2 asks for, 4.5, and lines to 3,
// on the ground the theme is made for.
func TestContrast(t *testing.T) {
	or := func(a, b string) string {
		if a == "" {
			return b
		}
		return a
	}
	for _, theme := range themes {
		roles, ground := theme.looks()
		for i, l := range roles {
			limit := 4.5
			if canvas.Style(i) == Frame {
				limit = 3
			}
			pairs := map[string][2]string{
				"24 bits":    {or(l.fg.TrueColor, ground.fg.TrueColor), or(l.bg.TrueColor, ground.bg.TrueColor)},
				"256 colors": {or(of256(l.fg.ANSI256), ground.fg.TrueColor), or(of256(l.bg.ANSI256), ground.bg.TrueColor)},
			}
			for name, c := range pairs {
				if r := ratio(c[0], c[1]); r < limit {
					t.Errorf("%v %s, %s: %s on %s has contrast %.2f, want %.1f", theme, roleNames[i], name, c[0], c[1], r, limit)
				}
			}
		}
	}
}

// of256 returns a colour of the 6x6x6 cube or the grey ramp as "#rrggbb".
func of256(s string) string {
	n, err := strconv.Atoi(s)
	switch {
	case err != nil:
		return ""
	case n >= 232:
		g := 8 + 10*(n-232)
		return fmt.Sprintf("#%02x%02x%02x", g, g, g)
	}
	level := [6]int{0, 95, 135, 175, 215, 255}
	n -= 16
	return fmt.Sprintf("#%02x%02x%02x", level[n/36], level[n/6%6], level[n%6])
}

func ratio(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(hex string) float64 {
	var sum float64
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, _ := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		v := float64(n) / 255
		if v <= 0.03928 {
			v /= 12.92
		} else {
			v = math.Pow((v+0.055)/1.055, 2.4)
		}
		sum += weight * v
	}
	return sum
}

func TestSVG(t *testing.T) {
	if s := Mono.SVG(); s.Styles[Selected].Fg != "#ffffff" || s.Styles[Selected].Bg != "#000000" || s.Border != "#000000" {
		t.Errorf("reverse in a picture: %+v, border %s", s.Styles[Selected], s.Border)
	}
	if s := HighContrast.SVG(); s.Styles[Text].Bg != "" {
		t.Errorf("the ground is painted twice: %+v", s.Styles[Text])
	}
	if s := Dark.SVG().Styles[BadBlock]; s != (canvas.SVGStyle{Fg: "#ffffff", Bg: "#b62324", Bold: true}) {
		t.Errorf("BadBlock is %+v", s)
	}
}

func BenchmarkPalette(b *testing.B) {
	for b.Loop() {
		Dark.Palette(termenv.TrueColor)
	}
}
