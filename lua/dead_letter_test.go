package lua

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

const group = "orders"

// pending sells to a user and delivers the entry so many times.
func pending(t *testing.T, e *engine, user int64, deliveries int) Letter {
	t.Helper()
	k := KeysOf(voucher)
	e.XGroupCreateMkStream(ctx, k.Stream, group, "0") // may be there already
	sell(t, e, user, 100+user, Accepted)
	l := Letter{Keys: k, Dead: "stream.dead", Group: group}
	for i := range deliveries {
		if i > 0 {
			e.XClaim(ctx, &redis.XClaimArgs{Stream: k.Stream, Group: group, Consumer: "c2", Messages: []string{l.ID}})
			continue
		}
		streams := must[[]redis.XStream](t)(e.XReadGroup(ctx, &redis.XReadGroupArgs{
			Group: group, Consumer: "c1", Streams: []string{k.Stream, ">"}, Count: 1, Block: -1,
		}).Result())
		l.ID = streams[0].Messages[0].ID
	}
	return l
}

func bury(t *testing.T, e *engine, l Letter, want Burial) string {
	t.Helper()
	got, id, err := Bury(ctx, e, l)
	if got != want || err != nil {
		t.Errorf("Bury: %v, %v; want %v", got, err, want)
	}
	if (id != "") != (want == Returned || want == Unmarked) {
		t.Errorf("Bury: %v with the dead letter %q", got, id)
	}
	return id
}

func waiting(t *testing.T, e *engine) int64 {
	t.Helper()
	return must[*redis.XPending](t)(e.XPending(ctx, KeysOf(voucher).Stream, group).Result()).Count
}

func TestDeadLetter(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e *engine) {
		e.Set(ctx, KeysOf(voucher).Stock, 3, 0)
		l := pending(t, e, 7, 2)
		expect(t, e, "stock 2, users 1, orders 1")

		l.Deliveries = 3
		bury(t, e, l, TooEarly)
		l.Deliveries = 2
		bury(t, e, l, TooEarly)
		expect(t, e, "stock 2, users 1, orders 1")
		l.Deliveries = 1
		id := bury(t, e, l, Returned)
		expect(t, e, "stock 3, users 0, orders 1")
		if n := waiting(t, e); n != 0 {
			t.Errorf("%d entries are still pending", n)
		}
		dead := must[[]redis.XMessage](t)(e.XRange(ctx, "stream.dead", "-", "+").Result())
		want := map[string]any{"entry": l.ID, "deliveries": "2", "userId": "7", "voucherId": "1", "id": "107"}
		if len(dead) != 1 || dead[0].ID != id || fmt.Sprint(dead[0].Values) != fmt.Sprint(want) {
			t.Errorf("dead letters: %v", dead)
		}

		// Again: nothing more is given back.
		for range 3 {
			bury(t, e, l, NotPending)
		}
		expect(t, e, "stock 3, users 0, orders 1")
		if n := must[int64](t)(e.XLen(ctx, "stream.dead").Result()); n != 1 {
			t.Errorf("%d dead letters", n)
		}
		// The user may buy again, and the unit is for sale.
		sell(t, e, 7, 200, Accepted)
	})
}

func TestDeadLetterGivesBackOnlyWhatIsThere(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e *engine) {
		k := KeysOf(voucher)
		e.Set(ctx, k.Stock, 5, 0)

		// The mark is gone: somebody has compensated already.
		l := pending(t, e, 7, 1)
		e.SRem(ctx, k.Users, 7)
		bury(t, e, l, Unmarked)
		expect(t, e, "stock 4, users 0, orders 1")

		// The sale is over: no stock key, and none is made.
		l = pending(t, e, 8, 1)
		e.Del(ctx, k.Stock)
		bury(t, e, l, Returned)
		expect(t, e, "stock none, users 0, orders 2")

		// The entry is deleted: nobody knows whose it was.
		e.Set(ctx, k.Stock, 5, 0)
		l = pending(t, e, 9, 1)
		e.XDel(ctx, k.Stream, l.ID)
		bury(t, e, l, Lost)
		bury(t, e, l, NotPending)
		expect(t, e, "stock 4, users 1, orders 2")
		if n := waiting(t, e); n != 0 {
			t.Errorf("%d entries are still pending", n)
		}

		// An entry that is not of the sale's making.
		l.ID = must[string](t)(e.XAdd(ctx, &redis.XAddArgs{Stream: k.Stream, Values: []string{"no", "user"}}).Result())
		e.XReadGroup(ctx, &redis.XReadGroupArgs{Group: group, Consumer: "c1", Streams: []string{k.Stream, ">"}, Block: -1})
		bury(t, e, l, Unmarked)
		expect(t, e, "stock 4, users 1, orders 3")

		// Unread entries are not given up.
		sell(t, e, 11, 1, Accepted)
		unread := must[[]redis.XMessage](t)(e.XRevRangeN(ctx, k.Stream, "+", "-", 1).Result())
		l.ID = unread[0].ID
		bury(t, e, l, NotPending)
	})
}

func TestDeadLetterErrors(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, e *engine) {
		k := KeysOf(voucher)
		e.Set(ctx, k.Stock, 5, 0)
		l := pending(t, e, 7, 1)
		fails := func(l Letter, text string) {
			t.Helper()
			if _, _, err := Bury(ctx, e, l); err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("want an error with %s, got %v", text, err)
			}
			if n := waiting(t, e); n != 1 {
				t.Errorf("%s: %d entries are pending", text, n)
			}
			if n := must[int64](t)(e.SCard(ctx, k.Users).Result()); n != 1 {
				t.Errorf("%s: %d users are marked", text, n)
			}
		}
		bad := l
		bad.Group = "nobody"
		fails(bad, "NOGROUP")
		bad.Group = ""
		fails(bad, "BADARGS")
		bad = l
		bad.ID = ""
		fails(bad, "BADARGS")
		bad.ID = "now"
		fails(bad, "Invalid stream ID")
		bad = l
		bad.Deliveries = -1
		fails(bad, "BADARGS")
		e.Set(ctx, "stream.dead", "text", 0)
		fails(l, "WRONGTYPE")
		e.Del(ctx, "stream.dead")
		for _, stock := range []string{"many", "010", "9223372036854775807"} {
			e.Set(ctx, k.Stock, stock, 0)
			fails(l, "BADSTOCK")
			if n := must[int64](t)(e.Exists(ctx, "stream.dead").Result()); n != 0 {
				t.Errorf("stock %s: a dead letter was written", stock)
			}
		}
		e.Set(ctx, k.Stock, 4, 0)
		bury(t, e, l, Returned)
		expect(t, e, "stock 5, users 0, orders 1")
	})
}
