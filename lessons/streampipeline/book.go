package streampipeline

import "context"

// book writes an order into the database. An order that is there already was
// booked before: a stream delivers at least once, and the second time must do
// nothing.
func (s *Shop) book(ctx context.Context, o Order) error {
	return s.write(ctx, o.Voucher,
		`INSERT INTO orders (id, user_id, voucher_id) VALUES (?, ?, ?)
			ON CONFLICT DO NOTHING`, o.ID, o.User, o.Voucher)
}

// write inserts an order and takes its unit, both or neither.
func (s *Shop) write(
	ctx context.Context, voucher int64, insert string, args ...any,
) error {
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { tx.Rollback() }()

	res, err := tx.ExecContext(ctx, insert, args...)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}

	res, err = tx.ExecContext(ctx, `UPDATE voucher SET stock = stock - 1
		WHERE id = ? AND stock > 0`, voucher)
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrSoldOut
	}
	return tx.Commit()
}
