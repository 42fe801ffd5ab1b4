package streampipeline

import "context"

// each is the loop of Pipeline around any way of handling an order. One that is
// not acknowledged stays pending and is claimed again later.
func (s *Shop) each(
	ctx context.Context, consumer string, handle func(Order) error,
) error {
	for {
		orders, err := s.read(ctx, consumer)
		if err == nil && len(orders) == 0 {
			orders, err = s.claim(ctx, consumer)
		}
		if err != nil {
			return err
		}
		for _, o := range orders {
			s.warn(handle(o))
		}
	}
}
