package watchdog

import (
	"context"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// TokenRenewed renews a token lock by script: it compares before it renews. If
// the lock is gone, so is the work.
func (s *Shop) TokenRenewed(
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
			is, err := lua.Renew(sent, s.Redis, key, token, Lease)
			if err == nil && is != lua.Done {
				end()
			}
		}
	})
	return s.order(held, voucher)
}
