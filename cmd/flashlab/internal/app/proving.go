package app

import (
	"context"
	"strconv"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/cmd/flashlab/internal/keymap"
	"flashlab/lessons"
	"flashlab/sim/explore"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

// proveView is a search over all schedules of the open lesson.
type proveView struct {
	scenario *scenario.Scenario
	box      *mailbox[explore.Progress]
	cancel   context.CancelFunc
	gen      int
	running  bool
	result   *explore.Result
	paths    []example // by light: its shortest schedule
	selected int       // light
	scroll   [5]int    // by number of the pane
}

// example is a schedule that breaks a light, as it ran.
type example struct{ frames, runOut []trace.Frame }

// examples runs the shortest schedule of every broken light.
func examples(s *scenario.Scenario, res *explore.Result) (out []example, err error) {
	out = make([]example, len(res.Lights))
	for i, l := range res.Lights {
		if !l.Broken {
			continue
		}
		if out[i].frames, out[i].runOut, err = exampleOf(s, l.Schedule); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// mailbox holds the latest progress of what runs in the background: that writes when it
// likes, the screen looks once a frame.
type mailbox[T any] struct {
	mu sync.Mutex
	p  T
}

func (b *mailbox[T]) put(p T) {
	b.mu.Lock()
	b.p = p
	b.mu.Unlock()
}

func (b *mailbox[T]) get() T {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.p
}

// searchTick asks for a look at a running search.
type searchTick struct{ gen int }

// searched is a finished search.
type searched struct {
	gen   int
	res   *explore.Result
	paths []example
	err   error
}

// frameTime is the time between two looks at a running search.
const frameTime = 33 * time.Millisecond

// openProve starts a search and shows it.
func (m *model) openProve() tea.Cmd {
	m.pausePlay()
	m.leaveProve()
	gen := m.nextGen()
	ctx, cancel := context.WithCancel(m.ctx)
	v := &proveView{scenario: m.lesson.scenario, box: &mailbox[explore.Progress]{}, cancel: cancel, gen: gen, running: true}
	m.prove = v
	limits := m.limits
	search := m.guard.cmd(func() tea.Msg {
		res, err := lessons.Explore(ctx, v.scenario, limits, v.box.put)
		if err != nil {
			return searched{gen: gen, err: err}
		}
		paths, err := examples(v.scenario, res)
		return searched{gen, res, paths, err}
	})
	return tea.Batch(search, m.searchFrame(gen))
}

func (m *model) searchFrame(gen int) tea.Cmd {
	d := frameTime
	if m.o.ReducedMotion {
		d = 250 * time.Millisecond
	}
	return m.tick(d, func(time.Time) tea.Msg { return searchTick{gen} })
}

// leaveProve stops the search; what it has found is dropped.
func (m *model) leaveProve() {
	if m.prove != nil {
		m.prove.cancel()
		m.prove = nil
	}
}

func (m *model) searchTicked(t searchTick) tea.Cmd {
	if m.prove == nil || !m.prove.running || m.prove.gen != t.gen {
		return nil
	}
	return m.searchFrame(t.gen)
}

func (m *model) searchDone(s searched) tea.Cmd {
	v := m.prove
	if v == nil || v.gen != s.gen {
		return nil
	}
	v.running, v.result = false, s.res
	m.message = "" // whatever it said of the search is old now
	if s.err != nil {
		m.leaveProve()
		return m.fault(s.err)
	}
	m.results.put(counted{nameOf(v.scenario), s.res})
	v.paths = s.paths
	if s.res.Complete {
		m.markProved(v.scenario.Lesson, v.scenario.Variant)
	}
	for i := range s.res.Lights {
		if s.res.Lights[i].Broken {
			v.selected = i
			break
		}
	}
	return nil
}

func (m *model) proveKey(a keymap.Action, key string) tea.Cmd {
	v := m.prove
	switch a {
	case keymap.Up:
		v.selected = max(0, v.selected-1)
	case keymap.Down:
		v.selected = min(len(v.scenario.Lights)-1, v.selected+1)
	case keymap.ProveAll:
		return m.openProve()
	case keymap.Open:
		return m.openCounterexample()
	case keymap.Copy:
		if l := v.light(); l != nil && l.Broken {
			return m.copyToken(m.tokenOf(l.Schedule))
		}
	case keymap.Leave:
		if v.running {
			m.say(m.words.App.Cancelled)
		}
		m.leaveProve()
	default:
		m.complain(m.words.App.NoSuchKey, "key", key)
	}
	return nil
}

// light is what has been found about the selected light, or nil.
func (v *proveView) light() *explore.Light {
	if v.result == nil || v.selected >= len(v.result.Lights) {
		return nil
	}
	return &v.result.Lights[v.selected]
}

// openCounterexample shows the shortest schedule that breaks the selected light on
// the stage. It stands at the start, so that it is read from there: where it is longer
// than the timeline, the end would push the beginning out of sight.
func (m *model) openCounterexample() tea.Cmd {
	l := m.prove.light()
	switch {
	case l == nil:
		m.complain(m.words.App.NotYetProved)
		return nil
	case !l.Broken:
		m.say(m.words.App.AllHolds)
		return nil
	}
	name := m.prove.scenario.Lights[m.prove.selected].Name
	m.leaveProve()
	v := m.lesson
	if err := v.session.Load(l.Schedule); err != nil {
		return m.fault(err)
	}
	v.watched()
	v.shortest = l.Shortest
	phrase, at := m.words.App.WalkToEnd, 0
	for _, x := range v.session.Cursor().Frame.State.Lights {
		if x.Name == name && x.Status == trace.Red {
			phrase, at = m.words.App.WalkAlong, x.Since
		}
	}
	v.session.Seek(0)
	m.say(phrase, "n", strconv.Itoa(l.Shortest), "light", name, "at", strconv.Itoa(at))
	return nil
}
