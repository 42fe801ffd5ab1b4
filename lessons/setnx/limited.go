package setnx

import (
	"context"
	"errors"
	"fmt"
	"time"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// Window is what the limit of a user's orders is counted over.
const Window = 30 * time.Second

// ErrTooMany is what a request gets that goes over the limit.
var ErrTooMany = errors.New("too many orders at once")

// Limited asks the limiter before it works on an order.
func (s *Shop) Limited(ctx context.Context, o Order) error {
	key := fmt.Sprintf("limit:order:%d", o.User)
	for left := o.Wait; ; left -= Retry {
		ok, err := lua.Permit(ctx, s.Redis, key, s.Limit, Window)
		if err != nil {
			return err
		}
		if ok {
			break
		}
		if left <= 0 {
			return ErrTooMany
		}
		if err := proc.Sleep(ctx, min(left, Retry)); err != nil {
			return err
		}
	}
	var stock int // the slow part of an order
	row := s.DB.QueryRowContext(ctx, readStock, o.Voucher)
	return row.Scan(&stock)
}
