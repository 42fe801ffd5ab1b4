package luaunlock

import (
	"context"
	"errors"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// BuyAfterLoad is BuyBySHA, but loads the script before each order.
func (s *Shop) BuyAfterLoad(
	ctx context.Context, user, voucher int64,
) (err error) {
	script := lua.Sources()["unlock"]
	if err := s.Redis.ScriptLoad(ctx, script).Err(); err != nil {
		return err
	}
	key, token := fmt.Sprintf("lock:order:%d", user), proc.Token(ctx)
	ok, err := s.Redis.SetNX(ctx, key, token, Lease).Result()
	if err != nil {
		return err
	}
	if !ok {
		return ErrBusy
	}
	defer func() {
		ctx := context.WithoutCancel(ctx)
		keys := []string{key}
		e := s.Redis.EvalSha(ctx, unlockSHA, keys, token).Err()
		err = errors.Join(err, e)
	}()
	return s.work(ctx, voucher)
}
