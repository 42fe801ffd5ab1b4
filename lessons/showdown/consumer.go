package showdown

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons/shop"
)

// The group that books orders, and how many at once.
const (
	group    = "g1"
	batch    = 100
	patience = 30 * time.Second
)

// Consume books orders in batches: one transaction and one acknowledgement for all that
// one read brings. booked is told after each.
func (s *Shop) Consume(ctx context.Context, name string, booked func()) error {
	for {
		got, err := s.Redis.XReadGroup(ctx, &redis.XReadGroupArgs{
			Group: group, Consumer: name, Streams: []string{s.Keys.Stream, ">"}, Count: batch, Block: patience,
		}).Result()
		if errors.Is(err, redis.Nil) || err == nil && len(got) == 0 {
			continue
		}
		if err != nil {
			return fmt.Errorf("reading %s: %w", s.Keys.Stream, err)
		}
		entries := got[0].Messages
		if err := s.bookAll(ctx, entries); err != nil {
			return err // they stay pending, and the drain will say so
		}
		ids := make([]string, len(entries))
		for i, m := range entries {
			ids[i] = m.ID
		}
		if n, err := s.Redis.XAck(ctx, s.Keys.Stream, group, ids...).Result(); err != nil || n != int64(len(ids)) {
			return errors.Join(err, fmt.Errorf("%d of %d entries acknowledged", n, len(ids)))
		}
		booked()
	}
}

// bookAll books a batch, all or nothing. An order that is there already changes nothing.
func (s *Shop) bookAll(ctx context.Context, entries []redis.XMessage) error {
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { tx.Rollback() }()
	for _, m := range entries {
		if err := s.book(ctx, tx, m); err != nil {
			return fmt.Errorf("booking entry %s: %w", m.ID, err)
		}
	}
	return tx.Commit()
}

func (s *Shop) book(ctx context.Context, tx *sql.Tx, m redis.XMessage) error {
	var is [3]int64
	for i, field := range []string{"id", "userId", "voucherId"} {
		text, _ := m.Values[field].(string)
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return fmt.Errorf("%w: field %s", shop.ErrUnreadable, field)
		}
		is[i] = n
	}
	n, err := changed(tx.ExecContext(ctx, `INSERT INTO orders (id, user_id, voucher_id)
		VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, is[0], is[1], is[2]))
	if err != nil || n == 0 {
		return err
	}
	n, err = changed(tx.ExecContext(ctx, `UPDATE voucher SET stock = stock - 1
		WHERE id = ? AND stock > 0`, is[2]))
	if err == nil && n == 0 {
		err = shop.ErrSoldOut
	}
	return err
}
