package memredis

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

var ctx = context.Background()

// client returns a miniredis and a client of it, checked for leaks at the end.
func client(t testing.TB) (*miniredis.Miniredis, *redis.Client) {
	t.Helper()
	m := start(t)
	rdb := Client(m)
	t.Cleanup(func() {
		if err := rdb.Close(); err != nil {
			t.Error(err)
		}
	})
	return m, rdb
}

// check returns a value and fails the test on an error; redis.Nil is none.
func check[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil && !errors.Is(err, redis.Nil) {
			t.Error(err)
		}
		return v
	}
}

const unlock = `if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0`

// sockets lists the descriptors of this process that are sockets.
func sockets(t *testing.T) []string {
	t.Helper()
	fds, err := filepath.Glob("/proc/self/fd/*")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, fd := range fds {
		if to, err := os.Readlink(fd); err == nil && strings.HasPrefix(to, "socket:") {
			out = append(out, to)
		}
	}
	sort.Strings(out)
	return out
}

func TestNoPortIsOpen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc/self/fd")
	}
	before := sockets(t)
	m, rdb := client(t)
	if err := rdb.Set(ctx, "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	if after := sockets(t); !reflect.DeepEqual(before, after) {
		t.Errorf("sockets before %v, after %v", before, after)
	}
	if a := m.Addr(); a != "" {
		t.Errorf("miniredis has the address %q", a)
	}
	if a := m.Server().Addr(); a != nil {
		t.Errorf("its server listens at %v", a)
	}

	// The method sees a listener where there is one.
	tcp := miniredis.NewMiniRedis()
	if err := tcp.Start(); err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	if reflect.DeepEqual(before, sockets(t)) {
		t.Error("the listener of an ordinary miniredis was not noticed")
	}
}

func TestStartRefusesTheZeroTime(t *testing.T) {
	if m, err := Start(time.Time{}); err == nil {
		m.Close()
		t.Error("no error")
	}
}

func TestClientOfAClosedMiniredis(t *testing.T) {
	m, rdb := client(t)
	if err := rdb.Ping(ctx).Err(); err != nil {
		t.Fatal(err)
	}
	m.Close()
	began := time.Now()
	for range 3 { // the pooled connection, then new ones
		if err := rdb.Ping(ctx).Err(); err == nil {
			t.Fatal("a closed miniredis answered")
		}
	}
	if d := time.Since(began); d > time.Second {
		t.Errorf("three refusals took %v: something retries", d)
	}
}

func TestStringCommands(t *testing.T) {
	m, rdb := client(t)
	str, ok, num := check[string](t), check[bool](t), check[int64](t)

	if _, err := rdb.Get(ctx, "k").Result(); !errors.Is(err, redis.Nil) {
		t.Errorf("GET of nothing: %v", err)
	}
	str(rdb.Set(ctx, "k", "v", 0).Result())
	if v := str(rdb.Get(ctx, "k").Result()); v != "v" {
		t.Errorf("GET: %q", v)
	}
	if !ok(rdb.SetNX(ctx, "lock", "A", 30*time.Second).Result()) {
		t.Error("the first SET NX was refused")
	}
	if ok(rdb.SetNX(ctx, "lock", "B", 30*time.Second).Result()) {
		t.Error("the second SET NX succeeded")
	}
	if d := m.TTL("lock"); d != 30*time.Second {
		t.Errorf("TTL of the lock: %v", d)
	}
	for i := range 3 {
		if n := num(rdb.Incr(ctx, "n").Result()); n != int64(i+1) {
			t.Errorf("INCR: %d", n)
		}
	}
	if err := rdb.Incr(ctx, "k").Err(); err == nil || !strings.Contains(err.Error(), "not an integer") {
		t.Errorf("INCR of a word: %v", err)
	}
}

func TestLargeValue(t *testing.T) {
	_, rdb := client(t)
	value := strings.Repeat("0123456789abcdef", 1<<20/16)
	if err := rdb.Set(ctx, "big", value, 0).Err(); err != nil {
		t.Fatal(err)
	}
	if got := check[string](t)(rdb.Get(ctx, "big").Result()); got != value {
		t.Errorf("%d bytes came back, and different ones", len(got))
	}
	// The same connection goes on as before.
	if got := check[int64](t)(rdb.StrLen(ctx, "big").Result()); got != 1<<20 {
		t.Errorf("STRLEN: %d", got)
	}
}

func TestPipeline(t *testing.T) {
	m, rdb := client(t)
	before := m.CommandCount()
	// More than a buffer of go-redis, so that it arrives in several writes.
	cmds, err := rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i := range 500 {
			p.Set(ctx, fmt.Sprint("key", i), strings.Repeat("v", i), 0)
			p.Get(ctx, fmt.Sprint("key", i))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 500 {
		if got := cmds[2*i+1].(*redis.StringCmd).Val(); got != strings.Repeat("v", i) {
			t.Fatalf("GET %d: %q", i, got)
		}
	}
	if n := m.CommandCount() - before; n < 1000 {
		t.Errorf("%d commands", n)
	}

	// An error in the middle is one reply among others.
	cmds, err = rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.Set(ctx, "word", "x", 0)
		p.Incr(ctx, "word")
		p.Incr(ctx, "n")
		return nil
	})
	if err == nil || cmds[0].Err() != nil || cmds[1].Err() == nil || cmds[2].Err() != nil {
		t.Errorf("%v: %v", err, cmds)
	}
}

func TestTransaction(t *testing.T) {
	_, rdb := client(t)
	var n *redis.IntCmd
	if _, err := rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.Set(ctx, "stock", 5, 0)
		n = p.Decr(ctx, "stock")
		return nil
	}); err != nil || n.Val() != 4 {
		t.Errorf("MULTI: %v, %d", err, n.Val())
	}
}

func TestWatch(t *testing.T) {
	_, rdb := client(t)
	if err := rdb.Set(ctx, "stock", 5, 0).Err(); err != nil {
		t.Fatal(err)
	}
	buy := func(between func()) error {
		return rdb.Watch(ctx, func(tx *redis.Tx) error {
			n, err := tx.Get(ctx, "stock").Int()
			if err != nil {
				return err
			}
			between()
			_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
				p.Set(ctx, "stock", n-1, 0)
				return nil
			})
			return err
		}, "stock")
	}
	stock := func() string { return check[string](t)(rdb.Get(ctx, "stock").Result()) }

	if err := buy(func() {}); err != nil || stock() != "4" {
		t.Errorf("undisturbed: %v, stock %s", err, stock())
	}
	// Another connection of the same client changes the key in between.
	err := buy(func() { rdb.Set(ctx, "stock", 9, 0) })
	if !errors.Is(err, redis.TxFailedErr) || stock() != "9" {
		t.Errorf("with a foreign change: %v, stock %s", err, stock())
	}
	// The watch is gone with the failed EXEC.
	if err := buy(func() {}); err != nil || stock() != "8" {
		t.Errorf("afterwards: %v, stock %s", err, stock())
	}
}

func TestWatchSeesExpiry(t *testing.T) {
	m, rdb := client(t)
	rdb.Set(ctx, "lock", "A", 50*time.Millisecond)
	err := rdb.Watch(ctx, func(tx *redis.Tx) error {
		m.SetTime(epoch.Add(50 * time.Millisecond))
		_, err := tx.TxPipelined(ctx, func(p redis.Pipeliner) error { p.Del(ctx, "lock"); return nil })
		return err
	}, "lock")
	if !errors.Is(err, redis.TxFailedErr) {
		t.Errorf("EXEC after the lock expired: %v", err)
	}
}

func TestScript(t *testing.T) {
	_, rdb := client(t)
	sha := check[string](t)(rdb.ScriptLoad(ctx, unlock).Result())
	rdb.Set(ctx, "lock", "A", 0)
	if v := check[any](t)(rdb.EvalSha(ctx, sha, []string{"lock"}, "B").Result()); v != int64(0) {
		t.Errorf("unlock by a stranger: %v", v)
	}
	if v := check[any](t)(rdb.EvalSha(ctx, sha, []string{"lock"}, "A").Result()); v != int64(1) {
		t.Errorf("unlock by the holder: %v", v)
	}
	err := rdb.EvalSha(ctx, strings.Repeat("f", 40), []string{"lock"}, "A").Err()
	if err == nil || !redis.HasErrorPrefix(err, "NOSCRIPT") {
		t.Errorf("an unknown script: %v", err)
	}
}

func TestStreams(t *testing.T) {
	m, rdb := client(t)
	id := check[string](t)(rdb.XAdd(ctx, &redis.XAddArgs{Stream: "orders", Values: []string{"id", "7"}}).Result())
	if want := fmt.Sprintf("%d-0", epoch.UnixMilli()); id != want {
		t.Errorf("XADD: id %s, want %s", id, want)
	}
	check[string](t)(rdb.XGroupCreate(ctx, "orders", "g", "0").Result())
	read := func(consumer, from string) []redis.XStream {
		return check[[]redis.XStream](t)(rdb.XReadGroup(ctx, &redis.XReadGroupArgs{
			Group: "g", Consumer: consumer, Streams: []string{"orders", from}, Block: -1,
		}).Result())
	}
	if got := read("A", ">"); len(got) != 1 || got[0].Messages[0].Values["id"] != "7" {
		t.Errorf("XREADGROUP: %v", got)
	}
	if got := read("B", ">"); len(got) != 0 {
		t.Errorf("a second delivery: %v", got)
	}
	m.SetTime(epoch.Add(time.Hour))
	p := check[[]redis.XPendingExt](t)(rdb.XPendingExt(ctx, &redis.XPendingExtArgs{
		Stream: "orders", Group: "g", Start: "-", End: "+", Count: 9,
	}).Result())
	if len(p) != 1 || p[0].Idle != time.Hour || p[0].Consumer != "A" {
		t.Errorf("XPENDING: %v", p)
	}
	if n := check[int64](t)(rdb.XAck(ctx, "orders", "g", id).Result()); n != 1 {
		t.Errorf("XACK: %d", n)
	}
}

// With an entry to deliver, a read that would block answers at once. That is the
// only way in which a gate lets it through.
func TestBlockingReadWithAnEntryReady(t *testing.T) {
	_, rdb := client(t)
	rdb.XGroupCreateMkStream(ctx, "orders", "g", "0")
	rdb.XAdd(ctx, &redis.XAddArgs{Stream: "orders", Values: []string{"id", "7"}})
	got := check[[]redis.XStream](t)(rdb.XReadGroup(ctx, &redis.XReadGroupArgs{
		Group: "g", Consumer: "A", Streams: []string{"orders", ">"}, Block: time.Hour,
	}).Result())
	if len(got) != 1 {
		t.Errorf("%v", got)
	}
}

func TestSubscribeFailsAtOnce(t *testing.T) {
	_, rdb := client(t)
	ps := rdb.Subscribe(ctx, "news")
	defer ps.Close()
	if _, err := ps.Receive(ctx); err == nil {
		t.Error("a subscription went through")
	}
}

func TestTimeFollowsSetTime(t *testing.T) {
	m, rdb := client(t)
	at := func(d time.Duration) { m.SetTime(epoch.Add(d)) }
	pttl := func() time.Duration { return check[time.Duration](t)(rdb.PTTL(ctx, "k").Result()) }

	rdb.Set(ctx, "k", "v", 50*time.Millisecond)
	time.Sleep(2 * time.Millisecond) // the wall clock must not matter
	if d := pttl(); d != 50*time.Millisecond {
		t.Errorf("at 0: PTTL %v", d)
	}
	at(49 * time.Millisecond)
	if d := pttl(); d != time.Millisecond {
		t.Errorf("at 49 ms: PTTL %v", d)
	}
	if v := check[string](t)(rdb.Get(ctx, "k").Result()); v != "v" {
		t.Errorf("at 49 ms: GET %q", v)
	}
	at(50 * time.Millisecond)
	if _, err := rdb.Get(ctx, "k").Result(); !errors.Is(err, redis.Nil) {
		t.Errorf("at 50 ms: GET %v", err)
	}
	if now := check[time.Time](t)(rdb.Time(ctx).Result()); !now.Equal(epoch.Add(50 * time.Millisecond)) {
		t.Errorf("TIME: %v", now)
	}
	rdb.Set(ctx, "k", "v", 0)
	rdb.ExpireAt(ctx, "k", epoch.Add(time.Hour))
	if d := pttl(); d != time.Hour-50*time.Millisecond {
		t.Errorf("after EXPIREAT: PTTL %v", d)
	}
}

func TestRandomAnswersRepeat(t *testing.T) {
	run := func() (out []string) {
		_, rdb := client(t)
		rdb.SAdd(ctx, "s", "a", "b", "c", "d", "e", "f", "g", "h")
		for range 20 {
			out = append(out, check[string](t)(rdb.SRandMember(ctx, "s").Result()))
		}
		return out
	}
	if a, b := run(), run(); !reflect.DeepEqual(a, b) {
		t.Errorf("%v, then %v", a, b)
	}
}

// A client says nothing of its own accord but HELLO, and repeats nothing.
func TestClientIsQuiet(t *testing.T) {
	m := start(t)
	var mu sync.Mutex
	var seen []string
	rdb := Client(m)
	defer rdb.Close()
	rdb.AddHook(spy(func(names []string) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, names...)
	}))
	before := m.CommandCount()
	rdb.Get(ctx, "k")
	rdb.Get(ctx, "k")
	rdb.Pipelined(ctx, func(p redis.Pipeliner) error { p.Get(ctx, "k"); p.Get(ctx, "k"); return nil })
	if n := m.CommandCount() - before; n > 5 {
		t.Errorf("%d commands reached miniredis for 4 of ours and a greeting", n)
	}
	if got := strings.Join(seen, " "); got != "get hello get get get" {
		t.Errorf("commands: %s", got)
	}
	if s := rdb.PoolStats(); s.TotalConns != 1 {
		t.Errorf("%d connections", s.TotalConns)
	}
}

// spy is told the names of the commands that pass.
type spy func(names []string)

func (s spy) DialHook(next redis.DialHook) redis.DialHook { return next }

func (s spy) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		s([]string{cmd.Name()})
		return next(ctx, cmd)
	}
}

func (s spy) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		var names []string
		for _, c := range cmds {
			names = append(names, c.Name())
		}
		s(names)
		return next(ctx, cmds)
	}
}

// A free run: eight goroutines, each on connections of its own, under -race.
func TestManyGoroutines(t *testing.T) {
	const workers, rounds = 8, 300
	m, rdb := client(t)
	sha := check[string](t)(rdb.ScriptLoad(ctx, unlock).Result())
	rdb.XGroupCreateMkStream(ctx, "orders", "g", "0")

	var wg sync.WaitGroup
	var mu sync.Mutex
	held, read := 0, 0
	for w := range workers {
		wg.Go(func() {
			me := fmt.Sprint("worker", w)
			for i := range rounds {
				var err error
				switch i % 6 {
				case 0:
					err = rdb.Incr(ctx, "n").Err()
				case 1:
					var ok bool
					if ok, err = rdb.SetNX(ctx, "lock", me, time.Minute).Result(); ok {
						mu.Lock()
						held++
						mu.Unlock()
						err = rdb.EvalSha(ctx, sha, []string{"lock"}, me).Err()
					}
				case 2:
					_, err = rdb.Pipelined(ctx, func(p redis.Pipeliner) error {
						p.HIncrBy(ctx, "h", me, 1)
						p.HGetAll(ctx, "h")
						return nil
					})
				case 3:
					err = rdb.Watch(ctx, func(tx *redis.Tx) error {
						n, err := tx.Get(ctx, "watched").Int()
						if err != nil && !errors.Is(err, redis.Nil) {
							return err
						}
						_, err = tx.TxPipelined(ctx, func(p redis.Pipeliner) error {
							p.Set(ctx, "watched", n+1, 0)
							p.Incr(ctx, "committed")
							return nil
						})
						return err
					}, "watched")
					if errors.Is(err, redis.TxFailedErr) {
						err = nil
					}
				case 4:
					err = rdb.XAdd(ctx, &redis.XAddArgs{Stream: "orders", Values: []string{"w", me}}).Err()
					if w == 0 {
						m.SetTime(epoch.Add(time.Duration(i) * time.Second))
					}
				case 5:
					var got []redis.XStream
					got, err = rdb.XReadGroup(ctx, &redis.XReadGroupArgs{
						Group: "g", Consumer: me, Streams: []string{"orders", ">"}, Count: 1, Block: -1,
					}).Result()
					mu.Lock()
					read += len(got)
					mu.Unlock()
				}
				if err != nil && !errors.Is(err, redis.Nil) {
					t.Errorf("%s, round %d: %v", me, i, err)
					return
				}
			}
		})
	}
	wg.Wait()

	if n := check[string](t)(rdb.Get(ctx, "n").Result()); n != fmt.Sprint(workers*rounds/6) {
		t.Errorf("%s increments", n)
	}
	a, b := check[string](t)(rdb.Get(ctx, "watched").Result()), check[string](t)(rdb.Get(ctx, "committed").Result())
	if a != b {
		t.Errorf("%s transactions committed, but the counter says %s", b, a)
	}
	if held == 0 || m.Exists("lock") {
		t.Errorf("the lock was taken %d times; left behind: %v", held, m.Exists("lock"))
	}
	if n := check[int64](t)(rdb.XLen(ctx, "orders").Result()); n != workers*rounds/6 || read == 0 || int64(read) > n {
		t.Errorf("%d entries, %d deliveries", n, read)
	}
}

// Clients closed while others work: no race and no leak.
func TestCloseUnderLoad(t *testing.T) {
	m := start(t)
	for range 5 {
		rdb := Client(m)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for rdb.Incr(ctx, "n").Err() == nil {
				}
			})
		}
		time.Sleep(time.Millisecond)
		if err := rdb.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
	}
}
