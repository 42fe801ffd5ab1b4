package shop

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/proc"
)

// Topics carries messages from whoever releases a lock to those who wait for it.
type Topics interface {
	// Subscribe listens to a channel from the moment it returns. heard waits for at
	// most d and reports whether a message has come; it may say so although none has,
	// and messages may get lost. hangUp ends the subscription.
	Subscribe(ctx context.Context, channel string) (heard func(ctx context.Context, d time.Duration) (bool, error), hangUp func(), err error)
}

// confirmWithin is how long a server may take to confirm a subscription: as long as
// go-redis waits for an ordinary answer.
const confirmWithin = 3 * time.Second

// RedisTopics is pub/sub of go-redis. Every waiting request has a connection of its
// own: it is meant for locks that few wait for.
type RedisTopics struct {
	Client interface {
		Subscribe(ctx context.Context, channels ...string) *redis.PubSub
	}
}

// Subscribe implements Topics. It fails when ctx ends, or when the server does not
// confirm within 3 s. Afterwards go-redis restores a connection that breaks; a
// message that was sent meanwhile is lost.
func (t RedisTopics) Subscribe(ctx context.Context, channel string) (func(context.Context, time.Duration) (bool, error), func(), error) {
	sub := t.Client.Subscribe(ctx, channel)
	// Without a bound of its own this wait has none. The confirmation may never come:
	// when the request could not be sent, go-redis keeps the error to itself and
	// connects again, without the channel. And it does not see that ctx is cancelled.
	cancelled := context.AfterFunc(ctx, func() { sub.Close() })
	defer cancelled()
	if _, err := sub.ReceiveTimeout(ctx, confirmWithin); err != nil {
		sub.Close()
		return nil, nil, err
	}
	// Somebody must read all the time: a server does not wait for slow listeners.
	var messages proc.Queue[string]
	proc.Go(ctx, "listener", func(ctx context.Context) {
		for m := range sub.Channel() { // until it is closed
			messages.Put(ctx, m.Payload)
		}
	})
	heard := func(ctx context.Context, d time.Duration) (bool, error) {
		limit, done := proc.WithTimeout(ctx, d)
		defer done()
		_, err := messages.Take(limit)
		return err == nil, ctx.Err()
	}
	return heard, func() { sub.Close() }, nil
}
