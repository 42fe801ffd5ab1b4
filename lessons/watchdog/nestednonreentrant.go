package watchdog

import (
	"context"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// NestedNonReentrant takes a token lock twice in one call chain. The second
// token is a stranger's, and a watchdog lets the first never run out.
func (s *Shop) NestedNonReentrant(
	ctx context.Context, user, voucher int64,
) (err error) {
	key, mine := fmt.Sprintf("lock:order:%d", user), proc.Token(ctx)
	if err := s.acquireToken(ctx, key, mine); err != nil {
		return err
	}
	held, end := proc.WithCancel(ctx)
	defer func() {
		s.releaseToken(ctx, key, mine, &err)
		end()
	}()
	proc.Go(held, "watchdog", func(ctx context.Context) {
		for proc.Sleep(ctx, Lease/3) == nil {
			lua.Renew(ctx, s.Redis, key, mine, Lease)
		}
	})

	inner := proc.Token(ctx) // in a method that locks as well
	if err := s.acquireToken(held, key, inner); err != nil {
		return err
	}
	defer func() { s.releaseToken(ctx, key, inner, &err) }()
	return s.order(held, voucher)
}
