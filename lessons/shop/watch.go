package shop

import (
	"context"
	"time"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// watch gives the lock a whole lease again every third of it. It ends with the work,
// and the work with it: when the lock is gone, when maxHold is over, or when renewals
// have failed until the lease really ended.
func (h *Hold) watch(ctx context.Context, since time.Time, maxHold time.Duration) {
	defer h.end()
	until, next := since.Add(h.lease), h.lease/3 // nobody else gets in before until
	for {
		left := next
		if maxHold > 0 {
			left = min(left, since.Add(maxHold).Sub(proc.Now(ctx)))
		}
		if proc.Sleep(ctx, max(left, 0)) != nil || left < next {
			return // the work is over, or has to be
		}
		sent := proc.Now(ctx)
		is, err := h.renew(ctx, until.Sub(sent))
		switch {
		case err == nil && is == lua.Done:
			until, next = sent.Add(h.lease), h.lease/3
		case err == nil:
			return // expired, or somebody else's
		default: // perhaps the next one comes through
			if next = min(until.Sub(proc.Now(ctx)), h.lease/30); next <= 0 {
				return
			}
		}
	}
}

// renew asks for a whole lease. A call that hangs does not make the present one any
// longer: the work ends with it.
func (h *Hold) renew(ctx context.Context, left time.Duration) (lua.Outcome, error) {
	ctx, done := proc.WithTimeout(ctx, left)
	defer done()
	keep := context.AfterFunc(ctx, h.end)
	defer keep()
	return lua.RenewReentrant(ctx, h.locks.Redis, h.name, h.owner, h.lease)
}
