package oversell

import "context"

// ImmediateTx takes the database's write lock before it reads: the pessimistic
// way. Read, check and write are safe then, one buyer after the other.
func (s *Shop) ImmediateTx(ctx context.Context, user, voucher int64) error {
	tx, err := s.DB.BeginTx(ctx, nil) // BEGIN IMMEDIATE
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

	_, err = tx.ExecContext(ctx, `UPDATE voucher SET stock = ?
		WHERE id = ?`, stock-1, voucher)
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
