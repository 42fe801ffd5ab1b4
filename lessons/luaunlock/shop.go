package luaunlock

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

// The leases of a lock: one that work can outlive, and one several times as long
// as any work is meant to be.
const (
	Lease     = 5 * time.Second
	LongLease = 30 * time.Second
)

// ErrBusy is what a request gets while another one of the same user is under way.
var ErrBusy = errors.New("an order is under way")

// What a release can find instead of its own lock. The work was not protected to
// its end then. Any other error of a release leaves open what has become of it.
var (
	ErrLost    = errors.New("the lock was lost")
	ErrExpired = fmt.Errorf("%w: the lease ran out", ErrLost)
	ErrTaken   = fmt.Errorf("%w: somebody else has it", ErrLost)
)

// Shop is one node of the shop.
type Shop struct {
	Redis  *redis.Client
	DB     *sql.DB
	Work   int    // reads in the slow part of an order
	Unlock Unlock // the release that suits the server, see PickUnlock
}
