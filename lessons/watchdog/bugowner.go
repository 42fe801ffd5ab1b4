package watchdog

import (
	"context"
	"fmt"

	"flashlab/lua"
)

// Confirm locks the orders of a user. What it calls may lock them again: the
// owner is the same.
func (s *Shop) Confirm(ctx context.Context, user, voucher int64) (err error) {
	key := fmt.Sprintf("lock:order:%d", user)
	me := lua.Owner{ID: s.Node, N: user}
	if err := s.acquire(ctx, key, me, Lease); err != nil {
		return err
	}
	defer func() { s.release(ctx, key, me, &err) }()
	return s.order(ctx, voucher)
}
