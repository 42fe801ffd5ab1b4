package luaunlock

import "context"

// work is the slow part of an order.
func (s *Shop) work(ctx context.Context, voucher int64) error {
	for range s.Work {
		var stock int
		row := s.DB.QueryRowContext(ctx, `SELECT stock FROM voucher
			WHERE id = ?`, voucher)
		if err := row.Scan(&stock); err != nil {
			return err
		}
	}
	return nil
}
