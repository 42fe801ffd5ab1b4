package oversell

import "context"

// CheckThenDecrement lets the database subtract, but still checks in Go.
func (s *Shop) CheckThenDecrement(
	ctx context.Context, user, voucher int64,
) error {
	var stock int
	row := s.DB.QueryRowContext(ctx, `SELECT stock FROM voucher
		WHERE id = ?`, voucher)
	if err := row.Scan(&stock); err != nil {
		return err
	}
	if stock <= 0 {
		return ErrSoldOut
	}

	_, err := s.DB.ExecContext(ctx, `UPDATE voucher SET stock = stock - 1
		WHERE id = ?`, voucher)
	if err != nil {
		return err
	}

	_, err = s.DB.ExecContext(ctx, `INSERT INTO orders (user_id, voucher_id)
		VALUES (?, ?)`, user, voucher)
	return err
}
