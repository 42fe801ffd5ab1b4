package streampipeline

import (
	"context"

	"github.com/redis/go-redis/v9"
)

const memoryQueueScript = `
if tonumber(redis.call('GET', KEYS[1])) <= 0 then return 1 end
if redis.call('SADD', KEYS[2], ARGV[1]) == 0 then return 2 end
redis.call('DECR', KEYS[1])
return 0`

var memoryQueue = redis.NewScript(memoryQueueScript)

// MemoryQueue hands orders to a worker in the same process.
type MemoryQueue struct{ *Shop }

// Buy lets the script decide, then queues the order in memory.
func (s *MemoryQueue) Buy(ctx context.Context, user, voucher, id int64) error {
	if err := s.decide(ctx, memoryQueue, voucher, user); err != nil {
		return err
	}
	return s.Queue.Put(ctx, Order{ID: id, User: user, Voucher: voucher})
}

// Consume books what comes out of the queue.
func (s *MemoryQueue) Consume(ctx context.Context, _ string) error {
	for {
		o, err := s.Queue.Take(ctx)
		if err != nil {
			return err
		}
		s.warn(s.book(ctx, o))
	}
}
