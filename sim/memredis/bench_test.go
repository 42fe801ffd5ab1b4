package memredis

import (
	"context"
	"net"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

// BenchmarkCommand compares this package with the two ways miniredis offers itself, with
// the same client options. TCP needs a port of the loopback interface, here alone.
//
//	go test -run - -bench Command -count 5 ./sim/memredis
func BenchmarkCommand(b *testing.B) {
	type dialer = func(ctx context.Context, network, addr string) (net.Conn, error)
	for _, via := range []struct {
		name string
		dial func(m *miniredis.Miniredis) dialer
	}{
		{"mem", Dialer},
		{"pipe", func(m *miniredis.Miniredis) dialer {
			return func(context.Context, string, string) (net.Conn, error) { return m.Dial() }
		}},
		{"tcp", nil},
	} {
		connect := func(b *testing.B) (m *miniredis.Miniredis, rdb *redis.Client) {
			o := Options()
			if via.dial != nil {
				m = start(b)
				o.Dialer = via.dial(m)
			} else {
				m = miniredis.NewMiniRedis()
				if err := m.Start(); err != nil {
					b.Fatal(err)
				}
				b.Cleanup(m.Close)
				o.Addr = m.Addr()
			}
			rdb = redis.NewClient(o)
			b.Cleanup(func() { _ = rdb.Close() })
			return m, rdb
		}
		b.Run("GET/"+via.name, func(b *testing.B) {
			_, rdb := connect(b)
			rdb.Set(ctx, "k", "v", 0)
			b.ReportAllocs()
			for b.Loop() {
				if err := rdb.Get(ctx, "k").Err(); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("SETNXPX/"+via.name, func(b *testing.B) {
			m, rdb := connect(b)
			b.ReportAllocs()
			for b.Loop() {
				if ok, err := rdb.SetNX(ctx, "lock:order:7", "token", 1500*time.Millisecond).Result(); !ok || err != nil {
					b.Fatal(ok, err)
				}
				m.Del("lock:order:7") // past the client, and cheap beside it
			}
		})
		b.Run("EVALSHA/"+via.name, func(b *testing.B) {
			_, rdb := connect(b)
			sha, err := rdb.ScriptLoad(ctx, unlock).Result()
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := rdb.EvalSha(ctx, sha, []string{"lock"}, "token").Err(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkStart(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		m, err := Start(epoch)
		if err != nil {
			b.Fatal(err)
		}
		rdb := Client(m)
		if err := rdb.Ping(ctx).Err(); err != nil {
			b.Fatal(err)
		}
		_ = rdb.Close()
		m.Close()
	}
}

func BenchmarkParse(b *testing.B) {
	p := &parser{}
	req := []byte(encode("set", "lock:order:7", "token", "px", "30000", "nx"))
	b.ReportAllocs()
	b.SetBytes(int64(len(req)))
	for b.Loop() {
		p.feed(req)
		if args, err := p.next(); len(args) != 6 || err != nil {
			b.Fatal(args, err)
		}
	}
}
