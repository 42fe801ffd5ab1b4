package streampipeline

import "context"

// ResumedFirst is Resumed, but looks at its pending list once.
type ResumedFirst struct{ *Shop }

// Buy is the request.
func (s *ResumedFirst) Buy(
	ctx context.Context, user, voucher, id int64,
) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume begins with what was handed to it earlier, and goes on with new ones.
func (s *ResumedFirst) Consume(ctx context.Context, consumer string) error {
	orders, err := s.pending(ctx, consumer)
	if len(orders) > 0 {
		s.warn(s.finish(ctx, orders[0]))
	}
	for err == nil {
		orders, err = s.read(ctx, consumer)
		for _, o := range orders {
			s.warn(s.finish(ctx, o))
		}
	}
	return err
}
