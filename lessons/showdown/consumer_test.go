package showdown

import (
	"context"
	"errors"
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

// openShop is a shop with a stock, on a live server and with an empty queue.
func openShop(t *testing.T, stock int) (*Shop, *world.World) {
	t.Helper()
	ctx := context.Background()
	run, err := live.Open(ctx, targetOf(t, livetest.Start(t)), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { run.Close() })
	w, err := world.OpenFree(world.Config{
		Engine: world.WAL, Begin: sqlgate.Immediate, Redis: true, Schema: shop.Schema(stock, true), Scripts: lua.Sources(),
	}, world.FreeOptions{Live: run})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	s := &Shop{Redis: w.Redis, DB: w.DB, Keys: lua.KeysOf(store.Voucher), Voucher: store.Voucher}
	if err := w.Direct().XGroupCreateMkStream(ctx, s.Keys.Stream, group, "0").Err(); err != nil {
		t.Fatal(err)
	}
	return s, w
}

func (s *Shop) queue(t *testing.T, rdb *redis.Client, id, user any) {
	t.Helper()
	a := &redis.XAddArgs{Stream: s.Keys.Stream, Values: []any{"userId", user, "voucherId", s.Voucher, "id", id}}
	if err := rdb.XAdd(context.Background(), a).Err(); err != nil {
		t.Fatal(err)
	}
}

func (s *Shop) rows(t *testing.T) (orders, stock int) {
	t.Helper()
	row := s.DB.QueryRow(`SELECT (SELECT COUNT(*) FROM orders), (SELECT stock FROM voucher)`)
	if err := row.Scan(&orders, &stock); err != nil {
		t.Fatal(err)
	}
	return orders, stock
}

// Entries that come again, in the same batch or in a later one, take no second unit.
func TestConsumeTwice(t *testing.T) {
	s, w := openShop(t, 1000)
	for i := range 250 {
		s.queue(t, w.Direct(), 1000+i, i)
		if i%10 == 0 {
			s.queue(t, w.Direct(), 1000+i, i) // delivered twice
		}
		if i >= 200 {
			s.queue(t, w.Direct(), 5000+i, i-200) // the user has an order, two batches ago
		}
	}
	end := make(chan error)
	go func() { end <- s.Consume(context.Background(), "c1", func() {}) }()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		g, err := w.Direct().XInfoGroups(context.Background(), s.Keys.Stream).Result()
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("%+v, %v", g, err)
		}
		if g[0].Lag == 0 && g[0].Pending == 0 {
			break
		}
	}
	w.HangUp()
	<-end
	if orders, stock := s.rows(t); orders != 250 || stock != 750 {
		t.Errorf("%d orders, %d units left", orders, stock)
	}
}

// A batch in which one order cannot be booked books none, and stays pending.
func TestConsumeAllOrNothing(t *testing.T) {
	for _, tt := range []struct {
		name  string
		stock int
		third any // the id of the third order
		want  error
	}{
		{"too few units", 2, 1003, shop.ErrSoldOut},
		{"no number", 9, "x", shop.ErrUnreadable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, w := openShop(t, tt.stock)
			for i, id := range []any{1001, 1002, tt.third} {
				s.queue(t, w.Direct(), id, i)
			}
			err := s.Consume(context.Background(), "c1", func() { t.Error("said to be booked") })
			if !errors.Is(err, tt.want) {
				t.Error(err)
			}
			orders, stock := s.rows(t)
			p, err := w.Direct().XPending(context.Background(), s.Keys.Stream, group).Result()
			if err != nil || orders != 0 || stock != tt.stock || p.Count != 3 {
				t.Errorf("%d orders, %d units left, %+v, %v", orders, stock, p, err)
			}
		})
	}
}
