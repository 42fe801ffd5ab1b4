package watchdog

import (
	"cmp"
	"context"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// ExplicitLease asks for a short lease, in case the node dies, and counts on
// the watchdog. But as in Redisson, who names a lease gets no watchdog.
func (s *Shop) ExplicitLease(
	ctx context.Context, user, voucher int64,
) (err error) {
	key := fmt.Sprintf("lock:order:%d", user)
	me := lua.Owner{ID: s.Node, N: proc.Number(ctx)}
	if err := s.acquire(ctx, key, me, cmp.Or(s.Lease, Lease)); err != nil {
		return err
	}
	held, end := proc.WithCancel(ctx)
	defer func() {
		s.release(ctx, key, me, &err)
		end()
	}()

	if s.Lease == 0 {
		proc.Go(held, "watchdog", func(ctx context.Context) {
			for proc.Sleep(ctx, Lease/3) == nil {
				if !s.renew(ctx, key, me) {
					end()
				}
			}
		})
	}
	return s.order(held, voucher)
}
