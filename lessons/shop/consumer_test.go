package shop_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons/lessontest"
	"flashlab/lessons/shop"
	"flashlab/lua"
	"flashlab/sim/live/livetest"
)

// The consumer on a real server, in real time: what happens to a group and to
// single orders in practice.

const patience = 60 * time.Millisecond

// counter is a sale with its database, and what its consumers complain of.
type counter struct {
	rdb *redis.Client
	db  *sql.DB

	mu       sync.Mutex
	warnings []string
}

// openCounter puts units on sale in Redis and in the database.
func openCounter(t *testing.T, units int) *counter {
	t.Helper()
	c := &counter{rdb: livetest.Start(t).Client(t), db: lessontest.Database(t, units, true, "&_txlock=immediate&_pragma=busy_timeout(5000)")}
	keys := lua.KeysOf(1)
	noError(t, (&shop.Sale{Redis: c.rdb}).Open(bg, 1, units))
	noError(t, c.rdb.XGroupCreateMkStream(bg, keys.Stream, saleGroup, "0").Err())
	return c
}

func (c *counter) buy(t *testing.T, users ...int64) {
	t.Helper()
	for _, user := range users {
		answer, err := (&shop.Sale{Redis: c.rdb}).Buy(bg, user, 1, 100+user)
		noError(t, err)
		if answer != lua.Accepted {
			t.Fatalf("user %d is told %v", user, answer)
		}
	}
}

func (c *counter) consumer(name string) *shop.Consumer {
	return &shop.Consumer{
		Redis: c.rdb, DB: c.db, Stream: lua.KeysOf(1).Stream, Dead: saleDead, Group: saleGroup, Name: name, Patience: patience,
		Warn: func(err error) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.warnings = append(c.warnings, err.Error())
		},
	}
}

// run starts consumers; stop ends them and waits until they have.
func run(t *testing.T, consumers ...*shop.Consumer) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(bg)
	var wg sync.WaitGroup
	for _, c := range consumers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := c.Run(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("a consumer ends with %v", err)
			}
		}()
	}
	stop = sync.OnceFunc(func() { cancel(); wg.Wait() })
	t.Cleanup(stop)
	return stop
}

// account is what has become of the sale.
func (c *counter) account(t *testing.T) string {
	t.Helper()
	keys := lua.KeysOf(1)
	pending := int64(-1) // no group
	if p, err := c.rdb.XPending(bg, keys.Stream, saleGroup).Result(); err == nil {
		pending = p.Count
	}
	return fmt.Sprintf("orders %d, stock %d, in Redis %s, marked %d, dead %d, pending %d",
		lessontest.Number(t, c.db, "SELECT count(*) FROM orders"), lessontest.Number(t, c.db, "SELECT stock FROM voucher"),
		c.rdb.Get(bg, keys.Stock).Val(), c.rdb.SCard(bg, keys.Users).Val(), c.rdb.XLen(bg, saleDead).Val(), pending)
}

// reaches waits until the account is as wanted.
func (c *counter) reaches(t *testing.T, want string) {
	t.Helper()
	got := ""
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if got = c.account(t); got == want {
			return
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t.Fatalf("%s, want %s; warnings: %s", got, want, strings.Join(c.warnings, "; "))
}

// warned counts the warnings with a text in them.
func (c *counter) warned(text string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, w := range c.warnings {
		if strings.Contains(w, text) {
			n++
		}
	}
	return n
}

// TestRestart: a consumer that died with five orders in hand finds them again when
// it is back, without waiting for anybody to claim them.
func TestRestart(t *testing.T) {
	c := openCounter(t, 10)
	c.buy(t, 1, 2, 3, 4, 5)
	noError(t, c.rdb.XReadGroup(bg, &redis.XReadGroupArgs{Group: saleGroup, Consumer: "c1", Streams: []string{lua.KeysOf(1).Stream, ">"}, Count: 5}).Err())
	again := c.consumer("c1")
	again.Patience = time.Hour
	ctx, cancel := context.WithCancel(bg)
	done := make(chan error)
	go func() { done <- again.Run(ctx) }()
	c.reaches(t, "orders 5, stock 5, in Redis 5, marked 5, dead 0, pending 0")
	cancel()
	c.rdb.Close() // ends its read
	<-done
}

// TestReturned: of ten orders three cannot be booked. Their units come back once
// each, although two consumers are at work, and their users may buy again.
func TestReturned(t *testing.T) {
	c := openCounter(t, 10)
	book := func(ctx context.Context, db *sql.DB, o shop.Order) error {
		switch o.User {
		case 3:
			return errors.New("no address")
		case 5:
			panic("nil address")
		case 7:
			return errors.New("no such user")
		}
		return shop.Book(ctx, db, o)
	}
	one, two := c.consumer("c1"), c.consumer("c2")
	one.Book, two.Book = book, book
	run(t, one, two)
	c.buy(t, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
	c.reaches(t, "orders 7, stock 3, in Redis 3, marked 7, dead 3, pending 0")
	if n := c.warned("panic: nil address"); n < 4 {
		t.Errorf("the panic was warned of %d times, want every try", n)
	}
	letters, err := c.rdb.XRange(bg, saleDead, "-", "+").Result()
	noError(t, err)
	for _, l := range letters {
		if l.Values["deliveries"] != "4" {
			t.Errorf("given up after %v deliveries, not 4", l.Values["deliveries"])
		}
	}
}

// TestGroupVanishes: the stream is deleted under readers that wait. They make stream
// and group anew, at the first entry: what was queued meanwhile is booked, what was
// booked before comes again and changes nothing. There are few errors, not hundreds
// a second.
func TestGroupVanishes(t *testing.T) {
	c := openCounter(t, 10)
	run(t, c.consumer("c1"), c.consumer("c2"))
	c.buy(t, 1, 2)
	c.reaches(t, "orders 2, stock 8, in Redis 8, marked 2, dead 0, pending 0")
	keys := lua.KeysOf(1)
	entry, err := c.rdb.XRange(bg, keys.Stream, "-", "+").Result()
	noError(t, err)
	// In one step, so that nobody makes the group in between: gone, and already
	// filled again with an old order and a new one.
	_, err = c.rdb.TxPipelined(bg, func(p redis.Pipeliner) error {
		p.Del(bg, keys.Stream)
		p.XAdd(bg, &redis.XAddArgs{Stream: keys.Stream, Values: entry[0].Values})
		_, _ = lua.Sell(bg, p, keys, 3, 1, 103) // its answer comes with the pipeline
		return nil
	})
	if err != nil && !redis.HasErrorPrefix(err, "NOSCRIPT") {
		t.Fatal(err)
	}
	if redis.HasErrorPrefix(err, "NOSCRIPT") {
		t.Fatal("the script was not loaded")
	}
	c.reaches(t, "orders 3, stock 7, in Redis 7, marked 3, dead 0, pending 0")
	if n := c.warned("NOGROUP"); n < 1 || n > 8 {
		t.Errorf("%d complaints about the group", n)
	}
}

// TestAckFails: the order is booked, XACK fails once. It comes again, changes
// nothing, and is acknowledged.
func TestAckFails(t *testing.T) {
	c := openCounter(t, 10)
	one := c.consumer("c1")
	flaky := redis.NewClient(c.rdb.Options())
	t.Cleanup(func() { flaky.Close() })
	flaky.AddHook(&failsOnce{command: "xack"})
	one.Redis = flaky
	run(t, one)
	c.buy(t, 1)
	c.reaches(t, "orders 1, stock 9, in Redis 9, marked 1, dead 0, pending 0")
	if c.warned("acknowledging") != 1 {
		t.Errorf("warnings: %s", c.warnings)
	}
}

// failsOnce refuses a command the first time.
type failsOnce struct {
	command string
	once    sync.Once
}

func (f *failsOnce) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

func (f *failsOnce) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		failed := false
		if cmd.Name() == f.command {
			f.once.Do(func() { failed = true })
		}
		if failed {
			err := errors.New("connection reset")
			cmd.SetErr(err)
			return err
		}
		return next(ctx, cmd)
	}
}

func (f *failsOnce) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

// TestTrimmedAway: entries that were trimmed while pending hold no order any more.
// They are acknowledged with a warning each, and the others are booked.
func TestTrimmedAway(t *testing.T) {
	c := openCounter(t, 20)
	for user := range int64(20) {
		c.buy(t, user+1)
	}
	stream := lua.KeysOf(1).Stream
	noError(t, c.rdb.XReadGroup(bg, &redis.XReadGroupArgs{Group: saleGroup, Consumer: "c1", Streams: []string{stream, ">"}, Count: 20}).Err())
	noError(t, c.rdb.XTrimMaxLen(bg, stream, 10).Err())
	run(t, c.consumer("c1"))
	c.reaches(t, "orders 10, stock 10, in Redis 0, marked 20, dead 0, pending 0")
	if n := c.warned("given up: lost"); n != 10 {
		t.Errorf("%d warnings of lost orders, want 10", n)
	}
}

// TestDatabaseAway: while the database does not answer, nothing is given up.
func TestDatabaseAway(t *testing.T) {
	c := openCounter(t, 10)
	away := c.consumer("c1")
	away.DB = lessontest.Database(t, 10, true, "")
	noError(t, away.DB.Close())
	stop := run(t, away)
	c.buy(t, 1)
	stream := lua.KeysOf(1).Stream
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		p, err := c.rdb.XPendingExt(bg, &redis.XPendingExtArgs{Stream: stream, Group: saleGroup, Start: "-", End: "+", Count: 1}).Result()
		noError(t, err)
		if len(p) == 1 && p[0].RetryCount > 5 {
			break
		}
	}
	wantText(t, "without the database", c.account(t), "orders 0, stock 10, in Redis 9, marked 1, dead 0, pending 1")
	stop()
	run(t, c.consumer("c2"))
	c.reaches(t, "orders 1, stock 9, in Redis 9, marked 1, dead 0, pending 0")
}

// TestShutDown: a consumer that waits ends within its patience.
func TestShutDown(t *testing.T) {
	c := openCounter(t, 1)
	waits := c.consumer("c1")
	waits.Patience = 300 * time.Millisecond
	stop := run(t, waits)
	time.Sleep(50 * time.Millisecond)
	start := time.Now()
	stop()
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("it took %v to end a wait of %v", d, waits.Patience)
	}
}
