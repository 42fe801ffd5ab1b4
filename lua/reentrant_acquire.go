package lua

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

var reentrantAcquire = script("reentrant_acquire")

// NoLease is the wait for a lock whose key has no time to live: nothing but its
// owner will free it.
const NoLease time.Duration = -1

// Acquisition is the answer to an attempt to take a re-entrant lock.
type Acquisition struct {
	Granted bool
	// Wait is how long the present lease still runs, in whole milliseconds, or
	// NoLease. The lock may be free earlier (see Channel), or renewed. 0 if granted.
	Wait time.Duration
}

// AcquireReentrant takes a lock for the owner, once more if it holds it already, and
// sets the lease of all its holds to the one given, 1 ms at least. It does not wait.
func AcquireReentrant(ctx context.Context, c redis.Scripter, lock string, owner Owner, lease time.Duration) (Acquisition, error) {
	ms, err := milliseconds(lease)
	if err != nil {
		return Acquisition{}, fmt.Errorf("acquiring lock %s: %w", lock, err)
	}
	left, err := reentrantAcquire.Run(ctx, c, []string{lock}, ms, owner.String()).Int64()
	switch {
	case errors.Is(err, redis.Nil): // granted, in Redisson's protocol
		return Acquisition{Granted: true}, nil
	case err != nil:
		return Acquisition{}, fmt.Errorf("acquiring lock %s: %w", lock, err)
	case left == -1:
		return Acquisition{Wait: NoLease}, nil
	case left < 0:
		return Acquisition{}, fmt.Errorf("acquiring lock %s: %w %d", lock, ErrAnswer, left)
	}
	return Acquisition{Wait: time.Duration(left) * time.Millisecond}, nil
}
