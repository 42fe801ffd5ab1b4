package watchdog

import (
	"context"
	"errors"
	"time"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// Retry is how long a token lock waits before it tries again.
const Retry = 10 * time.Second

// acquireToken waits for a lock that knows its holder by a token.
func (s *Shop) acquireToken(ctx context.Context, key, token string) error {
	return s.acquireTokenFor(ctx, key, token, Lease)
}

func (s *Shop) acquireTokenFor(
	ctx context.Context, key, token string, lease time.Duration,
) error {
	for {
		ok, err := s.Redis.SetNX(ctx, key, token, lease).Result()
		if err != nil || ok {
			return err
		}
		if err := proc.Sleep(ctx, Retry); err != nil {
			return err
		}
	}
}

// releaseToken compares and deletes, even if the request was cancelled, and
// adds to err what it finds.
func (s *Shop) releaseToken(
	ctx context.Context, key, token string, err *error,
) {
	ctx = proc.WithoutCancel(ctx)
	is, e := lua.Unlock(ctx, s.Redis, key, token)
	if e == nil && is != lua.Done {
		e = ErrLost
	}
	*err = errors.Join(*err, e)
}
