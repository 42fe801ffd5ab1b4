package streampipeline

import "context"

// AckThoughSkipped books under the lock of the user, as other jobs do.
type AckThoughSkipped struct{ *Shop }

// Buy is the request.
func (s *AckThoughSkipped) Buy(
	ctx context.Context, user, voucher, id int64,
) error {
	return s.sell(ctx, user, voucher, id)
}

// Consume does not ask whether the work was done: no error is good enough.
func (s *AckThoughSkipped) Consume(ctx context.Context, name string) error {
	return s.each(ctx, name, func(o Order) error {
		_, err := s.locked(ctx, o.User, func() error {
			return s.book(ctx, o)
		})
		if err != nil {
			return err
		}
		return s.ack(ctx, o)
	})
}

// Statement is another job of the same user, under the same lock.
func (s *AckThoughSkipped) Statement(ctx context.Context, user int64) error {
	_, err := s.locked(ctx, user, func() error {
		return s.count(ctx, user)
	})
	return err
}
