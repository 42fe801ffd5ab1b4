package redisgate

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim"
	"flashlab/sim/trace"
)

// Command is what an actor is parked at or has just done: one command, or the
// commands of a pipeline. It implements sim.Detail.
type Command struct {
	Cmds []redis.Cmder
	hook *Hook
}

// Commands returns the Redis commands behind the detail of a step, or nil.
func Commands(d sim.Detail) []redis.Cmder {
	switch x := d.(type) {
	case *Command:
		return x.Cmds
	case interface {
		Parts() (sim.Detail, sim.Detail)
	}:
		first, second := x.Parts()
		return append(append([]redis.Cmder(nil), Commands(first)...), Commands(second)...)
	}
	return nil
}

// Name is the short label of the step: "SET", "PIPELINE", "MULTI".
func (c *Command) Name() string {
	if len(c.Cmds) == 1 {
		return strings.ToUpper(c.Cmds[0].Name())
	}
	if c.Cmds[0].Name() == "multi" {
		return "MULTI..EXEC"
	}
	return "PIPELINE"
}

// Command renders the whole command on one line, scripts by their name.
func (c *Command) Command() string {
	var b strings.Builder
	for i, cmd := range c.Cmds {
		if i > 0 {
			b.WriteString("; ")
		}
		c.line(&b, cmd)
	}
	return b.String()
}

func (c *Command) line(b *strings.Builder, cmd redis.Cmder) {
	args := cmd.Args()
	name := strings.ToUpper(cmd.Name())
	b.WriteString(name)
	if (name == "EVALSHA" || name == "EVAL") && len(args) > 2 {
		script := ""
		if c.hook != nil && c.hook.ScriptName != nil {
			script = c.hook.ScriptName(str(args[1]))
		}
		if script == "" {
			script = "script"
		}
		b.WriteByte(' ')
		b.WriteString(script)
		args = args[2:] // keeps the slot of numkeys as "command name"
	}
	for _, a := range args[1:] {
		b.WriteByte(' ')
		b.WriteString(str(a))
	}
}

// Reply renders the answer on one line.
func (c *Command) Reply() string {
	if len(c.Cmds) == 1 {
		return replyText(c.Cmds[0])
	}
	var parts []string
	for _, cmd := range c.Cmds {
		switch cmd.Name() {
		case "multi", "exec":
			if err := cmd.Err(); err != nil && err != redis.Nil {
				parts = append(parts, err.Error())
			}
		default:
			parts = append(parts, replyText(cmd))
		}
	}
	return strings.Join(parts, "; ")
}

// Accesses lists the keys the command touches, by the position of keys in it.
func (c *Command) Accesses() []trace.Access {
	var out []trace.Access
	for _, cmd := range c.Cmds {
		out = appendAccesses(out, cmd)
	}
	return out
}

// Keys returns the keys of a command, in order.
func Keys(cmd redis.Cmder) []string {
	var out []string
	for _, a := range appendAccesses(nil, cmd) {
		out = append(out, a.Resource)
	}
	return out
}

// spec tells where the keys of a command stand and whether it writes them.
type spec struct {
	write       bool
	first, last int // positions of keys; last -1: to the end
}

var specs = map[string]spec{
	"get": {false, 1, 1}, "exists": {false, 1, -1}, "ttl": {false, 1, 1}, "pttl": {false, 1, 1}, "type": {false, 1, 1},
	"mget": {false, 1, -1}, "strlen": {false, 1, 1}, "watch": {false, 1, -1},
	"hget": {false, 1, 1}, "hexists": {false, 1, 1}, "hgetall": {false, 1, 1}, "hmget": {false, 1, 1}, "hlen": {false, 1, 1},
	"sismember": {false, 1, 1}, "smembers": {false, 1, 1}, "scard": {false, 1, 1},
	"lrange": {false, 1, 1}, "llen": {false, 1, 1}, "zscore": {false, 1, 1}, "zcard": {false, 1, 1}, "zrange": {false, 1, 1},
	"xlen": {false, 1, 1}, "xrange": {false, 1, 1}, "xrevrange": {false, 1, 1}, "xpending": {false, 1, 1},
	"del": {true, 1, -1}, "unlink": {true, 1, -1}, "mset": {true, 1, 1}, "eval": {true, 0, 0}, "evalsha": {true, 0, 0},
	"multi": {}, "exec": {}, "ping": {}, "time": {}, "script": {}, "wait": {}, "echo": {},
	"xreadgroup": {true, 0, 0}, "xread": {false, 0, 0}, "xgroup": {true, 2, 2},
}

func appendAccesses(out []trace.Access, cmd redis.Cmder) []trace.Access {
	args := cmd.Args()
	name := strings.ToLower(cmd.Name())
	sp, ok := specs[name]
	if !ok {
		sp = spec{true, 1, 1} // most commands take one key in front; treat it as written
	}
	add := func(i int) {
		if i < len(args) {
			out = append(out, trace.Access{Resource: str(args[i]), Write: sp.write})
		}
	}
	switch name {
	case "eval", "evalsha":
		if len(args) > 2 {
			n, _ := strconv.Atoi(str(args[2]))
			for i := 0; i < n; i++ {
				add(3 + i)
			}
		}
	case "xread", "xreadgroup":
		for i, a := range args {
			if strings.EqualFold(str(a), "streams") {
				add(i + 1)
				break
			}
		}
	default:
		last := sp.last
		if last < 0 {
			last = len(args) - 1
		}
		for i := sp.first; i > 0 && i <= last; i++ {
			add(i)
		}
	}
	return out
}

func str(v any) string {
	switch x := v.(type) {
	case string:
		return x
	case []byte:
		return string(x)
	case int:
		return strconv.Itoa(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case time.Duration:
		return strconv.FormatInt(int64(x), 10)
	}
	return fmt.Sprint(v)
}
