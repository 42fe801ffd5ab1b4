package misdeletion

import (
	"context"
	"fmt"

	"flashlab/lua"
)

// BuyForUser writes into the lock for whom it was taken. A script compares that
// before it deletes, in one step.
func (s *Shop) BuyForUser(ctx context.Context, user, voucher int64) error {
	key := fmt.Sprintf("lock:order:%d", user)
	token := fmt.Sprintf("user:%d:voucher:%d", user, voucher)
	ok, err := s.Redis.SetNX(ctx, key, token, Lease).Result()
	if err != nil {
		return err
	}
	if !ok {
		return ErrBusy
	}
	defer func() { lua.Unlock(ctx, s.Redis, key, token) }()

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
