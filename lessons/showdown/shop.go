package showdown

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons/shop"
	"flashlab/lua"
	"flashlab/sim/proc"
)

// Answers that a buyer can get instead of a unit.
var (
	ErrSoldOut   = errors.New("sold out")
	ErrDuplicate = errors.New("only one per person")
	ErrBusy      = errors.New("an order is under way")
	ErrLater     = errors.New("too many at once, come back later")
)

// Shop sells one voucher.
type Shop struct {
	Redis   *redis.Client
	DB      *sql.DB
	Locks   *shop.Locks
	Keys    lua.SaleKeys
	Voucher int64
	// Permits bounds the calls that a limiter lets pass in a second; 0: no limiter.
	Permits int

	booking sync.Mutex // held while orders are booked in batches
}

// lease is how long a lock lasts, as the shop has it for creating orders.
const lease = 30 * time.Second

// permit asks the limiter in front of the sale.
func (s *Shop) permit(ctx context.Context) error {
	if s.Permits == 0 {
		return nil
	}
	ok, err := lua.Permit(ctx, s.Redis, "limit:sale", s.Permits, time.Second)
	if err == nil && !ok {
		err = ErrLater
	}
	return err
}

// Synchronous answers when everything is written: a lock for the user, and under it a
// transaction that counts, takes a unit and inserts the order.
func (s *Shop) Synchronous(ctx context.Context, user, order int64) error {
	if err := s.permit(ctx); err != nil {
		return err
	}
	return s.locked(ctx, fmt.Sprintf("lock:order:%d", user), user, order)
}

// locked buys under a lock that somebody else may not hold.
func (s *Shop) locked(ctx context.Context, lock string, user, order int64) error {
	h, err := s.Locks.Lock(ctx, lock, shop.Options{Lease: lease})
	if errors.Is(err, shop.ErrBusy) {
		return ErrBusy
	}
	if err != nil {
		return err
	}
	err = s.write(h.Context(), user, order, true)
	return errors.Join(err, h.Unlock(ctx))
}

// patient is locked, but asks again until the lock is free.
func (s *Shop) patient(ctx context.Context, lock string, user, order int64) error {
	for {
		err := s.locked(ctx, lock, user, order)
		if !errors.Is(err, ErrBusy) {
			return err
		}
		if err := proc.Sleep(ctx, time.Millisecond); err != nil {
			return err
		}
	}
}

// Optimistic leaves it to the database: the condition stands in the update, and the
// unique index refuses a second order.
func (s *Shop) Optimistic(ctx context.Context, user, order int64) error {
	if err := s.permit(ctx); err != nil {
		return err
	}
	return s.write(ctx, user, order, false)
}

// write takes a unit and inserts the order, both or neither.
func (s *Shop) write(ctx context.Context, user, order int64, count bool) error {
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { tx.Rollback() }()
	if count {
		var n int
		row := tx.QueryRowContext(ctx, `SELECT COUNT(*) FROM orders
			WHERE user_id = ? AND voucher_id = ?`, user, s.Voucher)
		if err := row.Scan(&n); err != nil {
			return err
		}
		if n > 0 {
			return ErrDuplicate
		}
	}
	switch n, err := changed(tx.ExecContext(ctx, `UPDATE voucher SET stock = stock - 1
		WHERE id = ? AND stock > 0`, s.Voucher)); {
	case err != nil:
		return err
	case n == 0:
		return ErrSoldOut
	}
	switch n, err := changed(tx.ExecContext(ctx, `INSERT INTO orders (id, user_id, voucher_id)
		VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, order, user, s.Voucher)); {
	case err != nil:
		return err
	case n == 0:
		return ErrDuplicate // the unit goes back with the transaction
	}
	return tx.Commit()
}

func changed(res sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// Script answers when the script has decided; a consumer books the order afterwards.
func (s *Shop) Script(ctx context.Context, user, order int64) error {
	if err := s.permit(ctx); err != nil {
		return err
	}
	sale := shop.Sale{Redis: s.Redis, Keys: func(int64) lua.SaleKeys { return s.Keys }}
	switch is, err := sale.Buy(ctx, user, s.Voucher, order); {
	case err != nil:
		return err
	case is == lua.SoldOut:
		return ErrSoldOut
	case is == lua.Duplicate:
		return ErrDuplicate
	case is != lua.Accepted:
		return errors.New(is.String())
	}
	return nil
}
