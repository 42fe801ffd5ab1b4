package watchdog

import (
	"context"

	"flashlab/sim/proc"
)

// RenewedByFraction is RenewedByExpire without rounding.
func (s *Shop) RenewedByFraction(
	ctx context.Context, user, voucher int64,
) error {
	return s.kept(ctx, user, voucher,
		func(ctx context.Context, key, token string) {
			for proc.Sleep(ctx, s.Lease/3) == nil {
				seconds := s.Lease.Seconds()
				s.Redis.Do(ctx, "EXPIRE", key, seconds)
			}
		})
}
