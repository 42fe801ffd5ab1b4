package synchronized

import (
	"context"
	"database/sql"
)

// UnitOfWork collects what a request wants to write and sends it in one
// transaction when it commits, as the session of an ORM does.
type UnitOfWork struct {
	db     *sql.DB
	orders []order
}

// Add notes an order. Nothing reaches the database yet.
func (w *UnitOfWork) Add(o order) { w.orders = append(w.orders, o) }

// Commit takes the units and inserts the orders that were noted, or does nothing.
func (w *UnitOfWork) Commit(ctx context.Context) error {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { tx.Rollback() }()
	for _, o := range w.orders {
		res, err := tx.ExecContext(ctx, takeUnit, o.voucher)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return ErrSoldOut
		}
		_, err = tx.ExecContext(ctx, insertOrder, o.user, o.voucher)
		if err != nil {
			return err
		}
	}
	return tx.Commit()
}
