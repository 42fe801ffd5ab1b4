package oversell

import "context"

// IgnoredRowcount has the right condition in its update, and never looks
// whether a row was changed.
func (s *Shop) IgnoredRowcount(ctx context.Context, user, voucher int64) error {
	_, err := s.DB.ExecContext(ctx, `UPDATE voucher SET stock = stock - 1
		WHERE id = ? AND stock > 0`, voucher)
	if err != nil {
		return err
	}

	_, err = s.DB.ExecContext(ctx, `INSERT INTO orders (user_id, voucher_id)
		VALUES (?, ?)`, user, voucher)
	return err
}
