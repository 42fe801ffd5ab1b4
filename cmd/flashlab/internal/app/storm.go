package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/canvas"
	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/cmd/flashlab/internal/theme"
	"flashlab/lessons"
	"flashlab/lessons/storms"
	"flashlab/sim/live"
	"flashlab/sim/scenario"
	"flashlab/sim/storm"
)

// stormView is a storm of a variant: how it is to be, what it looks like, and what
// has come of those before.
type stormView struct {
	variant   *lessons.Variant
	requests  int
	nodes     int
	pace      int
	processes bool
	kill      bool // the first node, in mid-sale

	ran    string        // how the storm that is shown was to be
	atMost int           // its requests
	killer chan struct{} // kills the first node at once
	server *live.Target  // nil: the embedded Redis

	box     *storm.Mailbox
	now     storm.Snapshot
	result  *storm.Result
	err     error
	running bool
	cancel  context.CancelFunc
	gen     int

	storms int            // that have ended
	broke  map[string]int // how many of them broke a light
	share  *lessons.Found // all schedules at the lesson's size; nil: not known
}

// Sizes of a storm on the screen. Where work takes seconds of the lesson there are fewer
// requests.
const (
	stormLeast, stormMost     = 200, 20_000
	stormSlowLeast, stormSlow = storms.SlowRequests, 200
	stormAtOnce               = 32
	stormNodes                = 4
)

// bounds are how few and how many requests the storm may have.
func (v *stormView) bounds() (least, most int) {
	if v.pace > 1 {
		return stormSlowLeast, stormSlow
	}
	return stormLeast, stormMost
}

// stormTick asks for a look at a running storm.
type stormTick struct{ gen int }

// stormed is the end of a storm.
type stormed struct {
	gen   int
	res   *storm.Result
	share *lessons.Found
	err   error
}

// openStorm lets the variant on the stage run free.
func (m *model) openStorm(l *lessons.Lesson, v *lessons.Variant) tea.Cmd {
	m.leaveLesson()
	if m.learn == nil || m.learn.lesson != l || m.learn.place != inLesson {
		m.learn = &learnView{lesson: l, proofs: map[string]proof{}}
		if b, ok := lessons.ParseBeat(m.book.Lessons[l.Name].Place.Beat); ok {
			m.learn.beat = b
		}
	}
	requests, pace := storms.Usual(v)
	m.learn.storm = &stormView{variant: v, requests: requests, nodes: 2, pace: pace, broke: map[string]int{}}
	m.learn.selected, m.learn.scroll, m.learn.follow = 1, 0, false
	return m.beginStorm()
}

// leaveStorm ends a storm and goes back to the page or the stage behind it.
func (m *model) leaveStorm() tea.Cmd {
	v := m.learn.storm
	if v.cancel != nil {
		v.cancel()
	}
	m.learn.storm = nil
	return m.resumeVariant(m.learn.lesson, v.variant)
}

// beginStorm starts one with the sizes chosen.
func (m *model) beginStorm() tea.Cmd {
	v, l := m.learn.storm, m.learn.lesson
	if v.running {
		return nil
	}
	ctx, cancel := context.WithCancel(m.ctx)
	v.cancel, v.gen, v.running = cancel, v.gen+1, true
	v.box, v.now, v.result, v.err = &storm.Mailbox{}, storm.Snapshot{}, nil, nil
	v.server, v.ran, v.atMost = nil, m.stormSizes(), v.requests
	sizes := scenario.NewParams(v.variant.Params).Stormed(v.requests, v.nodes, func(string) bool { return false })
	o := storm.Options{
		Requests: v.requests, Concurrency: stormAtOnce, Nodes: v.nodes, Seed: uint64(v.storms + 1), Pace: v.pace,
		Answer: storms.Answer, Progress: v.box,
	}
	if v.variant.Scenario(sizes).World.Redis {
		v.server, o.Server = m.o.Live, m.o.Live
	}
	if v.processes {
		v.killer = make(chan struct{}, 1)
		onServer := v.server != nil
		o.Fleet = &storm.Fleet{
			Command: func() *exec.Cmd { return m.o.Node(onServer) },
			Lesson:  l.Name, Variant: v.variant.Name, Sizes: sizes.Map(), Kill: v.killer,
		}
		if v.kill {
			o.Fleet.KillRequests = v.requests / 2
		}
	}
	gen, variant, share := v.gen, v.variant, v.share
	return tea.Batch(m.guard.cmd(func() tea.Msg {
		defer cancel()
		res, err := storm.Run(ctx, variant.Scenario(sizes), o)
		if err == nil && share == nil && res.Lost == nil {
			// Beside the storms stands the exact share. Without it they stand alone.
			share, _ = m.evidence.Search(l, variant.Name, "")
		}
		return stormed{gen, res, share, err}
	}), m.stormFrame(gen))
}

func (m *model) stormFrame(gen int) tea.Cmd {
	d := 50 * time.Millisecond
	if m.o.ReducedMotion {
		d = 250 * time.Millisecond
	}
	return m.tick(d, func(time.Time) tea.Msg { return stormTick{gen} })
}

func (m *model) stormTicked(t stormTick) tea.Cmd {
	if m.learn == nil || m.learn.storm == nil || !m.learn.storm.running || m.learn.storm.gen != t.gen {
		return nil
	}
	if s, ok := m.learn.storm.box.Take(); ok {
		m.learn.storm.now = s
	}
	return m.stormFrame(t.gen)
}

func (m *model) stormDone(d stormed) tea.Cmd {
	if m.learn == nil || m.learn.storm == nil || m.learn.storm.gen != d.gen {
		return nil
	}
	v := m.learn.storm
	v.running, v.result, v.err, v.share = false, d.res, d.err, d.share
	if d.err != nil {
		if trouble := (*live.Trouble)(nil); errors.As(d.err, &trouble) {
			return m.serverFault(trouble, m.beginStorm)
		}
		return nil
	}
	if d.res.Lost != nil { // what was found until then stays in sight
		v.now = d.res.Snapshot
		return m.serverFault(d.res.Lost, m.beginStorm)
	}
	v.now = d.res.Snapshot
	v.storms++
	for _, l := range d.res.Lights {
		if l.Verdict == scenario.Breaks {
			v.broke[l.Light]++
		}
	}
	return nil
}

// stormSizes says which storm is asked for.
func (m *model) stormSizes() string {
	v, w := m.learn.storm, &m.words.Storm
	how := fill(w.Sizes, "requests", strconv.Itoa(v.requests), "atonce", strconv.Itoa(stormAtOnce), "nodes", strconv.Itoa(v.nodes))
	if v.processes {
		how += w.Processes
	}
	return m.learn.lesson.Name + " · " + v.variant.Name + "   " + how
}

// stormPage shows the storm.
func (m *model) stormPage(b *blocks) {
	v, w := m.learn.storm, &m.words.Storm
	s := &v.now
	b.add(screen.Block{Text: v.ran, Pre: true, Style: theme.Title})
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
	line := screen.Bar(done, 30) + fmt.Sprintf(" %d/%d", s.Done, max(s.Requests, int64(v.atMost)))
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
	violating, all := v.share.Result.Lights[i].Violating, v.share.Result.Interleavings
	a, n := big.NewInt(int64(v.broke[light])), big.NewInt(int64(v.storms))
	if a.Mul(a, all).Cmp(n.Mul(n, violating)) != 0 {
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
