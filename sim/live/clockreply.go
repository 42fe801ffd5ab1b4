package live

import (
	"context"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// shrink gives the idle times in an answer of XPENDING back their length.
func (c *Clock) shrink(cmd redis.Cmder) {
	switch x := cmd.(type) {
	case *redis.XPendingExtCmd:
		for i := range x.Val() {
			x.Val()[i].Idle = (x.Val()[i].Idle * time.Duration(c.times) / time.Duration(c.wide)).Truncate(time.Millisecond)
		}
	case *redis.Cmd:
		list, _ := x.Val().([]any)
		for _, e := range list {
			if one, ok := e.([]any); ok && len(one) == 4 {
				if idle, ok := one[2].(int64); ok {
					one[2] = idle * c.times / c.wide
				}
			}
		}
	}
}

// tellLease answers the question for a lease, from what PEXPIRETIME says.
func (c *Clock) tellLease(cmd redis.Cmder, name string, expires int64) {
	n := expires
	if n >= 0 {
		virtual := (expires - c.base) * c.times
		if c.times > 1 { // the question took a time, and the key was still there
			virtual = max(virtual, c.now()+1)
		}
		switch left := virtual - c.now(); name {
		case "pttl":
			n = left
		case "ttl":
			n = (left + 500) / 1000
		case "pexpiretime":
			n = virtual + c.Epoch.UnixMilli()
		default:
			n = (virtual + c.Epoch.UnixMilli() + 500) / 1000
		}
	}
	unit := time.Second
	if name[0] == 'p' {
		unit = time.Millisecond
	}
	switch x := cmd.(type) {
	case *redis.DurationCmd:
		if n < 0 {
			unit = 1 // go-redis hands -1 and -2 on as they are
		}
		x.SetVal(time.Duration(n) * unit)
	case *redis.IntCmd:
		x.SetVal(n)
	case *redis.Cmd:
		x.SetVal(n)
	}
}

func (c *Clock) tellTime(cmd redis.Cmder) {
	t := c.Epoch.Add(c.Now())
	switch x := cmd.(type) {
	case *redis.TimeCmd:
		x.SetVal(t)
	case *redis.Cmd:
		x.SetVal([]any{strconv.FormatInt(t.Unix(), 10), strconv.FormatInt(int64(t.Nanosecond()/1000), 10)})
	}
}

// remake makes a command of other arguments whose answer becomes that of cmd.
func remake(ctx context.Context, cmd redis.Cmder, args ...any) (redis.Cmder, func()) {
	switch x := cmd.(type) {
	case *redis.Cmd:
		n := redis.NewCmd(ctx, args...)
		return n, func() { x.SetVal(n.Val()) }
	case *redis.StatusCmd:
		n := redis.NewStatusCmd(ctx, args...)
		return n, func() { x.SetVal(n.Val()) }
	case *redis.IntCmd:
		n := redis.NewIntCmd(ctx, args...)
		return n, func() { x.SetVal(n.Val()) }
	case *redis.StringCmd:
		n := redis.NewStringCmd(ctx, args...)
		return n, func() { x.SetVal(n.Val()) }
	case *redis.BoolCmd:
		n := redis.NewBoolCmd(ctx, args...)
		return n, func() { x.SetVal(n.Val()) }
	}
	// Nothing that business code sends; it must not run in the server's time.
	n := redis.NewCmd(ctx, "lab-cannot-translate", args[0])
	return n, nil
}
