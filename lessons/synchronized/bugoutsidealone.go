package synchronized

import "context"

// everybody is a user id that nobody has.
const everybody = 0

// BuyOnceAlone is BuyOnce with one mutex for all users.
func (s *Shop) BuyOnceAlone(ctx context.Context, user, voucher int64) error {
	var orders int
	row := s.DB.QueryRowContext(ctx, countOrders, user, voucher)
	if err := row.Scan(&orders); err != nil {
		return err
	}
	if orders > 0 {
		return ErrDuplicate
	}

	mu := s.mutex(everybody)
	mu.Lock(ctx)
	defer func() { mu.Unlock(ctx) }()
	return s.sell(ctx, user, voucher)
}
