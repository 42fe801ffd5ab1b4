package shop_test

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons/shop"
	"flashlab/lua"
	"flashlab/sim/live/livetest"
)

// TestSaleOnCluster: a sale whose keys have no tag in common sells nothing on a
// cluster; one whose keys have does.
func TestSaleOnCluster(t *testing.T) {
	rdb := livetest.StartCluster(t).ClusterClient(t)
	plain := &shop.Sale{Redis: rdb}
	noError(t, plain.Open(bg, 1, 2))
	if got, err := plain.Buy(bg, 7, 1, 101); !redis.HasErrorPrefix(err, "CROSSSLOT") {
		t.Errorf("without a tag: %v, %v", got, err)
	}
	tagged := &shop.Sale{Redis: rdb, Keys: func(int64) lua.SaleKeys {
		return lua.SaleKeys{Stock: "seckill:stock:{1}", Users: "seckill:order:{1}", Stream: "stream.orders:{1}"}
	}}
	noError(t, tagged.Open(bg, 1, 2))
	got, err := tagged.Buy(bg, 7, 1, 101)
	noError(t, err)
	wantText(t, "with a tag", got.String(), lua.Accepted.String())
	wantText(t, "left without and with", rdb.Get(bg, "seckill:stock:1").Val()+rdb.Get(bg, "seckill:stock:{1}").Val(), "21")
}

// TestLockOnCluster: the waiter of a lock is woken by the message of its release.
func TestLockOnCluster(t *testing.T) {
	rdb := livetest.StartCluster(t).ClusterClient(t)
	node := func(id string) *shop.Locks {
		return &shop.Locks{Redis: rdb, ID: id, Topics: shop.RedisTopics{Client: rdb}}
	}
	a := mustLock(t, node("n1"), bg, shop.Options{})
	got := make(chan error, 1)
	go func() {
		h, err := node("n2").Lock(bg, lockName, shop.Options{Wait: shop.Forever})
		if err == nil {
			err = h.Unlock(bg)
		}
		got <- err
	}()
	waitFor(t, func() bool {
		return rdb.PubSubNumSub(bg, lua.Channel(lockName)).Val()[lua.Channel(lockName)] == 1
	})
	start := time.Now()
	noError(t, a.Unlock(bg))
	noError(t, within(t, got))
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("in after %v", d)
	}
}
