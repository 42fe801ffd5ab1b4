package app

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"flashlab/lessons/showdown"
	"flashlab/sim/live"
)

// showdownView is a showdown: how large it is, how far it has come, what was measured,
// and what was kept before.
type showdownView struct {
	behind *learnView // what is shown again afterwards; nil: the map

	o        showdown.Options // of the one that runs or ran last
	box      *mailbox[showdown.Progress]
	now      showdown.Progress
	cells    []showdown.Cell
	err      error
	running  bool
	measured bool // one has ended
	cancel   context.CancelFunc
	gen      int

	look   int                // number of the picture that is shown
	before *showdown.Document // kept last when this one began; nil: none
	keptOn time.Time          // when
	unread error              // why the file of the one kept cannot be read
	cards  []showdown.Card    // over the pictures; nil: none
}

// Requests of a sale on the screen.
const (
	quickSale = 500
	fullSale  = 2000
)

// quickShowdown and fullShowdown are the sizes on the screen: a few seconds, and all
// places that the command has.
func (m *model) quickShowdown() showdown.Options {
	return showdown.Options{Server: m.o.Live, Requests: quickSale, Concurrency: []int{1, 16, 256}}.Defaults()
}

func (m *model) fullShowdown() showdown.Options {
	return showdown.Options{Server: m.o.Live, Requests: fullSale}.Defaults()
}

// showdownTick asks for a look at a running showdown.
type showdownTick struct {
	v   *showdownView
	gen int
}

// showdownEnd is the end of a showdown: all cells that were measured.
type showdownEnd struct {
	v     *showdownView
	gen   int
	cells []showdown.Cell
	err   error
}

// openShowdown shows the showdown over whatever is shown. Nothing is measured before
// the learner says so.
func (m *model) openShowdown() tea.Cmd {
	behind := m.learn
	switch {
	case behind != nil && behind.place == inShowdown:
		return nil
	case behind != nil && behind.storm != nil && behind.storm.running:
		m.complain(m.words.Showdown.Storming)
		return nil
	case behind != nil && behind.busy != "":
		m.say(behind.busy)
		return nil
	}
	v := &showdownView{behind: behind, o: m.quickShowdown()}
	if last := m.showdown; last != nil { // what was measured before is not lost by looking away
		v.o, v.cells, v.measured, v.look = last.o, last.cells, last.measured, last.look
	}
	m.recallShowdown(v)
	m.learn = &learnView{place: inShowdown, showdown: v, selected: 1, proofs: map[string]proof{}}
	return nil
}

// leaveShowdown goes from the claims back to the figures, else ends the showdown and
// shows what was there before.
func (m *model) leaveShowdown() {
	v := m.learn.showdown
	if v.cards != nil {
		v.cards = nil
		m.learn.selected, m.learn.scroll = 1, 0
		return
	}
	if v.end(); v.measured && !v.running {
		m.showdown = v
	}
	if m.learn.busy != "" {
		m.nextLearn() // the claims
	}
	m.learn = v.behind
}

// end stops what is being measured, if anything is.
func (v *showdownView) end() {
	if v.cancel != nil {
		v.cancel()
	}
}

// recallShowdown looks for the showdown that was kept last.
func (m *model) recallShowdown(v *showdownView) {
	v.before, v.unread = nil, nil
	if m.o.Showdown == "" {
		return
	}
	doc, err := showdown.Load(m.o.Showdown)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			v.unread = err
		}
		return
	}
	v.before = doc
	if st, err := os.Stat(m.o.Showdown); err == nil {
		v.keptOn = st.ModTime()
	}
}

// unreadText says what is wrong with the file of the one kept last.
func (m *model) unreadText(err error) string {
	w := &m.words.Showdown
	if errors.Is(err, showdown.ErrForeign) {
		return fill(w.Foreign, "file", m.o.Showdown)
	}
	return fill(w.NotRead, "file", m.o.Showdown, "why", err.Error())
}

// beginShowdown measures with these options.
func (m *model) beginShowdown(o showdown.Options) tea.Cmd {
	v := m.learn.showdown
	if v.running {
		return nil
	}
	m.recallShowdown(v)
	ctx, cancel := context.WithCancel(m.ctx)
	v.cancel, v.gen, v.running, v.measured = cancel, v.gen+1, true, false
	v.box, v.now, v.cells, v.err, v.cards = &mailbox[showdown.Progress]{}, showdown.Progress{}, nil, nil, nil
	v.look = 0
	o.Progress = v.box.put
	v.o = o
	m.learn.selected, m.learn.scroll, m.learn.follow = 1, 0, false
	gen := v.gen
	return tea.Batch(m.guard.cmd(func() tea.Msg {
		defer cancel()
		cells, err := showdown.Run(ctx, o)
		return showdownEnd{v, gen, cells, err}
	}), m.showdownFrame(v))
}

func (m *model) showdownFrame(v *showdownView) tea.Cmd {
	d, gen := 100*time.Millisecond, v.gen
	if m.o.ReducedMotion {
		d = 500 * time.Millisecond
	}
	return m.tick(d, func(time.Time) tea.Msg { return showdownTick{v, gen} })
}

// showdownTicked takes over what has been measured by now. A showdown that nothing
// leads back to any more ends.
func (m *model) showdownTicked(t showdownTick) tea.Cmd {
	if m.learn == nil || m.learn.showdown != t.v {
		t.v.end()
		return nil
	}
	if !t.v.running || t.v.gen != t.gen {
		return nil
	}
	t.v.now = t.v.box.get()
	t.v.cells = t.v.now.Done
	return m.showdownFrame(t.v)
}

func (m *model) showdownDone(d showdownEnd) tea.Cmd {
	if m.learn == nil || m.learn.showdown != d.v || d.v.gen != d.gen {
		return nil
	}
	v := d.v
	v.running, v.measured, v.cells, v.err = false, true, d.cells, d.err
	m.learn.selected, m.learn.scroll = 1, 0
	lost := d.err
	for _, c := range v.cells {
		if c.Lost != nil {
			lost = c.Lost
		}
	}
	var trouble *live.Trouble
	if errors.As(lost, &trouble) {
		v.err = nil // it is told once
		return m.serverFault(lost, func() tea.Cmd {
			o := v.o
			o.Server = m.o.Live
			return m.beginShowdown(o)
		})
	}
	return nil
}

// keepShowdown writes what was measured to where the next one looks for it.
func (m *model) keepShowdown() tea.Cmd {
	v, w, file := m.learn.showdown, &m.words.Showdown, m.o.Showdown
	if file == "" {
		m.complain(w.NoPlace)
		return nil
	}
	doc := showdown.NewDocument(v.o, v.cells)
	if v.before != nil {
		doc.Compared = doc.Compare(v.before)
	}
	switch err := doc.Keep(file); {
	case errors.Is(err, showdown.ErrForeign):
		m.complain(w.Foreign, "file", file)
	case err != nil:
		m.complain(w.NotKept, "file", file, "why", err.Error())
	default:
		m.say(w.KeptIn, "file", file)
	}
	return nil
}

// computeClaims computes the cards of claims beside the figures.
func (m *model) computeClaims() tea.Cmd {
	v := m.learn.showdown
	server := m.o.Live
	return m.work(m.words.Showdown.Computing, func(ctx context.Context) (func() tea.Cmd, error) {
		cards, err := showdown.Claims(ctx, server, fullSale)
		var trouble *live.Trouble
		if errors.As(err, &trouble) {
			return func() tea.Cmd { return m.serverFault(err, m.computeClaims) }, nil
		}
		return func() tea.Cmd {
			v.cards = cards
			m.learn.selected, m.learn.scroll = 1, 0
			return nil
		}, err
	})
}
