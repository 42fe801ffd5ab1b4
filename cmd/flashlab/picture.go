package main

import (
	"fmt"
	"html"
	"io"
	"strings"
	"time"

	"github.com/muesli/termenv"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/cast"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	"flashlab/sim/history"
)

// The size of pictures and recordings, in cells and rows.
const (
	pictureW = 120
	pictureH = 40
)

// pictureTheme is what pictures look like.
const pictureTheme = theme.Dark

// picture is a session as the lesson screen shows it.
type picture struct {
	stage  *screen.Stage
	canvas *canvas.Canvas
}

func newPicture(s *history.Session, l *lessons.Lesson, v *lessons.Variant, staged string, lang lessons.Lang) *picture {
	st := &screen.Stage{
		Lesson: l, Variant: v, Scenario: s.Scenario(), Session: s, Lang: lang, Words: i18n.For(lang),
		Watch: true, Staged: staged, Focus: layout.PaneTimeline,
	}
	st.Foot.Mode = st.Mode()
	return &picture{st, canvas.New(pictureW, pictureH)}
}

func (p *picture) title() string { return "flashlab · " + p.stage.Title() }

// paint puts the screen at the session's cursor on the canvas.
func (p *picture) paint() *canvas.Canvas {
	p.stage.Screen().Paint(p.canvas)
	return p.canvas
}

// writeSVG draws the screen at the end of the run.
func (p *picture) writeSVG(w io.Writer) error { return drawSVG(w, p.paint(), p.title()) }

// drawSVG writes a canvas as a picture. Browsers collapse spaces in every text that
// does not itself ask to keep them; to ask once for all of them takes a rule.
func drawSVG(w io.Writer, c *canvas.Canvas, title string) error {
	var b strings.Builder
	if err := c.SVG(&b, pictureTheme.SVG(), title); err != nil {
		return err
	}
	const rule = "<style>text{white-space:pre}</style>\n"
	_, err := io.WriteString(w, strings.Replace(b.String(), "<title>", rule+"<title>", 1))
	return err
}

// writeHTML makes one page of a picture a step; arrows and space go through them.
func (p *picture) writeHTML(w io.Writer) error {
	o := &printer{w: w}
	o.f("<!doctype html>\n<html lang=\"%s\">\n<meta charset=\"utf-8\">\n<title>%s</title>\n", p.stage.Lang, html.EscapeString(p.title()))
	o.f("%s", pageStyle)
	last := p.stage.Session.Cursor().Depth
	for n := 0; n <= last; n++ {
		p.stage.Session.Seek(n)
		o.f("<section id=\"s%d\"%s>\n", n, map[bool]string{true: "", false: " hidden"}[n == 0])
		var b strings.Builder
		if err := p.writeSVG(&b); err != nil {
			return err
		}
		o.f("%s\n</section>\n", b.String())
	}
	o.f("<p>%s</p>\n%s</html>\n", html.EscapeString(p.stage.Session.Token()), pageScript)
	return o.err
}

const pageStyle = `<style>
body { background: #111; color: #ddd; font: 14px sans-serif; text-align: center }
svg { max-width: 100%; height: auto }
</style>
`

const pageScript = `<script>
let at = 0
const all = document.querySelectorAll('section')
function go(n) {
  at = Math.max(0, Math.min(all.length - 1, n))
  all.forEach((s, i) => { s.hidden = i !== at })
}
document.addEventListener('keydown', e => {
  if (e.key === 'ArrowRight' || e.key === ' ' || e.key === 'PageDown') go(at + 1)
  else if (e.key === 'ArrowLeft' || e.key === 'PageUp') go(at - 1)
  else if (e.key === 'Home') go(0)
  else if (e.key === 'End') go(all.length - 1)
})
document.addEventListener('click', () => go(at + 1))
</script>
`

// castStep is how long a recording shows a step.
const castStep = 1200 * time.Millisecond

// writeCast records the run, a screen a step.
func (p *picture) writeCast(w io.Writer) error {
	rec := cast.New(w, pictureW, pictureH, p.title())
	pal := pictureTheme.Palette(termenv.ANSI256)
	last := p.stage.Session.Cursor().Depth
	for n := 0; n <= last; n++ {
		p.stage.Session.Seek(n)
		at := time.Duration(n) * castStep
		rec.Marker(at, fmt.Sprintf("step %d", n))
		frame := string(p.paint().ANSI(nil, pal, canvas.Unicode))
		rec.Output(at, "\x1b[H"+strings.ReplaceAll(frame, "\n", "\r\n"))
	}
	rec.Output(time.Duration(last+1)*castStep, "")
	return rec.Err()
}
