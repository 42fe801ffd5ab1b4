package streampipeline

import "context"

// NotIdempotent inserts a row for every delivery of an order.
type NotIdempotent struct{ *Shop }

// Buy is the request.
func (s *NotIdempotent) Buy(
	ctx context.Context, user, voucher, id int64,
) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume books first and acknowledges afterwards, as it should.
func (s *NotIdempotent) Consume(ctx context.Context, consumer string) error {
	for {
		orders, err := s.read(ctx, consumer)
		if err == nil && len(orders) == 0 {
			orders, err = s.claim(ctx, consumer)
		}
		if err != nil {
			return err
		}
		for _, o := range orders {
			err := s.write(ctx, o.Voucher,
				`INSERT INTO orders (user_id, voucher_id)
					VALUES (?, ?)`, o.User, o.Voucher)
			if err != nil {
				s.warn(err)
				continue
			}
			s.warn(s.ack(ctx, o))
		}
	}
}
