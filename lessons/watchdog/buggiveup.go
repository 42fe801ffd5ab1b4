package watchdog

import (
	"context"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// Attended keeps its lock alive for as long as there is a lock to be kept.
func (s *Shop) Attended(ctx context.Context, user, voucher int64) (err error) {
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
			is, err := lua.RenewReentrant(
				ctx, s.Redis, key, me, Lease)
			if err != nil || is != lua.Done {
				return
			}
		}
	})
	return s.order(held, voucher)
}
