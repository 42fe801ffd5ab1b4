package watchdog

import (
	"context"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// Renewed names no lease: the lock gets 30 s, and a watchdog makes it 30 s
// again every 10 s while the work goes on. If the lock is gone, so is the work.
func (s *Shop) Renewed(ctx context.Context, user, voucher int64) (err error) {
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
		for proc.Sleep(ctx, Lease/3) == nil {
			if !s.renew(ctx, key, me) {
				end() // expired, or somebody else's by now
			}
		}
	})
	return s.order(held, voucher)
}
