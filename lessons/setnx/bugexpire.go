package setnx

import (
	"context"

	"flashlab/sim/proc"
)

// Reserve also heals locks that an older version has set without an end.
func (s *Shop) Reserve(ctx context.Context, o Order) error {
	key := lockKey(o.User)
	for left := o.Wait; ; left -= Retry {
		ok, err := s.Redis.SetNX(ctx, key, "1", Lease).Result()
		if err != nil {
			return err
		}
		if ok {
			break
		}
		if left <= 0 {
			return ErrBusy
		}
		s.Redis.Expire(ctx, key, Lease)
		if err := proc.Sleep(ctx, min(left, Retry)); err != nil {
			return err
		}
	}
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
