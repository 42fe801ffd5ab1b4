package shop_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"flashlab/lessons/lessontest"
	"flashlab/lessons/shop"
	"flashlab/lua"
)

// bg is the context of the tests outside the lab.
var bg = context.Background()

func noError(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantText(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

// TestIDs: seconds since 2022 above, the day's counter below; prefixes are counted
// apart. The key has the date of UTC, whatever the zone of the machine.
func TestIDs(t *testing.T) {
	rdb, _ := lessontest.Redis(t)
	ids := &shop.IDs{Redis: rdb}
	before := time.Now().UTC()
	a, err := ids.Next(bg, "order")
	noError(t, err)
	b, err := ids.Next(bg, "order")
	noError(t, err)
	c, err := ids.Next(bg, "refund")
	noError(t, err)
	after := time.Now().UTC()
	for _, x := range []struct{ id, n int64 }{{a, 1}, {b, 2}, {c, 1}} {
		if low := x.id & 0xFFFFFFFF; low != x.n {
			t.Errorf("%d counts %d, want %d", x.id, low, x.n)
		}
		if s := x.id>>32 + 1640995200; s < before.Unix() || s > after.Unix() {
			t.Errorf("%d was made at %d, not between %d and %d", x.id, s, before.Unix(), after.Unix())
		}
	}
	if b <= a {
		t.Errorf("%d comes after %d", b, a)
	}
	day := before.Format("2006:01:02")
	if day == after.Format("2006:01:02") {
		wantText(t, "orders of the day", rdb.Get(bg, "icr:order:"+day).Val(), "2")
	}

	noError(t, rdb.Set(bg, "icr:order:"+day, int64(1)<<32-1, 0).Err())
	noError(t, rdb.Set(bg, "icr:order:"+after.Add(24*time.Hour).Format("2006:01:02"), int64(1)<<32-1, 0).Err())
	if _, err := ids.Next(bg, "order"); !errors.Is(err, shop.ErrNoIDs) {
		t.Errorf("past 32 bits a day: %v", err)
	}
}

// TestSale: what buyers are told, and that a sale is opened once.
func TestSale(t *testing.T) {
	rdb, _ := lessontest.Redis(t)
	s := &shop.Sale{Redis: rdb}
	buy := func(user int64) lua.Sale {
		t.Helper()
		answer, err := s.Buy(bg, user, 1, 100+user)
		noError(t, err)
		return answer
	}
	wantText(t, "before the sale", buy(1).String(), "not on sale")
	noError(t, s.Open(bg, 1, 2))
	if err := s.Open(bg, 1, 2); !errors.Is(err, shop.ErrOnSale) {
		t.Errorf("opened again: %v", err)
	}
	got := fmt.Sprint(buy(1), ", ", buy(1), ", ", buy(2), ", ", buy(3))
	wantText(t, "two units", got, "accepted, duplicate, accepted, sold out")
	if err := s.Open(bg, 1, 2); !errors.Is(err, shop.ErrOnSale) {
		t.Errorf("opened again when sold out: %v", err)
	}

	tagged := &shop.Sale{Redis: rdb, Keys: func(v int64) lua.SaleKeys {
		tag := fmt.Sprintf("{%d}", v)
		return lua.SaleKeys{Stock: "seckill:stock:" + tag, Users: "seckill:order:" + tag, Stream: "stream.orders:" + tag}
	}}
	noError(t, tagged.Open(bg, 7, 1))
	answer, err := tagged.Buy(bg, 1, 7, 200)
	noError(t, err)
	wantText(t, "with hash tags", fmt.Sprint(answer, rdb.XLen(bg, "stream.orders:{7}").Val()), "accepted 1")
}

// TestBook: once, twice, another one's, sold out.
func TestBook(t *testing.T) {
	db := lessontest.Database(t, 2, true, "")
	book := func(id, user int64) error { return shop.Book(bg, db, shop.Order{ID: id, User: user, Voucher: 1}) }
	state := func() string {
		return fmt.Sprint(lessontest.Number(t, db, "SELECT count(*) FROM orders"), " orders, stock ", lessontest.Number(t, db, "SELECT stock FROM voucher"))
	}
	noError(t, book(101, 1))
	noError(t, book(101, 1))
	wantText(t, "the same order twice", state(), "1 orders, stock 1")
	if err := book(102, 1); !errors.Is(err, shop.ErrOtherOrder) {
		t.Errorf("a second order of the user: %v", err)
	}
	if err := book(101, 2); !errors.Is(err, shop.ErrOtherOrder) {
		t.Errorf("the id of somebody else's order: %v", err)
	}
	wantText(t, "refused", state(), "1 orders, stock 1")
	noError(t, book(103, 3))
	if err := book(104, 4); !errors.Is(err, shop.ErrSoldOut) {
		t.Errorf("nothing left: %v", err)
	}
	wantText(t, "in the end", state(), "2 orders, stock 0")
}
