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
	step        int // from one key to the next; 0 means 1
}

var (
	readsOne   = spec{false, 1, 1, 1}
	readsMany  = spec{false, 1, -1, 1}
	writesOne  = spec{true, 1, 1, 1}
	writesTwo  = spec{true, 1, 2, 1}
	writesMany = spec{true, 1, -1, 1}
	noKeys     = spec{}
)

var specs = map[string]spec{
	"get": readsOne, "strlen": readsOne, "getrange": readsOne, "getbit": readsOne, "bitcount": readsOne,
	"exists": readsMany, "mget": readsMany, "watch": readsMany, "ttl": readsOne, "pttl": readsOne, "type": readsOne,
	"hget": readsOne, "hexists": readsOne, "hgetall": readsOne, "hmget": readsOne, "hlen": readsOne, "hkeys": readsOne, "hvals": readsOne,
	"sismember": readsOne, "smembers": readsOne, "scard": readsOne, "smismember": readsOne,
	"lrange": readsOne, "llen": readsOne, "lindex": readsOne,
	"zscore": readsOne, "zcard": readsOne, "zrange": readsOne, "zrank": readsOne, "zcount": readsOne, "zrangebyscore": readsOne,
	"xlen": readsOne, "xrange": readsOne, "xrevrange": readsOne, "xpending": readsOne, "xread": noKeys,

	"set": writesOne, "setnx": writesOne, "setex": writesOne, "psetex": writesOne, "getset": writesOne, "getdel": writesOne, "getex": writesOne,
	"incr": writesOne, "incrby": writesOne, "decr": writesOne, "decrby": writesOne, "append": writesOne, "setbit": writesOne,
	"expire": writesOne, "pexpire": writesOne, "expireat": writesOne, "pexpireat": writesOne, "persist": writesOne,
	"hset": writesOne, "hsetnx": writesOne, "hmset": writesOne, "hincrby": writesOne, "hdel": writesOne,
	"sadd": writesOne, "srem": writesOne, "spop": writesOne,
	"lpush": writesOne, "rpush": writesOne, "lpop": writesOne, "rpop": writesOne, "ltrim": writesOne, "lrem": writesOne,
	"zadd": writesOne, "zrem": writesOne, "zincrby": writesOne, "zremrangebyscore": writesOne,
	"xadd": writesOne, "xack": writesOne, "xdel": writesOne, "xtrim": writesOne, "xclaim": writesOne, "xautoclaim": writesOne,
	"xgroup": {true, 2, 2, 1}, "mset": {true, 1, -1, 2}, "del": writesMany, "unlink": writesMany, "rename": writesTwo, "smove": writesTwo,

	"multi": noKeys, "exec": noKeys, "ping": noKeys, "time": noKeys, "script": noKeys, "wait": noKeys, "echo": noKeys, "publish": noKeys,

	// Their keys are found elsewhere among the arguments.
	"eval": {write: true}, "evalsha": {write: true}, "xreadgroup": {write: true},
}

// Writes returns the keys that a command may write. all is true for commands that
// may write any key: scripts are free to touch keys they have not declared, and
// nothing is known of commands outside the table.
func Writes(cmd redis.Cmder) (keys []string, all bool) {
	switch name := strings.ToLower(cmd.Name()); name {
	case "eval", "evalsha":
		return nil, true
	default:
		if _, ok := specs[name]; !ok {
			return nil, true
		}
	}
	for _, a := range appendAccesses(nil, cmd) {
		if a.Write {
			keys = append(keys, a.Resource)
		}
	}
	return keys, false
}

func appendAccesses(out []trace.Access, cmd redis.Cmder) []trace.Access {
	args := cmd.Args()
	name := strings.ToLower(cmd.Name())
	sp, ok := specs[name]
	if !ok {
		sp = writesOne // most commands take one key in front; treat it as written
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
		for i := sp.first; i > 0 && i <= last; i += max(1, sp.step) {
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
