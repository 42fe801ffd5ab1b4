package streampipeline

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// FounderZero is Founder with a group that begins with the first entry.
type FounderZero struct{ *Shop }

// Buy is the request.
func (s *FounderZero) Buy(
	ctx context.Context, user, voucher, id int64,
) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume can be started before the first order or after it, on any node.
func (s *FounderZero) Consume(ctx context.Context, consumer string) error {
	err := s.Redis.XGroupCreateMkStream(ctx, Stream, Group, "0").Err()
	if err != nil && !redis.HasErrorPrefix(err, "BUSYGROUP") {
		return err
	}
	return s.each(ctx, consumer, func(o Order) error {
		return s.finish(ctx, o)
	})
}
