package watchdog

import "context"

// RenewedByFraction is RenewedByExpire without rounding.
func (s *Shop) RenewedByFraction(
	ctx context.Context, user, voucher int64,
) error {
	return s.kept(ctx, user, voucher,
		func(ctx context.Context, key, token string) error {
			seconds := s.Lease.Seconds()
			return s.Redis.Do(ctx, "EXPIRE", key, seconds).Err()
		})
}
