package lua

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

var reentrantRenew = script("reentrant_renew")

// RenewReentrant gives all holds of the owner a new lease from now on, 1 ms at
// least. The outcome is Done, Expired or Foreign.
func RenewReentrant(ctx context.Context, c redis.Scripter, lock string, owner Owner, lease time.Duration) (Outcome, error) {
	ms, err := milliseconds(lease)
	if err != nil {
		return 0, fmt.Errorf("renewing lock %s: %w", lock, err)
	}
	return outcome(reentrantRenew.Run(ctx, c, []string{lock}, ms, owner.String()), Done, "renewing", lock)
}
