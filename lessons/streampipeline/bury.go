package streampipeline

import (
	"context"

	"flashlab/lua"
)

// Dead is the stream of the orders that were given up.
const Dead = "stream.dead"

// bury gives up an order that has been delivered more than three times. One
// script moves it to the dead letters, gives back the unit and the user's mark,
// and acknowledges it. done is false if it is to be tried again.
func (s *Shop) bury(ctx context.Context, o Order) (done bool) {
	what, _, err := lua.Bury(ctx, s.Redis, lua.Letter{
		Keys: lua.KeysOf(o.Voucher), Dead: Dead,
		Group: Group, ID: o.Entry, Deliveries: 3,
	})
	s.warn(err)
	return err == nil && what != lua.TooEarly
}
