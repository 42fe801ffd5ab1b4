package memredis

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"flashlab/lua"
	"flashlab/sim/memredis/luabox"
)

// BenchmarkScript compares the machine that is kept with the one that miniredis
// builds for each call: a release of a lock that is not there, one that deletes, and
// a sale with all its checks.
//
//	go test -run - -bench Script -count 5 ./sim/memredis
func BenchmarkScript(b *testing.B) {
	for _, kept := range []bool{false, true} {
		connect := func(b *testing.B) *redis.Client {
			m := start(b)
			if kept {
				if _, err := PoolScripts(m, luabox.Limits{}); err != nil {
					b.Fatal(err)
				}
			}
			rdb := Client(m)
			b.Cleanup(func() { _ = rdb.Close() })
			if err := lua.Load(ctx, rdb); err != nil {
				b.Fatal(err)
			}
			return rdb
		}
		engine := map[bool]string{false: "plain", true: "pooled"}[kept]
		b.Run("compare/"+engine, func(b *testing.B) {
			rdb := connect(b)
			b.ReportAllocs()
			for b.Loop() {
				if o, err := lua.Unlock(ctx, rdb, "lock", "token"); o != lua.Expired || err != nil {
					b.Fatal(o, err)
				}
			}
		})
		b.Run("set, compare and delete/"+engine, func(b *testing.B) {
			rdb := connect(b)
			b.ReportAllocs()
			for b.Loop() {
				rdb.Set(ctx, "lock", "token", 0)
				if o, err := lua.Unlock(ctx, rdb, "lock", "token"); o != lua.Done || err != nil {
					b.Fatal(o, err)
				}
			}
		})
		b.Run("sale/"+engine, func(b *testing.B) {
			rdb := connect(b)
			keys := lua.KeysOf(1)
			rdb.Set(ctx, keys.Stock, 1_000_000_000, 0)
			b.ReportAllocs()
			for i := int64(1); b.Loop(); i++ {
				if s, err := lua.Sell(ctx, rdb, keys, i, 1, i); s != lua.Accepted || err != nil {
					b.Fatal(s, err)
				}
				if i%1000 == 0 { // a run must not be slower for being long
					rdb.Del(ctx, keys.Stream, keys.Users)
				}
			}
		})
	}
}
