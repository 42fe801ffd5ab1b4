package app

import (
	"context"
	"errors"
	"os/exec"
	"time"

	tea "github.com/charmbracelet/bubbletea"

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

	ran    stormSize     // of the storm that is shown
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

// stormSize is how large a storm was to be.
type stormSize struct {
	requests, nodes int
	processes       bool
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
	v.ran = stormSize{v.requests, v.nodes, v.processes}
	sizes := scenario.NewParams(v.variant.Params).Stormed(v.requests, v.nodes, func(string) bool { return false })
	o := storm.Options{
		Requests: v.requests, Concurrency: stormAtOnce, Nodes: v.nodes, Seed: uint64(v.storms + 1), Pace: v.pace,
		Answer: storms.Answer, Progress: v.box,
	}
	s := v.variant.Scenario(sizes)
	v.server = m.onServer(s).World.Live
	o.Server = v.server
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
		res, err := storm.Run(ctx, s, o)
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
