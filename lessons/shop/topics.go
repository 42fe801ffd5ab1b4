package shop

import (
	"context"
	"errors"
	"net"
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

// RedisTopics is pub/sub of go-redis. Every waiting request has a connection of its
// own: it is meant for locks that few wait for.
type RedisTopics struct {
	Client interface {
		Subscribe(ctx context.Context, channels ...string) *redis.PubSub
	}
}

// Subscribe implements Topics.
func (t RedisTopics) Subscribe(ctx context.Context, channel string) (func(context.Context, time.Duration) (bool, error), func(), error) {
	sub := t.Client.Subscribe(ctx, channel)
	if _, err := sub.Receive(ctx); err != nil { // the server's confirmation
		sub.Close()
		return nil, nil, err
	}
	heard := func(ctx context.Context, d time.Duration) (bool, error) { return hear(ctx, sub, d) }
	return heard, func() { sub.Close() }, nil
}

// hear waits for a message. A subscription that breaks is a message that gets lost:
// the waiter tries again soon, and in the end when the lease is over.
func hear(ctx context.Context, sub *redis.PubSub, d time.Duration) (bool, error) {
	// Reading does not notice that ctx ends.
	stop := context.AfterFunc(ctx, func() { sub.Close() })
	defer stop()
	_, err := sub.ReceiveTimeout(ctx, d)
	if end := ctx.Err(); end != nil {
		return false, end
	}
	var timeout net.Error
	if err == nil || errors.As(err, &timeout) && timeout.Timeout() {
		return err == nil, nil
	}
	return false, proc.Sleep(ctx, min(d, time.Second))
}
