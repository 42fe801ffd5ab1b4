package watchdog

import (
	"context"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// RenewedInMillis compares and renews in one step; the lease is in ms.
func (s *Shop) RenewedInMillis(
	ctx context.Context, user, voucher int64,
) error {
	return s.kept(ctx, user, voucher,
		func(ctx context.Context, key, token string) {
			for proc.Sleep(ctx, s.Lease/3) == nil {
				lua.Renew(ctx, s.Redis, key, token, s.Lease)
			}
		})
}
