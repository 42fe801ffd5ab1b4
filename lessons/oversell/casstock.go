package oversell

import "context"

// CASStock uses the stock itself as the version: the update counts only if the
// stock is still what was read. It does not try again.
func (s *Shop) CASStock(ctx context.Context, user, voucher int64) error {
	var stock int
	row := s.DB.QueryRowContext(ctx, `SELECT stock FROM voucher
		WHERE id = ?`, voucher)
	if err := row.Scan(&stock); err != nil {
		return err
	}
	if stock <= 0 {
		return ErrSoldOut
	}

	res, err := s.DB.ExecContext(ctx, `UPDATE voucher SET stock = stock - 1
		WHERE id = ? AND stock = ?`, voucher, stock)
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
