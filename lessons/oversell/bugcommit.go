package oversell

import (
	"context"
	"errors"
)

// BuyOrRefuse inserts the order and takes its unit in one transaction, which
// ends when the function does.
func (s *Shop) BuyOrRefuse(
	ctx context.Context, user, voucher int64,
) (err error) {
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, tx.Commit()) }()

	_, err = tx.ExecContext(ctx, `INSERT INTO orders (user_id, voucher_id)
		VALUES (?, ?)`, user, voucher)
	if err != nil {
		return err
	}
	res, err := tx.ExecContext(ctx, `UPDATE voucher SET stock = stock - 1
		WHERE id = ? AND stock > 0`, voucher)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return ErrSoldOut
	}
	return nil
}
