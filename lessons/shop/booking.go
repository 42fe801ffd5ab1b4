package shop

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// Errors of an order that cannot be booked.
var (
	ErrSoldOut    = errors.New("sold out")
	ErrOtherOrder = errors.New("the user has another order for the voucher")
	ErrUnreadable = errors.New("the entry holds no order")
)

// Order is an order on its way from the sale to the database.
type Order struct {
	Entry             string // its entry in the stream
	ID, User, Voucher int64
}

// orderOf reads an entry of the stream. An entry that has been deleted or trimmed
// comes without fields.
func orderOf(m redis.XMessage) (Order, error) {
	o := Order{Entry: m.ID}
	for _, f := range []struct {
		name string
		to   *int64
	}{{"id", &o.ID}, {"userId", &o.User}, {"voucherId", &o.Voucher}} {
		text, _ := m.Values[f.name].(string)
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return o, fmt.Errorf("%w: entry %s, field %s", ErrUnreadable, m.ID, f.name)
		}
		*f.to = n
	}
	return o, nil
}

// Book writes an order and takes its unit, both or neither. To book an order again
// does nothing.
func Book(ctx context.Context, db *sql.DB, o Order) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { tx.Rollback() }()

	changed, err := change(ctx, tx, `INSERT INTO orders (id, user_id, voucher_id)
		VALUES (?, ?, ?) ON CONFLICT DO NOTHING`, o.ID, o.User, o.Voucher)
	if err != nil {
		return err
	}
	if !changed { // this order is there, or another one of the user
		return same(ctx, tx, o)
	}
	changed, err = change(ctx, tx, `UPDATE voucher SET stock = stock - 1
		WHERE id = ? AND stock > 0`, o.Voucher)
	if err != nil {
		return err
	}
	if !changed {
		return ErrSoldOut
	}
	return tx.Commit()
}

// change runs a statement and tells whether it has changed a row.
func change(ctx context.Context, tx *sql.Tx, q string, args ...any) (bool, error) {
	res, err := tx.ExecContext(ctx, q, args...)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// same looks at the row that was in an order's way.
func same(ctx context.Context, tx *sql.Tx, o Order) error {
	var user, voucher int64
	row := tx.QueryRowContext(ctx, `SELECT user_id, voucher_id FROM orders
		WHERE id = ?`, o.ID)
	err := row.Scan(&user, &voucher)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (user != o.User || voucher != o.Voucher) {
		return ErrOtherOrder
	}
	return err
}

// booked tells whether an order is in the database.
func booked(ctx context.Context, db *sql.DB, o Order) (bool, error) {
	var n int
	row := db.QueryRowContext(ctx, `SELECT COUNT(*) FROM orders
		WHERE id = ? AND user_id = ? AND voucher_id = ?`, o.ID, o.User, o.Voucher)
	err := row.Scan(&n)
	return n > 0, err
}
