// Package storm lets a scenario run free: the same bodies as under the scheduler,
// but thousands of them, in real time, on several nodes, which are groups of
// goroutines or processes of their own.
//
// [Run] opens a world without a kernel, runs the requests through a pool of workers,
// waits until what was accepted is finished, and judges the lights. What it finds
// broken is broken; what it does not is not proved. The package must not know a
// lesson, an answer of the shop or the screen: scenarios, and what an error means,
// come from outside.
package storm

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"flashlab/sim/live"
	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/storm/linear"
	"flashlab/sim/world"
)

// Options of a storm. Zero values have defaults.
type Options struct {
	Requests    int // those of the scenario; it has been made with that size
	Concurrency int // requests at once, over all nodes; 0: 32
	Nodes       int // 0: 1
	// Limit ends the storm: requests that have begun by then are cut off. 0: 60 s.
	Limit time.Duration
	// Drain bounds the wait for what was accepted, after the last request. 0: 10 s.
	Drain time.Duration
	// Seed draws the order in which the requests come; 0 leaves it as declared.
	Seed uint64
	// Answer says what the outcome of a request means, for histories; nil: none.
	Answer func(error) linear.Answer
	// Pace is how many times as fast as real time that of the lesson goes: waits of
	// business code, and leases of Redis. 0: real time.
	Pace int
	// Distance is how long each statement is on its way to the database, as to a server
	// elsewhere. 0: it is in the same process.
	Distance time.Duration
	// Server is a live Redis in the place of the embedded one; nodes that are processes
	// must find it by themselves, see [Serve].
	Server *live.Target
	// Progress gets a picture of the storm some twenty times a second; may be nil.
	Progress *Mailbox
	// Fleet runs the nodes as processes; nil: as goroutines.
	Fleet *Fleet
}

// Fleet says how to run nodes as processes.
type Fleet struct {
	// Command makes the command of a child, which must call [Serve]. Its standard input
	// and output are set here.
	Command func() *exec.Cmd
	// Lesson, Variant and Sizes tell the child which scenario to make.
	Lesson, Variant string
	Sizes           map[string]int
	// Node 1 is killed after a time, or once so many requests have begun; 0: not.
	KillAfter    time.Duration
	KillRequests int
	// Kill kills node 1 when it receives something; may be nil.
	Kill <-chan struct{}
}

func (o Options) withDefaults() Options {
	if o.Concurrency <= 0 {
		o.Concurrency = 32
	}
	o.Nodes = max(o.Nodes, 1)
	if o.Limit <= 0 {
		o.Limit = time.Minute
	}
	if o.Drain <= 0 {
		o.Drain = 10 * time.Second
	}
	return o
}

// conns is how many connections a process may have: one for each body, and some.
func conns(concurrency, daemons int) int { return concurrency + daemons + 2 }

// ErrNothing is the error of a storm in which nobody takes part.
var ErrNothing = errors.New("there is no request to run")

// Run runs a storm of the scenario. A cancelled ctx stops it early; the result says so
// and keeps what was found. An error means that no storm took place.
func Run(ctx context.Context, s *scenario.Scenario, o Options) (*Result, error) {
	o = o.withDefaults()
	if o.Fleet != nil {
		return runFleet(ctx, s, o)
	}
	way, err := openLink(ctx, o.Server)
	if err != nil {
		return nil, err
	}
	defer way.close()
	// Connections are for at most so many at once; daemons are few.
	f, err := scenario.OpenFree(s, way.lead(world.FreeOptions{
		Conns: conns(o.Concurrency, maxDaemons), Pace: proc.NewPace(time.Now(), o.Pace), Distance: o.Distance,
	}))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	plan := place(s.Actors(f.W), o.Nodes, o.Seed)
	if len(plan.requests) == 0 {
		return nil, fmt.Errorf("%s.%s: %w", s.Lesson, s.Variant, ErrNothing)
	}
	c := newCollector(f, o, len(plan.requests))
	c.nodes, c.way = plan.nodes, way
	t := newTally(f.Watch, s.Sells, o.Answer)
	if !f.W.Embedded() { // which counts them itself
		f.Watch.Accept = t.accept
	}

	if err := f.W.Warm(min(o.Concurrency, len(plan.requests))); err != nil {
		return nil, err
	}
	stop, end := way.until(ctx)
	defer end()
	crew := newCrew(f.Watch, t, plan)
	crew.startDaemons(stop)
	limited, release := context.WithTimeout(stop, o.Limit)
	defer release()
	c.begin()
	crew.startRequests(limited, o.Concurrency)
	more := func() error { return c.add(t.take()) }
	err = crew.wait(limited, more)
	c.stopped(crew.stuck(), limited.Err() != nil, ctx.Err() != nil)
	c.lost = way.trouble()
	if err == nil {
		err = more()
	}
	if err == nil && stop.Err() == nil && len(plan.daemons) > 0 {
		err = c.drain(stop, f.W.MoveClock, more)
	}
	end()
	f.W.HangUp()
	crew.waitDaemons()
	if err != nil {
		return nil, err
	}
	if err := more(); err != nil {
		return nil, err
	}
	return c.result()
}
