package storm

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/world"
)

// fleet is the storm of several processes.
type fleet struct {
	c        *collector
	o        Options
	w        *world.World
	password string
	began    time.Time // when the time of the lesson began
	inbox    chan message
	quit     chan struct{} // closed when nobody reads the inbox any more
	children []*child
	daemons  map[int]bool // nodes with daemons
}

// leaveWithin is how long a child may take to start or to leave.
const leaveWithin = 5 * time.Second

// lastWords is how long a child may talk whose server has gone.
const lastWords = 200 * time.Millisecond

// together is how long after the word all children begin, so that all have heard it.
const together = 20 * time.Millisecond

// ErrChild is the error of a storm that could not start a node.
var ErrChild = errors.New("a node could not be started")

func runFleet(ctx context.Context, s *scenario.Scenario, o Options) (*Result, error) {
	way, err := openLink(ctx, o.Server)
	if err != nil {
		return nil, err
	}
	defer way.close()
	var secret [16]byte
	rand.Read(secret[:]) // never fails since Go 1.24
	password := hex.EncodeToString(secret[:])
	began := time.Now()
	where := way.lead(world.FreeOptions{Conns: 8, Pace: proc.NewPace(began, o.Pace)})
	if way == nil {
		where.Listen = password
	}
	f, err := scenario.OpenFree(s, where)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := place(s.Actors(f.W), o.Nodes, o.Seed)
	if len(p.requests) == 0 {
		return nil, fmt.Errorf("%s.%s: %w", s.Lesson, s.Variant, ErrNothing)
	}
	c := newCollector(f, o, len(p.requests))
	c.nodes, c.merge, c.way = p.nodes, true, way
	x := &fleet{
		c: c, o: o, w: f.W, password: password, began: began,
		inbox: make(chan message, 1024), quit: make(chan struct{}), daemons: map[int]bool{},
	}
	defer x.endAll()
	for _, d := range p.daemons {
		x.daemons[d.node] = true
	}
	per := make([]int, o.Nodes)
	for _, r := range p.requests {
		per[r.node]++
	}
	p = plan{} // the closures are the children's
	for node := range o.Nodes {
		if per[node] == 0 && !x.daemons[node] {
			continue
		}
		cfg := x.config(node)
		cfg.Concurrency = max(1, o.Concurrency*per[node]/max(1, int(c.requests)))
		if node == 0 && o.Fleet.KillRequests > 0 {
			cfg.Tell = max(1, o.Fleet.KillRequests*per[node]/max(1, int(c.requests)))
		}
		ch, err := x.start(cfg)
		if err != nil {
			return nil, err
		}
		ch.requests = int64(per[node])
	}
	if err := x.ready(ctx); err != nil {
		return nil, err
	}
	if err := x.storm(ctx); err != nil {
		return nil, err
	}
	if ctx.Err() == nil && way.trouble() == nil && len(x.daemons) > 0 {
		if err := x.drain(ctx); err != nil {
			return nil, err
		}
	}
	if err := x.goodbye(); err != nil {
		return nil, err
	}
	return c.result()
}

// ready waits until every child is, and lets them all go at once.
func (x *fleet) ready(ctx context.Context) error {
	late := time.After(4 * leaveWithin)
	for waiting := len(x.children); waiting > 0; {
		select {
		case m := <-x.inbox:
			if m.report != nil && m.report.Ready != 0 {
				waiting--
			}
			if m.report == nil && m.err == nil {
				return fmt.Errorf("%w: node n%d ended at once", ErrChild, m.from.node+1)
			}
			if err := x.hear(m); err != nil {
				return err
			}
		case <-late:
			return fmt.Errorf("%w in time", ErrChild)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	at := time.Now().Add(together)
	x.c.beginAt(at)
	for _, ch := range x.children {
		if err := ch.tell(order{Go: true, At: at.UnixNano()}); err != nil {
			return err
		}
	}
	return nil
}

// storm follows the children until their requests have ended.
func (x *fleet) storm(ctx context.Context) error {
	ticker := time.NewTicker(tick)
	defer ticker.Stop()
	var kill <-chan time.Time
	if x.o.Fleet.KillAfter > 0 {
		kill = time.After(x.o.Fleet.KillAfter)
	}
	late := time.After(x.o.Limit + grace + leaveWithin)
	for x.working() {
		select {
		case m := <-x.inbox:
			if m.report != nil && m.report.Reached {
				x.kill()
			}
			if err := x.hear(m); err != nil {
				return err
			}
			if m.from.dead && m.from.killed.IsZero() && x.c.way.trouble() == nil {
				return fmt.Errorf("node n%d ended in the midst of the storm", m.from.node+1)
			}
		case <-kill:
			kill = nil
			x.kill()
		case <-x.o.Fleet.Kill:
			x.kill()
		case <-ticker.C:
			if err := x.c.show(); err != nil {
				return err
			}
		case <-late:
			x.c.limited = true
			x.c.stopped(x.c.stuck, true, false)
			return nil
		case <-ctx.Done():
			x.c.stopped(0, false, true)
			return nil
		}
		if x.c.way.trouble() != nil {
			break
		}
	}
	x.c.stopped(x.c.stuck, x.c.limited, false)
	return nil
}

func (x *fleet) working() bool {
	for _, ch := range x.children {
		if !ch.dead && !ch.over {
			return true
		}
	}
	return false
}

// kill is a kill -9 of the first node. What it has done to locks was told before; how its
// requests would have ended nobody hears.
func (x *fleet) kill() {
	ch := x.children[0]
	if ch.dead || len(x.c.killed) > 0 {
		return
	}
	ch.killed = time.Now()
	_ = ch.cmd.Process.Kill() // it may have ended by itself
	name := fmt.Sprintf("n%d", ch.node+1)
	x.c.killed = append(x.c.killed, name)
	x.c.fleet[0].Killed = true
}

// mourn notes when a killed node died, once all that it has said was heard: not before
// the kill, and not before its last word, since then it still lived. Between the two no
// more is known, and the earliest instant calls nothing an overlap that was none.
func (x *fleet) mourn(ch *child) {
	at := max(ch.killed.UnixNano(), ch.said)
	for i := range x.c.free.S.Locks {
		x.c.locks = append(x.c.locks, scenario.LockEvent{At: at, Kind: scenario.SawDeath, Lock: i, Node: ch.node})
	}
}

// drain lets the consumers finish. If all of them have died, a supervisor starts those
// of the killed node again.
func (x *fleet) drain(ctx context.Context) error {
	alive := false
	for _, ch := range x.children {
		alive = alive || !ch.dead && x.daemons[ch.node]
	}
	if !alive {
		for node := range x.daemons {
			cfg := x.config(node)
			cfg.DaemonsOnly = true
			ch, err := x.start(cfg)
			if err != nil {
				return err
			}
			if err := ch.tell(order{Go: true}); err != nil {
				return err
			}
			x.c.restarted = append(x.c.restarted, fmt.Sprintf("n%d", node+1))
		}
	}
	move := func(d time.Duration) {
		x.w.MoveClock(d)
		for _, ch := range x.children {
			if !ch.dead {
				_ = ch.tell(order{AheadMS: d.Milliseconds()}) // one that is gone does not wait
			}
		}
	}
	return x.c.drain(ctx, move, func() error {
		for {
			select {
			case m := <-x.inbox:
				if err := x.hear(m); err != nil {
					return err
				}
			default:
				return x.c.show()
			}
		}
	})
}
