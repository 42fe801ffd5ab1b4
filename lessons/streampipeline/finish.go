package streampipeline

import (
	"context"

	"github.com/redis/go-redis/v9"

	"flashlab/lua"
)

// finish books an order and acknowledges it.
func (s *Shop) finish(ctx context.Context, o Order) error {
	if err := s.book(ctx, o); err != nil {
		return err
	}
	return s.ack(ctx, o)
}

// inOne sends commands in one transaction, MULTI and EXEC.
func (s *Shop) inOne(
	ctx context.Context, commands func(tx redis.Pipeliner),
) error {
	_, err := s.Redis.TxPipelined(ctx, func(tx redis.Pipeliner) error {
		commands(tx)
		return nil
	})
	return err
}

// entry is an order as it stands in the stream.
func entry(k lua.SaleKeys, user, voucher, id int64) *redis.XAddArgs {
	return &redis.XAddArgs{Stream: k.Stream, Values: []any{
		"userId", user, "voucherId", voucher, "id", id,
	}}
}
