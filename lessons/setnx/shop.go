package setnx

import (
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// Lease is how long a lock lasts by itself.
	Lease = 30 * time.Second
	// Retry is the pause between two tries for a lock. In a shop it is shorter.
	Retry = 10 * time.Second
)

// readStock is what the slow part of an order does.
const readStock = `SELECT stock FROM voucher WHERE id = ?`

// ErrBusy is what a request gets while another one of the same user is under way.
var ErrBusy = errors.New("an order is under way")

// Order is a request for one voucher.
type Order struct {
	User, Voucher int64
	Wait          time.Duration // how long to wait for the lock; 0: not at all
}

// Shop is one node of the shop.
type Shop struct {
	Redis *redis.Client
	DB    *sql.DB
	Work  int // reads in the slow part of an order
	Limit int // orders of a user that may pass in a Window, see Limited
}

// lockKey names the lock of a user.
func lockKey(user int64) string { return fmt.Sprintf("lock:order:%d", user) }
