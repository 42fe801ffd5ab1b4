package streampipeline

import (
	"context"
	"time"

	"flashlab/sim/proc"
)

// Impatient lets nobody wait long for an order that a dead consumer has.
type Impatient struct{ *Shop }

// Buy is the request.
func (s *Impatient) Buy(
	ctx context.Context, user, voucher, id int64,
) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume checks the address, which takes 5 s, and books then.
func (s *Impatient) Consume(ctx context.Context, consumer string) error {
	for {
		orders, err := s.readOrClaim(ctx, consumer, time.Second)
		if err != nil {
			return err
		}
		for _, o := range orders {
			if proc.Sleep(ctx, 5*time.Second) != nil {
				return ctx.Err()
			}
			s.warn(s.insert(ctx, o))
			s.warn(s.ack(ctx, o))
		}
	}
}
