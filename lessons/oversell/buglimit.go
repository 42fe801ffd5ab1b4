package oversell

import "context"

// BuyLimited takes the write lock before it reads. Nobody else can write
// between its SELECT and its COMMIT.
func (s *Shop) BuyLimited(ctx context.Context, user, voucher int64) error {
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
	if stock < 0 {
		return ErrSoldOut
	}

	_, err = tx.ExecContext(ctx, `UPDATE voucher SET stock = stock - 1
		WHERE id = ?`, voucher)
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
