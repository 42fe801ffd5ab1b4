package app

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons/storms"
	"flashlab/sim/scenario"
	"flashlab/sim/storm"
)

// stormSizes says which storm is shown.
func (m *model) stormSizes() string {
	v, w := m.learn.storm, &m.words.Storm
	how := fill(w.Sizes, "requests", strconv.Itoa(v.ran.requests), "atonce", strconv.Itoa(stormAtOnce), "nodes", strconv.Itoa(v.ran.nodes))
	if v.ran.processes {
		how += w.Processes
	}
	return m.learn.lesson.Name + " · " + v.variant.Name + "   " + how
}

// stormPage shows the storm.
func (m *model) stormPage(b *blocks) {
	v, w := m.learn.storm, &m.words.Storm
	s := &v.now
	b.add(screen.Block{Text: m.stormSizes(), Pre: true, Style: theme.Title})
	if v.pace > 1 {
		b.add(screen.Block{Text: fill(w.Pace, "time", (time.Second / time.Duration(v.pace)).String()), Pre: true, Style: theme.Dim, Indent: 1})
	}
	if v.server != nil {
		b.add(screen.Block{Text: fill(w.Server, "server", v.server.String()), Pre: true, Style: theme.Dim, Indent: 1})
	}
	pre := func(text string, st canvas.Style) { b.add(screen.Block{Text: text, Pre: true, Style: st, Indent: 1}) }

	done := 0.0
	if s.Requests > 0 {
		done = float64(s.Done) / float64(s.Requests)
	}
	line := screen.Bar(done, 30) + fmt.Sprintf(" %d/%d", s.Done, max(s.Requests, int64(v.ran.requests)))
	if s.Left > 0 {
		line += "  " + fill(w.Left, "time", s.Left.Round(100*time.Millisecond).String())
	}
	pre(line, theme.Chart1)
	rate := 0.0
	if s.Elapsed > 0 {
		rate = float64(s.Done) / s.Elapsed.Seconds()
	}
	pre(screen.Sparkline(s.Throughput, 30)+"  "+fill(w.Rate, "n", strconv.Itoa(int(rate))), theme.Chart2)
	us := func(n int64) string { return short(time.Duration(n) * time.Microsecond) }
	pre(fill(w.Latency, "p50", us(s.Latency.P50), "p90", us(s.Latency.P90), "p99", us(s.Latency.P99), "max", us(s.Latency.Max)), theme.Text)
	answers := fmt.Sprintf("ok %d", s.OK)
	for _, k := range slices.SortedFunc(maps.Keys(s.Refused), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.Refused[b], s.Refused[a]), strings.Compare(a, b))
	}) {
		answers += fmt.Sprintf("  %s %d", k, s.Refused[k])
	}
	pre(answers, theme.Text)
	rows := ""
	for _, k := range slices.Sorted(maps.Keys(s.Figures)) {
		if !strings.HasSuffix(k, ".id") && !strings.HasSuffix(k, ".version") {
			rows += fmt.Sprintf("%s %d  ", k, s.Figures[k])
		}
	}
	pre(rows, theme.Text)
	for _, n := range s.Nodes {
		text := fmt.Sprintf("%s pid %d", n.Name, n.PID)
		if n.Killed {
			text += "  ✗ " + w.Killed
		}
		pre(text, theme.Dim)
	}
	switch {
	case v.err != nil:
		b.add(screen.Block{Text: m.mistake(v.err), Style: theme.Bad, Gap: true})
	case v.result == nil:
		if s.Phase == storm.Draining {
			b.add(screen.Block{Text: fill(w.Draining, "n", strconv.Itoa(s.InFlight)), Style: theme.Warn, Gap: true})
		}
		for _, light := range s.Broken {
			pre("✗ "+light, theme.Bad)
		}
	default:
		m.stormVerdicts(b)
	}
	m.stormOptions(b)
}

// stormVerdicts shows what a storm has found, and beside it the exact share.
func (m *model) stormVerdicts(b *blocks) {
	v, w := m.learn.storm, &m.words.Storm
	// What broke comes first, and what held takes one row: it must fit without scrolling.
	gap, held := true, []string{}
	add := func(text string, style canvas.Style) {
		b.add(screen.Block{Text: text, Pre: true, Style: style, Gap: gap, Indent: 1})
		gap = false
	}
	for _, l := range v.result.Lights {
		if l.Verdict == scenario.Breaks {
			add("✗ "+l.Light, theme.Bad)
		}
	}
	for _, h := range v.result.Histories {
		if h.Verdict == scenario.Breaks {
			add("✗ "+fill(w.History, "object", h.Object), theme.Bad)
		}
	}
	for _, l := range v.result.Lights {
		switch l.Verdict {
		case scenario.Unknown:
			text := "? " + l.Light
			if !l.Reason.Empty() {
				text += "  " + m.words.Say(l.Reason)
			}
			add(text, theme.Warn)
		case scenario.Holds:
			held = append(held, l.Light)
		}
	}
	if len(held) > 0 {
		b.add(screen.Block{Text: "✓ " + w.Held + strings.Join(held, ", "), Style: theme.OK, Gap: gap, Indent: 1})
	}
	if v.result.Cancelled {
		b.add(screen.Block{Text: w.Stopped, Style: theme.Warn})
	}
	light, most := "", 0
	for _, l := range v.result.Lights { // in the lesson's order, as the command line has it
		if n := v.broke[l.Light]; n > most {
			light, most = l.Light, n
		}
	}
	if v.share == nil {
		return
	}
	if light == "" {
		for i, l := range v.share.Result.Lights {
			if l.Broken {
				light = v.share.Scenario.Lights[i].Name
				break
			}
		}
	}
	i := v.share.Scenario.Light(light)
	if i < 0 {
		b.add(screen.Block{Text: fill(w.Neither, "n", strconv.Itoa(v.storms), "all", v.share.Result.Interleavings.String()), Gap: true})
		return
	}
	b.add(screen.Block{Text: fill(w.Share, "light", light, "a", strconv.Itoa(v.broke[light]), "b", strconv.Itoa(v.storms),
		"c", v.share.Result.Lights[i].Violating.String(), "d", v.share.Result.Interleavings.String()), Gap: true})
	if storms.Differ(v.broke[light], v.storms, v.share.Result.Lights[i].Violating, v.share.Result.Interleavings) {
		b.add(screen.Block{Text: w.Differ, Style: theme.Dim})
	}
}

func (m *model) stormOptions(b *blocks) {
	v, w := m.learn.storm, &m.words.Storm
	if v.running {
		b.option(w.Stop, func() tea.Cmd { v.cancel(); return nil })
		if v.processes && !slices.ContainsFunc(v.now.Nodes, func(n storm.Node) bool { return n.Killed }) {
			b.option(w.KillNow, func() tea.Cmd {
				select {
				case v.killer <- struct{}{}:
				default: // it was asked for before
				}
				return nil
			})
		}
		return
	}
	least, most := v.bounds()
	b.option(w.Again, m.beginStorm)
	b.option(fill(w.More, "n", strconv.Itoa(min(v.requests*10, most))), func() tea.Cmd { v.requests = min(v.requests*10, most); return nil })
	b.option(fill(w.Fewer, "n", strconv.Itoa(max(v.requests/10, least))), func() tea.Cmd { v.requests = max(v.requests/10, least); return nil })
	b.option(fill(w.Nodes, "n", strconv.Itoa(v.nodes%stormNodes+1)), func() tea.Cmd { v.nodes = v.nodes%stormNodes + 1; return nil })
	if m.o.Node != nil {
		b.option(onOff(w.AsProcesses, v.processes), func() tea.Cmd { v.processes = !v.processes; return nil })
		if v.processes {
			b.option(onOff(w.Kill, v.kill), func() tea.Cmd { v.kill = !v.kill; return nil })
		}
	}
}

func onOff(text string, on bool) string {
	if on {
		return "✓ " + text
	}
	return "· " + text
}
