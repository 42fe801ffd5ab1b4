package watchdog

import (
	"context"
	"time"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// Lease is how long a lock lasts if nobody renews it.
const Lease = 30 * time.Second

// acquire waits for the lock, each time as long as the answer says.
func (s *Shop) acquire(
	ctx context.Context, key string, me lua.Owner, lease time.Duration,
) error {
	for {
		got, err := lua.AcquireReentrant(ctx, s.Redis, key, me, lease)
		if err != nil || got.Granted {
			return err
		}
		err = proc.Sleep(ctx, max(got.Wait, time.Second))
		if err != nil {
			return err
		}
	}
}
