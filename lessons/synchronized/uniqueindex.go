package synchronized

import "context"

// UniqueIndex takes no lock and does not count. UNIQUE (user_id, voucher_id)
// stands on the table, and the database refuses the second order.
func (s *Shop) UniqueIndex(ctx context.Context, user, voucher int64) error {
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
	if violatesUnique(err) {
		return ErrDuplicate // the rollback returns the unit
	}
	if err != nil {
		return err
	}
	return tx.Commit()
}
