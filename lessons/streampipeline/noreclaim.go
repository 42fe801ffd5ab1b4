package streampipeline

import "context"

// NoReclaim waits for new orders and for nothing else.
type NoReclaim struct{ *Shop }

// Buy is the request.
func (s *NoReclaim) Buy(ctx context.Context, user, voucher, id int64) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume relies on the stream to deliver again what was not acknowledged. No
// stream does: an entry stays with the consumer it was handed to.
func (s *NoReclaim) Consume(ctx context.Context, consumer string) error {
	for {
		orders, err := s.read(ctx, consumer)
		if err != nil {
			return err
		}
		for _, o := range orders {
			if err := s.book(ctx, o); err != nil {
				s.warn(err)
				continue
			}
			s.warn(s.ack(ctx, o))
		}
	}
}
