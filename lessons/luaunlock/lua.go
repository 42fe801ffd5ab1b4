package luaunlock

import (
	"context"
	"errors"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// Lua makes a token for this one acquisition; a script compares and deletes in
// one step, and its answer is part of the result.
func (s *Shop) Lua(ctx context.Context, user, voucher int64) (err error) {
	key, token := fmt.Sprintf("lock:order:%d", user), proc.Token(ctx)
	ok, err := s.Redis.SetNX(ctx, key, token, Lease).Result()
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
