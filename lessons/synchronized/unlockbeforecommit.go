package synchronized

import "context"

// UnlockBeforeCommit opens a unit of work and creates the order in it. What is
// written leaves the process at the end, with the commit.
func (s *Shop) UnlockBeforeCommit(
	ctx context.Context, user, voucher int64,
) error {
	work := &UnitOfWork{db: s.DB}
	if err := s.createOrder(ctx, work, user, voucher); err != nil {
		return err
	}
	return work.Commit(ctx)
}

// createOrder counts and adds the order under the user's mutex.
func (s *Shop) createOrder(
	ctx context.Context, work *UnitOfWork, user, voucher int64,
) error {
	mu := s.mutex(user)
	mu.Lock(ctx)
	defer func() { mu.Unlock(ctx) }()

	var orders int
	row := s.DB.QueryRowContext(ctx, countOrders, user, voucher)
	if err := row.Scan(&orders); err != nil {
		return err
	}
	if orders > 0 {
		return ErrDuplicate
	}
	work.Add(order{user, voucher}) // looks like an insert
	return nil
}
