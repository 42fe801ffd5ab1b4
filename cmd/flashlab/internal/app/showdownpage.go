package app

import (
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons/showdown"
	"flashlab/sim/scenario"
)

// showdownPage shows the showdown: what it is about, then a picture of what was
// measured and what it means.
func (m *model) showdownPage(b *blocks) {
	v := m.learn.showdown
	switch {
	case v.cards != nil:
		m.claimsPage(b)
	case !v.running && !v.measured:
		m.showdownIntro(b)
	default:
		m.showdownState(b)
		m.showdownPicture(b)
		m.showdownMeaning(b)
	}
	m.showdownOptions(b)
}

// showdownIntro says what is measured, and asks for a guess.
func (m *model) showdownIntro(b *blocks) {
	v, w := m.learn.showdown, &m.words.Showdown
	b.add(screen.Block{Text: w.Intro, Style: theme.Accent})
	for i := range w.Paths {
		b.add(screen.Block{Text: pathMarks[i] + " " + w.Paths[i], Pre: true, Style: pathStyles[i], Gap: i == 0})
		b.add(screen.Block{Text: w.Ways[i], Indent: 2})
	}
	b.add(screen.Block{Text: w.How, Gap: true})
	b.add(screen.Block{Text: w.Guess, Style: theme.Accent})
	m.showdownWarning(b)
	switch {
	case v.unread != nil:
		b.add(screen.Block{Text: m.unreadText(v.unread), Style: theme.Warn, Gap: true})
	case v.before != nil:
		b.add(screen.Block{Text: fill(w.KeptOn, "date", v.keptOn.Format("2006-01-02 15:04")), Style: theme.Dim, Gap: true})
	}
}

// showdownWarning says, where no server is measured, that the figures mislead and why.
func (m *model) showdownWarning(b *blocks) {
	if m.learn.showdown.o.Server != nil {
		return
	}
	b.add(screen.Block{Text: "! " + showdown.Embedded.In(m.lang), Style: theme.Warn, Gap: true})
}

// showdownState is the first row: how far it is, or whether what was measured counts.
func (m *model) showdownState(b *blocks) {
	v, w := m.learn.showdown, &m.words.Showdown
	all := len(v.o.Settings())
	if v.err != nil {
		b.add(screen.Block{Text: m.mistake(v.err), Style: theme.Bad})
	}
	if v.running {
		part := float64(len(v.cells)) / float64(max(1, all))
		line := screen.Bar(part, 30) + " " + fill(w.Progress, "n", strconv.Itoa(len(v.cells)), "all", strconv.Itoa(all))
		b.add(screen.Block{Text: line, Pre: true, Style: theme.Accent})
		if v.now.All > 0 {
			b.add(screen.Block{Text: fill(w.Now, "sale", m.saleText(v.now.Now)), Style: theme.Dim})
		}
		return
	}
	bad, open := 0, 0
	for _, c := range v.cells {
		switch c.Verdict {
		case scenario.Breaks:
			bad++
		case scenario.Unknown:
			open++
		}
	}
	n := strconv.Itoa(len(v.cells))
	if len(v.cells) < all {
		b.add(screen.Block{Text: fill(w.Stopped, "n", n, "all", strconv.Itoa(all)), Style: theme.Warn})
	}
	row := []screen.Span{{Text: "✓ " + fill(w.AllHold, "n", n), Style: theme.OK}}
	switch {
	case bad > 0:
		row[0] = screen.Span{Text: "✗ " + fill(w.Broke, "bad", strconv.Itoa(bad), "n", n), Style: theme.Bad}
	case open > 0:
		row[0] = screen.Span{Text: "? " + fill(w.Undecided, "bad", strconv.Itoa(open), "n", n), Style: theme.Warn}
	case len(v.cells) == 0:
		return
	}
	if v.o.Server == nil {
		row = append(row, screen.Span{Text: "  ! " + w.Misleads, Style: theme.Warn})
	}
	b.add(screen.Block{Spans: [][]screen.Span{row}})
}

// saleText names a sale.
func (m *model) saleText(s showdown.Setting) string {
	return fill(m.words.Showdown.Sale, "path", m.pathText(s.Path), "atonce", strconv.Itoa(s.Concurrency), "stock", strconv.Itoa(s.Stock), "limiter", m.limiterText(s.Limited))
}

func (m *model) pathText(p showdown.Path) string {
	for i, x := range showdown.Paths() {
		if x == p {
			return pathMarks[i] + " " + m.words.Showdown.Paths[i]
		}
	}
	return string(p)
}

func (m *model) limiterText(limited bool) string {
	if limited {
		return m.words.Showdown.Limited
	}
	return m.words.Showdown.Unlimited
}

// showdownMeaning says below the picture which sales do not count, what the ratio
// depends on, and that figures of the embedded Redis mislead.
func (m *model) showdownMeaning(b *blocks) {
	v, w := m.learn.showdown, &m.words.Showdown
	first := true
	for _, c := range v.cells {
		if c.Holds() {
			continue
		}
		text := "? " + fill(w.Open, "sale", m.saleText(c.Setting))
		if broken := c.Broken(); len(broken) > 0 {
			text = "✗ " + fill(w.Breaks, "sale", m.saleText(c.Setting), "lights", strings.Join(broken, ", "))
		}
		b.add(screen.Block{Text: text, Style: theme.Bad, Gap: first})
		first = false
	}
	if v.unread != nil {
		b.add(screen.Block{Text: m.unreadText(v.unread), Style: theme.Warn, Gap: true})
	}
	m.showdownWarning(b)
	b.title(w.Depends)
	b.add(screen.Block{Text: showdown.Depends.In(m.lang), Indent: 2})
	b.add(screen.Block{Text: w.Limiter, Style: theme.Dim, Indent: 2})
}

func (m *model) showdownOptions(b *blocks) {
	v, w := m.learn.showdown, &m.words.Showdown
	if v.cards != nil {
		b.option(w.Figures, func() tea.Cmd { v.cards, m.learn.selected, m.learn.scroll = nil, 1, 0; return nil })
		b.option(w.Compute, m.computeClaims)
		return
	}
	if v.running || v.measured {
		next := (v.look + 1) % len(m.pictures())
		b.option(fill(w.Next, "what", m.pictures()[next].title), func() tea.Cmd { v.look, m.learn.scroll = next, 0; return nil })
	}
	if v.running {
		b.option(w.Stop, func() tea.Cmd { v.end(); return nil })
		return
	}
	if v.measured && len(v.cells) > 0 && m.o.Showdown != "" {
		b.option(w.Keep, m.keepShowdown)
	}
	for _, x := range []struct {
		text string
		o    showdown.Options
	}{{w.Quick, m.quickShowdown()}, {w.Full, m.fullShowdown()}} {
		n, requests := strconv.Itoa(len(x.o.Settings())), strconv.Itoa(x.o.Requests)
		b.option(fill(x.text, "n", n, "requests", requests), func() tea.Cmd { return m.beginShowdown(x.o) })
	}
	b.option(w.Compute, m.computeClaims)
}

// claimsPage shows the claims from the field beside today's figures.
func (m *model) claimsPage(b *blocks) {
	w := &m.words.Showdown
	b.add(screen.Block{Text: w.Claims, Style: theme.Title})
	for _, c := range m.learn.showdown.cards {
		b.add(screen.Block{Text: fill(w.Claim, "text", c.Claim.In(m.lang)), Style: theme.Accent, Gap: true})
		for _, f := range c.Figures {
			text := fill(w.Figure, "value", f.Amount(), "what", f.What.In(m.lang), "text", f.Text.In(m.lang))
			b.add(screen.Block{Text: text, Indent: 2})
		}
		b.add(screen.Block{Text: c.Depends.In(m.lang), Style: theme.Dim, Indent: 2})
	}
	m.showdownWarning(b)
}

// showdownOption leads to the showdown at the end of a lesson that has it.
func (m *model) showdownOption(b *blocks) {
	if m.learn.lesson.Showdown {
		b.option(m.words.Showdown.Ends, m.openShowdown)
	}
}

// measuredOn is the badge of the engine: the server, or that the figures mislead.
func (m *model) measuredOn() string {
	if server := m.learn.showdown.o.Server; server != nil {
		return server.String()
	}
	return m.words.Showdown.Badge
}
