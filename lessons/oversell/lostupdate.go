package oversell

import "context"

// LostUpdate reads the stock, subtracts in Go and writes the result back.
func (s *Shop) LostUpdate(ctx context.Context, user, voucher int64) error {
	var stock int
	row := s.DB.QueryRowContext(ctx, `SELECT stock FROM voucher
		WHERE id = ?`, voucher)
	if err := row.Scan(&stock); err != nil {
		return err
	}
	if stock <= 0 {
		return ErrSoldOut
	}

	_, err := s.DB.ExecContext(ctx, `UPDATE voucher SET stock = ?
		WHERE id = ?`, stock-1, voucher)
	if err != nil {
		return err
	}

	_, err = s.DB.ExecContext(ctx, `INSERT INTO orders (user_id, voucher_id)
		VALUES (?, ?)`, user, voucher)
	return err
}
