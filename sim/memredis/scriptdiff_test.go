package memredis

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/live/livetest"
	"flashlab/sim/memredis/luabox"
)

// pooled returns a miniredis with the pooled machine and a client.
func pooled(t testing.TB, limits luabox.Limits) (*Scripts, *redis.Client) {
	t.Helper()
	m, rdb := client(t)
	s, err := PoolScripts(m, limits)
	if err != nil {
		t.Fatal(err)
	}
	return s, rdb
}

// TestScriptsDiffer runs every case on the three engines.
func TestScriptsDiffer(t *testing.T) {
	_, plain := client(t)
	_, pool := pooled(t, luabox.Limits{})
	t.Run("miniredis", func(t *testing.T) {
		compareAll(t, "plain", pool, plain, func(c scriptCase) (string, bool) { return c.plain, false })
	})
	t.Run("redis", func(t *testing.T) {
		real := livetest.Start(t).Client(t)
		later := !isSeven(t, real)
		compareAll(t, "redis", pool, real, func(c scriptCase) (string, bool) { return c.redis, later && c.later != "" })
	})
}

// isSeven reports whether a server is the Redis 7.0 that the pooled machine is like.
func isSeven(t *testing.T, rdb *redis.Client) bool {
	t.Helper()
	info, err := rdb.Info(ctx, "server").Result()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(info, "redis_version:7.0.") && !strings.Contains(info, "valkey") {
		return true
	}
	t.Log("the server is not Redis 7.0: where later ones differ, nothing is compared")
	return false
}

// compareAll runs all cases; reason says why the other engine differs, and whether that
// is not to be looked at.
func compareAll(t *testing.T, engine string, pool, other *redis.Client, reason func(scriptCase) (why string, open bool)) {
	all := slices.Concat(replyCases, commandCases, languageCases, libraryCases, shopCases)
	seen := map[string]bool{}
	for _, c := range all {
		if seen[c.name] {
			t.Errorf("two cases are called %q", c.name)
		}
		seen[c.name] = true
		if strings.HasPrefix(c.skip, engine+":") {
			continue
		}
		got, want := runCase(t, pool, c), runCase(t, other, c)
		switch why, open := reason(c); {
		case open:
		case got != want && why == "":
			t.Errorf("%s: %s\n%s\npooled: %s\n%s: %s", c.name, c.script, strings.Repeat("-", 20), got, engine, want)
		case got == want && why != "":
			t.Errorf("%s: no difference, though %q\nboth: %s", c.name, why, got)
		}
	}
	t.Logf("%d scripts", len(all))
}

// runCase runs a case on an empty server and renders the answer and the keys.
func runCase(t *testing.T, rdb *redis.Client, c scriptCase) string {
	t.Helper()
	if err := rdb.FlushAll(ctx).Err(); err != nil {
		t.Fatal(err)
	}
	for _, s := range c.setup {
		if err := rdb.Do(ctx, words(s)...).Err(); err != nil {
			t.Fatalf("%s: %s: %v", c.name, s, err)
		}
	}
	v, err := rdb.Eval(ctx, c.script, c.keys, c.args...).Result()
	if err := rdb.Ping(ctx).Err(); err != nil {
		t.Fatalf("%s: the server is gone: %v", c.name, err)
	}
	return answer(v, err) + "\n" + keyspace(t, rdb)
}

// answer renders a reply with its types. Of an error only the code counts.
func answer(v any, err error) string {
	if errors.Is(err, redis.Nil) {
		return "nil"
	}
	if err != nil {
		code, _, _ := strings.Cut(err.Error(), " ")
		return "error " + code
	}
	switch v := v.(type) {
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			if err, ok := e.(error); ok {
				parts[i] = answer(nil, err)
			} else {
				parts[i] = answer(e, nil)
			}
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case nil:
		return "nil"
	}
	return fmt.Sprintf("%T %q", v, fmt.Sprint(v))
}

// keyspace renders all keys of the first two databases. Times to live run on a real
// server, and the ids of streams are its own, so only whether there is a time to
// live counts, and the fields.
func keyspace(t *testing.T, rdb *redis.Client) string {
	t.Helper()
	var out []string
	for db := range 2 {
		conn := rdb.Conn()
		defer conn.Close()
		if err := conn.Select(ctx, db).Err(); err != nil {
			t.Fatal(err)
		}
		keys := check[[]string](t)(conn.Keys(ctx, "*").Result())
		sort.Strings(keys)
		for _, k := range keys {
			ttl := check[int64](t)(conn.Do(ctx, "PTTL", k).Int64())
			out = append(out, fmt.Sprintf("%d/%s expires:%v %s", db, k, ttl > 0, value(t, conn, k)))
		}
		if err := conn.Select(ctx, 0).Err(); err != nil {
			t.Fatal(err)
		}
	}
	return strings.Join(out, "; ")
}

func value(t *testing.T, conn *redis.Conn, k string) string {
	switch typ := check[string](t)(conn.Type(ctx, k).Result()); typ {
	case "string":
		return fmt.Sprintf("%q", check[string](t)(conn.Get(ctx, k).Result()))
	case "list":
		return fmt.Sprintf("%q", check[[]string](t)(conn.LRange(ctx, k, 0, -1).Result()))
	case "set":
		m := check[[]string](t)(conn.SMembers(ctx, k).Result())
		sort.Strings(m)
		return fmt.Sprintf("%q", m)
	case "hash":
		return fmt.Sprint(check[map[string]string](t)(conn.HGetAll(ctx, k).Result()))
	case "zset":
		return fmt.Sprint(check[[]redis.Z](t)(conn.ZRangeWithScores(ctx, k, 0, -1).Result()))
	case "stream":
		var out []string
		for _, m := range check[[]redis.XMessage](t)(conn.XRange(ctx, k, "-", "+").Result()) {
			out = append(out, fmt.Sprint(m.Values))
		}
		return strings.Join(out, ",")
	default:
		return typ
	}
}

// RESP3 changes how some values travel, not what they are.
func TestScriptsOverRESP3(t *testing.T) {
	m, _ := client(t)
	if _, err := PoolScripts(m, luabox.Limits{}); err != nil {
		t.Fatal(err)
	}
	connect := func(o *redis.Options) *redis.Client {
		o.Protocol = 3
		rdb := redis.NewClient(o)
		t.Cleanup(func() { rdb.Close() })
		return rdb
	}
	o := Options()
	o.Dialer = Dialer(m)
	pool, real := connect(o), connect(livetest.Start(t).Options())
	for _, script := range []string{
		`return nil`, `return true`, `return false`, `return {1, false, 'x'}`, `return {double = 1.5}`,
		`return {map = {a = 1}}`, `return {set = {a = true}}`, `return {big_number = '12345'}`,
		`return {verbatim_string = {format = 'txt', string = 'hi'}}`,
		`redis.setresp(3) return {true, false}`, `redis.setresp(3) return redis.call('HGETALL', 'h')`,
		`redis.setresp(3) return redis.call('SMEMBERS', 's')`, `redis.setresp(3) return redis.call('ZSCORE', 'z', 'a')`,
		`redis.setresp(3) return redis.call('GET', 'none')`, `return redis.call('HGETALL', 'h')`,
		`redis.setresp(3) local v = redis.call('ZSCORE', 'z', 'a') return type(v)`,
	} {
		var got [2]string
		for i, rdb := range []*redis.Client{pool, real} {
			rdb.FlushAll(ctx)
			rdb.HSet(ctx, "h", "a", 1)
			rdb.SAdd(ctx, "s", "a")
			rdb.ZAdd(ctx, "z", redis.Z{Score: 1.5, Member: "a"})
			v, err := rdb.Eval(ctx, script, nil).Result()
			got[i] = answer(v, err)
		}
		if got[0] != got[1] {
			t.Errorf("%s: %s, Redis %s", script, got[0], got[1])
		}
	}
}
