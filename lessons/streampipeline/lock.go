package streampipeline

import (
	"context"
	"fmt"
	"time"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// locked does a piece of work under the lock of a user. done is false if
// somebody else has the lock: then nothing was done, which is no error.
func (s *Shop) locked(
	ctx context.Context, user int64, work func() error,
) (done bool, err error) {
	key, token := fmt.Sprintf("lock:order:%d", user), proc.Token(ctx)
	got, err := s.Redis.SetNX(ctx, key, token, 30*time.Second).Result()
	if err != nil || !got {
		return false, err
	}
	defer func() {
		ctx := proc.WithoutCancel(ctx)
		_, err := lua.Unlock(ctx, s.Redis, key, token)
		s.warn(err)
	}()
	return true, work()
}

// count counts the orders of a user.
func (s *Shop) count(ctx context.Context, user int64) error {
	var n int
	row := s.DB.QueryRowContext(ctx, `SELECT COUNT(*) FROM orders
		WHERE user_id = ?`, user)
	return row.Scan(&n)
}
