package luaunlock

import (
	"context"
	"errors"
	"fmt"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// BuyByText is BuyBySHA, but sends the script itself.
func (s *Shop) BuyByText(
	ctx context.Context, user, voucher int64,
) (err error) {
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
		keys, script := []string{key}, lua.Sources()["unlock"]
		e := s.Redis.Eval(ctx, script, keys, token).Err()
		err = errors.Join(err, e)
	}()
	return s.work(ctx, voucher)
}
