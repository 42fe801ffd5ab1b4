package lua

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

var limiter = script("limiter")

// ErrLimit says that a limit or a window is smaller than 1, or 1 ms: that would not
// be a strict limiter but one without a counter.
var ErrLimit = errors.New("a limiter needs a limit of at least 1 and a window of at least 1 ms")

// Permit lets a call pass, true, if fewer than limit have passed in the present
// window; what is refused does not count. The window begins with its first call.
// With an error nobody knows whether the call was counted.
func Permit(ctx context.Context, c redis.Scripter, counter string, limit int, window time.Duration) (bool, error) {
	if limit < 1 || window < time.Millisecond {
		return false, fmt.Errorf("asking the limiter %s: %w, not %d and %v", counter, ErrLimit, limit, window)
	}
	n, err := limiter.Run(ctx, c, []string{counter}, limit, window.Milliseconds()).Int()
	if err == nil && n != 0 && n != 1 {
		err = fmt.Errorf("%w %d", ErrAnswer, n)
	}
	if err != nil {
		return false, fmt.Errorf("asking the limiter %s: %w", counter, err)
	}
	return n == 1, nil
}
