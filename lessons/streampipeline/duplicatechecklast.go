package streampipeline

import (
	"context"

	"github.com/redis/go-redis/v9"
)

const checkLastScript = `local stock, users, orders = KEYS[1], KEYS[2], KEYS[3]
if tonumber(redis.call('GET', stock)) <= 0 then return 1 end
redis.call('DECR', stock)
if redis.call('SADD', users, ARGV[1]) == 0 then return 2 end
redis.call('XADD', orders, '*',
	'userId', ARGV[1], 'voucherId', ARGV[2], 'id', ARGV[3])
return 0`

var checkLast = redis.NewScript(checkLastScript)

// DuplicateCheckLast runs a script that deducts before it looks for the user.
type DuplicateCheckLast struct{ *Shop }

// Buy is the request.
func (s *DuplicateCheckLast) Buy(
	ctx context.Context, user, voucher, id int64,
) error {
	return s.decide(ctx, checkLast, voucher, user, voucher, id)
}

// Consume books what the script has queued.
func (s *DuplicateCheckLast) Consume(ctx context.Context, name string) error {
	return s.each(ctx, name, func(o Order) error {
		if err := s.book(ctx, o); err != nil {
			return err
		}
		return s.ack(ctx, o)
	})
}
