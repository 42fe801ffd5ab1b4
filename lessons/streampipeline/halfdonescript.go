package streampipeline

import (
	"context"

	"github.com/redis/go-redis/v9"
)

const halfDoneScript = `local stock, users, orders = KEYS[1], KEYS[2], KEYS[3]
if tonumber(redis.call('GET', stock)) <= 0 then return 1 end
if redis.call('SISMEMBER', users, ARGV[1]) == 1 then return 2 end
redis.call('DECR', stock)
redis.call('SADD', users, ARGV[1])
redis.call('XADD', orders, '*',
	'userId', ARGV[1], 'voucherId', ARGV[2], 'id', ARGV[3])
return 0`

var halfDone = redis.NewScript(halfDoneScript)

// HalfDoneScript runs a script that does not look at its arguments first.
type HalfDoneScript struct{ *Shop }

// Buy forgets one of them, the order id.
func (s *HalfDoneScript) Buy(
	ctx context.Context, user, voucher, _ int64,
) error {
	return s.decide(ctx, halfDone, voucher, user, voucher)
}

// Consume would book the order, if it ever came.
func (s *HalfDoneScript) Consume(ctx context.Context, consumer string) error {
	return s.each(ctx, consumer, func(o Order) error {
		if err := s.book(ctx, o); err != nil {
			return err
		}
		return s.ack(ctx, o)
	})
}
