package lua

import (
	"context"

	"github.com/redis/go-redis/v9"
)

var unlock = script("unlock")

// Unlock deletes the key of a lock if it holds the token. The outcome is Done,
// Expired or Foreign.
//
// Call it with a context that the request's end does not cancel, or a client that
// hangs up leaves the lock behind (context.WithoutCancel).
func Unlock(ctx context.Context, c redis.Scripter, lock, token string) (Outcome, error) {
	return outcome(unlock.Run(ctx, c, []string{lock}, token), Done, "releasing", lock)
}
