package memredis

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// Start starts an empty miniredis that listens nowhere. Its clock stands at
// epoch, which must not be the zero time, and moves by SetTime alone: TTLs, TIME,
// EXPIREAT, stream ids and pending idle times all follow it, to the millisecond.
// FastForward moves only the TTLs; do not use it. Random answers (SRANDMEMBER,
// SPOP, RANDOMKEY) are the same in every run, except inside Lua.
//
// The caller ends it with its Close method.
func Start(epoch time.Time) (*miniredis.Miniredis, error) {
	if epoch.IsZero() {
		return nil, errors.New("memredis: start: the epoch is the zero time, which miniredis takes for the wall clock")
	}
	m := miniredis.NewMiniRedis()
	m.Seed(1)
	m.SetTime(epoch)
	m.ClockTTL(true)
	// Every other way to start it opens a port.
	c, err := m.Dial()
	if err != nil {
		return nil, fmt.Errorf("memredis: start: %w", err)
	}
	if err := c.Close(); err != nil {
		m.Close()
		return nil, fmt.Errorf("memredis: start: %w", err)
	}
	return m, nil
}

// Options returns the options of a client that does what it is told and nothing
// besides: each call of the business code is one request, never repeated, on the
// goroutine of the caller, with no other traffic and no clock involved. They suit
// any Redis; the connection of this package comes with [Dialer].
func Options() *redis.Options {
	return &redis.Options{
		Addr:     "miniredis:0", // a name for error texts
		Protocol: 2,

		// One request for one call: repeating a write hides lost replies.
		MaxRetries:    -1,
		DialerRetries: 1,

		// No timers. In go-redis -2 sets no deadline at all, -1 resets it each time.
		ReadTimeout:     -2,
		WriteTimeout:    -2,
		ConnMaxIdleTime: -1,

		// A connection for every actor that can be inside a command (a Watch holds
		// one), made when needed. The buffers hold any ordinary command; at 32 KiB
		// each, the default, they would be half of what a fresh world allocates.
		PoolSize:         64,
		PipelinePoolSize: -1,
		ReadBufferSize:   4 << 10,
		WriteBufferSize:  4 << 10,

		// Nothing said to the server that nobody asked for.
		DisableIdentity: true,
		MaintNotificationsConfig: &maintnotifications.Config{
			Mode: maintnotifications.ModeDisabled,
		},
	}
}

// Dialer is a redis.Options.Dialer that connects to m, whatever the address.
func Dialer(m *miniredis.Miniredis) func(ctx context.Context, network, addr string) (net.Conn, error) {
	return func(context.Context, string, string) (net.Conn, error) {
		c, err := Dial(m)
		if err != nil {
			return nil, err // not c: a nil *Conn is no nil net.Conn
		}
		return c, nil
	}
}

// Client returns a go-redis client of m with the options of [Options]. The caller
// closes it, before or after m.
func Client(m *miniredis.Miniredis) *redis.Client {
	o := Options()
	o.Dialer = Dialer(m)
	return redis.NewClient(o)
}
