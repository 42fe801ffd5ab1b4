package memredis

import (
	"context"
	"fmt"
	"io"
	"net"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
	"github.com/redis/go-redis/v9"

	"flashlab/sim/memredis/luabox"
)

// NOSCRIPT is what clients act upon: byte by byte the reply of miniredis.
func TestNoScriptReply(t *testing.T) {
	m, plain := start(t), start(t)
	if _, err := PoolScripts(m, luabox.Limits{}); err != nil {
		t.Fatal(err)
	}
	req := encode("EVALSHA", strings.Repeat("f", 40), "1", "k")
	got, want := say(t, dial(t, m), req), say(t, dial(t, plain), req)
	if got != want || !strings.HasPrefix(got, "-NOSCRIPT ") {
		t.Errorf("%q, miniredis %q", got, want)
	}
}

// What a script does to its surroundings is not seen by the next one.
func TestScriptsAreIsolated(t *testing.T) {
	_, rdb := pooled(t, luabox.Limits{})
	probe := `local o = {('x'):rep(2), tostring(1), type(redis.call), #KEYS, #ARGV, rawget(_G, 'leak') == nil, rawget(string, 'leak') == nil,
		math.random(1000), tostring({}), table.concat({1, 2}, ','), getmetatable('').__index == string, select('#', pcall(error)), cjson.encode({1}), #redis.sha1hex('')}
		local n = 0 for _ in pairs(_G) do n = n + 1 end o[#o+1] = n
		for _, lib in ipairs({string, table, math, redis, cjson, bit, coroutine}) do local n = 0 for _ in pairs(lib) do n = n + 1 end o[#o+1] = n end
		return o`
	run := func() any { return check[any](t)(rdb.Eval(ctx, probe, nil).Result()) }
	want := run()
	for _, script := range []string{
		`leak = 1`, `_G.leak = 1`, `rawset(_G, 'leak', 1)`, `string.leak = 1`, `rawset(string, 'leak', 1)`, `string.rep = nil`,
		`table.insert(string, 1)`, `table.sort(_G)`, `table.remove(table)`, `setmetatable(_G, {})`, `setmetatable(string, nil)`,
		`getmetatable('').__index = function() return 'mine' end`, `getmetatable('').leak = 1`, `rawset(getmetatable(''), '__index', nil)`,
		`redis.call = nil`, `redis = nil`, `KEYS = nil`, `math.randomseed(99) return math.random()`, `for i = 1, 50 do math.random() end`,
		`for k in pairs(_G) do pcall(rawset, _G, k, nil) end`, `for k in pairs(string) do pcall(rawset, string, k, nil) end`,
		`local f = loadstring('leak = 1') return pcall(f)`, `KEYS.leak = 1 ARGV[1] = 'x' return 1`, `tostring({}) return tostring({})`,
		`local c = coroutine.create(function() coroutine.yield() end) coroutine.resume(c) return 1`, `error({err = 'x'})`, `return pcall(error)`,
		`cjson.null = 1`, `local mt = getmetatable(redis) return mt == nil`, `redis.setresp(3) return 1`, `redis.call('SELECT', 5) return 1`,
		`while true do end`, `local function f() return f() + 1 end return f()`, `local s = 'x' while true do s = s .. s end`,
	} {
		rdb.Eval(ctx, script, nil)
		if got := run(); !reflect.DeepEqual(got, want) {
			t.Errorf("after %s: %v, want %v", script, got, want)
			want = got
		}
	}
	if v := check[any](t)(rdb.Eval(ctx, `return redis.call('HGETALL', 'none')`, nil).Result()); !reflect.DeepEqual(v, []any{}) {
		t.Errorf("setresp has outlived its script: %v", v)
	}
}

// The same script on the same keys gives the same reply and takes the same path.
func TestScriptsRepeat(t *testing.T) {
	run := func() (out []string) {
		_, rdb := pooled(t, luabox.Limits{})
		for _, c := range slices.Concat(replyCases, commandCases, languageCases, libraryCases) {
			out = append(out, runCase(t, rdb, c))
		}
		v, err := rdb.Eval(ctx, `local o = {} for k, v in pairs({z = 1, y = 2, x = 3, [10] = 4, [0] = 5}) do o[#o+1] = k .. '=' .. v end
			o[#o+1] = math.random(1e6) o[#o+1] = tostring({}) o[#o+1] = redis.call('SRANDMEMBER', KEYS[1]) return o`, []string{"none"}).Result()
		return append(out, answer(v, err))
	}
	if a, b := run(), run(); !slices.Equal(a, b) {
		for i := range a {
			if a[i] != b[i] {
				t.Errorf("%s, then %s", a[i], b[i])
			}
		}
	}
}

func TestScriptPublishes(t *testing.T) {
	m, _ := client(t)
	if _, err := PoolScripts(m, luabox.Limits{}); err != nil {
		t.Fatal(err)
	}
	o := Options()
	o.Dialer = func(context.Context, string, string) (net.Conn, error) { return m.Dial() }
	listener := redis.NewClient(o)
	defer listener.Close()
	ps := listener.Subscribe(ctx, "news")
	defer ps.Close()
	if _, err := ps.Receive(ctx); err != nil {
		t.Fatal(err)
	}
	messages := ps.Channel()
	rdb := Client(m)
	defer rdb.Close()
	n := check[int64](t)(rdb.Eval(ctx, `redis.call('SET', 'k', 1) return redis.call('PUBLISH', 'news', ARGV[1])`, nil, "hello").Int64())
	if n != 1 {
		t.Errorf("%d listeners", n)
	}
	select {
	case msg := <-messages:
		if msg.Payload != "hello" {
			t.Errorf("message %q", msg.Payload)
		}
	case <-time.After(10 * time.Second):
		t.Error("no message")
	}
}

// The connections of miniredis itself are served as well: over TCP, and refused
// what they may not do.
func TestScriptsOfOtherConnections(t *testing.T) {
	m := miniredis.NewMiniRedis()
	if err := m.Start(); err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := PoolScripts(m, luabox.Limits{}); err != nil {
		t.Fatal(err)
	}
	rdb := redis.NewClient(&redis.Options{Addr: m.Addr(), Protocol: 2})
	defer rdb.Close()
	for range 2 {
		if n := check[int64](t)(rdb.Eval(ctx, `return redis.call('INCRBY', 'n', 2)`, nil).Int64()); n == 0 {
			t.Error("nothing")
		}
	}
	if _, err := rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
		p.Eval(ctx, `return redis.call('INCRBY', 'n', 2)`, nil)
		return nil
	}); err != nil {
		t.Error(err)
	}
	if v := check[string](t)(rdb.Get(ctx, "n").Result()); v != "6" {
		t.Errorf("n is %s", v)
	}

	m.RequireAuth("secret")
	stranger := redis.NewClient(&redis.Options{Addr: m.Addr(), Protocol: 2, MaxRetries: -1})
	defer stranger.Close()
	conn := stranger.Conn()
	defer conn.Close()
	for _, cmd := range []string{`EVAL 'return 1' 0`, `SCRIPT LOAD 'return 1'`, "EVALSHA abc 0"} {
		if err := conn.Do(ctx, split(cmd)...).Err(); err == nil || !strings.HasPrefix(err.Error(), "NOAUTH") {
			t.Errorf("%s without a password: %v", cmd, err)
		}
	}
	if err := conn.Auth(ctx, "secret").Err(); err != nil {
		t.Fatal(err)
	}
	if v := check[int64](t)(conn.Eval(ctx, `return 1`, nil).Int64()); v != 1 {
		t.Errorf("with a password: %d", v)
	}
}

// A client that has subscribed may not run scripts, in RESP2.
func TestScriptOfASubscriber(t *testing.T) {
	m := start(t)
	if _, err := PoolScripts(m, luabox.Limits{}); err != nil {
		t.Fatal(err)
	}
	c, err := m.Dial()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	say := func(args ...string) string {
		t.Helper()
		if _, err := io.WriteString(c, encode(args...)); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 4096)
		n, err := c.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		return string(buf[:n])
	}
	if got := say("EVAL", "return 1", "0"); got != ":1\r\n" {
		t.Errorf("before: %q", got)
	}
	say("SUBSCRIBE", "news")
	if got := say("EVAL", "return 1", "0"); !strings.HasPrefix(got, "-ERR Can't execute 'eval'") {
		t.Errorf("after SUBSCRIBE: %q", got)
	}
}

// The hook can be called from another one.
func TestScriptsBehindAnotherHook(t *testing.T) {
	s, rdb := pooled(t, luabox.Limits{})
	var mu sync.Mutex
	seen := 0
	s.srv.SetPreHook(func(c *server.Peer, cmd string, args ...string) bool {
		if cmd == "GET" {
			mu.Lock()
			seen++
			mu.Unlock()
		}
		return s.Hook(c, cmd, args...)
	})
	if v := check[int64](t)(rdb.Eval(ctx, `redis.call('GET', 'a') redis.call('GET', 'b') return 7`, nil).Int64()); v != 7 || seen != 2 {
		t.Errorf("reply %d, %d commands seen", v, seen)
	}
}

func TestPoolScriptsOfAClosedMiniredis(t *testing.T) {
	m := miniredis.NewMiniRedis()
	if _, err := PoolScripts(m, luabox.Limits{}); err == nil {
		t.Error("not started: no error")
	}
	m = start(t)
	m.Close()
	if _, err := PoolScripts(m, luabox.Limits{}); err == nil {
		t.Error("closed: no error")
	}
}

func TestLoaded(t *testing.T) {
	s, rdb := pooled(t, luabox.Limits{Steps: 1234})
	if got := s.Loaded(); len(got) != 0 {
		t.Errorf("at first: %v", got)
	}
	want := []string{luabox.SHA("return 1"), luabox.SHA("return 2")}
	slices.Sort(want)
	rdb.ScriptLoad(ctx, "return 1")
	rdb.Eval(ctx, "return 2", nil)
	rdb.Eval(ctx, "return (", nil)
	if got := s.Loaded(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if l := s.Limits(); l.Steps != 1234 || l.Bytes == 0 || l.Time == 0 {
		t.Errorf("limits %+v", l)
	}
}

// A script is one step for everybody else, however many there are.
func TestScriptsWithManyGoroutines(t *testing.T) {
	const workers, rounds = 8, 200
	_, rdb := pooled(t, luabox.Limits{})
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := range rounds {
				var err error
				switch i % 4 {
				case 0:
					// Between the two nobody may write.
					err = rdb.Eval(ctx, `local a = redis.call('INCR', 'n') local b = redis.call('INCR', 'n')
						if b ~= a + 1 then error('torn: ' .. a .. ' ' .. b) end return b`, nil).Err()
				case 1:
					err = rdb.Incr(ctx, "m").Err()
				case 2:
					_, err = rdb.TxPipelined(ctx, func(p redis.Pipeliner) error {
						p.Eval(ctx, `return redis.call('INCR', 'n')`, nil)
						p.Eval(ctx, `return redis.call('INCR', 'n')`, nil)
						return nil
					})
				case 3:
					if w == 0 {
						err = rdb.ScriptFlush(ctx).Err()
					} else {
						err = rdb.Eval(ctx, fmt.Sprintf("return %d", i), nil).Err()
					}
				}
				if err != nil {
					t.Errorf("worker %d, round %d: %v", w, i, err)
				}
			}
		})
	}
	wg.Wait()
	if v := check[string](t)(rdb.Get(ctx, "n").Result()); v != fmt.Sprint(workers*rounds/4*4) {
		t.Errorf("n is %s", v)
	}
}

// Connections that are gone are forgotten, also in the middle of a transaction.
func TestScriptCallersAreForgotten(t *testing.T) {
	m := start(t)
	s, err := PoolScripts(m, luabox.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2000 {
		c, err := Dial(m)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(c, encode("MULTI")+encode("EVAL", "return 1", "0"))
		c.Close()
		if i%100 == 0 {
			runtime.GC()
		}
	}
	c := dial(t, m)
	if got := say(t, c, encode("EVAL", "return 1", "0")); got != ":1\r\n" {
		t.Fatal(got)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.callers.m) > 500 || len(s.tickets) > 500 {
		t.Errorf("%d callers, %d tickets", len(s.callers.m), len(s.tickets))
	}
}

// Replies of any shape are cut where they end.
func TestReplySize(t *testing.T) {
	for _, reply := range []string{
		"+OK\r\n", "-ERR x\r\n", ":12\r\n", "$3\r\na\r\n\r\n", "$-1\r\n", "*-1\r\n", "*0\r\n", "_\r\n", "#t\r\n", ",1.5\r\n",
		"*2\r\n$1\r\na\r\n*1\r\n:1\r\n", "%1\r\n$1\r\na\r\n:1\r\n", "~1\r\n:1\r\n", "=5\r\ntxt:x\r\n",
	} {
		if n := replySize([]byte(reply + "+MORE\r\n")); n != len(reply) {
			t.Errorf("%q: %d bytes, want %d", reply, n, len(reply))
		}
	}
	for _, cut := range []string{"", "*", "*2\r\n:1\r\n", "$5\r\nab"} {
		if n := replySize([]byte(cut)); n > len(cut) {
			t.Errorf("%q: %d bytes", cut, n)
		}
	}
}
