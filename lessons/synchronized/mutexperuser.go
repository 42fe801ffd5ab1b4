package synchronized

import "context"

// MutexPerUser counts and sells under the user's mutex.
func (s *Shop) MutexPerUser(ctx context.Context, user, voucher int64) error {
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

	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { tx.Rollback() }()

	res, err := tx.ExecContext(ctx, takeUnit, voucher)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return ErrSoldOut
	}
	_, err = tx.ExecContext(ctx, insertOrder, user, voucher)
	if err != nil {
		return err
	}
	return tx.Commit() // the mutex is freed after this
}
