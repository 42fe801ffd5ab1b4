package watchdog

import (
	"context"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// ConfirmOnce is Confirm with an owner of its own for each request.
func (s *Shop) ConfirmOnce(
	ctx context.Context, user, voucher int64,
) (err error) {
	key := fmt.Sprintf("lock:order:%d", user)
	me := lua.Owner{ID: s.Node, N: proc.Number(ctx)}
	if err := s.acquire(ctx, key, me, Lease); err != nil {
		return err
	}
	defer func() { s.release(ctx, key, me, &err) }()
	return s.order(ctx, voucher)
}
