package streampipeline

import "context"

// ResumedPending is Resumed, but begins with its pending list.
type ResumedPending struct{ *Shop }

// Buy is the request.
func (s *ResumedPending) Buy(
	ctx context.Context, user, voucher, id int64,
) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume begins with the orders that were handed to it earlier, and goes on
// with new ones.
func (s *ResumedPending) Consume(ctx context.Context, consumer string) error {
	for {
		orders, err := s.pending(ctx, consumer)
		if err != nil {
			return err
		}
		if len(orders) == 0 {
			break
		}
		s.warn(s.finish(ctx, orders[0]))
	}
	for {
		orders, err := s.read(ctx, consumer)
		if err != nil {
			return err
		}
		for _, o := range orders {
			s.warn(s.finish(ctx, o))
		}
	}
}
