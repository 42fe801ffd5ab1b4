package lua

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
)

const voucher = 1

// bigOrder has more bits than a Lua number: through one it would end in other digits.
const bigOrder = int64(1<<62 + 9007199254740402)

func sell(t *testing.T, e *engine, user, order int64, want Sale) {
	t.Helper()
	if got, err := Sell(ctx, e, KeysOf(voucher), user, voucher, order); got != want || err != nil {
		t.Errorf("user %d: %v, %v; want %v", user, got, err, want)
	}
}

// state reads what a sale changes: units left, users marked, orders queued.
func state(t *testing.T, e *engine) string {
	t.Helper()
	k := KeysOf(voucher)
	stock, err := e.Get(ctx, k.Stock).Result()
	if err != nil {
		stock = "none"
	}
	users := must[int64](t)(e.SCard(ctx, k.Users).Result())
	orders := must[int64](t)(e.XLen(ctx, k.Stream).Result())
	return fmt.Sprintf("stock %s, users %d, orders %d", stock, users, orders)
}

func expect(t *testing.T, e *engine, want string) {
	t.Helper()
	if got := state(t, e); got != want {
		t.Errorf("%s; want %s", got, want)
	}
}

func TestSeckill(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e *engine) {
		k := KeysOf(voucher)
		sell(t, e, 7, 1, NotOnSale)
		expect(t, e, "stock none, users 0, orders 0")

		e.Set(ctx, k.Stock, 2, 0)
		sell(t, e, 7, bigOrder, Accepted)
		expect(t, e, "stock 1, users 1, orders 1")
		// A hundred clicks of one user cost no unit.
		for range 100 {
			sell(t, e, 7, 2, Duplicate)
		}
		expect(t, e, "stock 1, users 1, orders 1")
		sell(t, e, 8, 3, Accepted)
		sell(t, e, 9, 4, SoldOut)
		sell(t, e, 7, 5, Duplicate)
		expect(t, e, "stock 0, users 2, orders 2")

		entries := must[[]redis.XMessage](t)(e.XRange(ctx, k.Stream, "-", "+").Result())
		want := map[string]any{"userId": "7", "voucherId": "1", "id": fmt.Sprint(bigOrder)}
		if fmt.Sprint(entries[0].Values) != fmt.Sprint(want) {
			t.Errorf("the first entry is %v, want %v", entries[0].Values, want)
		}

		e.Set(ctx, k.Stock, -3, 0) // somebody has oversold elsewhere
		sell(t, e, 10, 6, SoldOut)
	})
}

// An error in mid-script leaves what was written before it, so nothing may be
// written before all arguments and keys have been looked at.
func TestSeckillChecksBeforeItWrites(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e *engine) {
		k := KeysOf(voucher)
		keys := []string{k.Stock, k.Users, k.Stream}
		e.Set(ctx, k.Stock, 10, 0)
		for _, args := range [][]any{
			{}, {7}, {7, 1}, {7, 1, 1, 1}, {"", 1, 1}, {7, "", 1}, {7, 1, ""},
			{"x", 1, 1}, {7, "1.5", 1}, {7, 1, "-1"}, {7, 1, "12 "}, {7, 1, "nil"},
		} {
			n, err := seckill.Run(ctx, e, keys, args...).Int()
			if Sale(n) != BadArguments || err != nil {
				t.Errorf("%v: %v, %v", args, Sale(n), err)
			}
		}
		if n, err := seckill.Run(ctx, e, keys[:2], 7, 1, 1).Int(); Sale(n) != BadArguments || err != nil {
			t.Errorf("two keys: %v, %v", Sale(n), err)
		}
		expect(t, e, "stock 10, users 0, orders 0")
		// A wrong call leaves no trace: the right one is not a duplicate.
		sell(t, e, 7, 1, Accepted)
		expect(t, e, "stock 9, users 1, orders 1")

		fails := func(text string) {
			t.Helper()
			before := must[string](t)(e.Get(ctx, k.Stock).Result())
			if _, err := Sell(ctx, e, k, 8, voucher, 2); err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("want an error with %s, got %v", text, err)
			}
			if after := must[string](t)(e.Get(ctx, k.Stock).Result()); after != before {
				t.Errorf("%s: the stock went from %s to %s", text, before, after)
			}
		}
		e.Rename(ctx, k.Stream, "kept")
		e.Set(ctx, k.Stream, "no stream", 0)
		fails("WRONGTYPE")
		e.Rename(ctx, "kept", k.Stream)
		e.Rename(ctx, k.Users, "kept")
		e.Set(ctx, k.Users, "no set", 0)
		fails("WRONGTYPE")
		e.Rename(ctx, "kept", k.Users)
		for _, stock := range []string{"many", "1.5", "1e3", "", "010", "99999999999999999999"} {
			e.Set(ctx, k.Stock, stock, 0)
			fails("BADSTOCK")
		}
		e.Del(ctx, k.Stock)
		e.LPush(ctx, k.Stock, 1)
		if _, err := Sell(ctx, e, k, 8, voucher, 2); err == nil || !strings.Contains(err.Error(), "WRONGTYPE") {
			t.Errorf("a list for a stock: %v", err)
		}
		if n := must[int64](t)(e.XLen(ctx, k.Stream).Result()); n != 1 {
			t.Errorf("%d orders", n)
		}
		if n := must[int64](t)(e.SCard(ctx, k.Users).Result()); n != 1 {
			t.Errorf("%d users", n)
		}
	})
}

// Many buyers at once: as many orders as units, whoever is first.
func TestSeckillStorm(t *testing.T) {
	const buyers, stock = 60, 10
	onEveryEngine(t, func(t *testing.T, e *engine) {
		e.Set(ctx, KeysOf(voucher).Stock, stock, 0)
		var wg sync.WaitGroup
		var mu sync.Mutex
		count := map[Sale]int{}
		for b := range buyers {
			for range 2 { // everybody clicks twice
				wg.Go(func() {
					s, err := Sell(ctx, e, KeysOf(voucher), int64(b), voucher, int64(b))
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						t.Error(err)
					}
					count[s]++
				})
			}
		}
		wg.Wait()
		if count[Accepted] != stock || count[Accepted]+count[SoldOut]+count[Duplicate] != 2*buyers {
			t.Errorf("answers: %v", count)
		}
		expect(t, e, "stock 0, users 10, orders 10")
	})
}
