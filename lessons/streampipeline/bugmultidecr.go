package streampipeline

import (
	"cmp"
	"context"

	"github.com/redis/go-redis/v9"

	"flashlab/lua"
)

// Counted takes a unit first, and gives it back where there was none.
type Counted struct{ *Shop }

// Buy relies on the answer of DECR.
func (s *Counted) Buy(ctx context.Context, user, voucher, id int64) error {
	k := lua.KeysOf(voucher)
	bought, err := s.Redis.SIsMember(ctx, k.Users, user).Result()
	if err != nil || bought {
		return cmp.Or(err, ErrDuplicate)
	}
	left, err := s.Redis.Decr(ctx, k.Stock).Result()
	if err != nil || left < 0 {
		s.Redis.Incr(ctx, k.Stock)
		return cmp.Or(err, ErrSoldOut)
	}
	return s.inOne(ctx, func(tx redis.Pipeliner) {
		tx.SAdd(ctx, k.Users, user)
		tx.XAdd(ctx, entry(k, user, voucher, id))
	})
}

// Consume books what was queued.
func (s *Counted) Consume(ctx context.Context, name string) error {
	return s.each(ctx, name, func(o Order) error {
		return s.finish(ctx, o)
	})
}
