package showdown

import (
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"flashlab/lua"
	"flashlab/sim/live/livetest"
)

// BenchmarkSell sells through go-redis and through redis-benchmark: same script, same
// server, same concurrency. It reports both rates and their ratio.
func BenchmarkSell(b *testing.B) {
	tool, err := exec.LookPath("redis-benchmark")
	if err != nil {
		b.Skip("there is no redis-benchmark: ", err)
	}
	const clients = 50
	srv := livetest.Start(b)
	ctx := context.Background()
	rdb := redis.NewClient(&redis.Options{Addr: srv.Addr(), Protocol: 2, PoolSize: clients, MinIdleConns: clients, MaxRetries: -1, DisableIdentity: true})
	defer rdb.Close()
	keys := lua.KeysOf(1)
	open := func() {
		rdb.FlushDB(ctx) // it is the benchmark's own
		if err := lua.Load(ctx, rdb); err != nil {
			b.Fatal(err)
		}
		rdb.Set(ctx, keys.Stock, 1_000_000_000, 0)
	}
	var own, other float64
	for b.Loop() {
		open()
		n := 20_000
		var next atomic.Int64
		var buyers sync.WaitGroup
		b.StartTimer()
		began := b.Elapsed()
		for range clients {
			buyers.Go(func() {
				for {
					i := next.Add(1)
					if i > int64(n) {
						return
					}
					if _, err := lua.Sell(ctx, rdb, keys, i, 1, 1000+i); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		buyers.Wait()
		own += float64(n) / (b.Elapsed() - began).Seconds()
		b.StopTimer()
		open()
		sha := redis.NewScript(lua.Sources()["seckill"]).Hash()
		out, err := exec.Command(tool, "-h", "127.0.0.1", "-p", strconv.Itoa(srv.Port), "-c", strconv.Itoa(clients), "-n", strconv.Itoa(n),
			"-r", "1000000000", "-q", "evalsha", sha, "3", keys.Stock, keys.Users, keys.Stream, "__rand_int__", "1", "7").CombinedOutput()
		if err != nil {
			b.Fatalf("%v: %s", err, out)
		}
		m := regexp.MustCompile(`([0-9.]+) requests per second`).FindAllSubmatch(out, -1)
		if len(m) == 0 {
			b.Fatal(fmt.Sprintf("%q", out))
		}
		rate, _ := strconv.ParseFloat(string(m[len(m)-1][1]), 64)
		other += rate
		b.StartTimer()
	}
	b.ReportMetric(own/float64(b.N), "sell/s")
	b.ReportMetric(other/float64(b.N), "redis-benchmark/s")
	b.ReportMetric(own/other, "ratio")
}
