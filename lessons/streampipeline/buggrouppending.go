package streampipeline

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// FounderPending is Founder, but looks at its pending list first.
type FounderPending struct{ *Shop }

// Buy is the request.
func (s *FounderPending) Buy(
	ctx context.Context, user, voucher, id int64,
) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume can be started before the first order or after it, on any node.
func (s *FounderPending) Consume(ctx context.Context, consumer string) error {
	err := s.Redis.XGroupCreateMkStream(ctx, Stream, Group, "$").Err()
	if err != nil && !redis.HasErrorPrefix(err, "BUSYGROUP") {
		return err
	}
	for {
		orders, err := s.pending(ctx, consumer)
		if err != nil || len(orders) == 0 {
			break
		}
		s.warn(s.finish(ctx, orders[0]))
	}
	return s.each(ctx, consumer, func(o Order) error {
		return s.finish(ctx, o)
	})
}
