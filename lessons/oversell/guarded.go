package oversell

import "context"

// Guarded asks no question beforehand: the condition stands in the update, and
// the row count is the answer. Stock and order change in one transaction.
func (s *Shop) Guarded(ctx context.Context, user, voucher int64) error {
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { tx.Rollback() }()

	res, err := tx.ExecContext(ctx, `UPDATE voucher SET stock = stock - 1
		WHERE id = ? AND stock > 0`, voucher)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return ErrSoldOut
	}

	_, err = tx.ExecContext(ctx, `INSERT INTO orders (user_id, voucher_id)
		VALUES (?, ?)`, user, voucher)
	if err != nil {
		return err
	}
	return tx.Commit()
}
