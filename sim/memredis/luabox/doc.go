// Package luabox runs a Lua script the way Redis does, in a virtual machine that
// is kept from one run to the next. What a script may use is bounded by counts,
// so that the same script ends in the same way on every machine, and nothing it
// does outlives it.
//
// The machine is gopher-lua. Its libraries are not used: those here follow Lua
// 5.1 and Redis 7 where gopher-lua departs from them (numbers as text, patterns,
// pcall), spend from the budget, and keep no state. A script finds
//
//	base       assert error pcall xpcall tonumber tostring type select unpack next
//	           pairs ipairs rawget rawset rawequal getmetatable setmetatable load
//	           loadstring collectgarbage gcinfo _G _VERSION
//	string     byte char find format gmatch gsub len lower match rep reverse sub
//	           upper (dump and gfind refuse)
//	table      concat foreach foreachi getn insert maxn remove sort (setn refuses)
//	math       all of Lua 5.1; random starts from the same seed in each run
//	coroutine  create resume running status wrap yield
//	bit        the BitOp library: arshift band bnot bor bswap bxor lshift rol ror
//	           rshift tobit tohex
//	cjson      encode decode null
//	redis      call pcall error_reply status_reply sha1hex log setresp set_repl
//	           replicate_commands breakpoint debug acl_check_cmd and the LOG_ and
//	           REPL_ constants (log, debug and breakpoint do nothing)
//	KEYS ARGV
//
// and none of cmsgpack, struct, os, io, debug, package, require, print, dofile,
// loadfile, getfenv, setfenv, module, newproxy. As in Redis 7, reading a global
// that does not exist and writing any global is an error, and the libraries are
// read-only.
//
// Known departures from Redis 7: fields of cjson objects are in the order of their
// names; text used as a number in arithmetic is read by Go's rules ("010" is 8;
// tonumber reads it as 10); the remainder of numbers beyond 2^53 is exact; there is
// no minus zero; tables and functions print as numbers that count up within a run,
// not as addresses; the length of a table with holes is that up to its last element;
// the wording of some errors.
//
// The package must not know a server, a connection or a key: commands go through
// a function of the caller's. It must not use the clock, except to end a script
// whose few instructions take very long, nor any source of randomness.
//
// Sources: the Lua 5.1 reference manual, "Redis Lua API reference" and
// "Scripting with Lua" in the Redis documentation, and the answers of a Redis
// 7.0 server, against which the tests of package memredis compare.
package luabox
