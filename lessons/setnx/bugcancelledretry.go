package setnx

import (
	"context"
	"time"

	"flashlab/sim/proc"
)

// PayRetry is Pay with a DEL that is tried three times.
func (s *Shop) PayRetry(ctx context.Context, o Order) error {
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
	defer func() {
		for range 3 {
			if s.Redis.Del(ctx, key).Err() == nil {
				return
			}
		}
	}()

	for range s.Work { // ask the payment provider until it is through
		if err := proc.Sleep(ctx, time.Second); err != nil {
			return err
		}
	}
	return nil
}
