package synchronized

import "context"

// BuyOnce turns a second click away before it queues for the mutex, since that
// is what most clicks are.
func (s *Shop) BuyOnce(ctx context.Context, user, voucher int64) error {
	var orders int
	row := s.DB.QueryRowContext(ctx, countOrders, user, voucher)
	if err := row.Scan(&orders); err != nil {
		return err
	}
	if orders > 0 {
		return ErrDuplicate
	}

	mu := s.mutex(user)
	mu.Lock(ctx)
	defer func() { mu.Unlock(ctx) }()
	return s.sell(ctx, user, voucher)
}
