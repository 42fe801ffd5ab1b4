package setnx

import (
	"context"

	"flashlab/sim/proc"
)

// SetnxThenExpire takes the lock and then gives it a lease: two commands.
func (s *Shop) SetnxThenExpire(ctx context.Context, o Order) error {
	key := lockKey(o.User)
	for left := o.Wait; ; left -= Retry {
		n, err := s.Redis.Do(ctx, "SETNX", key, "1").Int()
		if err != nil {
			return err
		}
		if n == 1 {
			break
		}
		if left <= 0 {
			return ErrBusy
		}
		if err := proc.Sleep(ctx, min(left, Retry)); err != nil {
			return err
		}
	}
	defer func() { s.Redis.Del(ctx, key) }()
	if err := s.Redis.Expire(ctx, key, Lease).Err(); err != nil {
		return err
	}

	for range s.Work { // the slow part of an order
		var stock int
		row := s.DB.QueryRowContext(ctx, readStock, o.Voucher)
		if err := row.Scan(&stock); err != nil {
			return err
		}
	}
	return nil
}
