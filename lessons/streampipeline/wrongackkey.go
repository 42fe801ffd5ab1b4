package streampipeline

import "context"

// WrongAckKey acknowledges under a name that the stream once had.
type WrongAckKey struct{ *Shop }

// Buy is the request.
func (s *WrongAckKey) Buy(
	ctx context.Context, user, voucher, id int64,
) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume does not look at the answer of XACK: it is 0, no error.
func (s *WrongAckKey) Consume(ctx context.Context, consumer string) error {
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
				s.warn(err)
				continue
			}
			s.Redis.XAck(ctx, "s1", Group, o.Entry)
		}
	}
}
