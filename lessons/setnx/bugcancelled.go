package setnx

import (
	"context"
	"time"

	"flashlab/sim/proc"
)

// Pay keeps no client waiting for more than 2 s. The lock is given back in
// whatever way it ends.
func (s *Shop) Pay(ctx context.Context, o Order) error {
	ctx, cancel := proc.WithTimeout(ctx, 2*time.Second)
	defer cancel()

	key := lockKey(o.User)
	ok, err := s.Redis.SetNX(ctx, key, "1", Lease).Result()
	if err != nil {
		return err
	}
	if !ok {
		return ErrBusy
	}
	defer func() { s.Redis.Del(ctx, key) }()

	for range s.Work { // ask the payment provider until it is through
		if err := proc.Sleep(ctx, time.Second); err != nil {
			return err
		}
	}
	return nil
}
