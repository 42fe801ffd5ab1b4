package watchdog

import (
	"context"

	"flashlab/lua"
)

// RenewedInMillis compares and renews in one step; the lease is in ms.
func (s *Shop) RenewedInMillis(
	ctx context.Context, user, voucher int64,
) error {
	return s.kept(ctx, user, voucher,
		func(ctx context.Context, key, token string) error {
			_, err := lua.Renew(ctx, s.Redis, key, token, s.Lease)
			return err
		})
}
