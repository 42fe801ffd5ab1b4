package watchdog

import "context"

// RenewedByExpire gives the lock its lease again and again while the order is
// under way.
func (s *Shop) RenewedByExpire(
	ctx context.Context, user, voucher int64,
) error {
	return s.kept(ctx, user, voucher,
		func(ctx context.Context, key, token string) error {
			seconds := int(s.Lease.Seconds())
			return s.Redis.Do(ctx, "EXPIRE", key, seconds).Err()
		})
}
