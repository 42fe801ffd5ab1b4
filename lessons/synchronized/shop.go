package synchronized

import (
	"database/sql"
	"errors"
	"sync"

	"flashlab/sim/proc"
)

// Errors a buyer can meet.
var (
	ErrSoldOut   = errors.New("sold out")
	ErrDuplicate = errors.New("only one per person")
)

// The statements of a sale. They are the same in every variant.
const (
	countOrders = `SELECT COUNT(*) FROM orders
		WHERE user_id = ? AND voucher_id = ?`
	takeUnit = `UPDATE voucher SET stock = stock - 1
		WHERE id = ? AND stock > 0`
	insertOrder = `INSERT INTO orders (user_id, voucher_id)
		VALUES (?, ?)`
)

// Shop sells vouchers. Every node of the shop is a process and has its own.
type Shop struct {
	DB    *sql.DB
	users sync.Map // user id -> *proc.Mutex
}

type order struct{ user, voucher int64 }

// mutex returns the mutex of a user: the same one for the same user, within
// this process.
func (s *Shop) mutex(user int64) *proc.Mutex {
	mu, _ := s.users.LoadOrStore(user, &proc.Mutex{})
	return mu.(*proc.Mutex)
}

// constraintUnique is SQLite's code for a row that a UNIQUE index refuses.
const constraintUnique = 2067

// violatesUnique tells whether an insert was refused by a UNIQUE index.
func violatesUnique(err error) bool {
	var e interface{ Code() int }
	return errors.As(err, &e) && e.Code() == constraintUnique
}
