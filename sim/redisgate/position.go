package redisgate

import (
	"strconv"
	"strings"
)

// beyond says where the keys of commands stand that no lesson sends but a person who
// looks at a server, a storm or a test does. What is neither here nor among specs is
// not known.
var beyond = map[string]spec{
	"touch": readsMany, "dump": readsOne, "pexpiretime": readsOne, "expiretime": readsOne, "substr": readsOne,
	"hscan": readsOne, "sscan": readsOne, "zscan": readsOne, "hstrlen": readsOne, "hrandfield": readsOne,
	"srandmember": readsOne, "sinter": readsMany, "sunion": readsMany, "sdiff": readsMany, "lpos": readsOne,
	"zrevrange": readsOne, "zrevrank": readsOne, "zmscore": readsOne, "zrevrangebyscore": readsOne, "bitpos": readsOne,
	"object": {false, 2, 2, 1}, "memory": {false, 2, 2, 1}, "xinfo": {false, 2, 2, 1},

	"delex": writesOne, "incrbyfloat": writesOne, "setrange": writesOne, "restore": writesOne, "msetnx": {true, 1, -1, 2},
	"hincrbyfloat": writesOne, "lset": writesOne, "linsert": writesOne, "lpushx": writesOne, "rpushx": writesOne,
	"rpoplpush": writesTwo, "lmove": writesTwo, "renamenx": writesTwo, "copy": writesTwo, "zpopmin": writesOne, "zpopmax": writesOne,
	"zremrangebyrank": writesOne, "pfadd": writesOne, "pfcount": readsMany, "xsetid": writesOne, "sinterstore": writesMany,
	"blpop": {true, 1, -2, 1}, "brpop": {true, 1, -2, 1},
}

// keyless are commands that name no key. PUBLISH and the like name a channel.
var keyless = map[string]bool{
	"multi": true, "exec": true, "discard": true, "unwatch": true, "ping": true, "echo": true, "time": true, "wait": true,
	"script": true, "hello": true, "auth": true, "client": true, "readonly": true, "readwrite": true, "command": true,
	"select": true, "quit": true, "dbsize": true, "info": true, "asking": true,
}

// Positions returns where the keys of a command stand among its arguments, the
// command itself at 0. ok is false where that is not known: the command is in no
// table, or its arguments do not make sense.
func Positions(args []any) (at []int, ok bool) {
	if len(args) == 0 {
		return nil, false
	}
	name := strings.ToLower(str(args[0]))
	switch name {
	case "eval", "evalsha", "eval_ro", "evalsha_ro":
		if len(args) < 3 {
			return nil, false
		}
		n, err := strconv.Atoi(str(args[2]))
		if err != nil || n < 0 || 3+n > len(args) {
			return nil, false
		}
		for i := range n {
			at = append(at, 3+i)
		}
		return at, true
	case "xread", "xreadgroup":
		for i := 1; i < len(args); i++ {
			rest := args[i+1:]
			if strings.EqualFold(str(args[i]), "streams") && len(rest) > 0 && len(rest)%2 == 0 {
				for k := range len(rest) / 2 {
					at = append(at, i+1+k)
				}
				return at, true
			}
		}
		return nil, false
	}
	if keyless[name] {
		return nil, true
	}
	sp, known := specs[name]
	if !known {
		sp, known = beyond[name]
	}
	if !known || sp.first == 0 {
		return nil, false
	}
	last := sp.last
	if last < 0 {
		last += len(args)
	}
	for i := sp.first; i <= last && i < len(args); i += max(1, sp.step) {
		at = append(at, i)
	}
	return at, len(at) > 0
}
