package oversell

import "context"

// CASVersion writes only if nobody has written since the read: compare and swap
// on a version column. It does not try again.
func (s *Shop) CASVersion(ctx context.Context, user, voucher int64) error {
	var stock, version int
	row := s.DB.QueryRowContext(ctx, `SELECT stock, version FROM voucher
		WHERE id = ?`, voucher)
	if err := row.Scan(&stock, &version); err != nil {
		return err
	}
	if stock <= 0 {
		return ErrSoldOut
	}

	res, err := s.DB.ExecContext(ctx, `UPDATE voucher
		SET stock = stock - 1, version = version + 1
		WHERE id = ? AND version = ?`, voucher, version)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return ErrConflict
	}

	_, err = s.DB.ExecContext(ctx, `INSERT INTO orders (user_id, voucher_id)
		VALUES (?, ?)`, user, voucher)
	return err
}
