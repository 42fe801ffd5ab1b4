package streampipeline

import "context"

// Pipeline decides in Redis and books in the database.
type Pipeline struct{ *Shop }

// Buy is the request. Whoever gets a yes gets an order, soon.
func (s *Pipeline) Buy(ctx context.Context, user, voucher, id int64) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume books first and acknowledges afterwards. An order that comes twice is
// booked once; what somebody has left lying for 30 s is taken over.
func (s *Pipeline) Consume(ctx context.Context, consumer string) error {
	for {
		orders, err := s.read(ctx, consumer)
		if err == nil && len(orders) == 0 { // nothing new for 30 s
			orders, err = s.claim(ctx, consumer)
		}
		if err != nil {
			return err // no Redis: the supervisor starts it again
		}
		for _, o := range orders {
			if err := s.book(ctx, o); err != nil {
				s.warn(err) // it stays pending, to be claimed
				continue
			}
			s.warn(s.ack(ctx, o))
		}
	}
}
