package memredis

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"
)

// ErrSubscribe refuses commands whose answers come by themselves, at a time of
// the server's choosing: nothing on this connection would ever read them.
var ErrSubscribe = errors.New("memredis: subscriptions need a reader of their own: use the Dial method of miniredis")

// errNotRunning is the answer to dialling a miniredis not started or closed.
var errNotRunning = errors.New("memredis: miniredis is not running")

// Conn is a client's connection to a miniredis of the same process. Write
// executes the requests it completes, on the goroutine that calls it, before it
// returns; Read hands out the replies. There is no buffer between two parties,
// hence no waiting and no deadline.
//
// A Conn may be used from several goroutines, though only one Write or Read runs
// at a time, as in any client of a request-reply protocol.
type Conn struct {
	m    *miniredis.Miniredis
	srv  *server.Server
	peer *server.Peer

	closed atomic.Bool // by Close, which must not wait for a Write

	mu      sync.Mutex
	in      parser
	replies bytes.Buffer // what the peer has flushed and nobody has read
	err     error        // why the connection is of no more use, for Write
}

var _ net.Conn = (*Conn)(nil)

// Dial returns a new connection to m, which must be running (see [Start]; a
// miniredis with a listener will do as well). It counts in none of m's
// connection figures.
func Dial(m *miniredis.Miniredis) (*Conn, error) {
	m.Lock() // Server does not lock, Close of m changes what it reads
	srv := m.Server()
	m.Unlock()
	if srv == nil || m.Ctx.Err() != nil {
		return nil, errNotRunning
	}
	c := &Conn{m: m, srv: srv}
	// The writer only gathers the small pieces of a reply; longer ones pass it by.
	c.peer = server.NewPeer(bufio.NewWriterSize(&c.replies, 512))
	return c, nil
}

// Write executes the requests that b completes, in order, and keeps the rest for
// later calls. When it returns their replies can be read.
//
// It fails with [net.ErrClosed] after Close, after QUIT and after the miniredis
// was closed, with [ErrProtocol] for bytes that are no request and with
// [ErrSubscribe] for a subscription; after any of these it fails for good, as a
// connection does that the server has dropped. Requests before the offending one
// have been executed.
func (c *Conn) Write(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.usable(); err != nil {
		return 0, err
	}
	c.in.feed(b)
	defer c.peer.Flush()
	for {
		args, err := c.in.next()
		if err != nil {
			c.err = err
			return len(b), err
		}
		if args == nil {
			return len(b), nil
		}
		if subscribes(args[0]) {
			c.err = fmt.Errorf("%w (%s)", ErrSubscribe, strings.ToUpper(args[0]))
			return len(b), c.err
		}
		c.srv.Dispatch(c.peer, args)
		if c.peer.Closed() {
			return len(b), c.hangUp()
		}
	}
}

// usable tells why nothing can be written any more.
func (c *Conn) usable() error {
	switch {
	case c.closed.Load():
		return net.ErrClosed
	case c.err != nil:
		return c.err
	case c.m.Ctx.Err() != nil: // cancelled by Close of the miniredis
		return net.ErrClosed
	}
	return nil
}

// hangUp is called when miniredis has closed the peer: by QUIT, whose reply is
// still to be read and which succeeds, or because Close came from elsewhere.
func (c *Conn) hangUp() error {
	c.err = net.ErrClosed
	if c.closed.Load() {
		return net.ErrClosed
	}
	return nil
}

// Read hands out replies. With none left it returns io.EOF instead of waiting:
// all replies to what was written are here when Write returns and no one else can
// add any, so a wait would have no end. A client that asks for more than it has
// been promised (half a request, a subscription) gets an error to show rather
// than a goroutine that hangs.
func (c *Conn) Read(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed.Load() {
		return 0, net.ErrClosed
	}
	if len(b) == 0 {
		return 0, nil
	}
	n, err := c.replies.Read(b)
	if c.replies.Len() == 0 && c.replies.Cap() > keepBuffer {
		c.replies = bytes.Buffer{}
	}
	return n, err
}

// Close ends the connection; closing it again does nothing. It does not wait for
// a Write in progress: a blocking command that waits inside miniredis gives up
// when it is woken the next time, by its timeout or by any other command.
//
// Miniredis has nothing to be told. What it knows of a client (WATCHed keys,
// commands queued after MULTI, the selected database, whether it has passed AUTH)
// hangs on the peer, which nothing but this Conn refers to. What it keeps
// elsewhere are subscriptions, removed by the peer's OnDisconnect handlers; only
// miniredis itself can run those, and that is one more reason why Write refuses
// to subscribe. A handler that a custom command registers is never run.
func (c *Conn) Close() error {
	if c.closed.CompareAndSwap(false, true) {
		c.peer.Close()
	}
	return nil
}

// subscribes recognises (P)SUBSCRIBE, (P)UNSUBSCRIBE and relatives. The other
// commands of Redis do not end so.
func subscribes(name string) bool {
	const word = "SUBSCRIBE"
	return len(name) >= len(word) && strings.EqualFold(name[len(name)-len(word):], word)
}

// LocalAddr returns a name that is no address.
func (c *Conn) LocalAddr() net.Addr { return addr("client") }

// RemoteAddr returns a name that is no address.
func (c *Conn) RemoteAddr() net.Addr { return addr("miniredis") }

// SetDeadline does nothing: nothing here waits.
func (c *Conn) SetDeadline(time.Time) error { return nil }

// SetReadDeadline does nothing.
func (c *Conn) SetReadDeadline(time.Time) error { return nil }

// SetWriteDeadline does nothing.
func (c *Conn) SetWriteDeadline(time.Time) error { return nil }

// addr names an end of a connection in memory.
type addr string

func (addr) Network() string  { return "memory" }
func (a addr) String() string { return string(a) }
