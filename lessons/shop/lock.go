package shop

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// What can become of a lock. Any other error of Lock or Unlock means that nobody
// knows: a command failed on its way there or back.
var (
	ErrBusy    = errors.New("somebody else holds the lock")
	ErrExpired = errors.New("the lock expired before it was released")
	ErrTaken   = errors.New("the lock was somebody else's before it was released")
	ErrLost    = errors.New("the lock was lost")
)

// Forever is a wait without end, as far as a shop is concerned.
const Forever = 100 * 365 * 24 * time.Hour

// DefaultLease is the lease that a watchdog keeps up, as in Redisson.
const DefaultLease = 30 * time.Second

// Locks takes locks of one Redis for one process. It speaks Redisson's protocol: a
// hash with the owner and the number of its holds, a lease, a message to the waiters
// when the lock is free. Clients of Redisson and these keep each other out.
type Locks struct {
	Redis redis.Scripter
	ID    string // of the process, unique among all: Redisson takes a random UUID

	// Topics tells waiters at once that a lock is free. Without it, or where it fails,
	// they try again when the present lease is over.
	Topics Topics

	// Lease is the one that a watchdog keeps up; 0: DefaultLease.
	Lease time.Duration
}

// Options of a lock. To wait and to hold are two things.
type Options struct {
	// Wait is how long to wait for the lock at most; 0: try once.
	Wait time.Duration
	// Lease is how long to hold it at most: nobody renews it, and the work is
	// cancelled when it is over. 0: a watchdog keeps the lock for as long as the work
	// goes on and the process lives.
	Lease time.Duration
	// MaxHold ends what a watchdog keeps up: the work is cancelled then, and two thirds
	// of a lease or more are left for it to end. 0: it does not end.
	MaxHold time.Duration
}

// Lock takes the lock of that name, for instance "lock:order:7". It is re-entrant by
// context: under the [Hold.Context] of a hold of the same lock it succeeds at once,
// without regard to its options. Every other call competes, from whatever goroutine.
// The caller must Unlock the hold. The error is ErrBusy, or ErrLost under a hold that
// has been lost, or tells what failed.
func (l *Locks) Lock(ctx context.Context, name string, o Options) (*Hold, error) {
	if outer, ok := ctx.Value(holding{l, name}).(*Hold); ok {
		return outer.again(ctx)
	}
	h := &Hold{locks: l, name: name, lease: o.Lease, owner: lua.Owner{ID: l.ID, N: proc.Number(ctx)}}
	if o.Lease == 0 {
		h.lease = l.lease()
	}
	since, err := l.wait(ctx, h, o.Wait)
	if err != nil {
		return nil, fmt.Errorf("locking %s: %w", name, err)
	}
	if o.Lease > 0 {
		h.work, h.end = proc.WithTimeout(ctx, o.Lease-proc.Now(ctx).Sub(since))
	} else {
		h.work, h.end = proc.WithCancel(ctx)
		proc.Go(h.work, proc.WatchdogName, func(ctx context.Context) { h.watch(ctx, since, o.MaxHold) })
	}
	h.work = context.WithValue(h.work, holding{l, name}, h)
	return h, nil
}

func (l *Locks) lease() time.Duration {
	if l.Lease > 0 {
		return l.Lease
	}
	return DefaultLease
}

// wait tries until the lock is granted or the patience is over. since is the instant
// before the request that was granted: the lease began no earlier.
func (l *Locks) wait(ctx context.Context, h *Hold, patience time.Duration) (since time.Time, err error) {
	since = proc.Now(ctx)
	got, err := h.try(ctx)
	switch {
	case err != nil || got.Granted:
		return since, err
	case patience <= 0:
		return since, ErrBusy
	}
	until := since.Add(patience)
	heard, hangUp := l.listen(ctx, h.name)
	defer hangUp()
	for {
		// Only now, for a message from before the subscription is lost.
		since = proc.Now(ctx)
		if got, err = h.try(ctx); err != nil || got.Granted {
			return since, err
		}
		left := until.Sub(proc.Now(ctx))
		if left <= 0 {
			return since, ErrBusy
		}
		next := max(got.Wait, time.Millisecond)
		if got.Wait == lua.NoLease {
			next = l.lease() // no lease will end, and a message can get lost
		}
		if _, err := heard(ctx, min(left, next)); err != nil {
			return since, err
		}
	}
}

// listen hears of the release of a lock. Where nobody tells, it merely sleeps.
func (l *Locks) listen(ctx context.Context, name string) (func(context.Context, time.Duration) (bool, error), func()) {
	if l.Topics != nil {
		if heard, hangUp, err := l.Topics.Subscribe(ctx, lua.Channel(name)); err == nil {
			return heard, hangUp
		}
	}
	sleep := func(ctx context.Context, d time.Duration) (bool, error) { return false, proc.Sleep(ctx, d) }
	return sleep, func() {}
}
