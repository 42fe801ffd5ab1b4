package oversell

import "context"

// BuyInTxRetry is BuyInTx with an UPDATE that is tried three times.
func (s *Shop) BuyInTxRetry(ctx context.Context, user, voucher int64) error {
	tx, err := s.DB.BeginTx(ctx, nil) // BEGIN
	if err != nil {
		return err
	}
	defer func() { tx.Rollback() }()

	var stock int
	row := tx.QueryRowContext(ctx, `SELECT stock FROM voucher
		WHERE id = ?`, voucher)
	if err := row.Scan(&stock); err != nil {
		return err
	}
	if stock <= 0 {
		return ErrSoldOut
	}
	for range 3 {
		_, err = tx.ExecContext(ctx, `UPDATE voucher
			SET stock = stock - 1
			WHERE id = ? AND stock > 0`, voucher)
		if err == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO orders (user_id, voucher_id)
		VALUES (?, ?)`, user, voucher)
	if err != nil {
		return err
	}
	return tx.Commit()
}
