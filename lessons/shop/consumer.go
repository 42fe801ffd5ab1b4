package shop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/lua"
	"flashlab/sim/proc"
)

// The defaults of a consumer, and how long it waits after an error.
const (
	Patience   = 30 * time.Second
	Deliveries = 3

	firstPause   = 100 * time.Millisecond
	longestPause = 5 * time.Second
)

// ErrNotAcked says that XACK has acknowledged nothing: another consumer was faster,
// or the stream or the group is not the one that was read.
var ErrNotAcked = errors.New("nothing was acknowledged")

// Consumer books the orders that a [Sale] has queued. It may die at any moment: what
// it has not acknowledged it finds again when it is back under its old name, and
// others claim it meanwhile. One goroutine runs it.
type Consumer struct {
	Redis  redis.UniversalClient
	DB     *sql.DB
	Stream string // of the orders
	Dead   string // of the orders that were given up
	Group  string
	Name   string // no two consumers of a group have the same

	// Keys names the keys of a voucher's sale; nil: [lua.KeysOf].
	Keys func(voucher int64) lua.SaleKeys
	// Book books an order, and does nothing the second time; nil: [Book].
	Book func(ctx context.Context, db *sql.DB, o Order) error
	// Patience is how long a read waits, and how long an entry stays with one
	// consumer before another one claims it. It must be more than the slowest order
	// takes, and it is how long a shut-down can take. 0: 30 s.
	Patience time.Duration
	// Deliveries bounds the tries: an order that fails after more deliveries than
	// that is given up. 0: 3.
	Deliveries int
	// Warn hears what goes wrong; nil: nobody.
	Warn func(error)
}

// Run works until ctx ends. It begins with what was handed to it in an earlier life.
func (c *Consumer) Run(ctx context.Context) error {
	claimed := proc.Now(ctx)
	work, pause := c.resume, firstPause
	for {
		err := work(ctx, &claimed)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil {
			work, pause = c.next, firstPause
			continue
		}
		c.warn(err)
		if redis.HasErrorPrefix(err, "NOGROUP") {
			c.warn(c.found(ctx))
		}
		if err := proc.Sleep(ctx, pause); err != nil {
			return err
		}
		pause = min(2*pause, longestPause)
	}
}

// found makes the stream and the group anew, from the first entry on: orders that
// are booked come again and change nothing. A group that begins at the end ($)
// would never see what was queued while there was none.
func (c *Consumer) found(ctx context.Context) error {
	err := c.Redis.XGroupCreateMkStream(ctx, c.Stream, c.Group, "0").Err()
	if redis.HasErrorPrefix(err, "BUSYGROUP") {
		return nil // another consumer was faster
	}
	return err
}

// resume goes once over the entries that are pending under this name.
func (c *Consumer) resume(ctx context.Context, _ *time.Time) error {
	for from := "0"; ; {
		entries, err := c.read(ctx, from, 10)
		if err != nil || len(entries) == 0 {
			return err
		}
		for _, m := range entries {
			c.handle(ctx, m)
			from = m.ID
		}
	}
}

// next handles a new entry. When there is none, and also now and then when there
// always is one, it looks for entries that others have left lying.
func (c *Consumer) next(ctx context.Context, claimed *time.Time) error {
	entries, err := c.read(ctx, ">", 1)
	if err != nil {
		return err
	}
	for _, m := range entries {
		c.handle(ctx, m)
	}
	if now := proc.Now(ctx); len(entries) == 0 || now.Sub(*claimed) >= c.patience() {
		*claimed = now
		return c.claim(ctx)
	}
	return nil
}

// read returns new entries (">"), for which it waits, or those pending under this
// name after an id.
func (c *Consumer) read(ctx context.Context, from string, count int64) ([]redis.XMessage, error) {
	got, err := c.Redis.XReadGroup(ctx, &redis.XReadGroupArgs{
		Group: c.Group, Consumer: c.Name, Streams: []string{c.Stream, from},
		Count: count, Block: c.patience(),
	}).Result()
	switch {
	case errors.Is(err, redis.Nil), err == nil && len(got) == 0:
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", c.Stream, err)
	}
	return got[0].Messages, nil
}

// claim takes over what nobody has acknowledged for a while, its own failures
// included. Nothing else brings an entry back.
func (c *Consumer) claim(ctx context.Context) error {
	for from := "0-0"; ; {
		entries, next, err := c.Redis.XAutoClaim(ctx, &redis.XAutoClaimArgs{
			Stream: c.Stream, Group: c.Group, Consumer: c.Name,
			MinIdle: c.patience(), Start: from, Count: 10,
		}).Result()
		if err != nil {
			return fmt.Errorf("claiming from %s: %w", c.Stream, err)
		}
		for _, m := range entries {
			c.handle(ctx, m)
		}
		if from = next; from == "0-0" {
			return nil
		}
	}
}

// handle sees an entry through: it is booked and acknowledged, or given up, or
// stays pending and is claimed again.
func (c *Consumer) handle(ctx context.Context, m redis.XMessage) {
	o, err := orderOf(m)
	if err == nil {
		err = c.book(ctx, o)
	}
	if err == nil {
		c.warn(c.ack(ctx, o))
		return
	}
	c.warn(fmt.Errorf("booking entry %s: %w", m.ID, err))
	if ctx.Err() == nil {
		c.warn(c.giveUp(ctx, o, errors.Is(err, ErrUnreadable)))
	}
}

// book turns a panic over one order into an error of that order.
func (c *Consumer) book(ctx context.Context, o Order) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if c.Book != nil {
		return c.Book(ctx, c.DB, o)
	}
	return Book(ctx, c.DB, o)
}

func (c *Consumer) ack(ctx context.Context, o Order) error {
	n, err := c.Redis.XAck(ctx, c.Stream, c.Group, o.Entry).Result()
	if err == nil && n != 1 {
		err = ErrNotAcked
	}
	if err != nil {
		err = fmt.Errorf("acknowledging entry %s: %w", o.Entry, err)
	}
	return err
}

// giveUp moves an order to the dead letters when it has been delivered too often,
// and returns the unit. While the database does not answer nothing is given up:
// nobody knows then whether the order is in it.
func (c *Consumer) giveUp(ctx context.Context, o Order, atOnce bool) error {
	if there, err := booked(ctx, c.DB, o); err != nil || there {
		return err // if it is there, the next try will find out and acknowledge
	}
	keys := lua.KeysOf
	if c.Keys != nil {
		keys = c.Keys
	}
	letter := lua.Letter{Keys: keys(o.Voucher), Dead: c.Dead, Group: c.Group, ID: o.Entry, Deliveries: c.Deliveries}
	letter.Keys.Stream = c.Stream
	switch {
	case atOnce:
		letter.Deliveries = 0
	case letter.Deliveries == 0:
		letter.Deliveries = Deliveries
	}
	what, _, err := lua.Bury(ctx, c.Redis, letter)
	if err == nil && what != lua.TooEarly {
		err = fmt.Errorf("order %d of user %d given up: %v", o.ID, o.User, what)
	}
	return err
}

func (c *Consumer) patience() time.Duration {
	if c.Patience > 0 {
		return c.Patience
	}
	return Patience
}

func (c *Consumer) warn(err error) {
	if err != nil && c.Warn != nil {
		c.Warn(err)
	}
}
