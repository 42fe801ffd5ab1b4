package shop

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"flashlab/lua"
)

// ErrOnSale says that a voucher is on sale already.
var ErrOnSale = errors.New("the voucher is on sale already")

// Sale sells vouchers in Redis: a script decides, marks the user and queues the
// order in one step. A [Consumer] books the order afterwards.
type Sale struct {
	Redis redis.UniversalClient
	// Keys names the keys of a voucher's sale; nil: [lua.KeysOf]. A cluster wants
	// them with a common hash tag.
	Keys func(voucher int64) lua.SaleKeys
}

func (s *Sale) keys(voucher int64) lua.SaleKeys {
	if s.Keys == nil {
		return lua.KeysOf(voucher)
	}
	return s.Keys(voucher)
}

// Open puts a voucher on sale. A sale that is open is left alone, with [ErrOnSale]:
// to write the stock again would sell units twice.
func (s *Sale) Open(ctx context.Context, voucher int64, units int) error {
	fresh, err := s.Redis.SetNX(ctx, s.keys(voucher).Stock, units, 0).Result()
	if err != nil {
		return fmt.Errorf("opening the sale of voucher %d: %w", voucher, err)
	}
	if !fresh {
		return ErrOnSale
	}
	return nil
}

// Buy tries to sell one unit to a user, under an order id from [IDs]. Accepted means
// that an order will be booked or, if that proves impossible, refused and the unit
// returned. After an error nobody knows whether the script has run: ask again, and
// take Duplicate for a yes.
func (s *Sale) Buy(ctx context.Context, user, voucher, order int64) (lua.Sale, error) {
	return lua.Sell(ctx, s.Redis, s.keys(voucher), user, voucher, order)
}
