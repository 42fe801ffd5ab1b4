package streampipeline

import (
	"context"

	"github.com/redis/go-redis/v9"

	"flashlab/lua"
)

// Parked puts orders that cannot be booked aside, for somebody to look at.
type Parked struct{ *Shop }

// Buy is the request.
func (s *Parked) Buy(
	ctx context.Context, user, voucher, id int64,
) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume books an order or parks it; either way it is done with it.
func (s *Parked) Consume(ctx context.Context, name string) error {
	return s.each(ctx, name, func(o Order) error {
		if err := s.finish(ctx, o); err == nil {
			return nil
		}
		dead := entry(lua.KeysOf(o.Voucher), o.User, o.Voucher, o.ID)
		dead.Stream = Dead
		return s.inOne(ctx, func(tx redis.Pipeliner) {
			tx.XAdd(ctx, dead)
			tx.XAck(ctx, Stream, Group, o.Entry)
		})
	})
}
