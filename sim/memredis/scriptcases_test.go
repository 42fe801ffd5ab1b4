package memredis

import "strings"

// scriptCase is a script that every engine runs from the same keys. The pooled
// engine must answer like Redis and leave the same keys, and like miniredis too,
// except where a reason is given; a reason for what is no difference fails.
type scriptCase struct {
	name   string
	script string
	keys   []string
	args   []any
	setup  []string // commands, words separated by blanks

	plain string // why miniredis answers or does otherwise
	redis string // why Redis does
	later string // why servers after Redis 7.0 may, Valkey among them
	skip  string // an engine that must not see it, and what would happen
}

// Reasons that come up again and again.
const (
	formatsAsGo   = "numbers become text by Go's rules, without Lua's 14 digits"
	dropsCode     = "an error loses its code to a prefix"
	ownLibrary    = "gopher-lua's library differs from Lua's"
	globalsAreOld = "Redis before 7 protects globals otherwise"
	jsonIsGo      = "its cjson is Go's JSON"
	typesIgnored  = "it knows no RESP3 types"
	printsFew     = "numbers have as few digits as tell them apart"
	metaCounts    = "it reads the reply through metatables"
)

func words(s string) (args []any) {
	for _, w := range strings.Fields(s) {
		args = append(args, w)
	}
	return args
}

// What a script returns.
var replyCases = []scriptCase{
	{name: "nothing", script: `return`},
	{name: "nil", script: `return nil`},
	{name: "true", script: `return true`},
	{name: "false", script: `return false`},
	{name: "integer", script: `return 42`},
	{name: "negative", script: `return -42`},
	{name: "fraction up", script: `return 3.999`},
	{name: "fraction down", script: `return -3.999`},
	{name: "number as text", script: `return tostring(3.999)`},
	{name: "2^53 + 1", script: `return 9007199254740993`},
	{name: "beyond 64 bits", script: `return 1e300`},
	{name: "minus beyond 64 bits", script: `return -1e300`},
	{name: "not a number", script: `return 0/0`},
	{name: "text", script: `return 'text'`},
	{name: "empty text", script: `return ''`},
	{name: "bytes", script: `return '\0\1\255\r\n'`},
	{name: "chinese", script: `return '秒杀'`},
	{name: "several values", script: `return 1, 2, 3`},
	{name: "array", script: `return {1, 'two', 3}`},
	{name: "empty array", script: `return {}`},
	{name: "array ends at nil", script: `return {1, 2, nil, 4}`},
	{name: "array with booleans", script: `return {true, false, true}`},
	{name: "array with fractions", script: `return {1.9, -1.9, 0.5}`},
	{name: "fields are dropped", script: `return {1, 2, x = 3, [5] = 5}`},
	{name: "only fields", script: `return {x = 1}`},
	{name: "index 0", script: `return {[0] = 'a', 'b'}`},
	{name: "nested", script: `return {1, {2, {3, {4, {}}}}, 'x', {false}}`},
	{name: "array with errors", script: `return {1, {err = 'MY mistake'}, 3}`},
	{name: "array with statuses", script: `return {{ok = 'FINE'}, {ok = 'TOO'}}`},
	{name: "status", script: `return {ok = 'FINE'}`},
	{name: "status by function", script: `return redis.status_reply('FINE, really')`},
	{name: "status of a number", script: `return redis.status_reply(7)`},
	{name: "status with line breaks", script: `return {ok = 'a\nb\r\nc'}`},
	{name: "error", script: `return {err = 'MY mistake'}`},
	{name: "error by function", script: `return redis.error_reply('MY mistake')`},
	{name: "error of one word", script: `return redis.error_reply('mistake')`},
	{name: "error with a minus", script: `return redis.error_reply('-MY mistake')`},
	{name: "error with a minus, one word", script: `return redis.error_reply('-mistake')`},
	{name: "empty error", script: `return redis.error_reply('')`},
	{name: "error by function, of nothing", script: `return redis.error_reply()`},
	{name: "error with line breaks", script: `return {err = 'MY a\nb'}`},
	{name: "error goes before ok", script: `return {ok = 'FINE', err = 'MY mistake'}`},
	{name: "error that is a number", script: `return {err = 1}`, plain: "it takes any value for an error"},
	{name: "ok that is a number", script: `return {ok = 1}`, plain: "it takes any value for a status"},
	{name: "ok with elements", script: `return {ok = 'FINE', 1, 2}`},
	{name: "a function", script: `return function() end`, skip: "plain: panics"},
	{name: "a function in an array", script: `return {1, function() end, 3}`, skip: "plain: panics"},
	{name: "a coroutine", script: `return coroutine.create(function() end)`, skip: "plain: panics"},
	{name: "metatables do not count", script: `return setmetatable({}, {__index = function(t, i) if i < 4 then return i end end})`, plain: metaCounts},
	{name: "double", script: `return {double = 1.5}`, plain: typesIgnored},
	{name: "whole double", script: `return {double = 3}`, plain: typesIgnored},
	{name: "map", script: `return {map = {a = 1}}`, plain: typesIgnored},
	{name: "set", script: `return {set = {a = true}}`, plain: typesIgnored},
	{name: "big number", script: `return {big_number = '123456789012345678901234567890'}`, plain: typesIgnored},
	{name: "verbatim", script: `return {verbatim_string = {format = 'txt', string = 'hi'}}`, plain: typesIgnored},
	{name: "a double that is none", script: `return {double = 'x'}`},
	{name: "setresp and booleans", script: `redis.setresp(3) return {true, false}`, plain: typesIgnored},
	{name: "setresp and nil", script: `redis.setresp(3) return nil`},
	{name: "KEYS and ARGV", script: `return {#KEYS, #ARGV, KEYS[1], ARGV[2], KEYS[3]}`, keys: []string{"a", "b"}, args: []any{1, "2", 3}},
	{name: "no KEYS, no ARGV", script: `return {#KEYS, #ARGV}`},
	{name: "ARGV is text", script: `return {type(ARGV[1]), ARGV[1] == '1'}`, args: []any{1}},
	{name: "ARGV with bytes", script: `return {#ARGV[1], ARGV[1]}`, args: []any{"\x00\r\n\xff"}},
	{name: "KEYS can be changed", script: `KEYS[1] = 'x' KEYS[#KEYS+1] = 'y' return KEYS`, keys: []string{"a", "b"}},
	{name: "all arguments", script: `return ARGV`, args: []any{"a", "", "c"}},
}

// Commands and their replies within a script.
var commandCases = []scriptCase{
	{name: "set and get", script: `return {redis.call('SET', KEYS[1], ARGV[1]), redis.call('GET', KEYS[1])}`, keys: []string{"k"}, args: []any{"v"}},
	{name: "names in lower case", script: `return redis.call('get', 'k')`, setup: []string{"SET k v"}},
	{name: "status reply is a table", script: `local r = redis.call('SET', 'k', 'v') return {type(r), r.ok}`},
	{name: "TYPE is a status", script: `return {redis.call('TYPE', 'k').ok, redis.call('TYPE', 'none').ok}`, setup: []string{"SET k v"}},
	{name: "missing key is false", script: `local v = redis.call('GET', 'none') return {type(v), v == false, v == nil}`},
	{name: "missing key returned", script: `return redis.call('GET', 'none')`},
	{name: "comparing with nil", script: `if redis.call('GET', 'none') == nil then return 'nil' end return 'not nil'`},
	{name: "false is less than nothing", script: `return redis.call('GET', 'none') <= 0`},
	{name: "0 is true", script: `if redis.call('SISMEMBER', 's', 'a') then return 'duplicate' end return 'new'`},
	{name: "integer reply", script: `local n = redis.call('INCR', 'n') return {type(n), n}`, setup: []string{"SET n 41"}},
	{name: "array reply", script: `local l = redis.call('LRANGE', 'l', 0, -1) return {type(l), #l, l[1], l[3]}`, setup: []string{"RPUSH l a b c"}},
	{name: "array with missing ones", script: `local l = redis.call('MGET', 'a', 'none', 'b') return {#l, l[1], tostring(l[2]), l[3]}`, setup: []string{"MSET a 1 b 2"}},
	{name: "array passed on", script: `return redis.call('MGET', 'a', 'none', 'b')`, setup: []string{"MSET a 1 b 2"}},
	{name: "empty array reply", script: `return {#redis.call('LRANGE', 'none', 0, -1), #redis.call('SMEMBERS', 'none')}`},
	{name: "nested reply", script: `local r = redis.call('XRANGE', 's', '-', '+') return {#r, r[1][1], r[1][2][1], r[2][2][4]}`, setup: []string{"XADD s 1-1 a 1 b 2", "XADD s 2-1 c 3 d 4"}},
	{name: "nested reply passed on", script: `return redis.call('XRANGE', 's', '-', '+')`, setup: []string{"XADD s 1-1 a 1 b 2"}},
	{name: "hash as a list", script: `return redis.call('HGETALL', 'h')`, setup: []string{"HSET h a 1"}},
	{name: "score is text", script: `return {type(redis.call('ZSCORE', 'z', 'a')), redis.call('ZSCORE', 'z', 'a')}`, setup: []string{"ZADD z 1.5 a"}},
	{name: "null array", script: `return redis.call('XREAD', 'STREAMS', 'none', '0')`},
	{name: "number arguments", script: `redis.call('SET', 'k', 12) redis.call('INCRBY', 'k', 3) return redis.call('GET', 'k')`},
	{name: "whole number argument", script: `redis.call('SET', 'k', 1e3) return redis.call('GET', 'k')`},
	{name: "2^53 as argument", script: `redis.call('SET', 'k', 2^53) return redis.call('GET', 'k')`},
	{name: "16 digits as argument", script: `redis.call('SET', 'k', 1234567890123456) return redis.call('GET', 'k')`},
	{name: "half as argument", script: `redis.call('SET', 'k', 0.5) return redis.call('GET', 'k')`},
	{name: "a tenth as argument", script: `redis.call('SET', 'k', 0.1) return redis.call('GET', 'k')`, redis: "Redis 7.0 prints 17 digits", later: printsFew},
	{name: "2^64 as argument", script: `redis.call('SET', 'k', 2^64) return redis.call('GET', 'k')`, later: printsFew},
	{name: "boolean argument", script: `return redis.call('SET', 'k', true)`},
	{name: "nil argument", script: `return redis.call('SET', 'k', ARGV[1])`},
	{name: "nil in the middle", script: `return redis.call('SET', nil, 'v')`},
	{name: "table argument", script: `return redis.call('SET', 'k', {})`},
	{name: "no argument", script: `return redis.call()`},
	{name: "unknown command", script: `return redis.call('NOSUCH', 'a')`},
	{name: "too few arguments", script: `return redis.call('SET', 'k')`},
	{name: "wrong type", script: `return redis.call('GET', 'l')`, setup: []string{"RPUSH l a"}, plain: dropsCode},
	{name: "wrong type, in the middle", script: `redis.call('SET', 'a', 1) redis.call('INCR', 'l') redis.call('SET', 'b', 1) return 1`, setup: []string{"RPUSH l a"}, plain: dropsCode},
	{name: "no rollback", script: `redis.call('DECR', 'stock') redis.call('SADD', 'users', 7) return redis.call('XADD', 'stream', '*', 'id')`, setup: []string{"SET stock 10"}},
	{name: "not an integer", script: `redis.call('DECR', 'n') return redis.call('INCR', 'word')`, setup: []string{"SET n 5", "SET word x"}},
	{name: "pcall of a good command", script: `return redis.pcall('SET', 'k', 'v')`},
	{name: "pcall of a wrong type", script: `local r = redis.pcall('INCR', 'l') return {type(r), r.err ~= nil, r.ok == nil}`, setup: []string{"RPUSH l a"}},
	{name: "pcall passed on", script: `return redis.pcall('INCR', 'l')`, setup: []string{"RPUSH l a"}},
	{name: "pcall keeps the code", script: `return redis.pcall('INCR', 'l').err:match('^%u+')`, setup: []string{"RPUSH l a"}},
	{name: "pcall of an unknown command", script: `return redis.pcall('NOSUCH').err`, later: "Valkey does not name Redis"},
	{name: "pcall of nothing", script: `return redis.pcall()`},
	{name: "pcall of a table", script: `return redis.pcall('SET', {}, 1)`},
	{name: "error caught by Lua", script: `local ok, e = pcall(redis.call, 'INCR', 'l') return {tostring(ok), type(e), (e:find('WRONGTYPE')) ~= nil}`, setup: []string{"RPUSH l a"}},
	{name: "error caught in a function", script: `local ok = pcall(function() redis.call('SET', 'k', 1) redis.call('INCR', 'l') end) return {tostring(ok), redis.call('GET', 'k')}`, setup: []string{"RPUSH l a"}},
	{name: "error seen by a handler", script: `local ok, e = xpcall(function() redis.call('INCR', 'l') end, function(e) return type(e) .. e.err:match('^%u+') end) return e`, setup: []string{"RPUSH l a"}, plain: dropsCode},
	{name: "eval within", script: `return redis.call('EVAL', 'return 1', 0)`},
	{name: "multi within", script: `return redis.call('MULTI')`},
	{name: "watch within", script: `return redis.call('WATCH', 'k')`},
	{name: "subscribe within", script: `return redis.call('SUBSCRIBE', 'c')`},
	{name: "script within", script: `return redis.call('SCRIPT', 'FLUSH')`},
	{name: "blocking within", script: `return redis.call('BLPOP', 'none', 0)`, later: "a command that would wait answers at once", skip: "plain: hangs"},
	{name: "blocking read within", script: `return redis.call('XREAD', 'BLOCK', '0', 'STREAMS', 's', '$')`, later: "a command that would wait answers at once", skip: "plain: hangs"},
	{name: "select within", script: `redis.call('SELECT', 1) redis.call('SET', 'k', 'one') redis.call('SELECT', 0) return redis.call('EXISTS', 'k')`},
	{name: "select within pcall", script: `redis.call('SET', 'k', 'zero') redis.pcall('SELECT', 1) return redis.call('GET', 'k')`, plain: "its call and pcall have a selected database each"},
	{name: "publish within", script: `return redis.call('PUBLISH', 'c', 'm')`},
	{name: "expire within", script: `redis.call('SET', 'k', 'v') redis.call('PEXPIRE', 'k', 60000) local t = redis.call('PTTL', 'k') return t > 50000 and t <= 60000`},
	{name: "TIME within", script: `local t = redis.call('TIME') return {#t, tonumber(t[1]) > 1600000000, type(t[2])}`},
	{name: "write after TIME", script: `local t = redis.call('TIME') redis.call('SET', 'k', 'v') redis.call('ZADD', 'z', 1, 'm') return #t`},
	{name: "lease from TIME", script: `local t = redis.call('TIME') local ms = t[1] * 1000 + math.floor(t[2] / 1000) redis.call('SET', 'k', 'v', 'PXAT', ms + 60000) local left = redis.call('PTTL', 'k') return left > 50000 and left <= 60000`},
	{name: "sha1hex", script: `return {redis.sha1hex('a'), redis.sha1hex(1), redis.sha1hex(nil)}`},
	{name: "sha1hex of nothing", script: `return redis.sha1hex()`},
	{name: "log", script: `return redis.log(redis.LOG_NOTICE, 'text')`},
	{name: "log without a level", script: `return redis.log('text')`},
	{name: "constants", script: `return {redis.LOG_DEBUG, redis.LOG_VERBOSE, redis.LOG_NOTICE, redis.LOG_WARNING}`},
	{name: "replication constants", script: `return {redis.REPL_NONE, redis.REPL_AOF, redis.REPL_SLAVE, redis.REPL_REPLICA, redis.REPL_ALL}`, plain: "it has none"},
	{name: "replicate_commands", script: `return redis.replicate_commands()`},
	{name: "set_repl", script: `return redis.set_repl(redis.REPL_ALL)`},
	{name: "set_repl of nonsense", script: `return redis.set_repl(99)`, plain: "it does not look"},
	{name: "setresp of nonsense", script: `return redis.setresp(4)`},
	{name: "acl_check_cmd", script: `return redis.acl_check_cmd('SET', 'k', 'v')`, plain: "it has none"},
	{name: "map in RESP3", script: `redis.setresp(3) return redis.call('HGETALL', 'h').map.a`, setup: []string{"HSET h a 1"}, plain: typesIgnored},
	{name: "set in RESP3", script: `redis.setresp(3) return redis.call('SMEMBERS', 's').set.a`, setup: []string{"SADD s a"}, plain: typesIgnored},
	{name: "nil in RESP3", script: `redis.setresp(3) return redis.call('GET', 'none') == nil`, plain: typesIgnored},
	{name: "back to RESP2", script: `redis.setresp(3) redis.setresp(2) return #redis.call('HGETALL', 'h')`, setup: []string{"HSET h a 1"}},
	{name: "many commands", script: `for i = 1, 200 do redis.call('RPUSH', 'l', i) end return redis.call('LLEN', 'l')`},
	{name: "unpacked arguments", script: `return redis.call('RPUSH', 'l', unpack(ARGV))`, args: []any{"a", "b", "c"}},
}
