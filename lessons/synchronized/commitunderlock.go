package synchronized

import "context"

// CommitUnderLock takes the mutex first and frees it last: count, unit of work
// and commit all lie in between.
func (s *Shop) CommitUnderLock(ctx context.Context, user, voucher int64) error {
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

	work := &UnitOfWork{db: s.DB}
	work.Add(order{user, voucher})
	return work.Commit(ctx) // the mutex is freed after this
}
