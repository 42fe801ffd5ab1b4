package watchdog

import (
	"database/sql"
	"time"

	"github.com/redis/go-redis/v9"
)

// Shop is one node of the shop, serving one request.
type Shop struct {
	Node  string // its name, unique among all nodes
	Redis *redis.Client
	DB    *sql.DB
	Lease time.Duration // of locks that ask for one
	Work  int           // reads in an order
	Takes time.Duration // how long the payment provider takes
}
