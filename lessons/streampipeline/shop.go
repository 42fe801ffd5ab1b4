package streampipeline

import (
	"database/sql"
	"errors"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/proc"
)

// Errors a buyer or a consumer can meet.
var (
	ErrSoldOut   = errors.New("sold out")
	ErrDuplicate = errors.New("only one per person")
	ErrTryAgain  = errors.New("please try again")
	ErrNotAcked  = errors.New("nothing was acknowledged")
)

// Shop is one node of the shop.
type Shop struct {
	Redis *redis.Client
	DB    *sql.DB
	Queue *proc.Queue[Order] // in memory; most variants have none
	Warn  func(error)        // tells the people on duty; nil: nobody
}

// Order is an order on its way from the sale to the database.
type Order struct {
	Entry   string // its entry in the stream
	ID      int64
	User    int64
	Voucher int64
}

// warn reports what has gone wrong, if anything has.
func (s *Shop) warn(err error) {
	if err != nil && s.Warn != nil {
		s.Warn(err)
	}
}
