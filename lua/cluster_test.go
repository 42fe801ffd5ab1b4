package lua

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/live/livetest"
)

// tagged are the keys of the sale with a hash tag in common.
func tagged() SaleKeys {
	return SaleKeys{Stock: "seckill:stock:{1}", Users: "seckill:order:{1}", Stream: "stream.orders:{1}"}
}

// TestCluster runs the scripts on a cluster. The keys of a sale as the shop names
// them lie in different slots, and the server refuses before the script begins;
// with a common tag all is well. A lock needs none: its channel carries its name
// as a tag.
func TestCluster(t *testing.T) {
	s := livetest.StartCluster(t)
	for name, rdb := range map[string]redis.UniversalClient{"client": s.Client(t), "cluster client": s.ClusterClient(t)} {
		t.Run(name, func(t *testing.T) {
			s.Reset(t)
			if err := Load(ctx, rdb); err != nil {
				t.Fatal(err)
			}
			apart := KeysOf(voucher)
			rdb.Set(ctx, apart.Stock, 5, 0)
			if got, err := Sell(ctx, rdb, apart, 7, voucher, 1); !redis.HasErrorPrefix(err, "CROSSSLOT") {
				t.Errorf("keys without a tag: %v, %v", got, err)
			}
			if left := rdb.Get(ctx, apart.Stock).Val(); left != "5" {
				t.Errorf("a refused script leaves %s of 5", left)
			}
			// The server looks at two keys as it does at all three.
			two := []string{apart.Stock, apart.Users}
			if err := rdb.Eval(ctx, "return 1", two).Err(); !redis.HasErrorPrefix(err, "CROSSSLOT") {
				t.Errorf("%v: %v", two, err)
			}

			k := tagged()
			rdb.Set(ctx, k.Stock, 1, 0)
			for i, want := range []Sale{Accepted, Duplicate, SoldOut} {
				user := []int64{7, 7, 8}[i]
				if got, err := Sell(ctx, rdb, k, user, voucher, int64(1+i)); got != want || err != nil {
					t.Errorf("keys with a tag: %v, %v; want %v", got, err, want)
				}
			}
			group, dead := "g1", "stream.dead:{1}"
			must[string](t)(rdb.XGroupCreate(ctx, k.Stream, group, "0").Result())
			read := must[[]redis.XStream](t)(rdb.XReadGroup(ctx, &redis.XReadGroupArgs{Group: group, Consumer: "c1", Streams: []string{k.Stream, ">"}}).Result())
			letter := Letter{Keys: k, Dead: dead, Group: group, ID: read[0].Messages[0].ID}
			if got, id, err := Bury(ctx, rdb, letter); got != Returned || id == "" || err != nil {
				t.Errorf("giving an order up: %v, %q, %v", got, id, err)
			}
			letter.Dead = "stream.dead"
			if got, _, err := Bury(ctx, rdb, letter); !redis.HasErrorPrefix(err, "CROSSSLOT") {
				t.Errorf("dead letters in another slot: %v, %v", got, err)
			}

			me := Owner{ID: "n1", N: 1}
			if got, err := AcquireReentrant(ctx, rdb, "lock:order:7", me, time.Minute); !got.Granted || err != nil {
				t.Errorf("a lock: %v, %v", got, err)
			}
			if got, err := ReleaseReentrant(ctx, rdb, "lock:order:7", me, time.Minute); got != Done || err != nil {
				t.Errorf("its release: %v, %v", got, err)
			}
		})
	}
}
