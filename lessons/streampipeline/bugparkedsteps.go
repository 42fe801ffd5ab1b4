package streampipeline

import (
	"context"

	"flashlab/lua"
)

// ParkedSteps is Parked, but gives the unit back first.
type ParkedSteps struct{ *Shop }

// Buy is the request.
func (s *ParkedSteps) Buy(
	ctx context.Context, user, voucher, id int64,
) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume books an order or parks it and gives its unit back.
func (s *ParkedSteps) Consume(ctx context.Context, name string) error {
	return s.each(ctx, name, func(o Order) error {
		if err := s.finish(ctx, o); err == nil {
			return nil
		}
		k := lua.KeysOf(o.Voucher)
		dead := entry(k, o.User, o.Voucher, o.ID)
		dead.Stream = Dead
		if err := s.Redis.Incr(ctx, k.Stock).Err(); err != nil {
			return err
		}
		if err := s.Redis.XAdd(ctx, dead).Err(); err != nil {
			return err
		}
		return s.ack(ctx, o)
	})
}
