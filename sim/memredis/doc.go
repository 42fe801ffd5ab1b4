// Package memredis connects go-redis to a miniredis in the same process without
// a socket, a pipe or another goroutine: a net.Conn whose Write executes the
// command before it returns and whose Read hands out the reply. Above it works
// an unmodified go-redis client, below it miniredis' own command table; no port
// is open.
//
// An explorer executes the same few commands millions of times, so the way to
// the server is what it pays for. Microseconds per command, same client options,
// go-redis 9.23 and miniredis 2.40 on two cores of a Xeon (BenchmarkCommand, best
// of three):
//
//	              this package   miniredis' Dial (net.Pipe)   loopback TCP
//	GET                    1.2                          3.8             14
//	SET NX PX              1.8                          5.9             17
//	EVALSHA                 88                          127            169
//
// What remains is go-redis itself, and for EVALSHA the Lua state that miniredis
// builds for each call; with [PoolScripts], which keeps one, EVALSHA takes 3.4. The
// reply is also there in the same goroutine, so that
// a scheduler that lets one actor run at a time never waits for a second one.
// Only the making of a connection takes a goroutine: go-redis dials in one of its
// own.
//
// It is right for any command that answers once and at once, from as many
// goroutines as there are: eight of them mixing pipelines, WATCH, scripts and
// streams are clean under -race. Commands take turns at the lock of miniredis,
// as in Redis; still, figures of throughput measured here say nothing about a
// real server.
//
// It must not be used for
//
//   - subscriptions: messages come when nobody reads. Write refuses them; use the
//     Dial method of miniredis.
//   - blocking commands (BLPOP, XREADGROUP BLOCK, ...) without data at hand: they
//     hold the calling goroutine in wall time, whatever SetTime, the context and
//     deadlines say. With data at hand they answer at once and are fine. Otherwise
//     model the wait before the command is sent, or use Dial.
//   - anything about connections themselves: INFO and the counters of miniredis do
//     not know of this one, and its Restart, which opens a port, does not revive it.
//
// A panic in miniredis, or in a hook given to its server, arrives in the caller
// of Write and may leave miniredis locked: that world is lost.
package memredis
