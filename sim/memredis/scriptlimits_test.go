package memredis

import (
	"strings"
	"testing"
	"time"

	"flashlab/sim/memredis/luabox"
)

// bombs are scripts that would never end or would need all memory there is. Each
// ends with an error that says which limit it was and, where it happens in the
// script itself, the line.
var bombs = []struct{ name, script, says string }{
	{"endless loop", "local n = 0\nwhile true do n = n + 1 end", "user_script:2: over a limit: more than 100000 steps"},
	{"endless repeat", "repeat until false", "user_script:1: over a limit: more than 100000 steps"},
	{"endless for", "for i = 1, 1e15 do end", "steps"},
	{"endless loop of commands", "while true do\n redis.call('GET', 'k')\nend", "steps"},
	{"endless loop in pcall", "pcall(function()\n while true do end\nend)\nreturn 1", "user_script:2: over a limit: more than 100000 steps"},
	{"pcall in an endless loop", "while true do pcall(error, 'x') end", "steps"},
	{"endless loop in xpcall", "xpcall(function() while true do end end, function(e) while true do end end)", "steps"},
	{"endless loop in a coroutine", "local c = coroutine.wrap(function()\n while true do end\nend)\nc()", "user_script:2: over a limit: more than 100000 steps"},
	{"endless resume", "local c = coroutine.create(function() while true do coroutine.yield() end end)\nwhile true do coroutine.resume(c) end", "steps"},
	{"endless metamethod", "local t = setmetatable({}, {__index = function(t, k) return t[k] end}) return t.x", "stack overflow"},
	{"endless iterator", "for _ in function() return 1 end do end", "steps"},
	{"endless sort", "local t = {} for i = 1, 100 do t[i] = i end table.sort(t, function() while true do end end)", "steps"},
	{"endless gsub", "('x'):rep(10):gsub('x', function() while true do end end)", "steps"},
	{"endless tostring", "tostring(setmetatable({}, {__tostring = function() while true do end end}))", "steps"},
	{"endless load", "load(function() return ' ' end)", "over a limit"},
	{"pattern", "return ('a'):rep(40):find(('a-'):rep(40) .. 'b')", "steps"},
	{"pattern with captures", "return ('a'):rep(40):match(('(a*)'):rep(30) .. 'b')", "steps"},
	{"long pattern over long text", "local s = ('a'):rep(1e6) for i = 1, 1e6 do s:find('b') end", "steps"},
	{"recursion", "local function f() return 1 + f() end\nreturn f()", "user_script:1: stack overflow"},
	{"recursion through pcall", "local function f() local ok, e = pcall(f) if not ok then error(e, 0) end end f()", "stack overflow"},
	{"recursion through coroutines", "local function f() return coroutine.wrap(f)() end f()", "stack overflow"},
	{"recursion in gsub", "local function f() return (('x'):gsub('x', f)) end f()", "stack overflow"},
	{"recursion in sort", "local function f() local t = {2, 1} table.sort(t, f) return true end f()", "stack overflow"},
	{"doubling", "local s = 'x'\nfor i = 1, 100 do s = s .. s end", "user_script:2: over a limit: more than 8388608 bytes"},
	{"doubling of many", "local s = 'xxxxxxxxxx' for i = 1, 100 do s = s .. s .. s .. s end", "bytes"},
	{"rep", "return ('x'):rep(1e12)", "user_script:1: over a limit: more than 8388608 bytes"},
	{"rep, rep", "return ('x'):rep(1e7):rep(1e7)", "bytes"},
	{"rep in a loop", "local t = {} for i = 1, 1e6 do t[i] = ('x'):rep(1e6) end", "over a limit"},
	{"format", "local s = ('x'):rep(1e6) return ('%s%s%s%s%s%s%s%s%s%s'):rep(10):format(unpack({s, s, s, s, s, s, s, s, s, s}))", "over a limit"},
	{"gsub that grows", "local s = 'x' for i = 1, 100 do s = s:gsub('x', 'xx') end", "over a limit"},
	{"gsub with a long text", "return ('x'):rep(1e5):gsub('x', ('y'):rep(1e4))", "bytes"},
	{"concat", "local t = {} for i = 1, 1000 do t[i] = ('x'):rep(1000) end for i = 1, 1000 do table.concat(t) end", "bytes"},
	{"upper", "local s = ('x'):rep(1e6) for i = 1, 1e6 do s:upper() end", "over a limit"},
	{"far index", "local t = {}\nt[6e7] = 1", "user_script:2: over a limit: more than 8388608 bytes"},
	{"far index in a constructor", "local t = {[6e7 + 0] = 1}", "bytes"},
	{"far constant in a constructor", "local t = {[60000000] = 1}", "bytes"},
	{"far index by rawset", "rawset({}, 6e7, 1)", "bytes"},
	{"far index by insert", "table.insert({}, 6e7, 1)", "bytes"},
	{"far index by newindex", "setmetatable({}, {__newindex = {}})[6e7] = 1", "bytes"},
	{"far indexes", "local all = {} for i = 1, 1e6 do local t = {} t[1e5] = 1 all[i] = t end", "bytes"},
	{"tables", "local all = {} for i = 1, 1e7 do all[i] = {a = 1, b = 2, c = 3, d = 4, e = 5} end", "over a limit"},
	{"fields", "local t = {} for i = 1, 1e7 do t['x' .. i] = i end", "over a limit"},
	{"coroutines", "local all = {} for i = 1, 1e6 do all[i] = coroutine.create(function() end) end", "bytes"},
	{"unpack", "return {unpack({}, 1, 1e8)}", "too many results to unpack"},
	{"byte", "return {('x'):rep(1e6):byte(1, -1)}", "string slice too long"},
	{"json", "local s = ('x'):rep(1e6) local t = {} for i = 1, 1000 do t[i] = s end return cjson.encode(t)", "bytes"},
	{"json, nested", "local t = {1} for i = 1, 60 do t = {t, t} end return cjson.encode(t)", "over a limit"},
	{"json, deep", "return cjson.decode(('['):rep(1e6))", "nested"},
	{"reply, nested", "local t = {1} for i = 1, 60 do t = {t, t} end return t", "over a limit"},
	{"reply of itself", "local t = {} t[1] = t return t", "reached lua stack limit"},
	{"reply, long", "local s = ('x'):rep(1e6) local t = {} for i = 1, 1000 do t[i] = s end return t", "bytes"},
	{"loadstring", "local s = ('x = 1 '):rep(1e4) for i = 1, 1e6 do loadstring(s) end", "over a limit"},
	{"append", "local s = ('x'):rep(1e6) for i = 1, 1e6 do redis.call('APPEND', 'k', s) end", "over a limit"},
	{"append to itself", "redis.call('SET', 'k', 'x') for i = 1, 100 do redis.call('APPEND', 'k', redis.call('GET', 'k')) end", "over a limit"},
	{"setrange", "return redis.call('SETRANGE', 'k', 5e8, 'x')", "over a limit"},
	{"setrange in pcall", "redis.pcall('SETRANGE', 'k', 5e8, 'x') return 1", "over a limit"},
	{"setbit", "return redis.call('SETBIT', 'k', 4294967295, 1)", "over a limit"},
	{"srandmember", "redis.call('SADD', 's', 'a') return redis.call('SRANDMEMBER', 's', -1e9)", "over a limit"},
	{"mget", "redis.call('SET', 'k', ('x'):rep(1e6)) local t = {} for i = 1, 1000 do t[i] = 'k' end return redis.call('MGET', unpack(t))", "over a limit"},
	{"hmget", "redis.call('HSET', 'h', 'f', ('x'):rep(1e6)) local t = {} for i = 1, 1000 do t[i] = 'f' end return redis.call('HMGET', 'h', unpack(t))", "over a limit"},
	{"copy", "redis.call('SET', 'k', ('x'):rep(1e6)) for i = 1, 1e6 do redis.call('COPY', 'k', 'k' .. i) end", "over a limit"},
	{"sunionstore", "local t = {} for i = 1, 5000 do t[i] = i end redis.call('SADD', 's', unpack(t)) for i = 1, 1e6 do redis.call('SUNIONSTORE', 's' .. i, 's') end", "over a limit"},
}

func TestScriptLimits(t *testing.T) {
	// On a busy machine the clock might be first; here the counts are meant.
	_, rdb := pooled(t, luabox.Limits{Steps: 100_000, Bytes: 8 << 20, Time: time.Hour})
	for _, b := range bombs {
		_, err := rdb.Eval(ctx, b.script, nil).Result()
		if err == nil || !strings.Contains(err.Error(), b.says) {
			t.Errorf("%s: %.300v, want an error with %q", b.name, err, b.says)
		}
		// Always the same error, and the machine is as good as new.
		if _, again := rdb.Eval(ctx, b.script, nil).Result(); again == nil || again.Error() != err.Error() {
			t.Errorf("%s: %.200v, then %.200v", b.name, err, again)
		}
		rdb.FlushAll(ctx)
		rdb.Set(ctx, "lock", "A", 0)
		if v, err := rdb.Eval(ctx, unlock, []string{"lock"}, "A").Int(); v != 1 || err != nil {
			t.Errorf("after %s: a release answers %d, %v", b.name, v, err)
		}
	}
	t.Logf("%d bombs", len(bombs))
}

// What has been written before a limit stays, as after any error.
func TestScriptOverALimitIsNotRolledBack(t *testing.T) {
	_, rdb := pooled(t, luabox.Limits{Steps: 10_000})
	err := rdb.Eval(ctx, `while true do redis.call('INCR', 'n') end`, nil).Err()
	if err == nil || !strings.Contains(err.Error(), "more than 10000 steps") {
		t.Fatal(err)
	}
	n := check[int](t)(rdb.Get(ctx, "n").Int())
	rdb.Del(ctx, "n")
	rdb.Eval(ctx, `while true do redis.call('INCR', 'n') end`, nil)
	if m := check[int](t)(rdb.Get(ctx, "n").Int()); n < 100 || m != n {
		t.Errorf("%d increments, then %d", n, m)
	}
}

// A script in a transaction has the same limits.
func TestScriptLimitsInATransaction(t *testing.T) {
	_, rdb := pooled(t, luabox.Limits{})
	pipe := rdb.TxPipeline()
	pipe.Eval(ctx, `while true do end`, nil)
	after := pipe.Incr(ctx, "n")
	cmds, _ := pipe.Exec(ctx)
	if err := cmds[0].Err(); err == nil || !strings.Contains(err.Error(), "steps") {
		t.Errorf("the loop: %v", err)
	}
	if after.Val() != 1 {
		t.Errorf("what follows: %v", after)
	}
}

// Few instructions can take long; then the clock ends the script.
func TestScriptTimeLimit(t *testing.T) {
	_, rdb := pooled(t, luabox.Limits{Steps: 1 << 40, Time: 50 * time.Millisecond})
	began := time.Now()
	err := rdb.Eval(ctx, "while true do end", nil).Err()
	if err == nil || !strings.Contains(err.Error(), "longer than 50ms") {
		t.Errorf("%v", err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

// What is well within the limits is not touched by them.
func TestScriptsWithinLimits(t *testing.T) {
	_, rdb := pooled(t, luabox.Limits{})
	for _, script := range []string{
		`local n = 0 for i = 1, 200000 do n = n + i end return n`,
		`for i = 1, 5000 do redis.call('RPUSH', 'l', i) end return redis.call('LLEN', 'l')`,
		`local t = {} for i = 1, 30000 do t[#t+1] = i end return #t`,
		`local t = {} for i = 10000, 1, -1 do t[i] = i end return #t`,
		`local s = '' for i = 1, 3000 do s = s .. 'x' end return #s`,
		`return #('x'):rep(1e7)`,
		`local t = {} for i = 1, 20000 do t['k' .. i] = i end return t.k20000`,
		`local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return f(900)`,
		`return #cjson.encode({('x'):rep(1e6)})`,
		`local t = {} for i = 1, 7000 do t[i] = i end return select('#', unpack(t))`,
	} {
		if err := rdb.Eval(ctx, script, nil).Err(); err != nil {
			t.Errorf("%s: %v", script, err)
		}
	}
}
