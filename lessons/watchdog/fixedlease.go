package watchdog

import (
	"context"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// FixedLease locks for a time that somebody once found long enough.
func (s *Shop) FixedLease(
	ctx context.Context, user, voucher int64,
) (err error) {
	key := fmt.Sprintf("lock:order:%d", user)
	me := lua.Owner{ID: s.Node, N: proc.Number(ctx)}
	if err := s.acquire(ctx, key, me, s.Lease); err != nil {
		return err
	}
	defer func() { s.release(ctx, key, me, &err) }()
	return s.order(ctx, voucher)
}
