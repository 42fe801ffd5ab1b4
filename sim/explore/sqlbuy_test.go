package explore_test

import (
	"context"
	"database/sql"
)

// order books, in a statement of its own.
func (s *shop) order(ctx context.Context, buyer int) error {
	_, err := s.db.ExecContext(ctx, `INSERT INTO orders (buyer) VALUES (?)`, buyer)
	return err
}

// querier is the database or a transaction of it.
type querier interface {
	QueryRowContext(ctx context.Context, q string, args ...any) *sql.Row
	ExecContext(ctx context.Context, q string, args ...any) (sql.Result, error)
}

func stock(ctx context.Context, q querier) (n int, err error) {
	err = q.QueryRowContext(ctx, `SELECT stock FROM voucher WHERE id = 1`).Scan(&n)
	return n, err
}

// affected is the number of rows that a write has changed.
func affected(res sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// The ways to sell out of the database, a statement a time.

func sqlSet(s *shop, ctx context.Context, buyer int) error {
	left, err := stock(ctx, s.db)
	if err != nil {
		return err
	}
	if left <= 0 {
		return errSoldOut
	}
	if _, err := s.db.ExecContext(ctx, `UPDATE voucher SET stock = ? WHERE id = 1`, left-1); err != nil {
		return err
	}
	return s.order(ctx, buyer)
}

func sqlDecr(s *shop, ctx context.Context, buyer int) error {
	left, err := stock(ctx, s.db)
	if err != nil {
		return err
	}
	if left <= 0 {
		return errSoldOut
	}
	if _, err := s.db.ExecContext(ctx, `UPDATE voucher SET stock = stock - 1 WHERE id = 1`); err != nil {
		return err
	}
	return s.order(ctx, buyer)
}

func sqlCAS(s *shop, ctx context.Context, buyer int) error {
	var left, version int
	if err := s.db.QueryRowContext(ctx, `SELECT stock, version FROM voucher WHERE id = 1`).Scan(&left, &version); err != nil {
		return err
	}
	if left <= 0 {
		return errSoldOut
	}
	n, err := affected(s.db.ExecContext(ctx, `UPDATE voucher SET stock = ?, version = version + 1 WHERE id = 1 AND version = ?`, left-1, version))
	if err != nil {
		return err
	}
	if n == 0 {
		return errConflict
	}
	return s.order(ctx, buyer)
}

// sqlGuarded is what the script is in Redis: one statement reads and takes.
func sqlGuarded(s *shop, ctx context.Context, buyer int) error {
	if err := take(ctx, s.db); err != nil {
		return err
	}
	return s.order(ctx, buyer)
}

func take(ctx context.Context, q querier) error {
	n, err := affected(q.ExecContext(ctx, `UPDATE voucher SET stock = stock - 1 WHERE id = 1 AND stock > 0`))
	if err != nil {
		return err
	}
	if n == 0 {
		return errSoldOut
	}
	return nil
}

// sqlReturning is the guarded statement that also says what is left.
func sqlReturning(s *shop, ctx context.Context, buyer int) error {
	var left int
	err := s.db.QueryRowContext(ctx, `UPDATE voucher SET stock = stock - 1 WHERE id = 1 AND stock > 0 RETURNING stock`).Scan(&left)
	if err == sql.ErrNoRows {
		return errSoldOut
	}
	if err != nil {
		return err
	}
	return s.order(ctx, buyer)
}

// sqlDecrCheck takes a unit, looks, and gives it back if there was none.
func sqlDecrCheck(s *shop, ctx context.Context, buyer int) error {
	var left int
	if err := s.db.QueryRowContext(ctx, `UPDATE voucher SET stock = stock - 1 WHERE id = 1 RETURNING stock`).Scan(&left); err != nil {
		return err
	}
	if left < 0 {
		if _, err := s.db.ExecContext(ctx, `UPDATE voucher SET stock = stock + 1 WHERE id = 1`); err != nil {
			return err
		}
		return errSoldOut
	}
	return s.order(ctx, buyer)
}

// The same in transactions.

// inTx runs f in a transaction and commits.
func (s *shop) inTx(ctx context.Context, o *sql.TxOptions, f func(tx *sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, o)
	if err != nil {
		return err
	}
	defer func() { tx.Rollback() }()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func book(ctx context.Context, q querier, buyer int) error {
	_, err := q.ExecContext(ctx, `INSERT INTO orders (buyer) VALUES (?)`, buyer)
	return err
}

// txGuarded writes only.
func txGuarded(s *shop, ctx context.Context, buyer int) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if err := take(ctx, tx); err != nil {
			return err
		}
		return book(ctx, tx, buyer)
	})
}

// txReadWrite reads and then writes: begun deferred it is refused with
// BUSY_SNAPSHOT if somebody has committed in between.
func txReadWrite(s *shop, ctx context.Context, buyer int) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		left, err := stock(ctx, tx)
		if err != nil {
			return err
		}
		if left <= 0 {
			return errSoldOut
		}
		if _, err := tx.ExecContext(ctx, `UPDATE voucher SET stock = ? WHERE id = 1`, left-1); err != nil {
			return err
		}
		return book(ctx, tx, buyer)
	})
}

// txSnapshot reads twice in a read-only transaction: the second time it sees what
// it saw the first time, whatever has been committed. Then it takes a unit.
func txSnapshot(s *shop, ctx context.Context, buyer int) error {
	err := s.inTx(ctx, &sql.TxOptions{ReadOnly: true}, func(tx *sql.Tx) error {
		before, err := stock(ctx, tx)
		if err != nil {
			return err
		}
		after, err := stock(ctx, tx)
		if err != nil {
			return err
		}
		if before != after {
			panic("a snapshot has moved")
		}
		if before <= 0 {
			return errSoldOut
		}
		return nil
	})
	if err != nil {
		return err
	}
	if _, err := s.db.ExecContext(ctx, `UPDATE voucher SET stock = stock - 1 WHERE id = 1`); err != nil {
		return err
	}
	return s.order(ctx, buyer)
}

// txOrderFirst books first; under a unique index the second order of one person
// is refused, and the transaction, which holds the write lock by then, goes on to
// note the refusal.
func txOrderFirst(s *shop, ctx context.Context, buyer int) error {
	return s.inTx(ctx, nil, func(tx *sql.Tx) error {
		if err := book(ctx, tx, buyer); err != nil {
			_, err := tx.ExecContext(ctx, `UPDATE voucher SET version = version + 1 WHERE id = 1`)
			return err
		}
		return take(ctx, tx)
	})
}

// Under a mutex of the process: the check outside any transaction.
func (s *shop) mutexed(ctx context.Context, buyer, i int) error {
	mu := s.mutexes[i]
	mu.Lock(ctx)
	defer func() { mu.Unlock(ctx) }()
	return sqlSet(s, ctx, buyer)
}
