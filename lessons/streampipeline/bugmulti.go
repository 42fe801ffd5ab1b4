package streampipeline

import (
	"cmp"
	"context"

	"github.com/redis/go-redis/v9"

	"flashlab/lua"
)

// Transacted sells in a transaction of Redis: MULTI, EXEC.
type Transacted struct{ *Shop }

// Buy looks first, and writes all or nothing then.
func (s *Transacted) Buy(ctx context.Context, user, voucher, id int64) error {
	k := lua.KeysOf(voucher)
	bought, err := s.Redis.SIsMember(ctx, k.Users, user).Result()
	if err != nil || bought {
		return cmp.Or(err, ErrDuplicate)
	}
	left, err := s.Redis.Get(ctx, k.Stock).Int()
	if err != nil || left <= 0 {
		return cmp.Or(err, ErrSoldOut)
	}
	return s.inOne(ctx, func(tx redis.Pipeliner) {
		tx.Decr(ctx, k.Stock)
		tx.SAdd(ctx, k.Users, user)
		tx.XAdd(ctx, entry(k, user, voucher, id))
	})
}

// Consume books what was queued.
func (s *Transacted) Consume(ctx context.Context, name string) error {
	return s.each(ctx, name, func(o Order) error {
		return s.finish(ctx, o)
	})
}
