package watchdog

import (
	"context"
	"fmt"

	"flashlab/sim/proc"
)

// kept makes an order under a token lock with the lease of the shop, which may
// be less than a second. renew is called every third of it; after an error of
// it the next one comes as planned.
func (s *Shop) kept(
	ctx context.Context, user, voucher int64,
	renew func(ctx context.Context, key, token string) error,
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
		for proc.Sleep(ctx, s.Lease/3) == nil {
			renew(ctx, key, token)
		}
	})
	return s.order(held, voucher)
}
