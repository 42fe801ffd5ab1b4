package proc

import (
	"context"
	"time"

	"flashlab/sim"
)

// WithCancel returns a copy of ctx that ends when cancel is called. Under the lab
// the cancellation is cooperative: Err tells it and every gate asks, but Done is
// nil, since a context that database/sql watches would act on its own.
func WithCancel(ctx context.Context) (context.Context, context.CancelFunc) {
	a := sim.From(ctx)
	if a == nil {
		return context.WithCancel(ctx)
	}
	c := newScope(ctx, a, 0)
	return c, c.cancel
}

// WithTimeout is WithCancel with an end after d, in virtual time under the lab.
func WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	a := sim.From(ctx)
	if a == nil {
		return context.WithTimeout(ctx, paceOf(ctx).Real(d))
	}
	c := newScope(ctx, a, a.Kernel().Now+d)
	return c, c.cancel
}

// WithoutCancel returns a copy of ctx that outlives its cancellation, for a
// release that must be tried in any case.
func WithoutCancel(ctx context.Context) context.Context { return context.WithoutCancel(ctx) }

// scope is a context of the lab. Whether it has ended is part of the state.
type scope struct {
	context.Context // the parent
	k               *sim.Kernel
	until           time.Duration // virtual instant at which it ends, 0: never
	done            bool
}

func newScope(parent context.Context, a *sim.Actor, until time.Duration) *scope {
	c := &scope{Context: parent, k: a.Kernel(), until: until}
	c.k.Share(c, a)
	return c
}

func (c *scope) cancel() { c.done = true }

// Done is nil: see WithCancel.
func (c *scope) Done() <-chan struct{} { return nil }

// Err tells whether the scope or one around it has ended.
func (c *scope) Err() error {
	switch {
	case c.done:
		return context.Canceled
	case c.until > 0 && c.k.Now >= c.until:
		return context.DeadlineExceeded
	}
	return c.Context.Err()
}

// Deadline reports none: it would be an instant of the wall clock to those who ask.
func (c *scope) Deadline() (time.Time, bool) { return time.Time{}, false }

// AppendKey appends whether the scope has ended and how long it still has.
func (c *scope) AppendKey(b []byte) []byte {
	if c.done {
		return append(b, 'x')
	}
	if c.until == 0 {
		return append(b, '-')
	}
	b = append(b, 'u')
	for i := 0; i < 8; i++ {
		b = append(b, byte(c.until>>(8*i)))
	}
	return b
}

// NodeDied changes nothing: nobody of that node can ask any more.
func (c *scope) NodeDied(string) {}

// Due is when the scope ends by itself.
func (c *scope) Due() time.Duration {
	if c.done {
		return 0
	}
	return c.until
}
