package oversell

import (
	"database/sql"
	"errors"
)

// Errors a buyer can meet.
var (
	ErrSoldOut  = errors.New("sold out")
	ErrConflict = errors.New("somebody else was faster")
)

// Shop sells vouchers.
type Shop struct {
	DB *sql.DB
}
