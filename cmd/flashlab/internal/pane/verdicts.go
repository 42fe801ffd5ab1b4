package pane

import (
	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/sim/explore"
)

// Verdicts paints what the search says of each light: that it breaks, in how many
// schedules and how soon; that it holds in all; or, honestly, that neither is known.
func (p *Prove) Verdicts(v canvas.View) int {
	s := newSheet(v, p.Search)
	n := len(p.Lights)
	if n == 0 {
		s.sentence(1, 0, p.words().NoLights, theme.Dim)
		return 0
	}
	c := p.verdictColumns(s.w, s.h)
	sel := min(max(p.Selected, 0), n-1)
	win := look(c.top[n], s.h, s.h/2, c.top[sel], c.top[sel+1]-1, p.scroll(PaneVerdicts))
	for i := range p.Lights {
		if y := c.top[i] - win.top; c.top[i+1] > win.top && y < s.h {
			p.verdict(&s, y, i, c)
		}
	}
	s.more(win, p.words())
	return win.scroll
}

// verdictColumns are the places of the pane: each light has a row, and another for how
// its verdict was come to if there is anything to say and room for all of them.
type verdictColumns struct {
	at    int   // column of the verdicts, one for all
	below bool  // there are second rows
	top   []int // first row of each light, and the row after the last
}

func (p *Prove) verdictColumns(w, h int) verdictColumns {
	c := verdictColumns{top: make([]int, len(p.Lights)+1)}
	name, widest, rows := 0, 0, len(p.Lights)
	for i, l := range p.Lights {
		_, _, what, _, _ := p.finding(i)
		name, widest = max(name, canvas.Width(l)), max(widest, canvas.Width(what))
		if p.twoRows(i, w) {
			rows++
		}
	}
	c.below = rows <= h
	// Two cells apart, or one if that keeps them from being cut.
	if c.at = 3 + name + 2; c.at+widest > w-1 {
		c.at--
	}
	for i := range p.Lights {
		c.top[i+1] = c.top[i] + 1
		if c.below && p.twoRows(i, w) {
			c.top[i+1]++
		}
	}
	return c
}

// twoRows reports whether light i has more to say than fits into one row of w cells.
func (p *Prove) twoRows(i, w int) bool {
	_, _, what, how, _ := p.finding(i)
	return how != "" || canvas.Width(what) > w-3-canvas.Width(p.Lights[i])-2
}

// verdict paints one light from row y on.
func (p *Prove) verdict(s *sheet, y, i int, c verdictColumns) {
	sign, style, what, how, short := p.finding(i)
	body := canvas.Style(theme.Text)
	if i == p.Selected {
		body = theme.CursorLine
		if p.Focus == PaneVerdicts {
			body = theme.Selected
		}
		style = body
		s.ground(y, body)
		s.put(0, y, "▶", body)
	}
	s.put(1, y, sign, style)
	s.field(3, y, s.w-4, p.Lights[i], body)
	x := c.at
	room := s.w - x - 1
	if !c.below && how != "" {
		for _, more := range []string{how, short} {
			if both := what + p.words().Comma + more; canvas.Width(both) <= room {
				what = both
				break
			}
		}
	}
	if canvas.Width(what) > room { // rather without the alignment than cut
		x = 3 + canvas.Width(p.Lights[i]) + 1
		room = s.w - x - 1
	}
	if c.below && how == "" && canvas.Width(what) > room {
		s.field(3, y+1, s.w-4, what, style)
		return
	}
	s.field(x, y, room, what, style)
	if c.below && how != "" {
		at := c.at // below the verdict if it fits there
		if canvas.Width(how) > s.w-at-1 {
			if at = 3; canvas.Width(how) > s.w-4 {
				how = short
			}
		}
		s.field(at, y+1, s.w-at-1, how, theme.Dim)
	}
}

// finding is what is known of light i: a sign, the verdict, and how it came to it in
// more words and in fewer.
func (p *Prove) finding(i int) (sign string, style canvas.Style, what, how, short string) {
	w, l := p.words(), p.lightAt(i)
	switch {
	case l == nil && p.Progress.Broken.Has(i):
		return "✗", theme.Bad, w.BreaksSeen, "", ""
	case l == nil, !l.Broken && !p.Result.Complete:
		what, how = p.notProved()
		return "?", theme.Warn, what, how, how
	case !l.Broken:
		return "✓", theme.OK, p.fill(w.HoldsInAll, l), "", ""
	case l.Violating == nil:
		how = p.fill(w.BreaksFoundHow, l)
		return "✗", theme.Bad, w.BreaksFound, how, how
	}
	return "✗", theme.Bad, p.fill(w.BreaksIn, l), p.fill(w.BreaksHow, l), p.fill(w.BreaksHowShort, l)
}

func (p *Prove) fill(phrase string, l *explore.Light) string {
	w := p.words()
	return i18n.Fill(phrase, "bad", approx(l.Violating), "all", approx(p.Result.Interleavings),
		"steps", plural(w.OneStep, w.ManySteps, l.Shortest, groupedInt(l.Shortest)), "ways", p.ways(l),
		"preemptions", plural(w.OnePreemption, w.ManyPreemptions, l.Preemptions, ""))
}

// notProved says why nothing is known, and how far the search has come.
func (p *Prove) notProved() (why, upTo string) {
	w := p.words()
	why = w.WhyRunning
	if r := p.Result; r != nil {
		switch r.Bound {
		case "states":
			why = i18n.Fill(w.WhyStates, "n", groupedInt(r.States))
		case "time":
			why = w.WhyTime
		default:
			why = w.WhyCancelled
		}
		if r.Switches >= 0 {
			upTo = i18n.Fill(w.NotProvedUpTo, "preemptions", plural(w.OnePreemption, w.ManyPreemptions, r.Switches, ""))
		}
	}
	return i18n.Fill(w.NotProved, "why", why), upTo
}
