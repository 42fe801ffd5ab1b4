package streampipeline

import (
	"context"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// readOrClaim waits for a new order for the time given; where none comes, it
// claims one that has been with somebody else for as long.
func (s *Shop) readOrClaim(
	ctx context.Context, consumer string, patience time.Duration,
) ([]Order, error) {
	got, err := s.Redis.XReadGroup(ctx, &redis.XReadGroupArgs{
		Group: Group, Consumer: consumer,
		Streams: []string{Stream, ">"}, Count: 1, Block: patience,
	}).Result()
	if err == nil && len(got) > 0 {
		return orders(got[0].Messages), nil
	}
	if err != nil && !errors.Is(err, redis.Nil) {
		return nil, err
	}
	left, _, err := s.Redis.XAutoClaim(ctx, &redis.XAutoClaimArgs{
		Stream: Stream, Group: Group, Consumer: consumer,
		MinIdle: patience, Start: "0", Count: 1,
	}).Result()
	return orders(left), err
}

// insert books an order: a row, and a unit less.
func (s *Shop) insert(ctx context.Context, o Order) error {
	return s.write(ctx, o.Voucher, `INSERT INTO orders (user_id, voucher_id)
		VALUES (?, ?)`, o.User, o.Voucher)
}
