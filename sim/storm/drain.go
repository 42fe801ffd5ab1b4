package storm

import (
	"context"
	"time"
)

// Drain is what came after the last request: consumers finished what was accepted.
type Drain struct {
	Took     time.Duration
	Moves    int           // how often the clock of the embedded Redis was moved
	Step     time.Duration // by so much each time
	InFlight int           // what was left
	Idle     bool          // nothing moved any more
}

// pause is how often a drain looks, and unmoved for how long nothing may get less
// before it moves the clock.
const (
	pause   = 20 * time.Millisecond
	unmoved = 150 * time.Millisecond
)

// patienceOf is how many times the longest lease a drain waits on the engine's clock,
// as a run-out does under the scheduler.
const patienceOf = 10

// drain waits until nothing is in flight. What is pending with a dead consumer is due
// to be claimed only after a time; move lets the clock of the embedded Redis jump
// there. each is called at every look.
func (c *collector) drain(ctx context.Context, move func(time.Duration), each func() error) error {
	c.phase = Draining
	step := c.free.S.Lease
	if step == 0 {
		step = 30 * time.Second
	}
	patience := c.o.Drain
	if !c.free.W.Embedded() {
		// A server has its own time: a read must give up, and a claim become due.
		move, patience = nil, max(patience, 2*step/time.Duration(max(c.o.Pace, 1))+patience)
	}
	begun, limit := time.Now(), time.After(patience)
	least, since := -1, time.Now()
	for {
		if err := each(); err != nil {
			return err
		}
		n, err := c.free.InFlight()
		if c.way.blamed(err) {
			return nil
		}
		if err != nil {
			return err
		}
		c.drained.InFlight, c.drained.Took = n, time.Since(begun)
		c.drained.Idle = c.free.Idle()
		if n == 0 && c.drained.Idle {
			return nil
		}
		if least < 0 || n < least {
			least, since = n, time.Now()
		}
		if n > 0 && time.Since(since) > unmoved && move != nil {
			if c.drained.Moves >= patienceOf {
				return nil
			}
			move(step)
			c.drained.Moves, c.drained.Step = c.drained.Moves+1, step
			since = time.Now()
		}
		select {
		case <-ctx.Done():
			return nil
		case <-limit:
			return nil
		case <-time.After(pause):
		}
	}
}
