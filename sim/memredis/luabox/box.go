package luabox

import (
	"errors"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Do executes a Redis command for a script and returns its reply in the protocol
// of Redis, in RESP3 where the script has asked for it. The reply is read before
// the next call; the arguments belong to Do.
type Do func(args []string, resp3 bool) []byte

// Call is one run of a script.
type Call struct {
	Keys, Args []string
	Do         Do
	RESP3      bool // the protocol of the client that gets the reply
}

// Box is a virtual machine for scripts. It is not safe for concurrent use: like
// Redis it runs one script at a time, and Do must not run another.
type Box struct {
	budget
	machine
	call  *Call
	resp3 bool // the script has called redis.setresp(3)
	line  string
	names map[lua.LValue]int // tables and functions printed in this run
	rand  lrand48
}

// New returns a box with limits for each run of a script.
func New(limits Limits) *Box {
	b := &Box{}
	b.limits = limits.orDefault()
	return b
}

// Limits returns the limits in force.
func (b *Box) Limits() Limits { return b.limits }

// Run executes a script and appends the reply for the client to dst, an error
// included. Commands executed before an error stay executed, as in Redis.
func (b *Box) Run(s *Script, c *Call, dst []byte) []byte {
	if b.l == nil {
		b.build()
	}
	b.reset()
	b.call, b.resp3, b.line = c, false, ""
	b.rand.seed(0)
	clear(b.names)
	// Beyond the first slots, nothing of a run may be reached from the next.
	defer func() {
		b.call = nil
		if b.worn || b.over != nil {
			b.machine = machine{}
		}
	}()

	b.setGlobal("KEYS", b.list(c.Keys))
	b.setGlobal("ARGV", b.list(c.Args))
	b.l.Push(b.function(s.proto, s.writes))
	if err := b.l.PCall(0, 1, nil); err != nil {
		return b.appendFailure(dst, s, err)
	}
	v := b.l.Get(-1)
	b.l.Pop(1)
	mark := len(dst)
	if dst = b.appendReply(dst, v, 0); b.over != nil {
		// The reply itself was too long or too deep.
		dst = appendError(dst[:mark], "ERR "+b.over.Error()+b.origin(s, ""))
	}
	return dst
}

// appendFailure renders the error a script ended with. Redis answers the message,
// which names the line, and adds the script's SHA and where it was.
func (b *Box) appendFailure(dst []byte, s *Script, err error) []byte {
	var api *lua.ApiError
	if !errors.As(err, &api) {
		return appendError(dst, "ERR "+err.Error())
	}
	if api.Type == lua.ApiErrorPanic {
		b.worn = true // Go code has panicked: what it left behind is not known
	}
	if t, ok := api.Object.(*lua.LTable); ok {
		if text, ok := t.RawGetString("err").(lua.LString); ok {
			return appendError(dst, string(text)+b.origin(s, b.line))
		}
		return appendError(dst, "ERR "+b.text(t)+b.origin(s, b.line))
	}
	text := b.text(api.Object)
	line := b.line
	if at, _, ok := strings.Cut(text, ": "); ok && strings.HasPrefix(at, scriptName+":") {
		line = at
	}
	return appendError(dst, "ERR "+text+b.origin(s, line))
}

// origin is what Redis appends to the error of a script.
func (b *Box) origin(s *Script, line string) string {
	if line == "" {
		line = scriptName
	}
	return " script: " + s.SHA + ", on @" + line + "."
}

// list makes the table of KEYS or ARGV.
func (b *Box) list(items []string) *lua.LTable {
	t := b.l.CreateTable(len(items), 0)
	for _, s := range items {
		t.Append(lua.LString(s))
	}
	return t
}

// raise ends the running function with an error that names its line.
func (b *Box) raise(l *lua.LState, text string) {
	l.RaiseError("%s", text)
}

// throw raises an error as redis.call does: a table with the field err, to which
// no position is added. The line is kept for the reply of a script that does not
// catch it.
func (b *Box) throw(l *lua.LState, text string) {
	b.line = strings.TrimSuffix(b.where(l, 1), ":")
	l.Error(b.errorTable(l, text), 0)
}

// where returns the position of the level-th caller, "user_script:3:", or "" for
// a function that is not Lua.
func (b *Box) where(l *lua.LState, level int) string {
	dbg, ok := l.GetStack(level)
	if !ok {
		return ""
	}
	if _, err := l.GetInfo("Sl", dbg, lua.LNil); err != nil || dbg.CurrentLine <= 0 {
		return ""
	}
	return l.Where(level)
}
