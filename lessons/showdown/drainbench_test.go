package showdown

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons/shop"
	"flashlab/lua"
	"flashlab/sim/live"
	"flashlab/sim/live/livetest"
	"flashlab/sim/sqlgate"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

// drained is how many orders a round books.
const drained = 40_000

// BenchmarkDrain books a queue of orders through the consumers, and writes as many
// orders into the same schema without a queue: with two prepared statements for each
// order, and with two for each transaction. The rounds take turns, so that what else
// the machine does slows all of them. It reports orders a second of each, and how the
// consumers compare with the faster way at their own batch size (ratio) and with the
// fastest of all sizes (ratio-best).
func BenchmarkDrain(b *testing.B) {
	to := targetOf(b, livetest.Start(b))
	var queued, single, multi []float64
	larger := map[int][]float64{500: nil, 1000: nil, 4000: nil, 8000: nil}
	for b.Loop() {
		queued = append(queued, drainRate(b, to))
		single = append(single, plainRate(b, batch, singleRow))
		multi = append(multi, plainRate(b, batch, multiRow))
		for size := range larger {
			larger[size] = append(larger[size], plainRate(b, size, multiRow))
		}
	}
	own, plain := median(queued), max(median(single), median(multi))
	best, at := plain, batch
	for size, rates := range larger {
		if r := median(rates); r > best {
			best, at = r, size
		}
	}
	b.ReportMetric(own, "consumer/s")
	b.ReportMetric(median(single), "single-row/s")
	b.ReportMetric(median(multi), "multi-row/s")
	b.ReportMetric(best, "best/s")
	b.ReportMetric(float64(at), "best-batch")
	b.ReportMetric(own/plain, "ratio")
	b.ReportMetric(own/best, "ratio-best")
}

func median(rates []float64) float64 {
	slices.Sort(rates)
	return rates[len(rates)/2]
}

func saleWorld(b *testing.B, run *live.Run) *world.World {
	b.Helper()
	w, err := world.OpenFree(world.Config{
		Engine: world.WAL, Begin: sqlgate.Immediate, Redis: run != nil,
		Schema: shop.Schema(drained, true), Scripts: lua.Sources(),
	}, world.FreeOptions{Live: run})
	if err != nil {
		b.Fatal(err)
	}
	return w
}

// allSold fails unless every order is in the database and every unit is gone.
func allSold(b *testing.B, db *sql.DB) {
	b.Helper()
	var orders, users, stock int
	row := db.QueryRow(`SELECT COUNT(*), COUNT(DISTINCT user_id), (SELECT stock FROM voucher) FROM orders`)
	if err := row.Scan(&orders, &users, &stock); err != nil || orders != drained || users != drained || stock != 0 {
		b.Fatalf("%d orders of %d users, %d units left, %v", orders, users, stock, err)
	}
}

// drainRate is how many orders a second the consumers book from a queue that is full.
func drainRate(b *testing.B, to *live.Target) float64 {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	run, err := live.Open(ctx, to, false)
	if err != nil {
		b.Fatal(err)
	}
	defer run.Close()
	w := saleWorld(b, run)
	defer w.Close()
	if err := w.Warm(consumers); err != nil {
		b.Fatal(err)
	}
	code := &Shop{Redis: w.Redis, DB: w.DB, Keys: lua.KeysOf(store.Voucher), Voucher: store.Voucher}
	queue(b, w.Direct(), code.Keys.Stream)

	var last atomic.Int64 // ns since 1970
	var all sync.WaitGroup
	began := time.Now()
	for i := range consumers {
		all.Go(func() {
			err := code.Consume(ctx, fmt.Sprintf("c%d", i+1), func() { last.Store(time.Now().UnixNano()) })
			if ctx.Err() == nil {
				b.Error(err)
				stop()
			}
		})
	}
	for ctx.Err() == nil {
		groups, err := w.Direct().XInfoGroups(ctx, code.Keys.Stream).Result()
		if err != nil {
			b.Fatal(err)
		}
		if groups[0].Lag == 0 && groups[0].Pending == 0 {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	stop()
	w.HangUp() // whoever waits in a read goes home
	all.Wait()
	allSold(b, w.DB)
	return drained / time.Unix(0, last.Load()).Sub(began).Seconds()
}

// queue fills the stream as the sale script does.
func queue(b *testing.B, rdb redis.Cmdable, stream string) {
	b.Helper()
	ctx := context.Background()
	for from := 1; from <= drained; from += 1000 {
		pipe := rdb.Pipeline()
		for i := from; i < from+1000; i++ {
			pipe.XAdd(ctx, &redis.XAddArgs{Stream: stream, Values: []any{"userId", i, "voucherId", store.Voucher, "id", i}})
		}
		if _, err := pipe.Exec(ctx); err != nil {
			b.Fatal(err)
		}
	}
	if err := rdb.XGroupCreate(ctx, stream, group, "0").Err(); err != nil {
		b.Fatal(err)
	}
}

// writer writes the orders from..to-1 in a transaction and takes their units.
type writer func(tx *sql.Tx, from, to int) error

// plainRate is how many orders a second one goroutine writes that has nothing else to
// do, size of them in a transaction.
func plainRate(b *testing.B, size int, prepare func(db *sql.DB, size int) (writer, error)) float64 {
	w := saleWorld(b, nil)
	defer w.Close()
	// The file and the pragmas of the world, but none of its layers.
	db, err := sql.Open("sqlite", "file:"+w.File()+"?vfs=unix&_txlock=immediate&_pragma=busy_timeout(5000)&_pragma=synchronous(OFF)&_pragma=journal_mode(WAL)")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	write, err := prepare(db, size)
	if err != nil {
		b.Fatal(err)
	}
	began := time.Now()
	for from := 1; from <= drained; from += size {
		tx, err := db.Begin()
		if err != nil {
			b.Fatal(err)
		}
		if err := write(tx, from, from+size); err != nil {
			b.Fatal(err)
		}
		if err := tx.Commit(); err != nil {
			b.Fatal(err)
		}
	}
	rate := drained / time.Since(began).Seconds()
	allSold(b, db)
	return rate
}

// singleRow inserts each order and takes its unit by prepared statements.
func singleRow(db *sql.DB, _ int) (writer, error) {
	insert, err := db.Prepare(`INSERT INTO orders (id, user_id, voucher_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`)
	if err != nil {
		return nil, err
	}
	update, err := db.Prepare(`UPDATE voucher SET stock = stock - 1 WHERE id = ? AND stock > 0`)
	return func(tx *sql.Tx, from, to int) error {
		insert, update := tx.Stmt(insert), tx.Stmt(update)
		for i := from; i < to; i++ {
			if _, err := insert.Exec(i, i, store.Voucher); err != nil {
				return err
			}
			if _, err := update.Exec(store.Voucher); err != nil {
				return err
			}
		}
		return nil
	}, err
}

// multiRow inserts all orders of a transaction by one prepared statement, and takes
// their units by another.
func multiRow(db *sql.DB, size int) (writer, error) {
	insert, err := db.Prepare(`INSERT INTO orders (id, user_id, voucher_id) VALUES (?, ?, ?)` +
		strings.Repeat(`, (?, ?, ?)`, size-1) + ` ON CONFLICT DO NOTHING`)
	if err != nil {
		return nil, err
	}
	update, err := db.Prepare(`UPDATE voucher SET stock = stock - ? WHERE id = ? AND stock >= ?`)
	return func(tx *sql.Tx, from, to int) error {
		args := make([]any, 0, 3*size)
		for i := from; i < to; i++ {
			args = append(args, i, i, store.Voucher)
		}
		if _, err := tx.Stmt(insert).Exec(args...); err != nil {
			return err
		}
		_, err := tx.Stmt(update).Exec(to-from, store.Voucher, to-from)
		return err
	}, err
}
