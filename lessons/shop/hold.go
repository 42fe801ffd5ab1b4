package shop

import (
	"context"
	"fmt"
	"time"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// Hold is a lock that somebody has: one handle for one acquisition. Holds share
// nothing, so each can be given back by any goroutine, once.
type Hold struct {
	locks  *Locks
	name   string
	owner  lua.Owner
	lease  time.Duration
	work   context.Context
	end    context.CancelFunc // ends work, and the watchdog with it
	nested bool
}

// holding is the key under which a context knows that it runs under a lock.
type holding struct {
	locks *Locks
	name  string
}

// Context is the one to work under: it ends when the lock is lost or given back, and
// whatever is done under it then is refused.
func (h *Hold) Context() context.Context { return h.work }

// Lost reports whether the lock is known to be lost, or has been given back.
func (h *Hold) Lost() bool { return h.work.Err() != nil }

// Owner is how the holder is called in the hash of the lock.
func (h *Hold) Owner() lua.Owner { return h.owner }

// again takes one more hold for the same owner. The lease stays that of the first:
// an inner lock cannot cut it.
func (h *Hold) again(ctx context.Context) (*Hold, error) {
	if h.Lost() {
		return nil, fmt.Errorf("locking %s once more: %w", h.name, ErrLost)
	}
	inner := *h
	inner.end, inner.nested = func() {}, true
	got, err := inner.try(ctx)
	if err == nil && !got.Granted {
		h.end() // somebody else has it by now
		err = ErrLost
	}
	if err != nil {
		return nil, fmt.Errorf("locking %s once more: %w", h.name, err)
	}
	return &inner, nil
}

// try asks for the lock once. After an error nobody knows whether it was granted, so
// what may have been granted is given back.
func (h *Hold) try(ctx context.Context) (lua.Acquisition, error) {
	got, err := lua.AcquireReentrant(ctx, h.locks.Redis, h.name, h.owner, h.lease)
	if err != nil && !h.nested {
		h.release(ctx)
	}
	return got, err
}

// Unlock gives the hold back; the outer one of a lock comes last. It is sent also if
// ctx has been cancelled. The error is ErrExpired or ErrTaken if the lock was gone
// before: then the work was not protected to its end. After any other error the lock
// may be held until its lease is over.
func (h *Hold) Unlock(ctx context.Context) error {
	h.end()
	is, err := h.release(ctx)
	switch {
	case err != nil:
		return err // it names the lock
	case is == lua.Expired:
		err = ErrExpired
	case is == lua.Foreign:
		err = ErrTaken
	default:
		return nil
	}
	return fmt.Errorf("unlocking %s: %w", h.name, err)
}

// release gives back one hold, or all where it is the last: a client that has
// repeated a request whose answer was lost may have taken more than it knows of. It
// is tried for one lease, whatever became of the request; after that nothing is left
// to release.
func (h *Hold) release(ctx context.Context) (is lua.Outcome, err error) {
	ctx, done := proc.WithTimeout(proc.WithoutCancel(ctx), h.lease)
	defer done()
	for {
		is, err = lua.ReleaseReentrant(ctx, h.locks.Redis, h.name, h.owner, h.lease)
		if err != nil || is != lua.StillHeld || h.nested {
			return is, err
		}
	}
}
