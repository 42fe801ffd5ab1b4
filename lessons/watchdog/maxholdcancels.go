package watchdog

import (
	"context"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// HoldAndCancel lets nobody hold the lock for ever, and cancels the work in the
// moment it renews for the last time: a whole lease is left for it to end.
func (s *Shop) HoldAndCancel(
	ctx context.Context, user, voucher int64,
) (err error) {
	key := fmt.Sprintf("lock:order:%d", user)
	me := lua.Owner{ID: s.Node, N: proc.Number(ctx)}
	if err := s.acquire(ctx, key, me, Lease); err != nil {
		return err
	}
	held, end := proc.WithCancel(ctx)
	defer func() {
		s.release(ctx, key, me, &err)
		end()
	}()

	proc.Go(held, "watchdog", func(ctx context.Context) {
		defer end()
		for range MaxRenewals {
			if proc.Sleep(ctx, Lease/3) != nil {
				return
			}
			if !s.renew(ctx, key, me) {
				return
			}
		}
	})
	return s.order(held, voucher)
}
