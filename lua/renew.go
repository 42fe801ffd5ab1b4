package lua

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

var renew = script("renew")

// Renew gives a lock that holds the token a new lease from now on, 1 ms at least.
// The outcome is Done, Expired or Foreign; after the last two nothing can be
// renewed any more.
func Renew(ctx context.Context, c redis.Scripter, lock, token string, lease time.Duration) (Outcome, error) {
	ms, err := milliseconds(lease)
	if err != nil {
		return 0, fmt.Errorf("renewing lock %s: %w", lock, err)
	}
	return outcome(renew.Run(ctx, c, []string{lock}, token, ms), Done, "renewing", lock)
}
