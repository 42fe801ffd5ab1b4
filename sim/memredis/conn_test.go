package memredis

import (
	"bufio"
	"errors"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
	"go.uber.org/goleak"
)

// epoch is where the clock stands in tests: 2023-11-14 22:13:20 UTC.
var epoch = time.UnixMilli(1_700_000_000_000).UTC()

// start returns a running miniredis, closed at the end of the test together with
// everything that was started for it.
func start(t testing.TB) *miniredis.Miniredis {
	t.Helper()
	before := goleak.IgnoreCurrent()
	m, err := Start(epoch)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		m.Close()
		goleak.VerifyNone(t, before)
	})
	return m
}

func dial(t testing.TB, m *miniredis.Miniredis) *Conn {
	t.Helper()
	c, err := Dial(m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// say writes bytes and returns all that can be read.
func say(t testing.TB, c *Conn, b string) string {
	t.Helper()
	if n, err := c.Write([]byte(b)); n != len(b) || err != nil {
		t.Fatalf("write %q: %d bytes, %v", b, n, err)
	}
	return read(t, c)
}

func read(t testing.TB, c *Conn) string {
	t.Helper()
	b, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestConnReplies(t *testing.T) {
	c := dial(t, start(t))
	if n, err := c.Read(make([]byte, 8)); n != 0 || err != io.EOF {
		t.Errorf("read before any write: %d, %v", n, err)
	}
	if got := say(t, c, encode("PING")); got != "+PONG\r\n" {
		t.Errorf("PING: %q", got)
	}
	if got := say(t, c, encode("SET", "k", "v")+encode("GET", "k")+encode("NOPE")); got !=
		"+OK\r\n$1\r\nv\r\n-ERR unknown command `NOPE`, with args beginning with: \r\n" {
		t.Errorf("pipeline: %q", got)
	}
	req := encode("GET", "k")
	for i := range len(req) {
		if got := say(t, c, req[:i]); got != "" {
			t.Fatalf("%d bytes of a request: reply %q", i, got)
		}
		if got := say(t, c, req[i:]); got != "$1\r\nv\r\n" {
			t.Fatalf("request cut at %d: reply %q", i, got)
		}
	}
	one := make([]byte, 1)
	if _, err := c.Write([]byte(req)); err != nil {
		t.Fatal(err)
	}
	if n, err := c.Read(one); n != 1 || err != nil || one[0] != '$' {
		t.Errorf("read of one byte: %d, %v, %q", n, err, one)
	}
	if n, err := c.Read(nil); n != 0 || err != nil {
		t.Errorf("read of no byte: %d, %v", n, err)
	}
	if got := read(t, c); got != "1\r\nv\r\n" {
		t.Errorf("the rest: %q", got)
	}
}

// Queued commands keep their arguments, so no later request may disturb them.
func TestConnQueuedArguments(t *testing.T) {
	c := dial(t, start(t))
	say(t, c, encode("MULTI"))
	for _, k := range []string{"a", "b", "c"} {
		if got := say(t, c, encode("SET", k, "value of "+k)); got != "+QUEUED\r\n" {
			t.Fatal(got)
		}
	}
	say(t, c, encode("EXEC"))
	want := "*3\r\n$10\r\nvalue of a\r\n$10\r\nvalue of b\r\n$10\r\nvalue of c\r\n"
	if got := say(t, c, encode("MGET", "a", "b", "c")); got != want {
		t.Errorf("after EXEC: %q", got)
	}
}

func TestConnProtocolError(t *testing.T) {
	m := start(t)
	c := dial(t, m)
	n, err := c.Write([]byte(encode("SET", "k", "v") + "GET k\r\n"))
	if n == 0 || !errors.Is(err, ErrProtocol) {
		t.Fatalf("%d, %v", n, err)
	}
	if !m.Exists("k") {
		t.Error("the request before the bad one was not executed")
	}
	if got := read(t, c); got != "+OK\r\n" {
		t.Errorf("its reply: %q", got)
	}
	if _, err := c.Write([]byte(encode("PING"))); !errors.Is(err, ErrProtocol) {
		t.Errorf("the next write: %v", err)
	}
}

func TestConnRefusesSubscriptions(t *testing.T) {
	m := start(t)
	for _, cmd := range []string{"SUBSCRIBE", "subscribe", "PSUBSCRIBE", "UNSUBSCRIBE", "punsubscribe", "SSUBSCRIBE"} {
		c := dial(t, m)
		if _, err := c.Write([]byte(encode(cmd, "news"))); !errors.Is(err, ErrSubscribe) {
			t.Errorf("%s: %v", cmd, err)
		}
		if _, err := c.Write([]byte(encode("PING"))); !errors.Is(err, ErrSubscribe) {
			t.Errorf("the write after %s: %v", cmd, err)
		}
	}
	if n := m.PubSubNumPat(); n != 0 || len(m.PubSubChannels("")) != 0 {
		t.Error("a subscription was made")
	}
	// PUBLISH is an ordinary command.
	if got := say(t, dial(t, m), encode("PUBLISH", "news", "x")); got != ":0\r\n" {
		t.Errorf("PUBLISH: %q", got)
	}
}

func TestConnQuit(t *testing.T) {
	m := start(t)
	c := dial(t, m)
	if got := say(t, c, encode("QUIT")+encode("SET", "k", "v")); got != "+OK\r\n" {
		t.Errorf("QUIT: %q", got)
	}
	if m.Exists("k") {
		t.Error("a request after QUIT was executed")
	}
	if _, err := c.Write([]byte(encode("PING"))); !errors.Is(err, net.ErrClosed) {
		t.Errorf("write after QUIT: %v", err)
	}
}

func TestConnClose(t *testing.T) {
	m := start(t)
	c := dial(t, m)
	if _, err := c.Write([]byte(encode("PING"))); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Write([]byte(encode("SET", "k", "v"))); !errors.Is(err, net.ErrClosed) {
		t.Errorf("write: %v", err)
	}
	if _, err := c.Read(make([]byte, 8)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("read: %v", err)
	}
	if m.Exists("k") {
		t.Error("a request was executed")
	}
}

// Nothing of miniredis refers to a peer with watched keys and queued commands
// once its connection is gone.
func TestConnCloseForgetsPeer(t *testing.T) {
	m := start(t)
	peer := func() weak.Pointer[server.Peer] {
		c, err := Dial(m)
		if err != nil {
			t.Fatal(err)
		}
		say(t, c, encode("WATCH", "k")+encode("MULTI")+encode("SET", "k", "v")+encode("INCR", "n"))
		defer c.Close()
		return weak.Make(c.peer)
	}()
	for range 20 {
		if peer.Value() == nil {
			break
		}
		runtime.GC()
	}
	if peer.Value() != nil {
		t.Error("the peer is still there")
	}
	if m.Exists("k") || m.Exists("n") {
		t.Error("a queued command was executed")
	}
	if got := say(t, dial(t, m), encode("EXEC")); got != "-ERR EXEC without MULTI\r\n" {
		t.Errorf("EXEC on the next connection: %q", got)
	}
}

// A blocking command does hold its goroutine; Close frees it at the next command.
func TestConnCloseDuringBlockingCommand(t *testing.T) {
	m := start(t)
	c := dial(t, m)
	done := make(chan error)
	go func() {
		_, err := c.Write([]byte(encode("BLPOP", "jobs", "0")))
		done <- err
	}()
	time.Sleep(10 * time.Millisecond)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for {
		say(t, dial(t, m), encode("PING"))
		select {
		case err := <-done:
			if !errors.Is(err, net.ErrClosed) {
				t.Errorf("the blocked write: %v", err)
			}
			return
		case <-time.After(time.Millisecond):
		}
	}
}

func TestConnAfterMiniredisClosed(t *testing.T) {
	m := start(t)
	c := dial(t, m)
	m.Close()
	if _, err := c.Write([]byte(encode("PING"))); !errors.Is(err, net.ErrClosed) {
		t.Errorf("write: %v", err)
	}
	if _, err := Dial(m); err == nil {
		t.Error("dialled a closed miniredis")
	}
	if _, err := Dial(miniredis.NewMiniRedis()); err == nil {
		t.Error("dialled a miniredis never started")
	}
}

func TestConnIsQuietAboutDeadlines(t *testing.T) {
	c := dial(t, start(t))
	past := time.Unix(1, 0)
	for _, set := range []func(time.Time) error{c.SetDeadline, c.SetReadDeadline, c.SetWriteDeadline} {
		if err := set(past); err != nil {
			t.Error(err)
		}
	}
	if got := say(t, c, encode("PING")); got != "+PONG\r\n" {
		t.Errorf("%q", got)
	}
	if c.LocalAddr().Network() != "memory" || c.RemoteAddr().String() != "miniredis" {
		t.Error(c.LocalAddr(), c.RemoteAddr())
	}
}

// The same bytes get the same answers as on miniredis' own connection.
func TestConnAnswersLikeDial(t *testing.T) {
	mem := dial(t, start(t))
	pipe, err := start(t).Dial()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	in := bufio.NewReader(pipe)

	for _, line := range []string{
		"PING", "ping hello", "HELLO 2", "GET a", "SET a 1", "SET a 2 NX", "SET a 3 XX GET", "GET", "FOO bar",
		"PTTL a", "PEXPIRE a 50", "PTTL a", "INCR a", "APPEND a x", "INCR a", "TYPE a", "TIME",
		"HSET h f 1 g 2", "HGETALL h", "HINCRBY h f 5", "HGET a f", "HEXISTS h z",
		"LPUSH l a b c", "LRANGE l 0 -1", "BLPOP l 0", "ZADD z 1.5 m 2 n", "ZRANGE z 0 -1 WITHSCORES",
		"XADD s * k v", "XADD s * k w", "XGROUP CREATE s g 0", "XREADGROUP GROUP g c COUNT 1 STREAMS s >",
		"XPENDING s g", "XPENDING s g - + 9", "XACK s g 1-1", "XRANGE s - +",
		"XREADGROUP GROUP g c BLOCK 5000 STREAMS s >",
		"WATCH a", "MULTI", "INCR n", "MULTI", "GET n", "EXEC", "EXEC", "MULTI", "BOGUS", "INCR n", "EXEC",
		"EVAL return{KEYS[1],ARGV[1],1} 1 k v", "EVAL return 0", "EVALSHA ffffffff 0", "SCRIPT EXISTS ffffffff",
		"SELECT 3", "GET n", "SELECT -1", "SWAPDB 0 3", "GET n", "KEYS *", "DBSIZE", "AUTH x", "CLIENT GETNAME",
		"FLUSHALL", "DBSIZE", "QUIT",
	} {
		req := encode(strings.Fields(line)...)
		got := say(t, mem, req)
		if _, err := pipe.Write([]byte(req)); err != nil {
			t.Fatal(line, err)
		}
		want := make([]byte, len(got))
		if _, err := io.ReadFull(in, want); err != nil {
			t.Fatal(line, err)
		}
		if got != string(want) {
			t.Errorf("%s: %q, over a pipe %q", line, got, want)
		}
	}
}
