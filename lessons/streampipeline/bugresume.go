package streampipeline

import "context"

// Resumed finishes what it had begun before it was started again.
type Resumed struct{ *Shop }

// Buy is the request.
func (s *Resumed) Buy(
	ctx context.Context, user, voucher, id int64,
) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume begins with the orders that were handed to it earlier, and goes on
// with new ones.
func (s *Resumed) Consume(ctx context.Context, consumer string) error {
	for {
		orders, err := s.read(ctx, consumer) // begun
		if err != nil {
			return err
		}
		if len(orders) == 0 {
			break
		}
		s.warn(s.finish(ctx, orders[0]))
	}
	for {
		orders, err := s.read(ctx, consumer) // new
		if err != nil {
			return err
		}
		for _, o := range orders {
			s.warn(s.finish(ctx, o))
		}
	}
}
