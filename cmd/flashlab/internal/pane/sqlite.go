package pane

import (
	"slices"
	"strconv"
	"strings"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/layout"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/trace"
)

// span is a piece of text at a column of a row.
type span struct {
	x     int
	text  string
	style canvas.Style
}

// SQLite paints the committed tables, with marks where the step at the cursor has
// changed them, then who holds the write lock, then what is worth knowing of the
// scenario. Tables stand below each other, or side by side where that is not enough
// room; where that is not enough either, rows share a line.
func (d *Lesson) SQLite(v canvas.View) int {
	s := d.sheet(v)
	w, now := d.words(), d.state()
	if len(now.Tables) == 0 && len(now.Notes) == 0 {
		s.sentence(1, 0, w.NoTables, theme.Dim)
		return 0
	}
	grids := make([]grid, 0, len(now.Tables))
	for i := range now.Tables {
		grids = append(grids, d.newGrid(&now.Tables[i], s.w))
	}
	rows := arrange(grids, w, s.w, s.h)
	free := s.h - len(rows)
	if line, ok := d.writeLock(); ok && free > 0 {
		rows = append(rows, []span{{1, line, theme.Warn}})
		free--
	}
	for i, note := range now.Notes {
		if i == 0 && free > len(now.Notes) {
			rows = append(rows, nil)
		}
		for _, l := range canvas.Wrap(w.Say(note), s.w-2) {
			rows = append(rows, []span{{1, l, theme.Dim}})
		}
	}
	from, to := changeIn(rows)
	win := look(len(rows), s.h, s.h, from, to, d.scroll(layout.PaneSQLite))
	for i := win.top; i < win.end(); i++ {
		for _, p := range rows[i] {
			s.field(p.x, i-win.top, s.w-p.x, p.text, p.style)
		}
	}
	if win.scroll != 0 || from < to || free < 0 {
		s.more(win, w)
	}
	return win.scroll
}

// changeIn returns the first and the last row with a mark of change.
func changeIn(rows [][]span) (from, to int) {
	from = -1
	for i, row := range rows {
		for _, p := range row {
			if strings.HasPrefix(p.text, "◀") {
				if from < 0 {
					from = i
				}
				to = i
			}
		}
	}
	return max(from, 0), to
}

// writeLock says who holds the write lock; ok is false in a scenario where nobody
// keeps it from one step to the next.
func (d *Lesson) writeLock() (line string, ok bool) {
	w := d.words()
	if by := d.state().Writer; by != "" {
		return i18n.Fill(w.WriteLockBy, "by", by), true
	}
	for _, f := range d.Path {
		if f.State.Writer != "" {
			return w.WriteLockFree, true
		}
	}
	return "", false
}

// grid is a table with its places.
type grid struct {
	table *trace.Table
	rows  []changedRow
	shown []int // columns
	wide  []int // widths of the shown columns
	gap   int   // cells between columns
	when  string
	step  string // the same in short
}

// newGrid leaves out columns that never change where they do not all fit.
func (d *Lesson) newGrid(t *trace.Table, w int) grid {
	words := d.words()
	g := grid{table: t, rows: changedRows(d.before(), t), gap: 2}
	n := strconv.Itoa(d.cursor())
	g.when, g.step = "◀ "+i18n.Fill(words.AtStep, "n", n), "◀"+n
	if d.stepState() != d.state() && sameTable(d.before(), d.stepState(), t.Name) {
		g.when, g.step = "◀ "+words.InRunOut, "◀"
	}
	for i := range t.Columns {
		g.shown = append(g.shown, i)
	}
	g.measure()
	if g.width(0)+canvas.Width(g.when) > w {
		g.gap = 1
	}
	for i := len(g.shown) - 1; i > 0 && g.width(0)+3 > w; i-- {
		if d.settled(t.Name, g.shown[i]) {
			g.shown = slices.Delete(g.shown, i, i+1)
			g.measure()
		}
	}
	return g
}

func sameTable(a, b *trace.State, name string) bool {
	x, y := tableOf(a, name), tableOf(b, name)
	return x != nil && y != nil && slices.EqualFunc(x.Rows, y.Rows, slices.Equal)
}

func (g *grid) measure() {
	g.wide = g.wide[:0]
	for _, c := range g.shown {
		n := canvas.Width(g.table.Columns[c])
		for i := range g.rows {
			n = max(n, canvas.Width(g.cell(i, c)))
		}
		g.wide = append(g.wide, min(n, 24))
	}
}

// cell is the text of a cell. A stock below zero has a sign of its own.
func (g *grid) cell(row, column int) string {
	cells := g.rows[row].cells
	if column >= len(cells) {
		return ""
	}
	if g.negative(row, column) {
		return cells[column] + " ✗"
	}
	return cells[column]
}

func (g *grid) negative(row, column int) bool {
	return column < len(g.table.Columns) && g.table.Columns[column] == "stock" &&
		strings.HasPrefix(g.rows[row].cells[column], "-")
}

// width is what the grid takes after a name of as many cells, without its marks.
func (g *grid) width(name int) int {
	w := 1 + max(name, canvas.Width(g.table.Name)) + g.gap
	for _, n := range g.wide {
		w += n + g.gap
	}
	return w
}

// height is the number of rows it takes.
func (g *grid) height() int {
	if len(g.rows) == 0 {
		return 1
	}
	return 1 + len(g.rows)
}

// arrange chooses the first arrangement that fits into w cells and h rows.
func arrange(grids []grid, words *i18n.Panes, w, h int) [][]span {
	name, below, beside, sum := 0, 0, 0, 0
	for i := range grids {
		g := &grids[i]
		name = max(name, canvas.Width(g.table.Name))
		below += g.height()
		beside = max(beside, g.height())
		sum += g.width(0) + canvas.Width(g.step) + 2
	}
	var rows [][]span
	switch {
	case below <= h:
		apart := below+len(grids)-1 <= h
		for i := range grids {
			if i > 0 && apart {
				rows = append(rows, nil)
			}
			rows = append(rows, grids[i].lines(1, name, w, words)...)
		}
	case sum <= w:
		x := 1
		rows = make([][]span, beside)
		for i := range grids {
			g := &grids[i]
			end := w
			if i+1 < len(grids) {
				end = x + g.width(0) + canvas.Width(g.step) + 1
			}
			for y, line := range g.lines(x, 0, end, words) {
				rows[y] = append(rows[y], line...)
			}
			x = end
		}
	default:
		flat := 0
		for i := range grids {
			flat += min(grids[i].height(), 2)
		}
		for i := range grids {
			if g := &grids[i]; flat <= h && g.height() <= 2 {
				rows = append(rows, g.lines(1, name, w, words)...)
			} else {
				rows = append(rows, g.tuples(name, w, flat <= h, words)...)
			}
		}
	}
	return rows
}

// lines is the grid with a row for each of the table's.
func (g *grid) lines(x, name, w int, words *i18n.Panes) [][]span {
	head := []span{{x, g.table.Name, theme.Title}}
	left := x + max(name, canvas.Width(g.table.Name)) + g.gap
	if len(g.rows) == 0 {
		return [][]span{append(head, span{left, words.NoRows, theme.Dim})}
	}
	at := left
	for i, c := range g.shown {
		head = append(head, span{at, fit(g.table.Columns[c], g.wide[i]), theme.Dim})
		at += g.wide[i] + g.gap
	}
	out := [][]span{head}
	for r := range g.rows {
		at := left
		var line []span
		for i, c := range g.shown {
			line = append(line, span{at, fit(g.cell(r, c), g.wide[i]), g.style(r, c)})
			at += g.wide[i] + g.gap
		}
		if row := &g.rows[r]; row.changed {
			mark := g.when
			if row.gone {
				mark += " " + words.Gone
			}
			switch {
			case at+canvas.Width(mark) <= w:
			case at+canvas.Width(g.step) <= w:
				mark = g.step
			default:
				mark = "◀"
				at = min(at, w-1)
			}
			line = append(line, span{at, mark, theme.Accent})
		}
		out = append(out, line)
	}
	return out
}

// tuples is the grid with all rows in one line, below a line with the columns if
// there is room for it.
func (g *grid) tuples(name, w int, headed bool, words *i18n.Panes) [][]span {
	if len(g.rows) == 0 {
		return g.lines(1, name, w, words)
	}
	x := 1 + max(name, canvas.Width(g.table.Name)) + 1
	line := []span{{1, g.table.Name, theme.Title}}
	var out [][]span
	if headed {
		var columns []string
		for _, c := range g.shown {
			columns = append(columns, g.table.Columns[c])
		}
		out = append(out, append(line, span{x, "(" + strings.Join(columns, ", ") + ")", theme.Dim}))
		line = nil
	}
	for r := range g.rows {
		text := "("
		style := canvas.Style(theme.Text)
		for i, c := range g.shown {
			if i > 0 {
				text += ","
			}
			text += g.cell(r, c)
			if st := g.style(r, c); st != theme.Text {
				style = st
			}
		}
		line = append(line, span{x, text + ")", style})
		x += canvas.Width(text) + 2
		if g.rows[r].changed {
			line = append(line, span{x - 1, "◀", theme.Accent})
			x++
		}
	}
	return append(out, line)
}

func (g *grid) style(row, column int) canvas.Style {
	r := &g.rows[row]
	switch {
	case r.gone:
		return theme.Dim
	case column < len(r.cells) && g.negative(row, column):
		return theme.Bad
	case column < len(r.cells) && r.cellChanged(column):
		return theme.Accent
	}
	return theme.Text
}
