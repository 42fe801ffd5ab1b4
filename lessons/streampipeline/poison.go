package streampipeline

import (
	"context"
	"time"

	"flashlab/sim/proc"
)

// Poison finishes what it has begun before it takes anything new.
type Poison struct{ *Shop }

// Buy is the request.
func (s *Poison) Buy(ctx context.Context, user, voucher, id int64) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume reads its own pending orders first, as after a restart, and tries
// each of them until it works.
func (s *Poison) Consume(ctx context.Context, consumer string) error {
	for {
		orders, err := s.pending(ctx, consumer)
		if err == nil && len(orders) == 0 {
			orders, err = s.read(ctx, consumer)
		}
		if err == nil && len(orders) == 0 {
			orders, err = s.claim(ctx, consumer)
		}
		if err != nil {
			return err
		}
		for _, o := range orders {
			if err := s.book(ctx, o); err == nil {
				s.warn(s.ack(ctx, o))
			} else {
				s.warn(proc.Sleep(ctx, 5*time.Second))
			}
		}
	}
}
