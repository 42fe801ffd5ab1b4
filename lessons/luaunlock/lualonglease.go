package luaunlock

import (
	"context"
	"errors"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// LuaLongLease takes the lock for so long that no work is meant to outlive it.
// Who crashes leaves it behind for as long.
func (s *Shop) LuaLongLease(
	ctx context.Context, user, voucher int64,
) (err error) {
	key, token := fmt.Sprintf("lock:order:%d", user), proc.Token(ctx)
	ok, err := s.Redis.SetNX(ctx, key, token, LongLease).Result()
	if err != nil {
		return err
	}
	if !ok {
		return ErrBusy
	}
	defer func() {
		ctx := context.WithoutCancel(ctx) // also if the client has left
		e := released(lua.Unlock(ctx, s.Redis, key, token))
		err = errors.Join(err, e)
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
