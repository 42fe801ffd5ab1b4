package showdown

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
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

// Consume books orders in batches: one transaction for all that one read brings. What is
// booked is acknowledged on the way to the next batch. booked is told after each
// transaction.
func (s *Shop) Consume(ctx context.Context, name string, booked func()) error {
	var done []string // ids that are booked and not acknowledged
	for {
		entries, err := s.next(ctx, name, done)
		if err == nil && len(entries) == 0 {
			entries, err = s.await(ctx, name)
		}
		if err != nil {
			return err
		}
		done = done[:0]
		if len(entries) == 0 {
			continue
		}
		if err := s.bookAll(ctx, entries); err != nil {
			return err // they stay pending, and the drain will say so
		}
		for _, m := range entries {
			done = append(done, m.ID)
		}
		booked()
	}
}

// next acknowledges what is done and returns what is there to be done, with one trip to
// the server. It does not wait: an acknowledgement must not stand behind a read that does.
func (s *Shop) next(ctx context.Context, name string, done []string) ([]redis.XMessage, error) {
	pipe := s.Redis.Pipeline()
	var ack *redis.IntCmd
	if len(done) > 0 {
		ack = pipe.XAck(ctx, s.Keys.Stream, group, done...)
	}
	read := pipe.XReadGroup(ctx, s.reading(name, -1))
	pipe.Exec(ctx) // each command has its own error
	if ack != nil {
		if n, err := ack.Result(); err != nil || n != int64(len(done)) {
			return nil, errors.Join(err, fmt.Errorf("%d of %d entries acknowledged", n, len(done)))
		}
	}
	return s.entries(read)
}

// await waits for entries; none have come when its patience is over.
func (s *Shop) await(ctx context.Context, name string) ([]redis.XMessage, error) {
	return s.entries(s.Redis.XReadGroup(ctx, s.reading(name, patience)))
}

func (s *Shop) reading(name string, block time.Duration) *redis.XReadGroupArgs {
	return &redis.XReadGroupArgs{
		Group: group, Consumer: name, Streams: []string{s.Keys.Stream, ">"}, Count: batch, Block: block,
	}
}

func (s *Shop) entries(read *redis.XStreamSliceCmd) ([]redis.XMessage, error) {
	got, err := read.Result()
	if errors.Is(err, redis.Nil) || err == nil && len(got) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", s.Keys.Stream, err)
	}
	return got[0].Messages, nil
}

// bookAll books a batch, all or nothing. An order that is there already changes nothing.
func (s *Shop) bookAll(ctx context.Context, entries []redis.XMessage) error {
	rows := map[int64][]any{} // by voucher
	for _, m := range entries {
		row, err := rowOf(m)
		if err != nil {
			return fmt.Errorf("booking entry %s: %w", m.ID, err)
		}
		rows[row[2]] = append(rows[row[2]], row[0], row[1], row[2])
	}
	// SQLite has one writer. Who waits for its turn here goes on at once; who waits in the
	// engine sleeps for whole milliseconds between two looks.
	s.booking.Lock()
	defer s.booking.Unlock()
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { tx.Rollback() }()
	for voucher, list := range rows {
		if err := book(ctx, tx, voucher, list); err != nil {
			return fmt.Errorf("booking orders of voucher %d: %w", voucher, err)
		}
	}
	return tx.Commit()
}

// rowOf is an entry as a row of orders: id, user, voucher.
func rowOf(m redis.XMessage) (row [3]int64, err error) {
	for i, field := range []string{"id", "userId", "voucherId"} {
		text, _ := m.Values[field].(string)
		if row[i], err = strconv.ParseInt(text, 10, 64); err != nil {
			return row, fmt.Errorf("%w: field %s", shop.ErrUnreadable, field)
		}
	}
	return row, nil
}

// book inserts the rows of a voucher, one after the other in one list, and takes a unit
// for each that was not there: two statements, however many rows.
func book(ctx context.Context, tx *sql.Tx, voucher int64, rows []any) error {
	n, err := changed(tx.ExecContext(ctx, `INSERT INTO orders (id, user_id, voucher_id) VALUES (?, ?, ?)`+
		strings.Repeat(`, (?, ?, ?)`, len(rows)/3-1)+` ON CONFLICT DO NOTHING`, rows...))
	if err != nil || n == 0 {
		return err
	}
	taken, err := changed(tx.ExecContext(ctx, `UPDATE voucher SET stock = stock - ?
		WHERE id = ? AND stock >= ?`, n, voucher, n))
	if err == nil && taken == 0 {
		err = shop.ErrSoldOut
	}
	return err
}
