package canvas

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// SVGStyle is what a style looks like in a picture. Colours are "#rrggbb", and an
// empty one stands for the palette's own.
type SVGStyle struct {
	Fg, Bg          string
	Bold, Underline bool
}

// SVGPalette says what a picture of the canvas looks like.
type SVGPalette struct {
	Fg, Bg string // text and sheet
	Border string // edge, buttons and title of the window
	Styles [256]SVGStyle
}

// Lengths of a picture in tenths of a pixel. A cell is 0.6 em wide, as in most
// monospaced fonts.
const (
	svgEm      = 140
	svgCellW   = 84
	svgCellH   = 180
	svgBase    = 134 // from the top of a cell to the base line of its text
	svgMargin  = 120 // between the cells and the edge of the window
	svgBar     = 300 // the window's title bar
	svgRadius  = 80
	svgButton  = 50 // radius of a button in the title bar
	svgSpacing = 180
)

// svgFonts ends in fonts that have Chinese, at the same size.
const svgFonts = "'Cascadia Mono','JetBrains Mono',Menlo,Consolas,'DejaVu Sans Mono'," +
	"'Noto Sans Mono CJK SC','Sarasa Mono SC','PingFang SC','Microsoft YaHei','WenQuanYi Zen Hei Mono',monospace"

// SVG writes the canvas as a picture: a window with a title over the cells. Every
// glyph stands at its own column, and lines and blocks are drawn as shapes, so that
// frames close and columns meet whatever font the reader has.
func (c *Canvas) SVG(w io.Writer, p *SVGPalette, title string) error {
	out := bufio.NewWriter(w)
	c.svgWindow(out, p, title)
	for y := range c.h {
		row := c.row(y)
		for x := 0; x < len(row); {
			end := x
			for end < len(row) && row[end].style == row[x].style {
				end++
			}
			svgRun(out, p, row[x:end], svgMargin+x*svgCellW, svgBar+y*svgCellH)
			x = end
		}
	}
	out.WriteString("</g>\n</svg>\n")
	return out.Flush()
}

// svgWindow writes the head of the picture up to the first cell.
func (c *Canvas) svgWindow(out *bufio.Writer, p *SVGPalette, title string) {
	width := c.w*svgCellW + 2*svgMargin
	height := c.h*svgCellH + svgBar + svgMargin
	shown := svgText(Truncate(title, c.w-14, ellipsis)) // clear of the buttons
	title = svgText(title)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]s" height="%[2]s" viewBox="0 0 %[1]s %[2]s" role="img" aria-label="%[3]s">`,
		px(width), px(height), title)
	fmt.Fprintf(out, "\n<title>%s</title>\n", title)
	fmt.Fprintf(out, `<g font-family="%s" font-size="%s" xml:space="preserve">`, svgFonts, px(svgEm))
	fmt.Fprintf(out, "\n"+`<rect x="0.5" y="0.5" width="%s" height="%s" rx="%s" fill="%s" stroke="%s"/>`+"\n",
		px(width-10), px(height-10), px(svgRadius), p.Bg, p.Border)
	for i := range 3 {
		fmt.Fprintf(out, `<circle cx="%s" cy="%s" r="%s" fill="%s"/>`,
			px(svgMargin+svgButton+i*svgSpacing), px(svgBar/2), px(svgButton), p.Border)
	}
	fmt.Fprintf(out, "\n"+`<text x="%s" y="%s" text-anchor="middle" fill="%s">%s</text>`+"\n",
		px(width/2), px(svgBar/2+svgEm/3), p.Fg, shown)
}

// svgRun writes cells of one style whose top left corner is at x, y: ground, then
// shapes, then text.
func svgRun(out *bufio.Writer, p *SVGPalette, run []cell, x, y int) {
	look := p.Styles[run[0].style]
	if look.Fg == "" {
		look.Fg = p.Fg
	}
	if look.Bg != "" {
		fmt.Fprintf(out, `<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`+"\n",
			px(x), px(y), px(len(run)*svgCellW), px(svgCellH), look.Bg)
	}
	var shapes svgShapes
	if look.Underline {
		svgRect(&shapes.fills[2], x, y+svgCellH-20, len(run)*svgCellW, 10)
	}
	for i, c := range run {
		shapes.add(c.r, x+i*svgCellW, y)
	}
	shapes.write(out, look.Fg)

	weight := ""
	if look.Bold {
		weight = ` font-weight="bold"`
	}
	for i := 0; i < len(run); {
		end := i + 1
		for end < len(run) && svgKind(run[end].r) == svgKind(run[i].r) {
			end++
		}
		if place, text := svgPlace(run[i:end], x+i*svgCellW); text != "" {
			fmt.Fprintf(out, `<text %s y="%s" fill="%s"%s>%s</text>`+"\n", place, px(y+svgBase), look.Fg, weight, text)
		}
		i = end
	}
}

// The kinds of rune that a picture treats alike.
const (
	svgShape = iota // drawn, not written
	svgASCII        // from one font, so that one length says where every glyph is
	svgOther        // perhaps from a fallback font: every glyph has its own place
)

func svgKind(r rune) int {
	switch {
	case r == 0: // the right half of a wide rune goes with the left one
		return svgOther
	case r < 0x80:
		return svgASCII
	case isShape(r):
		return svgShape
	}
	return svgOther
}

// svgPlace returns the position attributes and the escaped text of cells of one
// kind that begin at x. The text is empty if there is nothing to write.
func svgPlace(run []cell, x int) (place, text string) {
	switch svgKind(run[0].r) {
	case svgASCII:
		first, last := 0, len(run)
		for first < last && run[first].r == ' ' {
			first++
		}
		for first < last && run[last-1].r == ' ' {
			last--
		}
		var b strings.Builder
		for _, c := range run[first:last] {
			b.WriteRune(c.r)
		}
		place = fmt.Sprintf(`x="%s" textLength="%s"`, px(x+first*svgCellW), px((last-first)*svgCellW))
		return place, svgText(b.String())
	case svgOther:
		var b strings.Builder
		var at []string
		for i, c := range run {
			left := x + i*svgCellW
			switch c.width {
			case 0:
				continue
			case 2:
				left += (2*svgCellW - svgEm) / 2 // a full-width glyph is 1 em of two cells
			}
			b.WriteRune(c.r)
			at = append(at, px(left))
		}
		return fmt.Sprintf(`x="%s"`, strings.Join(at, " ")), svgText(b.String())
	}
	return "", ""
}

var svgEscape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;")

// svgText makes s safe inside an element and an attribute.
func svgText(s string) string { return svgEscape.Replace(Clean(s)) }

// px writes tenths of a pixel as pixels.
func px(tenths int) string {
	if tenths%10 == 0 {
		return fmt.Sprint(tenths / 10)
	}
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}
