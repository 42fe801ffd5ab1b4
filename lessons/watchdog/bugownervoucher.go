package watchdog

import (
	"context"
	"fmt"

	"flashlab/lua"
)

// ConfirmVoucher is Confirm with the voucher as a part of the owner.
func (s *Shop) ConfirmVoucher(
	ctx context.Context, user, voucher int64,
) (err error) {
	key := fmt.Sprintf("lock:order:%d", user)
	me := lua.Owner{ID: s.Node, N: user<<32 | voucher}
	if err := s.acquire(ctx, key, me, Lease); err != nil {
		return err
	}
	defer func() { s.release(ctx, key, me, &err) }()
	return s.order(ctx, voucher)
}
