package synchronized

import (
	"context"

	"flashlab/sim/proc"
)

// MutexPerCall locks a mutex that nobody else knows.
func (s *Shop) MutexPerCall(ctx context.Context, user, voucher int64) error {
	mu := new(proc.Mutex)
	mu.Lock(ctx)
	defer func() { mu.Unlock(ctx) }()

	var orders int
	row := s.DB.QueryRowContext(ctx, countOrders, user, voucher)
	if err := row.Scan(&orders); err != nil {
		return err
	}
	if orders > 0 {
		return ErrDuplicate
	}
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { tx.Rollback() }()
	res, err := tx.ExecContext(ctx, takeUnit, voucher)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return ErrSoldOut
	}
	_, err = tx.ExecContext(ctx, insertOrder, user, voucher)
	if err != nil {
		return err
	}
	return tx.Commit()
}
