package shop

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/proc"
)

// idEpoch is second 0 of the ids: 2022-01-01 00:00 UTC.
const idEpoch = 1640995200

// ErrNoIDs says that a day has used up its ids, or that the clock is before 2022.
var ErrNoIDs = errors.New("no id can be made")

// IDs makes order ids: seconds since 2022 in the upper bits, in the lower 32 a
// counter that Redis keeps for each day. They grow with time and tell nobody how
// much is sold. Keep them out of Lua and JavaScript numbers: those have 53 bits.
type IDs struct {
	Redis redis.UniversalClient
}

// Next returns a new id. Ids of different prefixes are counted apart and may be
// equal.
func (x *IDs) Next(ctx context.Context, prefix string) (int64, error) {
	now := proc.Now(ctx) // UTC, in the key as well as in the seconds
	key := "icr:" + prefix + ":" + now.Format("2006:01:02")
	n, err := x.Redis.Incr(ctx, key).Result()
	if err != nil {
		return 0, fmt.Errorf("counting %s: %w", key, err)
	}
	seconds := now.Unix() - idEpoch
	if n < 1 || n > math.MaxUint32 || seconds < 0 {
		return 0, fmt.Errorf("%w: number %d of %s", ErrNoIDs, n, key)
	}
	return seconds<<32 | n, nil
}
