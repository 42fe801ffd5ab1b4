package synchronized

import "context"

// BuyFromStock reads the stock, writes it back and inserts the order, all of it
// under the mutex.
func (s *Shop) BuyFromStock(ctx context.Context, user, voucher int64) error {
	mu := s.mutex(user)
	mu.Lock(ctx)
	defer func() { mu.Unlock(ctx) }()

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
	_, err = s.DB.ExecContext(ctx, insertOrder, user, voucher)
	return err
}
