package luaunlock

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// unlock.lua and its name. Every node loads it when it starts.
var (
	unlockText = lua.Sources()["unlock"]
	unlockSHA  = redis.NewScript(unlockText).Hash()
)

// locked works on an order under the user's lock, and releases it in the given
// way, also if the client has left.
func (s *Shop) locked(
	ctx context.Context, user, voucher int64,
	release func(ctx context.Context, key, token string) error,
) (err error) {
	key, token := fmt.Sprintf("lock:order:%d", user), proc.Token(ctx)
	ok, err := s.Redis.SetNX(ctx, key, token, Lease).Result()
	if err != nil || !ok {
		return cmp.Or(err, ErrBusy)
	}
	defer func() {
		e := release(context.WithoutCancel(ctx), key, token)
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
