package scene_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"flashlab/lessons/lessontest"
	"flashlab/lessons/synchronized"
	store "flashlab/store/shop"
)

// TestForReal runs the variants that hold without the lab: sixteen clicks of one
// user at the same time, on real goroutines and a database file, give one order.
func TestForReal(t *testing.T) {
	const clicks = 16
	for _, c := range []struct {
		what  string
		index bool
		nodes int
		buy   func(s *synchronized.Shop, ctx context.Context, user, voucher int64) error
	}{
		{"mutex-one-node", false, 1, (*synchronized.Shop).MutexPerUser},
		{"commit-under-lock", false, 1, (*synchronized.Shop).CommitUnderLock},
		{"unique-index", true, 2, (*synchronized.Shop).UniqueIndex},
	} {
		db := lessontest.Database(t, clicks, c.index, "&_txlock=immediate&_pragma=busy_timeout(10000)")
		nodes := make([]*synchronized.Shop, c.nodes)
		for i := range nodes {
			nodes[i] = &synchronized.Shop{DB: db}
		}
		errs := make([]error, clicks)
		var wg sync.WaitGroup
		for i := range clicks {
			wg.Add(1)
			go func() {
				defer wg.Done()
				errs[i] = c.buy(nodes[i%c.nodes], context.Background(), 7, store.Voucher)
			}()
		}
		wg.Wait()
		sold := 0
		for _, err := range errs {
			switch {
			case err == nil:
				sold++
			case !errors.Is(err, synchronized.ErrDuplicate):
				t.Errorf("%s: %v", c.what, err)
			}
		}
		orders, stock := lessontest.Number(t, db, "SELECT COUNT(*) FROM orders"), lessontest.Number(t, db, "SELECT stock FROM voucher")
		if sold != 1 || orders != 1 || stock != clicks-1 {
			t.Errorf("%s: %d clicks bought, %d orders, stock %d", c.what, sold, orders, stock)
		}
	}
}
