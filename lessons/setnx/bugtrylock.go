package setnx

import (
	"context"
	"time"

	"flashlab/sim/proc"
)

// Checkout waits for the lock, works on the order and gives the lock back.
func (s *Shop) Checkout(ctx context.Context, o Order) error {
	key := lockKey(o.User)
	s.tryLock(ctx, key, o.Wait)
	defer func() { s.Redis.Del(context.WithoutCancel(ctx), key) }()

	for range s.Work { // the slow part of an order
		var stock int
		row := s.DB.QueryRowContext(ctx, readStock, o.Voucher)
		if err := row.Scan(&stock); err != nil {
			return err
		}
	}
	return nil
}

// tryLock tries for the given time and reports whether it has got the lock.
func (s *Shop) tryLock(
	ctx context.Context, key string, wait time.Duration,
) bool {
	for ; ; wait -= Retry {
		ok, err := s.Redis.SetNX(ctx, key, "1", Lease).Result()
		if err != nil || ok || wait <= 0 {
			return err == nil && ok
		}
		if proc.Sleep(ctx, min(wait, Retry)) != nil {
			return false
		}
	}
}
