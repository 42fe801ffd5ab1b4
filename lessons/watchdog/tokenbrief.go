package watchdog

import (
	"context"
	"fmt"

	"flashlab/sim/proc"
)

// TokenBrief takes the same lock for a short job, under a lease that it names
// and that nobody renews.
func (s *Shop) TokenBrief(
	ctx context.Context, user, voucher int64,
) (err error) {
	key, token := fmt.Sprintf("lock:order:%d", user), proc.Token(ctx)
	err = s.acquireTokenFor(ctx, key, token, s.Lease)
	if err != nil {
		return err
	}
	defer func() { s.releaseToken(ctx, key, token, &err) }()
	return s.order(ctx, voucher)
}
