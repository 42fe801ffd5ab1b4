package streampipeline

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// The stream of orders and the group that books them.
const (
	Stream = "stream.orders"
	Group  = "g1"
	// Patience is how long a read waits for something new, and how long an
	// entry must have been with one consumer before another one claims it:
	// more than the slowest order takes.
	Patience = 30 * time.Second
)

// read waits for the next new order. None within the time is no error.
func (s *Shop) read(ctx context.Context, consumer string) ([]Order, error) {
	return s.fetch(ctx, consumer, ">")
}

// pending returns the orders that were handed to this consumer and that it has
// not acknowledged, oldest first. It does not wait.
func (s *Shop) pending(ctx context.Context, consumer string) ([]Order, error) {
	return s.fetch(ctx, consumer, "0")
}

func (s *Shop) fetch(
	ctx context.Context, consumer, from string,
) ([]Order, error) {
	got, err := s.Redis.XReadGroup(ctx, &redis.XReadGroupArgs{
		Group: Group, Consumer: consumer,
		Streams: []string{Stream, from},
		Count:   1, Block: Patience,
	}).Result()
	if errors.Is(err, redis.Nil) || err == nil && len(got) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", Stream, err)
	}
	return orders(got[0].Messages), nil
}

// claim takes over orders that somebody was handed long ago and that nobody has
// acknowledged. Nothing else brings them back.
func (s *Shop) claim(ctx context.Context, consumer string) ([]Order, error) {
	got, _, err := s.Redis.XAutoClaim(ctx, &redis.XAutoClaimArgs{
		Stream: Stream, Group: Group, Consumer: consumer,
		MinIdle: Patience, Start: "0", Count: 10,
	}).Result()
	if err != nil {
		return nil, fmt.Errorf("claiming from %s: %w", Stream, err)
	}
	return orders(got), nil
}

// ack tells the group that an order is done. The answer 0 says that nothing was
// acknowledged: another consumer was faster, or the names are wrong.
func (s *Shop) ack(ctx context.Context, o Order) error {
	n, err := s.Redis.XAck(ctx, Stream, Group, o.Entry).Result()
	if err == nil && n != 1 {
		err = ErrNotAcked
	}
	return err
}

// orders reads entries of the stream; the script has put numbers into them.
func orders(entries []redis.XMessage) []Order {
	out := make([]Order, 0, len(entries))
	for _, e := range entries {
		number := func(field string) int64 {
			text, _ := e.Values[field].(string)
			n, _ := strconv.ParseInt(text, 10, 64)
			return n
		}
		out = append(out, Order{
			Entry: e.ID, ID: number("id"),
			User: number("userId"), Voucher: number("voucherId"),
		})
	}
	return out
}
