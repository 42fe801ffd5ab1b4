package streampipeline

import "context"

// AckBeforeCommit acknowledges an order as soon as it has been read.
type AckBeforeCommit struct{ *Shop }

// Buy is the request.
func (s *AckBeforeCommit) Buy(
	ctx context.Context, user, voucher, id int64,
) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume acknowledges first, so that nothing is delivered twice.
func (s *AckBeforeCommit) Consume(ctx context.Context, consumer string) error {
	for {
		orders, err := s.read(ctx, consumer)
		if err == nil && len(orders) == 0 {
			orders, err = s.claim(ctx, consumer)
		}
		if err != nil {
			return err
		}
		for _, o := range orders {
			if err := s.ack(ctx, o); err != nil {
				s.warn(err)
				continue
			}
			s.warn(s.book(ctx, o))
		}
	}
}
