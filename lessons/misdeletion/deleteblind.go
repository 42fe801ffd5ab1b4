package misdeletion

import (
	"context"
	"fmt"
)

// DeleteBlind writes the same value as everybody and deletes the key when it is
// done, whoever's it is by then.
func (s *Shop) DeleteBlind(ctx context.Context, user, voucher int64) error {
	key := fmt.Sprintf("lock:order:%d", user)
	ok, err := s.Redis.SetNX(ctx, key, "1", Lease).Result()
	if err != nil {
		return err
	}
	if !ok {
		return ErrBusy
	}
	defer func() { s.Redis.Del(ctx, key) }()

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
