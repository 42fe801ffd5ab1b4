package synchronized

import (
	"context"
	"database/sql"
)

// runner runs a statement: a transaction, or the database itself, where each
// statement commits alone.
type runner interface {
	ExecContext(
		ctx context.Context, stmt string, args ...any,
	) (sql.Result, error)
	QueryRowContext(
		ctx context.Context, stmt string, args ...any,
	) *sql.Row
}

func (s *Shop) on(tx *sql.Tx) runner {
	if tx != nil {
		return tx
	}
	return s.DB
}

// run runs one statement and looks at its answer.
func run(ctx context.Context, on runner, stmt, verb string) error {
	if verb == "SELECT" {
		var orders int
		err := on.QueryRowContext(ctx, stmt).Scan(&orders)
		if err == nil && orders > 0 {
			err = ErrDuplicate
		}
		return err
	}
	res, err := on.ExecContext(ctx, stmt)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return ErrSoldOut
	}
	return nil
}
