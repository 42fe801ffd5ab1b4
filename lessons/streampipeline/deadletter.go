package streampipeline

import (
	"context"
	"time"

	"flashlab/sim/proc"
)

// DeadLetter gives an order up that cannot be booked.
type DeadLetter struct{ *Shop }

// Buy is the request.
func (s *DeadLetter) Buy(ctx context.Context, user, voucher, id int64) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume gives up what fails at its fourth delivery.
func (s *DeadLetter) Consume(ctx context.Context, consumer string) error {
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
			} else if !s.bury(ctx, o) {
				s.warn(proc.Sleep(ctx, 5*time.Second))
			}
		}
	}
}
