package lua

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

var reentrantRelease = script("reentrant_release")

// ReleaseReentrant gives back one hold of the owner. With the last one the lock is
// free and the message "0" goes out on its Channel; before, the remaining holds get
// the lease given, 1 ms at least. The outcome is Done, StillHeld, Expired or Foreign.
func ReleaseReentrant(ctx context.Context, c redis.Scripter, lock string, owner Owner, lease time.Duration) (Outcome, error) {
	ms, err := milliseconds(lease)
	if err != nil {
		return 0, fmt.Errorf("releasing lock %s: %w", lock, err)
	}
	cmd := reentrantRelease.Run(ctx, c, []string{lock, Channel(lock)}, ms, owner.String())
	return outcome(cmd, StillHeld, "releasing", lock)
}
