package misdeletion

import (
	"database/sql"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
)

// Lease is how long a lock lasts by itself. The slow part of an order can take
// longer.
const Lease = 5 * time.Second

// ErrBusy is what a request gets while another one of the same user is under way.
var ErrBusy = errors.New("an order is under way")

// Shop is one node of the shop, serving one request.
type Shop struct {
	Redis  *redis.Client
	DB     *sql.DB
	Worker int // the worker that serves it; every node counts from 1
	Work   int // reads in the slow part of an order
}
