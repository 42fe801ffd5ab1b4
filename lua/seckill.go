package lua

import (
	"context"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"
)

var seckill = script("seckill")

// Sale is what the sale script has decided.
type Sale int

// The values are the answers of the script. Other shops number them otherwise (1 ok,
// 0 sold out): compare with these names, not with numbers.
const (
	Accepted     Sale = 0 // one unit deducted, the user marked, the order queued
	SoldOut      Sale = 1
	Duplicate    Sale = 2 // the user has bought this voucher already
	NotOnSale    Sale = 3 // no stock key: the sale has not been set up, or is over
	BadArguments Sale = 4 // an id is missing or is not a number; nothing was done
)

// String returns "accepted", "sold out", "duplicate", "not on sale" or "bad
// arguments".
func (s Sale) String() string {
	names := [...]string{"accepted", "sold out", "duplicate", "not on sale", "bad arguments"}
	if s < 0 || int(s) >= len(names) {
		return fmt.Sprintf("Sale(%d)", int(s))
	}
	return names[s]
}

// SaleKeys are the three keys of a sale. On a cluster they need a common hash tag.
type SaleKeys struct {
	Stock  string // a string: units left
	Users  string // a set: users who have bought
	Stream string // a stream: orders to be booked, with userId, voucherId and id
}

// KeysOf returns the keys of a voucher's sale as the shop names them.
func KeysOf(voucher int64) SaleKeys {
	v := strconv.FormatInt(voucher, 10)
	return SaleKeys{Stock: "seckill:stock:" + v, Users: "seckill:order:" + v, Stream: "stream.orders"}
}

// Sell tries to sell one unit of a voucher to a user under an order id.
func Sell(ctx context.Context, c redis.Scripter, keys SaleKeys, user, voucher, order int64) (Sale, error) {
	n, err := seckill.Run(ctx, c, []string{keys.Stock, keys.Users, keys.Stream}, user, voucher, order).Int()
	if err == nil && (n < int(Accepted) || n > int(BadArguments)) {
		err = fmt.Errorf("%w %d", ErrAnswer, n)
	}
	if err != nil {
		return 0, fmt.Errorf("selling voucher %d to user %d: %w", voucher, user, err)
	}
	return Sale(n), nil
}
