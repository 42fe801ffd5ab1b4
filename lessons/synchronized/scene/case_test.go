package scene_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"flashlab/lessons/lessontest"
	"flashlab/lessons/shop"
	"flashlab/lessons/synchronized"
	"flashlab/sim"
	"flashlab/sim/explore"
	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

// The code of the cards: what is not worth a variant but must be true.

const (
	countOrders = "SELECT COUNT(*) FROM orders WHERE user_id = ? AND voucher_id = ?"
	takeUnit    = "UPDATE voucher SET stock = stock - 1 WHERE id = ? AND stock > 0"
	insertOrder = "INSERT INTO orders (user_id, voucher_id) VALUES (?, ?)"
)

// runner is a database or a transaction.
type runner interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// click is one request of a user, on a database that all nodes share.
type click func(ctx context.Context, db *sql.DB, user int64) error

// clicks is a scene of this lesson with other code: each request belongs to a user
// and a node.
func clicks(t *testing.T, variant string, code click, who []int64, nodes []string) *scenario.Scenario {
	t.Helper()
	s := scene(t, variant, "")
	s.Actors = func(w *world.World) []scenario.Actor {
		var out []scenario.Actor
		for i, user := range who {
			out = append(out, scenario.Actor{Name: trace.Verbatim("click"), Node: nodes[i], Body: func(ctx context.Context) error {
				return code(ctx, w.DB, user)
			}})
		}
		return out
	}
	return s
}

var (
	twice   = []int64{7, 7}
	oneNode = []string{"n1", "n1"}
	twoNode = []string{"n1", "n2"}
)

// inTx runs f in a transaction.
func inTx(ctx context.Context, db *sql.DB, f func(tx *sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { tx.Rollback() }()
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// sell counts on one connection and writes on another, or on the same.
func sell(ctx context.Context, count, write runner, user int64) error {
	var n int
	if err := count.QueryRowContext(ctx, countOrders, user, store.Voucher).Scan(&n); err != nil {
		return err
	}
	if n > 0 {
		return synchronized.ErrDuplicate
	}
	return deduct(ctx, write, user)
}

// deduct takes a unit and inserts the order.
func deduct(ctx context.Context, write runner, user int64) error {
	res, err := write.ExecContext(ctx, takeUnit, store.Voucher)
	if err != nil {
		return err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		return synchronized.ErrSoldOut
	}
	_, err = write.ExecContext(ctx, insertOrder, user, store.Voucher)
	return err
}

// figures are "interleavings/violating" of one light.
func figures(s *scenario.Scenario, res *explore.Result, light string) string {
	return lessontest.Decimal(res.Interleavings) + "/" + lessontest.Decimal(res.Lights[s.Light(light)].Violating)
}

// TestCountInside is the card of that name: behind BEGIN IMMEDIATE the count needs
// no mutex, on one node or two.
func TestCountInside(t *testing.T) {
	inside := func(ctx context.Context, db *sql.DB, user int64) error {
		return inTx(ctx, db, func(tx *sql.Tx) error { return sell(ctx, tx, tx, user) })
	}
	s := clicks(t, "no-lock", inside, twice, twoNode)
	if got := figures(s, lessontest.Search(t, s), shop.OnePerUser); got != "2/0" {
		t.Errorf("count inside, no mutex: %s, want 2/0", got)
	}
	var mu proc.Mutex // one on each node
	s = clicks(t, "no-lock", func(ctx context.Context, db *sql.DB, user int64) error {
		mu.Lock(ctx)
		defer func() { mu.Unlock(ctx) }()
		return inside(ctx, db, user)
	}, twice, twoNode)
	if got := figures(s, lessontest.Search(t, s), shop.OnePerUser); got != "72/0" {
		t.Errorf("count inside, a mutex on each of two nodes: %s, want 72/0", got)
	}
}

// TestPlainTransaction is the card of that name: the lock inside a plain
// transaction costs the loser an error, and a count on another connection costs
// the promise.
func TestPlainTransaction(t *testing.T) {
	var mu proc.Mutex
	code := func(outside bool) click {
		return func(ctx context.Context, db *sql.DB, user int64) error {
			return inTx(ctx, db, func(tx *sql.Tx) error {
				mu.Lock(ctx)
				defer func() { mu.Unlock(ctx) }()
				if outside {
					return sell(ctx, db, tx, user)
				}
				return sell(ctx, tx, tx, user)
			})
		}
	}
	plain := func(outside bool) *scenario.Scenario {
		s := clicks(t, "no-lock", code(outside), twice, oneNode)
		s.World.Begin = sqlgate.Deferred
		return s
	}
	s := plain(false)
	if got := figures(s, lessontest.Search(t, s), shop.OnePerUser); got != "6/0" {
		t.Errorf("plain transaction: %s, want 6/0", got)
	}
	// A frees the mutex, then B locks, counts and wants to write; A commits first.
	steps := []int{0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0}
	last := lessontest.Last(lessontest.Play(t, plain(false), func(_ []sim.Move, n int) int { return steps[min(n, len(steps)-1)] }))
	if b := last.Actor("B"); !contains(b.Result, "517") {
		t.Errorf("B ends with %q, not with BUSY_SNAPSHOT (517)", b.Result)
	}
	s = plain(true)
	if got := figures(s, lessontest.Search(t, s), shop.OnePerUser); got != "6/2" {
		t.Errorf("count on another connection: %s, want 6/2", got)
	}
}

// TestHundredClicks: deduct first, learn of the duplicate afterwards. In a
// transaction the shelf keeps 99 of 100 units and the next user is served; without
// one it is empty after a hundred clicks of one user.
func TestHundredClicks(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		what                 string
		buy                  func(db *sql.DB, user int64) error
		orders, stock, after int
	}{
		{"one transaction", func(db *sql.DB, user int64) error {
			return (&synchronized.Shop{DB: db}).UniqueIndex(ctx, user, store.Voucher)
		}, 1, 99, 2},
		{"autocommit", func(db *sql.DB, user int64) error { return deduct(ctx, db, user) }, 1, 0, 1},
	} {
		db := lessontest.Database(t, 100, true, "&_txlock=immediate")
		duplicates := 0
		for range 100 {
			if err := c.buy(db, 7); err != nil {
				duplicates++
				if c.what == "one transaction" && !errors.Is(err, synchronized.ErrDuplicate) {
					t.Fatal(err)
				}
			}
		}
		orders, stock := lessontest.Number(t, db, "SELECT COUNT(*) FROM orders"), lessontest.Number(t, db, "SELECT stock FROM voucher")
		if orders != c.orders || stock != c.stock || duplicates != 99 {
			t.Errorf("%s: %d orders, stock %d, %d duplicates; want %d, %d, 99", c.what, orders, stock, duplicates, c.orders, c.stock)
		}
		_ = c.buy(db, 8)
		if orders := lessontest.Number(t, db, "SELECT COUNT(*) FROM orders"); orders != c.after {
			t.Errorf("%s: %d orders after another user has come, want %d", c.what, orders, c.after)
		}
	}
}

// TestIndexWithoutTransaction: in autocommit the index keeps one order per user,
// and the refused click has lost its unit in every schedule.
func TestIndexWithoutTransaction(t *testing.T) {
	s := clicks(t, "unique-index", func(ctx context.Context, db *sql.DB, user int64) error {
		return deduct(ctx, db, user)
	}, twice, twoNode)
	res := lessontest.Search(t, s)
	if a, b := figures(s, res, shop.OnePerUser), figures(s, res, shop.Conservation); a != "6/0" || b != "6/6" {
		t.Errorf("one-per-user %s, conservation %s; want 6/0 and 6/6", a, b)
	}
}

// TestIndexMendsNoLock: with the index on the table the race is harmless.
func TestIndexMendsNoLock(t *testing.T) {
	s := scene(t, "no-lock", "nodes=2")
	s.World.Schema = shop.Schema(2, true)
	for i, l := range lessontest.Search(t, s).Lights {
		if l.Broken {
			t.Errorf("no-lock on a table with the index breaks %s", s.Lights[i].Name)
		}
	}
}

// TestCachedProduct: read, subtract, write back under a mutex of each process. Two
// different users on one node are safe, on two nodes the last unit is sold twice;
// a statement that subtracts under its own condition needs no mutex.
func TestCachedProduct(t *testing.T) {
	var mu proc.Mutex
	cached := func(ctx context.Context, db *sql.DB, user int64) error {
		mu.Lock(ctx)
		defer func() { mu.Unlock(ctx) }()
		var stock int
		if err := db.QueryRowContext(ctx, "SELECT stock FROM voucher WHERE id = ?", store.Voucher).Scan(&stock); err != nil {
			return err
		}
		if stock <= 0 {
			return synchronized.ErrSoldOut
		}
		if _, err := db.ExecContext(ctx, "UPDATE voucher SET stock = ? WHERE id = ?", stock-1, store.Voucher); err != nil {
			return err
		}
		_, err := db.ExecContext(ctx, insertOrder, user, store.Voucher)
		return err
	}
	atomic := func(ctx context.Context, db *sql.DB, user int64) error {
		return inTx(ctx, db, func(tx *sql.Tx) error { return deduct(ctx, tx, user) })
	}
	for _, c := range []struct {
		what   string
		code   click
		nodes  []string
		broken bool
	}{
		{"one node", cached, oneNode, false},
		{"two nodes", cached, twoNode, true},
		{"one statement, two nodes", atomic, twoNode, false},
	} {
		s := clicks(t, "no-lock", c.code, []int64{7, 8}, c.nodes)
		s.World.Schema, s.Lights = shop.Schema(1, false), shop.DatabaseLights(1)
		if got := lessontest.Search(t, s).Lights[s.Light(shop.NoOversell)].Broken; got != c.broken {
			t.Errorf("%s: oversells %v, want %v", c.what, got, c.broken)
		}
	}
}
