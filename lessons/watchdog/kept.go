package watchdog

import (
	"context"
	"fmt"

	"flashlab/sim/proc"
)

// kept makes an order under a token lock with the lease of the shop, which may
// be less than a second. keep renews it as long as the order takes.
func (s *Shop) kept(
	ctx context.Context, user, voucher int64,
	keep func(ctx context.Context, key, token string),
) (err error) {
	key, token := fmt.Sprintf("lock:order:%d", user), proc.Token(ctx)
	for {
		ok, err := s.Redis.SetNX(ctx, key, token, s.Lease).Result()
		if err != nil {
			return err
		}
		if ok {
			break
		}
		if err := proc.Sleep(ctx, s.Lease); err != nil {
			return err
		}
	}
	held, end := proc.WithCancel(ctx)
	defer func() {
		s.releaseToken(ctx, key, token, &err)
		end()
	}()
	proc.Go(held, "watchdog", func(ctx context.Context) {
		keep(ctx, key, token)
	})
	return s.order(held, voucher)
}
