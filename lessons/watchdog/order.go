package watchdog

import (
	"context"

	"flashlab/sim/proc"
)

// order is the slow part of an order, done under the lock.
func (s *Shop) order(ctx context.Context, voucher int64) error {
	if err := s.read(ctx, voucher); err != nil || s.Takes == 0 {
		return err
	}
	return proc.Sleep(ctx, s.Takes) // the payment provider
}

func (s *Shop) read(ctx context.Context, voucher int64) error {
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
