package misdeletion

import (
	"context"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// ByScript makes one token for one acquisition, keeps it until the release, and
// lets a script compare and delete.
func (s *Shop) ByScript(ctx context.Context, user, voucher int64) error {
	key, token := fmt.Sprintf("lock:order:%d", user), proc.Token(ctx)
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
