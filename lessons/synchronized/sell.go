package synchronized

import "context"

// sell takes a unit and inserts the order, both or neither. It asks no question
// about the user.
func (s *Shop) sell(ctx context.Context, user, voucher int64) error {
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
	return tx.Commit()
}
