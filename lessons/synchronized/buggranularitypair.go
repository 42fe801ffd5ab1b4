package synchronized

import (
	"context"

	"flashlab/sim/proc"
)

// BuyByPair is BuyFromStock under a mutex for each user and voucher.
func (s *Shop) BuyByPair(ctx context.Context, user, voucher int64) error {
	mu := s.pair(user, voucher)
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

// pair returns the mutex of a user and a voucher.
func (s *Shop) pair(user, voucher int64) *proc.Mutex {
	mu, _ := s.users.LoadOrStore([2]int64{user, voucher}, &proc.Mutex{})
	return mu.(*proc.Mutex)
}
