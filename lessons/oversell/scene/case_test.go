package scene_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"modernc.org/sqlite"

	"flashlab/lessons/lessontest"
	"flashlab/lessons/oversell"
	store "flashlab/store/shop"
)

// TestWrittenBack: stock 10, two buyers read 10 and both write 9. The guarded
// update keeps orders + stock = 10 in every schedule.
func TestWrittenBack(t *testing.T) {
	last := lessontest.Last(lessontest.Play(t, scene(t, "lost-update", "stock=10"), lessontest.InTurn))
	if stock, orders := lessontest.Stock(last), lessontest.Orders(last); stock != "9" || orders != "2" || !last.Broken("conservation") {
		t.Errorf("stock %s, %s orders, lights %v", stock, orders, last.Lights)
	}
	for i, l := range lessontest.Search(t, scene(t, "guarded", "stock=10")).Lights {
		if l.Broken {
			t.Errorf("guarded breaks light %d", i)
		}
	}
}

// TestBoundary: 50 buyers for 10 units. stock >= 0 sells one too many, stock > 0
// sells exactly 10.
func TestBoundary(t *testing.T) {
	wrong := lessontest.Database(t, 10, true, "")
	for user := range 50 {
		res, err := wrong.Exec("UPDATE voucher SET stock = stock - 1 WHERE id = ? AND stock >= 0", store.Voucher)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := res.RowsAffected(); n == 0 {
			continue
		}
		if _, err := wrong.Exec("INSERT INTO orders (user_id, voucher_id) VALUES (?, ?)", user, store.Voucher); err != nil {
			t.Fatal(err)
		}
	}
	if n := lessontest.Number(t, wrong, "SELECT count(*) FROM orders"); n != 11 {
		t.Errorf("stock >= 0 sold %d of 10", n)
	}

	right := lessontest.Database(t, 10, true, "")
	s := &oversell.Shop{DB: right}
	for user := range int64(50) {
		if err := s.Guarded(context.Background(), user, store.Voucher); err != nil && !errors.Is(err, oversell.ErrSoldOut) {
			t.Fatal(err)
		}
	}
	if n := lessontest.Number(t, right, "SELECT count(*) FROM orders"); n != 10 {
		t.Errorf("guarded sold %d of 10", n)
	}
}

// TestUpgrade: two plain transactions read and then both write, with five seconds
// of patience. The second is refused at once, before the first has committed and
// after it; BEGIN IMMEDIATE waits instead, and both get through.
func TestUpgrade(t *testing.T) {
	db := lessontest.Database(t, 2, true, "&_pragma=busy_timeout(5000)")
	ctx := context.Background()
	const write = "UPDATE voucher SET stock = stock - 1 WHERE id = 1"
	read := func(tx *sql.Tx) {
		t.Helper()
		var n int
		if err := tx.QueryRow("SELECT stock FROM voucher WHERE id = 1").Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		commitFirst bool
		code        int
	}{{false, 5}, {true, 517}} {
		a, err := db.BeginTx(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := db.BeginTx(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		read(a)
		read(b)
		if _, err := a.Exec(write); err != nil {
			t.Fatal(err)
		}
		if c.commitFirst {
			if err := a.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		_, err = b.Exec(write)
		var e *sqlite.Error
		if !errors.As(err, &e) || e.Code() != c.code {
			t.Errorf("the second write answers %v, want code %d", err, c.code)
		}
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("the second write waited %v", d)
		}
		b.Rollback()
		a.Rollback()
	}

	fresh := lessontest.Database(t, 2, true, "&_pragma=busy_timeout(5000)&_txlock=immediate")
	if err := rush(fresh, 2); err != nil {
		t.Error(err)
	}
	if n := lessontest.Number(t, fresh, "SELECT stock FROM voucher"); n != 0 {
		t.Errorf("stock %d after two immediate transactions", n)
	}
}

// rush lets buyers buy at the same time and returns their errors.
func rush(db *sql.DB, buyers int) error {
	s := &oversell.Shop{DB: db}
	errs := make([]error, buyers)
	var wg sync.WaitGroup
	for i := range buyers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs[i] = s.ImmediateTx(context.Background(), int64(i+1), store.Voucher)
		}()
	}
	wg.Wait()
	return errors.Join(errs...)
}

// TestDriverDefault: this driver's busy_timeout is 0 unless the DSN says
// otherwise, so a second writer fails at once; with a timeout five writers all
// get through.
func TestDriverDefault(t *testing.T) {
	db := lessontest.Database(t, 5, true, "&_txlock=immediate")
	if n := lessontest.Number(t, db, "PRAGMA busy_timeout"); n != 0 {
		t.Errorf("the driver's own busy_timeout is %d ms", n)
	}
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	_, err = db.Begin()
	var e *sqlite.Error
	if !errors.As(err, &e) || e.Code() != 5 {
		t.Errorf("a second writer gets %v, want SQLITE_BUSY", err)
	}

	patient := lessontest.Database(t, 5, true, "&_txlock=immediate&_pragma=busy_timeout(5000)")
	if err := rush(patient, 5); err != nil {
		t.Error(err)
	}
	sold := fmt.Sprint(lessontest.Number(t, patient, "SELECT count(*) FROM orders"), lessontest.Number(t, patient, "SELECT stock FROM voucher"))
	if sold != "5 0" {
		t.Errorf("orders and stock are %s, want 5 0", sold)
	}
}
