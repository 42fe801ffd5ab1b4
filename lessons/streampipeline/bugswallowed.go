package streampipeline

import (
	"context"
	"fmt"
)

// Logged keeps the consumers going, whatever comes of a single order.
type Logged struct{ *Shop }

// Buy is the request.
func (s *Logged) Buy(
	ctx context.Context, user, voucher, id int64,
) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume books and acknowledges. The people on duty are told what has failed.
func (s *Logged) Consume(ctx context.Context, consumer string) error {
	for {
		orders, err := s.read(ctx, consumer)
		if err == nil && len(orders) == 0 {
			orders, err = s.claim(ctx, consumer)
		}
		if err != nil {
			return err
		}
		for _, o := range orders {
			if err := s.book(ctx, o); err != nil {
				s.warn(fmt.Errorf("order %d: %w", o.ID, err))
			}
			s.warn(s.ack(ctx, o))
		}
	}
}
