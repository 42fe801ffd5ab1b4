package synchronized

import "context"

// NoLock counts the user's orders and then sells, in one transaction. Nothing
// keeps a second click from counting in between.
func (s *Shop) NoLock(ctx context.Context, user, voucher int64) error {
	var orders int
	row := s.DB.QueryRowContext(ctx, countOrders, user, voucher)
	if err := row.Scan(&orders); err != nil {
		return err
	}
	if orders > 0 {
		return ErrDuplicate
	}

	tx, err := s.DB.BeginTx(ctx, nil) // BEGIN IMMEDIATE
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
	return tx.Commit()
}
