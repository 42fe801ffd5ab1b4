package watchdog

import (
	"context"

	"flashlab/sim/proc"
)

// RenewedByExpire gives the lock its lease again and again while the order is
// under way.
func (s *Shop) RenewedByExpire(
	ctx context.Context, user, voucher int64,
) error {
	return s.kept(ctx, user, voucher,
		func(ctx context.Context, key, token string) {
			for proc.Sleep(ctx, s.Lease/3) == nil {
				seconds := int(s.Lease.Seconds())
				s.Redis.Do(ctx, "EXPIRE", key, seconds)
			}
		})
}
