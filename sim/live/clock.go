package live

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// slower is by how much idle times of pending entries are stretched on the server:
// they are set before somebody looks, and the moments until then must not count. A
// virtual millisecond lasts a second there.
const slower = 1000

// far is how far in the server's future virtual time begins.
const far = 30 * 24 * time.Hour

// Clock is a go-redis hook that carries virtual time to a server. Instants are moved:
// virtual time 0 is an instant on the server's clock that is far away, so whatever is
// to expire at a virtual instant carries that instant in its own expiry, to the
// millisecond, and does not expire by itself in any lesson's time. Who owns the clock
// deletes it when the instant has come. Nothing but the commands of business code
// writes a key, so no WATCH is disturbed, and no table beside the server can be wrong.
//
// Answers that tell a time (PTTL, TIME, ids of streams) are virtual too, in scripts
// as well: a script runs behind a preamble that does the same for its calls. The hook
// must stand before a [Namespace]. It needs Redis 7.0.
type Clock struct {
	// Epoch is the date at virtual time 0, as embedded engines have it.
	Epoch time.Time
	// Now is the virtual time.
	Now func() time.Duration
	// Before and After are called around what is sent; either may be nil.
	Before, After func(cmds []redis.Cmder)

	base    int64 // ms of the server's clock at virtual time 0
	times   int64 // virtual milliseconds in one of the server's
	wide    int64 // by how much idle times are stretched
	mu      sync.Mutex
	scripts map[string]string // SHA-1 of a script -> of what runs for it; guarded by mu
}

// NewClock returns a clock for a server on which it is server now.
func NewClock(server time.Time, epoch time.Time, now func() time.Duration) *Clock {
	return &Clock{
		Epoch: epoch, Now: now, scripts: map[string]string{},
		base: server.Add(far).Truncate(time.Second).UnixMilli(), times: 1, wide: slower,
	}
}

// Clock returns a clock for the run's server, or an error if that is too old.
func (r *Run) Clock(epoch time.Time, now func() time.Duration) (*Clock, error) {
	if !r.atLeast(7, 0) {
		return nil, r.Target.trouble(nil, "version", "trouble.too-old", "{server} is Redis {version}: stepping on a server needs 7.0 or newer; without --redis the lesson runs on the embedded engine", "version", r.Version)
	}
	t, err := r.one.Time(context.Background()).Result()
	if err != nil {
		return nil, r.Target.wrap(timing, err)
	}
	return NewClock(t, epoch, now), nil
}

// atLeast compares the server's version.
func (r *Run) atLeast(major, minor int) bool { return atLeast(r.Version, major, minor) }

func atLeast(version string, major, minor int) bool {
	var a, b int
	if _, err := fmt.Sscanf(version, "%d.%d", &a, &b); err != nil {
		return false
	}
	return a > major || a == major && b >= minor
}

// Forget forgets the scripts that were loaded: a new run begins.
func (c *Clock) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.scripts)
}

// Deadline returns the virtual instant behind what PEXPIRETIME says, in ms; ok is
// false for a key without a lease.
func (c *Clock) Deadline(expires int64) (at time.Duration, ok bool) {
	return time.Duration(expires-c.base) * time.Millisecond, expires >= 0
}

func (c *Clock) now() int64 { return c.Now().Milliseconds() }

// DialHook passes through.
func (c *Clock) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook sends a command in the server's time.
func (c *Clock) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if flush, ok := cmd.(*redis.StatusCmd); ok && word(cmd, 0) == "script" && word(cmd, 1) == "flush" {
			c.Forget() // of this run; what others have loaded stays
			flush.SetVal("OK")
			return nil
		}
		c.around(c.Before, cmd)
		send, back := c.translate(ctx, cmd)
		err := next(ctx, send)
		if send != cmd {
			cmd.SetErr(err)
		}
		back()
		c.around(c.After, cmd)
		return err
	}
}

// ProcessPipelineHook does so for several.
func (c *Clock) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		c.around(c.Before, cmds...)
		send, backs := make([]redis.Cmder, len(cmds)), make([]func(), len(cmds))
		for i, cmd := range cmds {
			send[i], backs[i] = c.translate(ctx, cmd)
		}
		err := next(ctx, send)
		for i, cmd := range cmds {
			if send[i] != cmd {
				cmd.SetErr(send[i].Err())
			}
			backs[i]()
		}
		c.around(c.After, cmds...)
		return err
	}
}

func (c *Clock) around(f func([]redis.Cmder), cmds ...redis.Cmder) {
	if f != nil {
		f(cmds)
	}
}

// word returns an argument in lower case, or "".
func word(cmd redis.Cmder, i int) string {
	if args := cmd.Args(); i < len(args) {
		return strings.ToLower(text(args[i]))
	}
	return ""
}

// translate returns what is sent for a command: itself with other arguments, or
// another one. back restores the arguments and translates the reply.
func (c *Clock) translate(ctx context.Context, cmd redis.Cmder) (send redis.Cmder, back func()) {
	args := cmd.Args()
	old := append([]any(nil), args...)
	send, answer := c.change(ctx, cmd, args)
	return send, func() {
		copy(args, old)
		if answer != nil && send.Err() == nil {
			answer()
		}
	}
}

// change changes arguments in place, or makes another command where their number
// changes. answer, if any, is called after a success.
func (c *Clock) change(ctx context.Context, cmd redis.Cmder, args []any) (send redis.Cmder, answer func()) {
	name := word(cmd, 0)
	switch name {
	case "set":
		c.leases(args, 3)
	case "getex":
		c.leases(args, 2)
	case "setex", "psetex":
		if n, ok := positive(args, 2); ok && len(args) == 4 {
			return remake(ctx, cmd, "set", args[1], args[3], "pxat", c.at(n, name == "setex"))
		}
	case "expire", "pexpire":
		if n, ok := positive(args, 2); ok {
			args[0], args[2] = "pexpireat", c.at(n, name == "expire")
		}
	case "expireat", "pexpireat":
		if n, ok := positive(args, 2); ok {
			args[0], args[2] = "pexpireat", c.instant(n, name == "expireat")
		}
	case "ttl", "pttl", "expiretime", "pexpiretime":
		if len(args) == 2 {
			ask := redis.NewIntCmd(ctx, "pexpiretime", args[1])
			return ask, func() { c.tellLease(cmd, name, ask.Val()) }
		}
	case "time":
		return cmd, func() { c.tellTime(cmd) }
	case "xadd":
		c.entryID(args)
	case "xclaim", "xautoclaim":
		c.stretch(args, 4)
		for i := 6; name == "xclaim" && i < len(args); i++ {
			if word(cmd, i) == "idle" {
				c.stretch(args, i+1)
			}
		}
	case "xpending":
		if word(cmd, 3) == "idle" {
			c.stretch(args, 4)
		}
		return cmd, func() { c.shrink(cmd) }
	case "xreadgroup", "xread":
		for i := range args {
			if word(cmd, i) == "block" && i+1 < len(args) {
				c.wait(args, i+1)
			}
			if word(cmd, i) == "streams" {
				break
			}
		}
	default:
		return c.changeScript(ctx, cmd, name, args)
	}
	return cmd, nil
}

// at is the server's instant n milliseconds from now, or seconds.
func (c *Clock) at(n int64, seconds bool) int64 {
	if seconds {
		n *= 1000
	}
	return c.server(c.now() + n)
}

// server is the server's instant for virtual milliseconds, but not one that has passed.
func (c *Clock) server(v int64) int64 {
	return c.base + max((v+c.times-1)/c.times, c.now()/c.times+1)
}

// instant is the server's instant for a virtual date; one that has passed is 1.
func (c *Clock) instant(n int64, seconds bool) int64 {
	if seconds {
		n *= 1000
	}
	if n -= c.Epoch.UnixMilli(); n > c.now() {
		return c.server(n)
	}
	return 1
}

func (c *Clock) leases(args []any, from int) {
	for i := from; i+1 < len(args); i++ {
		o := strings.ToLower(text(args[i]))
		n, ok := positive(args, i+1)
		switch {
		case !ok:
		case o == "ex" || o == "px":
			args[i], args[i+1] = "pxat", c.at(n, o == "ex")
			i++
		case o == "exat" || o == "pxat":
			args[i], args[i+1] = "pxat", c.instant(n, o == "exat")
			i++
		}
	}
}

// entryID gives an entry the virtual time of its making.
func (c *Clock) entryID(args []any) {
	for i := 2; i < len(args); {
		switch strings.ToLower(text(args[i])) {
		case "nomkstream":
			i++
		case "maxlen", "minid":
			i++
			if i < len(args) && (text(args[i]) == "=" || text(args[i]) == "~") {
				i++
			}
			i++
		case "limit":
			i += 2
		case "*":
			if c.times > 1 {
				return // entries of several clients must stand in order
			}
			args[i] = strconv.FormatInt(c.Epoch.UnixMilli()+c.now(), 10) + "-*"
			return
		default:
			return
		}
	}
}

func positive(args []any, i int) (int64, bool) {
	if i >= len(args) {
		return 0, false
	}
	n, err := strconv.ParseInt(text(args[i]), 10, 64)
	return n, err == nil && n > 0 && n < 1<<50
}

func (c *Clock) stretch(args []any, i int) {
	if n, ok := positive(args, i); ok {
		args[i] = (n*c.wide + c.times - 1) / c.times
	}
}

// wait changes how long a read waits for entries. Whoever is stepped waits before the
// command is sent.
func (c *Clock) wait(args []any, i int) {
	n, ok := positive(args, i)
	switch {
	case c.times == 1:
		args[i] = 1
	case ok:
		args[i] = max(n/c.times, 1)
	}
}
