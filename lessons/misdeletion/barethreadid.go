package misdeletion

import (
	"context"
	"fmt"
	"strconv"

	"flashlab/lua"
)

// BareThreadID writes who holds the lock and lets a script compare before it
// deletes. But every node has a worker 1.
func (s *Shop) BareThreadID(ctx context.Context, user, voucher int64) error {
	key, me := fmt.Sprintf("lock:order:%d", user), strconv.Itoa(s.Worker)
	ok, err := s.Redis.SetNX(ctx, key, me, Lease).Result()
	if err != nil {
		return err
	}
	if !ok {
		return ErrBusy
	}
	defer func() { lua.Unlock(ctx, s.Redis, key, me) }()

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
