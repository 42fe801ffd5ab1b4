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
	until := since.Add(h.lease) // nobody else gets in before
	for next := h.lease / 3; ; {
		last := maxHold > 0 && since.Add(maxHold).Sub(proc.Now(ctx)) <= next
		if last {
			next = since.Add(maxHold).Sub(proc.Now(ctx))
		}
		if proc.Sleep(ctx, max(next, 0)) != nil || last {
			return
		}
		sent := proc.Now(ctx)
		is, err := h.renew(ctx, until.Sub(sent))
		switch {
		case err == nil && is == lua.Done:
			until, next = sent.Add(h.lease), h.lease/3
		case err == nil:
			return // expired, or somebody else's
		default: // perhaps the next one comes through
			left := until.Sub(proc.Now(ctx))
			if left <= 0 {
				return
			}
			next = min(left, h.lease/30)
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
