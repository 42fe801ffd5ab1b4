package misdeletion

import (
	"context"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// FreshToken locks with one token and releases with another, which never
// matches: the lock stays until its lease runs out.
func (s *Shop) FreshToken(ctx context.Context, user, voucher int64) error {
	key := fmt.Sprintf("lock:order:%d", user)
	ok, err := s.Redis.SetNX(ctx, key, proc.Token(ctx), Lease).Result()
	if err != nil {
		return err
	}
	if !ok {
		return ErrBusy
	}
	defer func() { lua.Unlock(ctx, s.Redis, key, proc.Token(ctx)) }()

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
