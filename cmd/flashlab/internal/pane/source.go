package pane

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/trace"
)

// wideTabs is the least number of cells inside a pane for tabs of four.
const wideTabs = 64

// Source paints the code that one actor runs, with the line at which it stands. The
// letters of others stand in the margin of the lines at which they are.
func (d *Lesson) Source(v canvas.View, letter string) int {
	s := d.sheet(v)
	src, ok := d.Code[letter]
	if !ok || len(src.Lines) == 0 {
		s.sentence(1, 0, i18n.Fill(d.words().NoSource, "actor", letter), theme.Dim)
		return 0
	}
	p := newPage(d, letter, src, s.w)
	win := look(p.total(), s.h, s.h/2, p.row(), p.row()+len(p.wrapped)-1, d.scroll(layout.PaneSource))
	lex := lexer{lang: syntaxOf(src.File, src.Java)}
	var tokens []token
	for i := range src.Lines {
		row := i
		if i > p.current && p.current >= 0 {
			row += len(p.wrapped) - 1
		}
		if row >= win.end() {
			break
		}
		switch {
		case row+p.height(i) <= win.top:
			lex.skip(src.Lines[i])
		case i == p.current:
			lex.skip(src.Lines[i])
			p.standsHere(&s, row-win.top)
		default:
			line := p.expand(src.Lines[i])
			tokens = lex.line(line, tokens[:0])
			p.line(&s, row-win.top, i, line, tokens)
		}
	}
	s.more(win, d.words())
	return win.scroll
}

// page is a file as one actor sees it.
type page struct {
	d       *Lesson
	letter  string
	src     SourceView
	at      []int            // lines where the actor stands, from 1, innermost first
	others  map[int][]string // letters of other actors by line
	last    int              // line of the last step of an actor that has ended, or 0
	current int              // index of the innermost line, -1 if there is none
	wrapped []string         // that line, over as many rows as it takes
	tab     string
	margin  int // cells for the letters of others
	digits  int
	room    int // cells for code
}

func newPage(d *Lesson, letter string, src SourceView, w int) *page {
	p := &page{d: d, letter: letter, src: src, current: -1, tab: "  ", margin: 1, wrapped: []string{""}}
	if w >= wideTabs {
		p.tab = "    "
	}
	p.digits = len(strconv.Itoa(len(src.Lines)))
	p.at = d.standsAt(letter, src)
	for i := range d.state().Actors {
		other := d.state().Actors[i].Letter
		if other == letter {
			continue
		}
		view, known := d.Code[other]
		if !known || view.File != src.File || view.Java != src.Java {
			view = SourceView{File: src.File, Java: src.Java}
		}
		if at := d.standsAt(other, view); len(at) > 0 {
			if p.others == nil {
				p.others = map[int][]string{}
			}
			p.others[at[0]] = append(p.others[at[0]], other)
			p.margin = max(p.margin, min(len(p.others[at[0]]), 3))
		}
	}
	p.room = max(w-p.margin-p.digits-3, 0)
	if len(p.at) > 0 && p.at[0] >= 1 && p.at[0] <= len(src.Lines) {
		p.current = p.at[0] - 1
		p.wrapped = canvas.BreakCode(p.expand(src.Lines[p.current]), p.room, 3)
	} else {
		p.last = d.lastLine(letter, src)
	}
	return p
}

// standsAt lists the lines of a file at which an actor stands, from 1, innermost
// first.
func (d *Lesson) standsAt(letter string, src SourceView) []int {
	if src.At != nil || src.Java {
		return src.At
	}
	a := d.state().Actor(letter)
	if a == nil {
		return nil
	}
	var at []int
	for i := range a.Stack {
		if f := &a.Stack[i]; inFile(f.Package, f.File, src.File) {
			at = append(at, f.Line)
		}
	}
	return at
}

// inFile reports whether a position in a package's file is in the file shown under a
// name, with or without its package.
func inFile(pkg, file, shown string) bool {
	dir, base := path.Split(shown)
	return file == base && (dir == "" || path.Base(dir) == pkg)
}

// lastLine is the line of the last step that an actor has taken, 0 if there is none.
func (d *Lesson) lastLine(letter string, src SourceView) int {
	last := 0
	if src.Java {
		return 0
	}
	d.ran(func(f *trace.Frame) bool {
		if e := f.Event; e != nil && e.Actor == letter {
			for i := range e.Stack {
				if g := &e.Stack[i]; inFile(g.Package, g.File, src.File) {
					last = g.Line
					break
				}
			}
		}
		return true
	})
	return last
}

// total is the number of rows of the page.
func (p *page) total() int { return len(p.src.Lines) + len(p.wrapped) - 1 }

// row is the row that has to be seen.
func (p *page) row() int {
	if p.current >= 0 {
		return p.current
	}
	return min(max(p.last-1, 0), len(p.src.Lines)-1)
}

// height is the number of rows that line i takes.
func (p *page) height(i int) int {
	if i == p.current {
		return len(p.wrapped)
	}
	return 1
}

// expand replaces tabs. Go code has them at the beginning of lines only.
func (p *page) expand(line string) string {
	if strings.IndexByte(line, '\t') < 0 {
		return line
	}
	return strings.ReplaceAll(line, "\t", p.tab)
}

// margins paints what stands before a line and returns the column of its code.
func (p *page) margins(s *sheet, y, i int, mark rune, style canvas.Style) int {
	for n, letter := range p.others[i+1] {
		if n < p.margin {
			s.put(n, y, letter, actorStyle(letter))
		}
	}
	if mark != ' ' {
		s.rune1(p.margin, y, mark, style)
	}
	s.right(p.margin+1, y, p.digits, strconv.Itoa(i+1), style)
	return p.margin + p.digits + 2
}

// standsHere paints the line at which the actor stands, from row y on.
func (p *page) standsHere(s *sheet, y int) {
	for n, text := range p.wrapped {
		if y+n < 0 || y+n >= s.h {
			continue
		}
		s.ground(y+n, theme.CursorLine)
		x := p.margin + p.digits + 2
		if n == 0 {
			x = p.margins(s, y, p.current, '▶', theme.CursorLine)
		} else {
			s.rune1(x-2, y+n, '↳', theme.CursorLine)
		}
		if n == len(p.wrapped)-1 {
			text = fit(text, p.room)
		}
		s.put(x, y+n, text, theme.CursorLine)
	}
}

// line paints another line with its pieces in their colours.
func (p *page) line(s *sheet, y, i int, line string, tokens []token) {
	mark, style := ' ', canvas.Style(theme.Dim)
	switch {
	case slices.Contains(p.at, i+1): // a caller of where it stands
		mark, style = '▸', theme.Accent
	case i+1 == p.last:
		mark = '╵'
	}
	x := p.margins(s, y, i, mark, style)
	end := len(line)
	if canvas.Width(line) > p.room {
		end = len(canvas.Truncate(line, p.room-1, ""))
	}
	for _, t := range tokens {
		if t.from < end {
			x += s.Text(x, y, line[t.from:min(t.to, end)], codeStyle(t.class))
		}
	}
	if end < len(line) && p.room > 0 {
		s.rune1(x, y, '…', theme.Dim)
	}
	if s.find != "" { // here, since a match may span pieces
		s.highlight(p.margin+p.digits+2, y, line[:end])
	}
}

func codeStyle(c class) canvas.Style {
	switch c {
	case codeKeyword:
		return theme.CodeKeyword
	case codeString:
		return theme.CodeString
	case codeComment:
		return theme.CodeComment
	}
	return theme.Code
}
