package storm

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"flashlab/sim/live"
	"flashlab/sim/scenario"
	"flashlab/sim/storm/linear"
)

// Bounds of what is kept for the judgement.
const (
	maxLockEvents = 200_000 // of processes, whose events are merged at the end
	maxGlance     = 2_000   // rows: with more the lights are not judged on the way
)

// collector puts together what the processes of a storm report. All methods are for
// one goroutine.
type collector struct {
	free     *scenario.FreeRun
	o        Options
	requests int64
	nodes    int

	total    Delta // counts only
	latency  *hdrhistogram.Histogram
	rate     series
	begun    time.Time
	ended    time.Time // of the requests
	phase    Phase
	merge    bool // events of locks come from several processes
	locks    []scenario.LockEvent
	cutAt    int64 // from here on events of locks are missing; 0: they are not
	history  linear.History
	figures  map[string]int64
	looked   time.Time
	lookCost time.Duration
	fleet    []Node

	stuck     int
	limited   bool
	cancelled bool
	truncated bool
	killed    []string
	restarted []string
	died      int64 // requests whose end was never heard of, since their node died
	drained   Drain
	way       *link
	lost      *live.Trouble // the live server was lost on the way
}

func newCollector(f *scenario.FreeRun, o Options, requests int) *collector {
	return &collector{
		free: f, o: o, requests: int64(requests), phase: Running,
		latency: hdrhistogram.New(1, maxLatency, digits),
		total:   Delta{Refused: map[string]int64{}},
		history: linear.History{Locks: len(f.S.Locks)},
	}
}

func (c *collector) begin() { c.beginAt(time.Now()) }

func (c *collector) beginAt(at time.Time) { c.begun, c.rate.begun = at, at }

// add follows a delta and shows the new picture. Lights are judged on the way as long
// as that is cheap.
func (c *collector) add(d Delta) error {
	c.count(d)
	return c.show()
}

func (c *collector) count(d Delta) {
	t := &c.total
	t.Started += d.Started
	t.Done += d.Done
	t.OK += d.OK
	t.CutOff += d.CutOff
	t.Restarts += d.Restarts
	for k, n := range d.Refused {
		t.Refused[k] += n
	}
	if len(t.Faults) < 3 {
		t.Faults = append(t.Faults, d.Faults...)
	}
	for _, b := range d.Latency {
		// Values come from a histogram of the same shape.
		_ = c.latency.RecordValues(min(b[0], maxLatency), b[1])
	}
	switch {
	case c.begun.IsZero() || !c.ended.IsZero() && d.Done == 0:
	case c.ended.IsZero():
		c.rate.add(d.Done, time.Now())
	default:
		c.rate.add(d.Done, c.ended)
	}
	for _, u := range d.Accepted {
		c.free.Accepted(u)
	}
	c.history.Add(d.Calls, d.CutAt)
	c.follow(d.Locks)
}

func (c *collector) follow(events []scenario.LockEvent) {
	if len(events) == 0 {
		return
	}
	if !c.merge {
		c.free.Follow(events)
		c.history.Follow(events)
		return
	}
	if len(c.locks)+len(events) > maxLockEvents {
		c.truncated = true
		for _, e := range events {
			at := e.At
			if e.Call != 0 {
				at = e.Call
			}
			if c.cutAt == 0 || at < c.cutAt {
				c.cutAt = at
			}
		}
		return
	}
	c.locks = append(c.locks, events...)
}

// settle judges the events of several processes, in order of time. From where some are
// missing nothing is judged: what looks impossible may rest on one of them.
func (c *collector) settle() {
	slices.SortStableFunc(c.locks, func(a, b scenario.LockEvent) int {
		switch {
		case a.At < b.At:
			return -1
		case a.At > b.At:
			return 1
		}
		return 0
	})
	c.history.Follow(c.locks)
	if c.truncated {
		c.history.CutLocks(c.cutAt)
		c.locks = slices.DeleteFunc(c.locks, func(e scenario.LockEvent) bool { return e.At >= c.cutAt })
	}
	c.free.Follow(c.locks)
	c.locks = nil
}

// show looks at the rows and puts a snapshot into the mailbox.
func (c *collector) show() error {
	now := time.Now()
	if c.figures == nil || now.Sub(c.looked) > max(tick-tick/10, 20*c.lookCost) {
		figures, err := c.free.W.Figures()
		if err != nil {
			return fmt.Errorf("looking at the rows: %w", err)
		}
		rows := int64(0)
		for _, t := range c.free.S.World.Schema.Tables {
			rows += figures[t.Name]
		}
		if rows <= maxGlance {
			if err := c.free.Glance(); err != nil && !c.way.blamed(err) {
				return err
			}
		}
		c.figures, c.looked, c.lookCost = figures, time.Now(), time.Since(now)
	}
	if c.o.Progress != nil {
		c.o.Progress.Put(c.snapshot())
	}
	return nil
}

func (c *collector) snapshot() Snapshot {
	t := &c.total
	s := Snapshot{
		Phase: c.phase, Elapsed: c.elapsed(), Requests: c.requests,
		Started: t.Started, Done: t.Done, OK: t.OK, CutOff: t.CutOff,
		Refused: maps.Clone(t.Refused), Accepted: c.free.Acceptances(),
		Broken: c.free.Broken(), Figures: maps.Clone(c.figures), Throughput: c.rate.rates(),
		Latency: c.quantiles(), Nodes: slices.Clone(c.fleet),
	}
	if c.phase == Draining {
		s.InFlight = c.drained.InFlight
	}
	if c.phase == Running && t.Done > 0 {
		s.Left = time.Duration(float64(s.Elapsed) / float64(t.Done) * float64(c.requests-t.Done))
		s.Left = min(s.Left, max(c.o.Limit-s.Elapsed, 0))
	}
	return s
}

func (c *collector) elapsed() time.Duration {
	switch {
	case c.begun.IsZero():
		return 0
	case c.ended.IsZero():
		return time.Since(c.begun)
	}
	return c.ended.Sub(c.begun)
}

func (c *collector) quantiles() Latency {
	h := c.latency
	if h.TotalCount() == 0 {
		return Latency{}
	}
	q := h.ValueAtPercentiles([]float64{50, 90, 99})
	return Latency{P50: q[50], P90: q[90], P99: q[99], Max: h.Max()}
}

// stopped notes how the requests have ended.
func (c *collector) stopped(stuck int, limited, cancelled bool) {
	c.ended, c.stuck = time.Now(), stuck
	c.limited, c.cancelled = limited && !cancelled, cancelled
}
