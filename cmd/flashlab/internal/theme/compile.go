package theme

import (
	"io"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"flashlab/cmd/flashlab/internal/canvas"
)

// look is the appearance of one role. Each colour has a value for every depth:
// reducing 24 bits by rule turns dark grounds black and tints grey. An empty colour
// is the terminal's own.
type look struct {
	fg, bg                   lipgloss.CompleteColor
	bold, underline, reverse bool
}

// rgb returns a colour as "#rrggbb", as one of 256 and as one of 16.
func rgb(hex, of256, of16 string) lipgloss.CompleteColor {
	return lipgloss.CompleteColor{TrueColor: hex, ANSI256: of256, ANSI: of16}
}

// looks returns the roles of t and the ground they are made for. Auto counts as
// Dark.
func (t Theme) looks() (roles *[roleCount]look, ground look) {
	switch t {
	case Light:
		return &light, lightGround
	case HighContrast:
		return &contrast, contrastGround
	case Mono:
		return &mono, monoGround
	}
	return &dark, darkGround
}

// Palette compiles t to escape sequences for terminals of one colour depth. With
// termenv.Ascii, which means that colours are refused, it keeps bold, underline
// and reverse; for a terminal that knows no escape sequences at all use the zero
// canvas.Palette. Compiling takes some 50 µs: keep the result until the theme
// changes.
func (t Theme) Palette(p termenv.Profile) *canvas.Palette {
	roles, _ := t.looks()
	if p == termenv.Ascii {
		// Under this profile lipgloss drops bold along with the colours.
		roles, p = &mono, termenv.ANSI
	}
	// A renderer of its own, with its depth fixed, asks no terminal anything.
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	out := &canvas.Palette{}
	for i := range out.SGR {
		if i < roleCount {
			out.SGR[i] = roles[i].prefix(r)
		} else {
			out.SGR[i] = out.SGR[Text]
		}
	}
	return out
}

// prefix returns what a renderer writes before text of this look.
func (l look) prefix(r *lipgloss.Renderer) string {
	const sentinel = "x"
	s := r.NewStyle().Bold(l.bold).Underline(l.underline).Reverse(l.reverse)
	if l.fg != (lipgloss.CompleteColor{}) {
		s = s.Foreground(l.fg)
	}
	if l.bg != (lipgloss.CompleteColor{}) {
		s = s.Background(l.bg)
	}
	before, _, _ := strings.Cut(s.Render(sentinel), sentinel)
	return before
}

// SVG returns the colours of t for pictures.
func (t Theme) SVG() *canvas.SVGPalette {
	roles, ground := t.looks()
	out := &canvas.SVGPalette{Fg: ground.fg.TrueColor, Bg: ground.bg.TrueColor, Border: roles[Frame].fg.TrueColor}
	if out.Border == "" {
		out.Border = out.Fg
	}
	for i, l := range roles {
		s := canvas.SVGStyle{Fg: l.fg.TrueColor, Bg: l.bg.TrueColor, Bold: l.bold, Underline: l.underline}
		if l.reverse {
			s.Fg, s.Bg = out.Bg, out.Fg
		}
		if s.Bg == out.Bg {
			s.Bg = "" // the sheet has it already
		}
		out.Styles[i] = s
	}
	return out
}
