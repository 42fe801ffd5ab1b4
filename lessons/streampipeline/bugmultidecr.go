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
	if err != nil {
		return err
	}
	if left < 0 {
		return cmp.Or(s.Redis.Incr(ctx, k.Stock).Err(), ErrSoldOut)
	}
	_, err = s.Redis.TxPipelined(ctx, func(tx redis.Pipeliner) error {
		tx.SAdd(ctx, k.Users, user)
		return tx.XAdd(ctx, entry(k, user, voucher, id)).Err()
	})
	return err
}

// Consume books what was queued.
func (s *Counted) Consume(ctx context.Context, name string) error {
	return s.each(ctx, name, func(o Order) error {
		return s.finish(ctx, o)
	})
}
