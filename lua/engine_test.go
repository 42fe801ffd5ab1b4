package lua

import (
	"context"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/live/livetest"
	"flashlab/sim/memredis"
	"flashlab/sim/memredis/luabox"
)

var ctx = context.Background()

// epoch is where the clock of the embedded engines stands first.
var epoch = time.UnixMilli(1_700_000_000_000).UTC()

// engine is an empty Redis with the scripts loaded.
type engine struct {
	*redis.Client
	pass      func(d time.Duration) // lets time go by, all leases with it
	subscribe func(t *testing.T, channel string) <-chan *redis.Message
	sent      *names
}

// tick is a short lease: something that a real server can let run out quickly.
const tick = 30 * time.Millisecond

// onEveryEngine runs a test on miniredis as it is, on miniredis with the pooled
// virtual machine, and on a real server.
func onEveryEngine(t *testing.T, test func(t *testing.T, e *engine)) {
	t.Helper()
	for _, pooled := range []bool{false, true} {
		name := map[bool]string{false: "embedded", true: "pooled"}[pooled]
		t.Run(name, func(t *testing.T) { test(t, embedded(t, pooled)) })
	}
	t.Run("redis", func(t *testing.T) { test(t, live(t)) })
}

func embedded(t *testing.T, pooled bool) *engine {
	m, err := memredis.Start(epoch)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.Close)
	if pooled {
		if _, err := memredis.PoolScripts(m, luabox.Limits{}); err != nil {
			t.Fatal(err)
		}
	}
	e := &engine{Client: memredis.Client(m)}
	now := epoch
	e.pass = func(d time.Duration) {
		now = now.Add(d)
		m.SetTime(now)
	}
	opt := memredis.Options()
	// Messages come by themselves, for which the connection in memory is not made.
	opt.Dialer = func(context.Context, string, string) (net.Conn, error) { return m.Dial() }
	e.ready(t, redis.NewClient(opt))
	return e
}

func live(t *testing.T) *engine {
	s := livetest.Start(t)
	e := &engine{Client: redis.NewClient(s.Options())}
	// The server removes a key when it is looked at after its time.
	e.pass = func(d time.Duration) { time.Sleep(d + 5*time.Millisecond) }
	e.ready(t, s.Client(t))
	return e
}

func (e *engine) ready(t *testing.T, listener *redis.Client) {
	t.Cleanup(func() { e.Close(); listener.Close() })
	e.sent = &names{}
	e.AddHook(e.sent)
	if err := Load(ctx, e); err != nil {
		t.Fatal(err)
	}
	e.subscribe = func(t *testing.T, channel string) <-chan *redis.Message {
		ps := listener.Subscribe(ctx, channel)
		t.Cleanup(func() { ps.Close() })
		if _, err := ps.Receive(ctx); err != nil {
			t.Fatal(err)
		}
		// Channel reads all the time. It must: a pipe holds nothing, so PUBLISH in
		// miniredis waits, locked, for a subscriber that does not read.
		return ps.Channel()
	}
}

// names notes the commands that a client sends.
type names struct {
	mu   sync.Mutex
	list []string
}

// take returns the names since the last call.
func (n *names) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := n.list
	n.list = nil
	return list
}

func (n *names) note(cmds ...redis.Cmder) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range cmds {
		switch c.Name() {
		case "hello", "client":
		default:
			n.list = append(n.list, c.Name())
		}
	}
}

func (n *names) DialHook(next redis.DialHook) redis.DialHook { return next }

func (n *names) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		n.note(cmd)
		return next(ctx, cmd)
	}
}

func (n *names) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		n.note(cmds...)
		return next(ctx, cmds)
	}
}

// must returns a value and ends the test on an error.
func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
