package streampipeline

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"flashlab/lua"
)

// sell asks the sale script, which decides and queues the order in one step.
// Its answer is the buyer's; the order itself is booked later, by a consumer.
// The order id comes with the request: it was drawn with the order page.
func (s *Shop) sell(ctx context.Context, user, voucher, id int64) error {
	keys := lua.KeysOf(voucher)
	answer, err := lua.Sell(ctx, s.Redis, keys, user, voucher, id)
	if err != nil {
		s.warn(err)
		return ErrTryAgain
	}
	return refusal(answer)
}

// decide runs a sale script of another making; all of them answer alike.
func (s *Shop) decide(
	ctx context.Context, script *redis.Script, voucher int64, args ...any,
) error {
	k := lua.KeysOf(voucher)
	keys := []string{k.Stock, k.Users, k.Stream}
	answer, err := script.Run(ctx, s.Redis, keys, args...).Int()
	if err != nil {
		s.warn(err)
		return ErrTryAgain
	}
	return refusal(lua.Sale(answer))
}

// refusal is what a buyer is told.
func refusal(answer lua.Sale) error {
	switch answer {
	case lua.Accepted:
		return nil
	case lua.SoldOut:
		return ErrSoldOut
	case lua.Duplicate:
		return ErrDuplicate
	}
	return fmt.Errorf("no sale: %v", answer)
}
