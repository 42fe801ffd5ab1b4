package synchronized

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// Statements runs the statements of a sale one after the other. It ends when
// the user has an order already, or when an UPDATE finds nothing to take; what
// is not committed then is rolled back.
func (s *Shop) Statements(ctx context.Context, sale []string) error {
	var tx *sql.Tx
	defer func() {
		if tx != nil {
			tx.Rollback()
		}
	}()
	for _, stmt := range sale {
		var err error
		switch verb, _, _ := strings.Cut(stmt, " "); {
		case verb == "BEGIN" && tx == nil:
			tx, err = s.DB.BeginTx(ctx, nil) // BEGIN IMMEDIATE
		case verb == "COMMIT" && tx != nil:
			err = tx.Commit()
			tx = nil
		case verb == "BEGIN", verb == "COMMIT":
			err = errors.New("not here: " + stmt)
		default:
			err = run(ctx, s.on(tx), stmt, verb)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
