package watchdog

import (
	"context"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// renew gives the lock a new lease and reports whether it is still ours. After
// an error nobody knows: it will be tried again.
func (s *Shop) renew(ctx context.Context, key string, me lua.Owner) bool {
	is, err := lua.RenewReentrant(ctx, s.Redis, key, me, Lease)
	return err != nil || is == lua.Done
}

// keep renews a lock until ctx ends. When the lock is gone, it ends the work.
func (s *Shop) keep(
	ctx context.Context, key string, me lua.Owner, end context.CancelFunc,
) {
	for proc.Sleep(ctx, Lease/3) == nil {
		if !s.renew(ctx, key, me) {
			end()
		}
	}
}
