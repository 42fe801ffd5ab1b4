package watchdog

import (
	"context"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// MaxRenewals is how often a watchdog renews: after 30 s it lets go.
const MaxRenewals = 3

// MaximumHold lets nobody hold the lock for ever. It does not tell the work.
func (s *Shop) MaximumHold(
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
		for range MaxRenewals {
			if proc.Sleep(ctx, Lease/3) != nil {
				return
			}
			if !s.renew(ctx, key, me) {
				end()
			}
		}
	})
	return s.order(held, voucher)
}
