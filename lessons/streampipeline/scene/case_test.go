package scene_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons/lessontest"
	"flashlab/lessons/streampipeline"
	"flashlab/lua"
	"flashlab/sim/live/livetest"
)

// What practice has met, and what the cards say of Redis, on the embedded engine
// and on a real server.

// engines runs a test on both.
func engines(t *testing.T, f func(t *testing.T, rdb *redis.Client)) {
	t.Run("embedded", func(t *testing.T) {
		rdb, _ := lessontest.Redis(t)
		f(t, rdb)
	})
	t.Run("redis-server", func(t *testing.T) { f(t, livetest.Start(t).Client(t)) })
}

var (
	ctx  = context.Background()
	keys = lua.KeysOf(1)
)

// onSale puts units on sale and returns the shop.
func onSale(t *testing.T, rdb *redis.Client, units int) *streampipeline.Shop {
	t.Helper()
	must(t, rdb.Set(ctx, keys.Stock, units, 0).Err())
	must(t, rdb.XGroupCreateMkStream(ctx, keys.Stream, streampipeline.Group, "0").Err())
	return &streampipeline.Shop{Redis: rdb}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sale is the stock, the number of marked users and the number of queued orders.
func sale(t *testing.T, rdb *redis.Client) string {
	t.Helper()
	left, err := rdb.Get(ctx, keys.Stock).Result()
	must(t, err)
	return fmt.Sprintf("stock %s, users %d, queued %d", left, rdb.SCard(ctx, keys.Users).Val(), rdb.XLen(ctx, keys.Stream).Val())
}

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

// TestBoundary: 50 buyers for 10 units. A limit that is one off sells 11.
func TestBoundary(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		const wrong = `if tonumber(redis.call('GET', KEYS[1])) < 0 then return 1 end
			redis.call('DECR', KEYS[1]) return 0`
		must(t, rdb.Set(ctx, "wrong", 10, 0).Err())
		sold := 0
		for range 50 {
			n, err := rdb.Eval(ctx, wrong, []string{"wrong"}).Int()
			must(t, err)
			if n == 0 {
				sold++
			}
		}
		if sold != 11 {
			t.Errorf("stock < 0 sells %d of 10", sold)
		}

		s := onSale(t, rdb, 10)
		for user := range int64(50) {
			err := (&streampipeline.Pipeline{Shop: s}).Buy(ctx, user+1, 1, 100+user)
			if (user < 10) != (err == nil) || user >= 10 && !errors.Is(err, streampipeline.ErrSoldOut) {
				t.Errorf("user %d is told %v", user+1, err)
			}
		}
		expect(t, "the script", sale(t, rdb), "stock 0, users 10, queued 10")
	})
}

// TestHundredClicks: one user clicks a hundred times, then another one comes.
// Deducting before the question empties the shop for one order.
func TestHundredClicks(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		s := onSale(t, rdb, 100)
		last := &streampipeline.DuplicateCheckLast{Shop: s}
		refused := 0
		for click := range int64(100) {
			if errors.Is(last.Buy(ctx, 1, 1, 100+click), streampipeline.ErrDuplicate) {
				refused++
			}
		}
		err := last.Buy(ctx, 2, 1, 300)
		expect(t, "asked last", fmt.Sprintf("%d refused, %s, then %v", refused, sale(t, rdb), err), "99 refused, stock 0, users 1, queued 1, then sold out")

		must(t, rdb.Del(ctx, keys.Stock, keys.Users, keys.Stream).Err())
		s = onSale(t, rdb, 100)
		first := &streampipeline.Pipeline{Shop: s}
		refused = 0
		for click := range int64(100) {
			if errors.Is(first.Buy(ctx, 1, 1, 100+click), streampipeline.ErrDuplicate) {
				refused++
			}
		}
		err = first.Buy(ctx, 2, 1, 300)
		expect(t, "asked first", fmt.Sprintf("%d refused, then %v, %s", refused, err, sale(t, rdb)), "99 refused, then <nil>, stock 98, users 2, queued 2")
	})
}

// TestHalfDone: an argument is missing. The unit is gone, the user is marked, no
// order is queued, and the next click is a duplicate. The shared script looks at
// its arguments first.
func TestHalfDone(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		s := onSale(t, rdb, 10)
		half := &streampipeline.HalfDoneScript{Shop: s}
		err := half.Buy(ctx, 1, 1, 101)
		expect(t, "first click", fmt.Sprintf("%v, %s", err, sale(t, rdb)), "please try again, stock 9, users 1, queued 0")
		err = half.Buy(ctx, 1, 1, 101)
		expect(t, "second click", fmt.Sprintf("%v, %s", err, sale(t, rdb)), "only one per person, stock 9, users 1, queued 0")

		n, err := rdb.Eval(ctx, lua.Sources()["seckill"], []string{keys.Stock, keys.Users, keys.Stream}, 2, 1).Int()
		must(t, err)
		expect(t, "the shared script", fmt.Sprintf("%v, %s", lua.Sale(n), sale(t, rdb)), "bad arguments, stock 9, users 1, queued 0")
	})
}

// TestNoRollback: what a script wrote before its error stays, and so does what a
// MULTI has done besides the command that failed.
func TestNoRollback(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		must(t, rdb.MSet(ctx, "stock", 10, "text", "ten").Err())
		err := rdb.Eval(ctx, `redis.call('DECR', KEYS[1]) redis.call('INCR', KEYS[2]) return 0`, []string{"stock", "text"}).Err()
		if err == nil {
			t.Error("INCR of a text is no error")
		}
		expect(t, "after the script", rdb.Get(ctx, "stock").Val(), "9")

		_, err = rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
			p.Incr(ctx, "text")
			p.Decr(ctx, "stock")
			return nil
		})
		if err == nil {
			t.Error("INCR of a text in a MULTI is no error")
		}
		expect(t, "after the MULTI", rdb.Get(ctx, "stock").Val(), "8")
	})
}

// TestTruth: 0 is true in Lua, and a missing key is false, not nil.
func TestTruth(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		n, err := rdb.Eval(ctx, `if redis.call('SISMEMBER', KEYS[1], 'nobody') then return 2 end return 0`, []string{"users"}).Int()
		must(t, err)
		if n != 2 {
			t.Errorf("SISMEMBER 0 counts as false: %d", n)
		}
		n, err = rdb.Eval(ctx, `if redis.call('SISMEMBER', KEYS[1], 'nobody') == 1 then return 2 end return 0`, []string{"users"}).Int()
		must(t, err)
		if n != 0 {
			t.Errorf("compared with 1: %d", n)
		}

		const nilGuard = `local stock = redis.call('GET', KEYS[1])
			if stock == nil then return 3 end
			if tonumber(stock) <= 0 then return 1 end
			return 0`
		if err := rdb.Eval(ctx, nilGuard, []string{"no such key"}).Err(); err == nil || !strings.Contains(err.Error(), "attempt to compare nil with number") {
			t.Errorf("stock == nil for a missing key: %v", err)
		}
		answer, err := lua.Sell(ctx, rdb, keys, 1, 1, 101)
		must(t, err)
		if answer != lua.NotOnSale {
			t.Errorf("a voucher that was not put on sale is %v", answer)
		}
	})
}

// TestConversions: what becomes of a script's answer.
func TestConversions(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		for _, c := range []struct{ lua, want string }{
			{"1", "1"}, {"3.99", "3"}, {"'3.99'", "3.99"}, {"true", "1"}, {"false", "redis: nil"}, {"nil", "redis: nil"},
			{"{1, nil, 3}", "[1]"}, {"{1, false, 3}", "[1 <nil> 3]"}, {"{ok = 'fine'}", "fine"}, {"redis.call('GET', 'no such key')", "redis: nil"},
		} {
			v, err := rdb.Eval(ctx, "return "+c.lua, nil).Result()
			got := fmt.Sprint(v)
			if err != nil {
				got = err.Error()
			}
			expect(t, "return "+c.lua, got, c.want)
		}
	})
}

// TestWideIDs: an order id does not fit a Lua number.
func TestWideIDs(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		const id = 542155439849472402 // 60 bits, a number has 53
		got, err := rdb.Eval(ctx, `return string.format('%.0f', tonumber(ARGV[1]))`, nil, id).Text()
		must(t, err)
		expect(t, "as a number", got, "542155439849472384")
		s := onSale(t, rdb, 1)
		must(t, (&streampipeline.Pipeline{Shop: s}).Buy(ctx, 1, 1, id))
		entries, err := rdb.XRange(ctx, keys.Stream, "-", "+").Result()
		must(t, err)
		expect(t, "as text it is", fmt.Sprint(entries[0].Values["id"]), fmt.Sprint(id))
	})
}

// TestFlushed: the scripts are gone in mid-sale. The next call sends its script
// again; one in a pipeline fails.
func TestFlushed(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		s := onSale(t, rdb, 5)
		p := &streampipeline.Pipeline{Shop: s}
		must(t, p.Buy(ctx, 1, 1, 101))
		must(t, rdb.ScriptFlush(ctx).Err())
		must(t, p.Buy(ctx, 2, 1, 102))
		must(t, rdb.ScriptFlush(ctx).Err())
		_, err := rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
			_, _ = lua.Sell(ctx, p, keys, 3, 1, 103) // its answer comes with the pipeline
			return nil
		})
		if !redis.HasErrorPrefix(err, "NOSCRIPT") {
			t.Errorf("in a pipeline after SCRIPT FLUSH: %v", err)
		}
		expect(t, "sold", sale(t, rdb), "stock 3, users 2, queued 2")
	})
}

// TestWrongNames: XACK on another stream, or with its arguments in the wrong places,
// is no error but a 0.
func TestWrongNames(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		s := onSale(t, rdb, 1)
		must(t, (&streampipeline.Pipeline{Shop: s}).Buy(ctx, 1, 1, 101))
		got, err := rdb.XReadGroup(ctx, &redis.XReadGroupArgs{Group: streampipeline.Group, Consumer: "c1", Streams: []string{keys.Stream, ">"}}).Result()
		must(t, err)
		id := got[0].Messages[0].ID
		for _, c := range []struct{ stream, group, want string }{
			{"s1", streampipeline.Group, "0"},
			{streampipeline.Group, "c1", "0"},
			{keys.Stream, "g2", "0"},
			{keys.Stream, streampipeline.Group, "1"},
			{keys.Stream, streampipeline.Group, "0"}, // the second time
		} {
			n, err := rdb.XAck(ctx, c.stream, c.group, id).Result()
			must(t, err)
			expect(t, "XACK "+c.stream+" "+c.group, fmt.Sprint(n), c.want)
		}
	})
}

// TestBasket: an order of two articles, one of them sold out. Two sales, one after
// the other, leave the first unit deducted; one script that asks for both first
// leaves everything as it was.
func TestBasket(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		const one = `if tonumber(redis.call('GET', KEYS[1])) <= 0 then return 1 end
			redis.call('DECR', KEYS[1]) return 0`
		const both = `for _, k in ipairs(KEYS) do
				if tonumber(redis.call('GET', k)) <= 0 then return 1 end
			end
			for _, k in ipairs(KEYS) do redis.call('DECR', k) end
			return 0`
		must(t, rdb.MSet(ctx, "x", 1, "y", 0).Err())
		must(t, rdb.Eval(ctx, both, []string{"x", "y"}).Err())
		expect(t, "one script", rdb.Get(ctx, "x").Val(), "1")
		must(t, rdb.Eval(ctx, one, []string{"x"}).Err())
		must(t, rdb.Eval(ctx, one, []string{"y"}).Err())
		expect(t, "two scripts", rdb.Get(ctx, "x").Val(), "0")
	})
}

// TestTrimmed: MAXLEN takes entries away that are still pending, on a real server.
// Who reads them again gets an id without fields.
func TestTrimmed(t *testing.T) {
	rdb := livetest.Start(t).Client(t)
	s := onSale(t, rdb, 20)
	for user := range int64(20) {
		must(t, (&streampipeline.Pipeline{Shop: s}).Buy(ctx, user+1, 1, 101+user))
	}
	read := func(from string) []redis.XMessage {
		got, err := rdb.XReadGroup(ctx, &redis.XReadGroupArgs{Group: streampipeline.Group, Consumer: "c1", Streams: []string{keys.Stream, from}, Count: 20}).Result()
		must(t, err)
		return got[0].Messages
	}
	read(">")
	must(t, rdb.XTrimMaxLen(ctx, keys.Stream, 10).Err())
	lost := 0
	for _, m := range read("0") {
		if len(m.Values) == 0 {
			lost++
		}
	}
	if lost != 10 {
		t.Errorf("%d of 20 pending entries have lost their fields, want 10", lost)
	}
}

// TestDeliveries: being read, read again and claimed are deliveries, each counted.
func TestDeliveries(t *testing.T) {
	engines(t, func(t *testing.T, rdb *redis.Client) {
		s := onSale(t, rdb, 1)
		must(t, (&streampipeline.Pipeline{Shop: s}).Buy(ctx, 1, 1, 101))
		deliveries := func() string {
			p, err := rdb.XPendingExt(ctx, &redis.XPendingExtArgs{Stream: keys.Stream, Group: streampipeline.Group, Start: "-", End: "+", Count: 1}).Result()
			must(t, err)
			return fmt.Sprint(p[0].Consumer, " ", p[0].RetryCount)
		}
		for _, c := range []struct{ from, want string }{{">", "c1 1"}, {"0", "c1 2"}} {
			must(t, rdb.XReadGroup(ctx, &redis.XReadGroupArgs{Group: streampipeline.Group, Consumer: "c1", Streams: []string{keys.Stream, c.from}}).Err())
			expect(t, "read from "+c.from, deliveries(), c.want)
		}
		must(t, rdb.XAutoClaim(ctx, &redis.XAutoClaimArgs{Stream: keys.Stream, Group: streampipeline.Group, Consumer: "c2", Start: "0"}).Err())
		expect(t, "claimed", deliveries(), "c2 3")
	})
}
