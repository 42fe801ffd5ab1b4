package watchdog

import (
	"context"
	"errors"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// ErrLost is what a holder gets whose lock was gone before it let go.
var ErrLost = errors.New("the lock was lost")

// release gives one hold back, even if the request was cancelled, and adds to
// err what it finds.
func (s *Shop) release(
	ctx context.Context, key string, me lua.Owner, err *error,
) {
	ctx = proc.WithoutCancel(ctx)
	is, e := lua.ReleaseReentrant(ctx, s.Redis, key, me, Lease)
	if e == nil && (is == lua.Expired || is == lua.Foreign) {
		e = ErrLost
	}
	*err = errors.Join(*err, e)
}
