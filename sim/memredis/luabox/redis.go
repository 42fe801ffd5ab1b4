package luabox

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// redisConstants have the values of Redis.
var redisConstants = map[string]lua.LValue{
	"LOG_DEBUG": lua.LNumber(0), "LOG_VERBOSE": lua.LNumber(1), "LOG_NOTICE": lua.LNumber(2), "LOG_WARNING": lua.LNumber(3),
	"REPL_NONE": lua.LNumber(0), "REPL_AOF": lua.LNumber(1), "REPL_SLAVE": lua.LNumber(2), "REPL_REPLICA": lua.LNumber(2), "REPL_ALL": lua.LNumber(3),
}

func (b *Box) redisLibrary() map[string]lua.LGFunction {
	return map[string]lua.LGFunction{
		"call":         func(l *lua.LState) int { return b.command(l, true) },
		"pcall":        func(l *lua.LState) int { return b.command(l, false) },
		"error_reply":  b.redisErrorReply,
		"status_reply": b.redisStatusReply,
		"sha1hex":      b.redisSHA1Hex,
		"log":          b.redisLog,
		"setresp":      b.redisSetResp,
		"set_repl":     b.redisSetRepl,
		// Scripts replicate by their commands, always, since Redis 7.
		"replicate_commands": func(l *lua.LState) int { l.Push(lua.LTrue); return 1 },
		// There is no debugger, and nobody without rights.
		"breakpoint":    func(l *lua.LState) int { l.Push(lua.LFalse); return 1 },
		"debug":         func(*lua.LState) int { return 0 },
		"acl_check_cmd": b.redisACLCheck,
	}
}

// stepsPerCommand is what a command counts, about the time it takes.
const stepsPerCommand = 20

// command is redis.call, which raises the error of a command, and redis.pcall,
// which returns it as a table.
func (b *Box) command(l *lua.LState, raise bool) int {
	fail := func(text string) int {
		if raise {
			b.throw(l, text)
		}
		l.Push(b.errorTable(l, text))
		return 1
	}
	n := l.GetTop()
	if n == 0 {
		return fail("ERR Please specify at least one argument for this redis lib call")
	}
	args, size := make([]string, n), 0
	for i := range args {
		switch v := l.Get(i + 1).(type) {
		case lua.LString:
			args[i] = string(v)
		case lua.LNumber:
			args[i] = exact(float64(v))
		default:
			return fail("ERR Lua redis lib command arguments must be strings or integers")
		}
		size += len(args[i])
	}
	b.spend(l, stepsPerCommand+size/bytesPerStep)
	b.take(l, size)

	reply := b.call.Do(args, b.resp3)
	b.spend(l, len(reply)/bytesPerStep)
	b.take(l, len(reply))
	r := replyReader{b: b, l: l, in: reply}
	v, err := r.value()
	if err != nil {
		return fail("ERR " + err.Error())
	}
	if t, ok := v.(*lua.LTable); ok && len(reply) > 0 && reply[0] == '-' {
		return fail(string(t.RawGetString("err").(lua.LString)))
	}
	l.Push(v)
	return 1
}

// Charge takes bytes from the running script's budget, and steps for handling them,
// and reports whether there were so many. A Do calls it for commands that make the
// server hold or copy more than their arguments say.
func (b *Box) Charge(bytes int) bool {
	const copied = 8 // bytes a step, in the slow structures of a simulated server
	return b.hold(bytes) && b.afford(bytes/copied)
}

func (b *Box) errorTable(l *lua.LState, text string) *lua.LTable { return b.single("err", text) }

// single makes a table of one field.
func (b *Box) single(field, text string) *lua.LTable {
	t := b.l.CreateTable(0, 1)
	t.RawSetString(field, lua.LString(text))
	return t
}

// redisErrorReply makes an error: the minus sign of the protocol may be there or
// not, and a single word gets the code ERR.
func (b *Box) redisErrorReply(l *lua.LState) int {
	s, ok := l.Get(1).(lua.LString)
	if !ok || l.GetTop() != 1 {
		l.Push(b.errorTable(l, "ERR wrong number or type of arguments"))
		return 1
	}
	text := strings.TrimPrefix(string(s), "-")
	if !strings.Contains(text, " ") {
		text = "ERR " + text
	}
	l.Push(b.errorTable(l, text))
	return 1
}

func (b *Box) redisStatusReply(l *lua.LState) int {
	s, ok := l.Get(1).(lua.LString)
	if !ok || l.GetTop() != 1 {
		l.Push(b.errorTable(l, "ERR wrong number or type of arguments"))
		return 1
	}
	l.Push(b.single("ok", string(s)))
	return 1
}

func (b *Box) redisSHA1Hex(l *lua.LState) int {
	if l.GetTop() != 1 {
		b.throw(l, "ERR wrong number of arguments")
	}
	s := ""
	if v := l.Get(1); lua.LVCanConvToString(v) {
		s = b.text(v)
	}
	b.spend(l, len(s)/bytesPerStep)
	l.Push(lua.LString(SHA(s)))
	return 1
}

// redisLog checks its arguments and writes nothing: there is no log.
func (b *Box) redisLog(l *lua.LState) int {
	level, ok := l.Get(1).(lua.LNumber)
	switch {
	case l.GetTop() < 2:
		b.throw(l, "ERR redis.log() requires two arguments or more.")
	case !ok:
		b.throw(l, "ERR First argument must be a number (log level).")
	case level < 0 || level > 3:
		b.throw(l, "ERR Invalid log level.")
	}
	return 0
}

func (b *Box) redisSetResp(l *lua.LState) int {
	if l.GetTop() != 1 {
		b.throw(l, "ERR redis.setresp() requires one argument.")
	}
	switch l.Get(1) {
	case lua.LNumber(2):
		b.resp3 = false
	case lua.LNumber(3):
		b.resp3 = true
	default:
		b.throw(l, "ERR RESP version must be 2 or 3.")
	}
	return 0
}

// redisSetRepl checks its argument: there is no replica.
func (b *Box) redisSetRepl(l *lua.LState) int {
	if l.GetTop() != 1 {
		b.throw(l, "ERR redis.set_repl() requires one argument.")
	}
	if flags := b.whole(l, 1); flags < 0 || flags > 3 {
		b.throw(l, "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.")
	}
	return 0
}

func (b *Box) redisACLCheck(l *lua.LState) int {
	if l.GetTop() == 0 {
		b.throw(l, "ERR Please specify at least one argument for this redis.acl_check_cmd() call")
	}
	l.Push(lua.LTrue)
	return 1
}
