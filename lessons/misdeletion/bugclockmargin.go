package misdeletion

import (
	"context"
	"fmt"
	"time"

	"flashlab/sim/proc"
)

// BuyInGoodTime is BuyInTime with a second to spare.
func (s *Shop) BuyInGoodTime(ctx context.Context, user, voucher int64) error {
	key := fmt.Sprintf("lock:order:%d", user)
	ok, err := s.Redis.SetNX(ctx, key, "1", Lease).Result()
	if err != nil {
		return err
	}
	if !ok {
		return ErrBusy
	}
	since := proc.Now(ctx)
	defer func() {
		if proc.Now(ctx).Sub(since) < Lease-time.Second {
			s.Redis.Del(ctx, key)
		}
	}()

	for range s.Work { // the slow part of an order
		var stock int
		row := s.DB.QueryRowContext(ctx, `SELECT stock FROM voucher
			WHERE id = ?`, voucher)
		if err := row.Scan(&stock); err != nil {
			return err
		}
	}
	return nil
}
