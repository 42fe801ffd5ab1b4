package oversell

import "context"

// BuyOrTakeBack inserts the order, and deletes it again if there is no unit for
// it.
func (s *Shop) BuyOrTakeBack(
	ctx context.Context, user, voucher int64,
) error {
	_, err := s.DB.ExecContext(ctx, `INSERT INTO orders
		(user_id, voucher_id) VALUES (?, ?)`, user, voucher)
	if err != nil {
		return err
	}
	res, err := s.DB.ExecContext(ctx, `UPDATE voucher SET stock = stock - 1
		WHERE id = ? AND stock > 0`, voucher)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n > 0 {
		return err
	}
	_, err = s.DB.ExecContext(ctx, `DELETE FROM orders
		WHERE user_id = ? AND voucher_id = ?`, user, voucher)
	if err != nil {
		return err
	}
	return ErrSoldOut
}
