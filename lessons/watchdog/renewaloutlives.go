package watchdog

import (
	"context"
	"fmt"

	"flashlab/sim/proc"
)

// RenewalOutlives renews with a plain SET. One that is on its way when the lock
// is released sets the key once more.
func (s *Shop) RenewalOutlives(
	ctx context.Context, user, voucher int64,
) (err error) {
	key, token := fmt.Sprintf("lock:order:%d", user), proc.Token(ctx)
	if err := s.acquireToken(ctx, key, token); err != nil {
		return err
	}
	held, end := proc.WithCancel(ctx)
	defer func() {
		s.releaseToken(ctx, key, token, &err)
		end()
	}()

	proc.Go(held, "renewal", func(ctx context.Context) {
		for proc.Sleep(ctx, Lease/3) == nil {
			sent := proc.WithoutCancel(ctx) // nothing calls it back
			s.Redis.Set(sent, key, token, Lease)
		}
	})
	return s.order(held, voucher)
}
