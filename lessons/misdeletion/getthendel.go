package misdeletion

import (
	"context"
	"fmt"

	"flashlab/sim/proc"
)

// GetThenDel gives every acquisition its own token and looks at the key before
// it deletes. But GET and DEL are two commands.
func (s *Shop) GetThenDel(ctx context.Context, user, voucher int64) error {
	key, token := fmt.Sprintf("lock:order:%d", user), proc.Token(ctx)
	ok, err := s.Redis.SetNX(ctx, key, token, Lease).Result()
	if err != nil {
		return err
	}
	if !ok {
		return ErrBusy
	}
	defer func() {
		if s.Redis.Get(ctx, key).Val() == token {
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
