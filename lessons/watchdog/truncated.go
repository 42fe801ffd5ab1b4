package watchdog

import (
	"context"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// Truncated is Reentrant, but what it calls locks for 5 s of its own. All
// holds share one key, and the key has one lease.
func (s *Shop) Truncated(ctx context.Context, user, voucher int64) (err error) {
	key := fmt.Sprintf("lock:order:%d", user)
	me := lua.Owner{ID: s.Node, N: proc.Number(ctx)}
	if err := s.acquire(ctx, key, me, Lease); err != nil {
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
		if err := s.acquire(ctx, key, me, s.Lease); err != nil {
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
