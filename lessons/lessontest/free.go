package lessontest

import (
	"database/sql"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"flashlab/sim/memredis"
	"flashlab/sim/proc"
	store "flashlab/store/shop"
)

// Database is a shop outside the lab: a file, the plain driver, nobody watching.
// options are appended to the DSN, such as "&_txlock=immediate".
func Database(t testing.TB, units int, unique bool, options string) *sql.DB {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shop.db")
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=journal_mode(WAL)&_pragma=synchronous(OFF)"+options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for _, q := range append(store.DDL(unique), store.Seed(units)...) {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// Number is the answer to a query for one number.
func Number(t testing.TB, db *sql.DB, q string) int {
	t.Helper()
	var n int
	if err := db.QueryRow(q).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Redis is a Redis outside the lab. Its time stands still until pass moves it on.
func Redis(t testing.TB) (rdb *redis.Client, pass func(time.Duration)) {
	t.Helper()
	m, err := memredis.Start(proc.Epoch())
	if err != nil {
		t.Fatal(err)
	}
	rdb, now := memredis.Client(m), proc.Epoch()
	t.Cleanup(func() { rdb.Close(); m.Close() })
	return rdb, func(d time.Duration) {
		now = now.Add(d)
		m.SetTime(now)
	}
}
