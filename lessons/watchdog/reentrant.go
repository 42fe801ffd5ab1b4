package watchdog

import (
	"context"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// Reentrant books an order under the lock and calls something that locks as
// well. The owner is the same: it gets in, and the hash counts 2.
func (s *Shop) Reentrant(ctx context.Context, user, voucher int64) (err error) {
	key := fmt.Sprintf("lock:order:%d", user)
	me := lua.Owner{ID: s.Node, N: proc.Number(ctx)}
	if err := s.acquire(ctx, key, me, Lease); err != nil { // outer
		return err
	}
	held, end := proc.WithCancel(ctx)
	defer func() {
		s.release(ctx, key, me, &err) // the last one frees it
		end()
	}()
	proc.Go(held, "watchdog", func(ctx context.Context) {
		s.keep(ctx, key, me, end)
	})

	deduct := func(ctx context.Context) (err error) {
		if err := s.acquire(ctx, key, me, Lease); err != nil { // inner
			return err
		}
		defer func() { s.release(ctx, key, me, &err) }()
		return s.order(ctx, voucher)
	}
	if err := deduct(held); err != nil {
		return err
	}
	return s.read(held, voucher)
}
