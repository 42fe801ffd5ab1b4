package storm

import (
	"context"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"flashlab/sim/scenario"
)

// tick is how often a process says how far it is.
const tick = 50 * time.Millisecond

// grace is how long bodies get to end that have been told to.
const grace = 2 * time.Second

// restartAfter is how long a supervisor waits before it starts a daemon again.
const restartAfter = 50 * time.Millisecond

// crew runs the bodies of one process.
type crew struct {
	watch   *scenario.Watch
	tally   *tally
	plan    plan
	began   func(n int) // is told how many requests have begun; may be nil
	next    atomic.Int64
	busy    atomic.Int64 // requests under way
	done    chan struct{}
	daemons sync.WaitGroup
}

func newCrew(w *scenario.Watch, t *tally, p plan) *crew {
	return &crew{watch: w, tally: t, plan: p, done: make(chan struct{})}
}

// startDaemons starts the daemons; they end with ctx.
func (c *crew) startDaemons(ctx context.Context) {
	for _, p := range c.plan.daemons {
		c.daemons.Go(func() {
			own, who := c.watch.Begin(ctx, p.request, p.node)
			for {
				c.call(own, p) // what it returns is that it gave up
				if ctx.Err() != nil {
					break
				}
				c.tally.restarted()
				select {
				case <-ctx.Done():
				case <-time.After(restartAfter):
				}
			}
			_ = who // a daemon's grants end with the process
		})
	}
}

// startRequests starts the workers; after ctx has ended no more requests begin.
func (c *crew) startRequests(ctx context.Context, concurrency int) {
	var workers sync.WaitGroup
	for range min(concurrency, len(c.plan.requests)) {
		workers.Go(func() {
			for ctx.Err() == nil {
				i := int(c.next.Add(1)) - 1
				if i >= len(c.plan.requests) {
					return
				}
				p := c.plan.requests[i]
				c.plan.requests[i] = placed{} // its closures can go
				c.request(ctx, p, i+1)
				// A request that never waits, as on an embedded database, would let its
				// worker go on until the runtime takes the processor away, some 10 ms:
				// that long, for each worker, the screen would wait for its turn.
				runtime.Gosched()
			}
		})
	}
	go func() {
		workers.Wait()
		close(c.done)
	}()
}

func (c *crew) request(ctx context.Context, p placed, n int) {
	c.busy.Add(1)
	defer c.busy.Add(-1)
	if c.began != nil {
		c.began(n)
	}
	own, who := c.watch.Begin(ctx, p.request, p.node)
	began := time.Now()
	keep := c.tally.begin(began)
	err := c.call(own, p)
	c.tally.end(p, began, keep, ctx.Err() != nil, err)
	c.watch.End(who)
}

// call runs a body; a panic of business code is an error.
func (c *crew) call(ctx context.Context, p placed) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = panicked(r)
			c.tally.fault(err.Error() + "\n" + string(debug.Stack()))
		}
	}()
	return p.Body(ctx)
}

// wait waits until all requests have ended, or for some time after ctx has, and calls
// each about every tick.
func (c *crew) wait(ctx context.Context, each func() error) error {
	t := time.NewTicker(tick)
	defer t.Stop()
	var over <-chan time.Time
	stopped := ctx.Done()
	for {
		select {
		case <-c.done:
			return nil
		case <-stopped:
			stopped, over = nil, time.After(grace)
		case <-over:
			return nil
		case <-t.C:
			if err := each(); err != nil {
				return err
			}
		}
	}
}

// stuck is how many requests do not end although they were told to.
func (c *crew) stuck() int { return int(c.busy.Load()) }

// waitDaemons waits for daemons that have been told to end, for a while.
func (c *crew) waitDaemons() {
	ended := make(chan struct{})
	go func() {
		c.daemons.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(grace):
	}
}
