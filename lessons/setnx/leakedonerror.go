package setnx

import (
	"context"

	"flashlab/sim/proc"
)

// LeakedOnError deletes the lock in its last line, and does not always come
// there.
func (s *Shop) LeakedOnError(ctx context.Context, o Order) error {
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
		if err := proc.Sleep(ctx, min(left, Retry)); err != nil {
			return err
		}
	}

	for range s.Work { // the slow part of an order
		var stock int
		row := s.DB.QueryRowContext(ctx, readStock, o.Voucher)
		if err := row.Scan(&stock); err != nil {
			return err // no such voucher; and the lock?
		}
	}
	return s.Redis.Del(ctx, key).Err()
}
