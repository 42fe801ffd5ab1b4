package luaunlock

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// unlockSHA names unlock.lua, which every node loads when it starts.
var unlockSHA = redis.NewScript(lua.Sources()["unlock"]).Hash()

// BuyBySHA spares the network the text of the script: 40 characters do.
func (s *Shop) BuyBySHA(ctx context.Context, user, voucher int64) (err error) {
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
