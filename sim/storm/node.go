package storm

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"flashlab/sim/live"
	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/storm/linear"
	"flashlab/sim/world"
)

// NodeConfig is the first line a node that is a process reads.
type NodeConfig struct {
	Lesson      string         `json:"lesson"`
	Variant     string         `json:"variant"`
	Sizes       map[string]int `json:"sizes"`
	Node        int            `json:"node"` // from 0
	Nodes       int            `json:"nodes"`
	Concurrency int            `json:"concurrency"`
	Seed        uint64         `json:"seed"`
	LimitMS     int64          `json:"limit_ms"`
	Pace        int            `json:"pace,omitempty"` // of the lesson's time
	Began       int64          `json:"began"`          // when that began, ns since 1970
	DistanceNS  int64          `json:"distance_ns,omitempty"`
	File        string         `json:"file"`     // of the database
	Addr        string         `json:"addr"`     // of Redis
	Password    string         `json:"password"` // of Redis
	Run         string         `json:"run"`      // on a live server, instead of Addr
	Tell        int            `json:"tell"`     // say so when this many requests have begun; 0: never
	// DaemonsOnly is for a node that a supervisor starts again: its requests are gone.
	DaemonsOnly bool `json:"daemons_only"`
}

// order is what a node is told after that, a line each. The end of its input ends it.
type order struct {
	Go      bool  `json:"go,omitempty"`
	At      int64 `json:"at,omitempty"`       // when to go, ns since 1970: all at the same instant
	AheadMS int64 `json:"ahead_ms,omitempty"` // the engine's clock has jumped forward by so much
	End     bool  `json:"end,omitempty"`
}

// report is a line of a node.
type report struct {
	Ready int    `json:"ready,omitempty"` // its process id
	Delta *Delta `json:"delta,omitempty"`
	// Lock is written at once: what is in the pipe is heard even of a node that is killed.
	Lock     *scenario.LockEvent `json:"lock,omitempty"`
	Reached  bool                `json:"reached,omitempty"`  // so many requests have begun as it was to tell
	Finished bool                `json:"finished,omitempty"` // all its requests have ended, or the time is over
	Stuck    int                 `json:"stuck,omitempty"`    // requests that do not end
	Limited  bool                `json:"limited,omitempty"`
	Ended    bool                `json:"ended,omitempty"` // it is about to leave
	Error    string              `json:"error,omitempty"` // what keeps it from its work
	Lost     *live.Trouble       `json:"lost,omitempty"`  // why the live server cannot be used any more
}

// mouth writes reports.
type mouth struct {
	mu sync.Mutex
	w  io.Writer
}

func (m *mouth) say(r report) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	_, err = m.w.Write(append(line, '\n'))
	return err
}

// ErrConfig is the error of a node that was told nothing sensible.
var ErrConfig = errors.New("a node is started by a storm, which tells it what to do on its standard input")

// Serve is a node that is a process of its own. It reads its configuration and what to
// do from in, reports to out, and ends when in does. server is the live Redis of the
// storm, or nil.
func Serve(ctx context.Context, in io.Reader, out io.Writer, server *live.Target, makeScenario func(NodeConfig) (*scenario.Scenario, error), answer func(error) linear.Answer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	var cfg NodeConfig
	if !lines.Scan() {
		return ErrConfig
	}
	if err := json.Unmarshal(lines.Bytes(), &cfg); err != nil || cfg.File == "" || cfg.Nodes < 1 || (cfg.Run != "") != (server != nil) {
		return ErrConfig
	}
	m := &mouth{w: out}
	ctx, end := context.WithCancel(ctx)
	defer end()
	orders := make(chan order)
	go func() {
		defer end() // nobody is left to report to
		for lines.Scan() {
			var o order
			if json.Unmarshal(lines.Bytes(), &o) != nil {
				return
			}
			select {
			case orders <- o:
			case <-ctx.Done():
				return
			}
		}
	}()
	s, err := makeScenario(cfg)
	if err == nil {
		err = serve(ctx, cfg, s, m, orders, server, answer)
	}
	if err != nil {
		m.say(report{Error: err.Error()})
	}
	return err
}

func serve(ctx context.Context, cfg NodeConfig, s *scenario.Scenario, m *mouth, orders <-chan order, server *live.Target, answer func(error) linear.Answer) error {
	var way *link
	if server != nil {
		var err error
		if way, err = joinLink(ctx, server, cfg.Run); err != nil {
			return err
		}
		defer way.close()
	}
	f, err := scenario.OpenFree(s, way.lead(world.FreeOptions{
		Conns: conns(cfg.Concurrency, maxDaemons), File: cfg.File, Addr: cfg.Addr, Password: cfg.Password,
		Pace: proc.NewPace(time.Unix(0, cfg.Began), cfg.Pace), Distance: time.Duration(cfg.DistanceNS),
	}))
	if err != nil {
		return err
	}
	defer f.Close()
	p := place(s.Actors(f.W), cfg.Nodes, cfg.Seed).of(cfg.Node)
	if cfg.DaemonsOnly {
		p.requests = nil
	}
	f.Watch.Tell = func(e scenario.LockEvent) {
		_ = m.say(report{Lock: &e}) // when nobody listens any more, the input has ended too
	}
	t := newTally(f.Watch, s.Sells, answer)
	if way != nil {
		f.Watch.Accept = t.accept
	}
	c := newCrew(f.Watch, t, p)
	if cfg.Tell > 0 {
		tell := min(cfg.Tell, max(len(p.requests), 1))
		c.began = func(n int) {
			if n == tell { // it is to be killed: what it knows must be heard before
				d := t.take()
				_ = m.say(report{Delta: &d})
				_ = m.say(report{Reached: true})
			}
		}
	}
	if err := f.W.Warm(min(cfg.Concurrency, len(p.requests))); err != nil {
		return err
	}
	if err := m.say(report{Ready: os.Getpid()}); err != nil {
		return err
	}
	limited, over := way.until(ctx)
	defer over()
	working, dismiss := way.until(ctx) // the daemons
	defer dismiss()
	more := func() error {
		d := t.take()
		return m.say(report{Delta: &d})
	}
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	var done, gone <-chan struct{}
	if way != nil {
		gone = way.gone
	}
	for {
		select {
		case <-gone:
			gone = nil
			if err := more(); err != nil {
				return err
			}
			if err := m.say(report{Lost: way.trouble()}); err != nil {
				return err
			}
		case <-ctx.Done():
			return leave(f, m, more, false)
		case o := <-orders:
			switch {
			case o.Go:
				time.Sleep(time.Until(time.Unix(0, o.At)))
				c.startDaemons(working)
				defer time.AfterFunc(time.Duration(cfg.LimitMS)*time.Millisecond, over).Stop()
				c.startRequests(limited, cfg.Concurrency)
				done = finished(limited, c)
			case o.AheadMS > 0:
				f.W.MoveClock(time.Duration(o.AheadMS) * time.Millisecond)
			case o.End:
				over()
				dismiss()
				return leave(f, m, more, true)
			}
		case <-done:
			done = nil
			if err := more(); err != nil {
				return err
			}
			if err := m.say(report{Finished: true, Stuck: c.stuck(), Limited: limited.Err() != nil}); err != nil {
				return err
			}
		case <-ticker.C:
			if err := more(); err != nil {
				return err
			}
		}
	}
}

// finished is closed when all requests have ended, or some time after ctx has.
func finished(ctx context.Context, c *crew) <-chan struct{} {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = c.wait(ctx, func() error { return nil })
	}()
	return done
}

// leave ends the daemons. Told to, a node says goodbye.
func leave(f *scenario.FreeRun, m *mouth, more func() error, told bool) error {
	f.W.HangUp()
	if !told {
		return fmt.Errorf("the storm is over: %w", context.Canceled)
	}
	if err := more(); err != nil {
		return err
	}
	return m.say(report{Ended: true})
}
