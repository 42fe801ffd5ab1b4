package memredis

import (
	"bufio"
	"bytes"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"

	"flashlab/sim/memredis/luabox"
)

// Scripts runs the Lua scripts of a miniredis in one virtual machine that is kept,
// where miniredis builds a new one for each call, and within limits, so that a
// script of a learner's ends with an error instead of a lab that hangs. It answers
// EVAL, EVALSHA, EVAL_RO, EVALSHA_RO and SCRIPT on every connection of that
// miniredis, those of [Dial] and its own alike. Which libraries a script finds and
// in what this differs from Redis: see package luabox.
//
// A script holds the lock of miniredis from its first command to its last, as in
// Redis; that also makes it safe with many goroutines. A compare-and-delete takes
// some 4 us through go-redis instead of 90 (BenchmarkScript).
//
// Where miniredis and Redis 7 answer differently, the answer is that of Redis: an
// error keeps its code (WRONGTYPE, not ERR), a script that fails stays in the
// cache, a SHA may be written in upper case, number arguments are checked before
// the script is looked up, null in JSON is cjson.null, and so on.
type Scripts struct {
	// Ran, if it is set before the first client, is told of every script that has run,
	// in the order in which they ran: its SHA-1 in lower case, the arguments of the
	// command from the number of keys on, and the reply, which is valid until it
	// returns. It must not call the server.
	Ran func(sha string, args []string, reply []byte)
	// Arrived is told of each command of a client before it is executed, and may set the
	// clock of the server. nil: nobody.
	Arrived func()

	m   *miniredis.Miniredis
	srv *server.Server

	// Guarded by the lock of m.
	box      *luabox.Box
	loaded   map[string]*luabox.Script // the cache that clients know of, by SHA
	compiled map[string]*luabox.Script // also what SCRIPT FLUSH has removed from it
	inner    *server.Peer              // who executes the commands of scripts...
	buf      bytes.Buffer              // ...and where their replies arrive
	out      []byte
	run      run

	mu      sync.Mutex
	callers callerTable
	tickets map[string]*ticket
	issued  int
}

// run is the script under way.
type run struct {
	readOnly bool
	selected bool // it has called SELECT
}

// PoolScripts takes over the scripts of m, which must be running, and forgets those
// it has loaded. It occupies the hook before commands that miniredis offers; to
// have one of one's own (or that of SetError), call [Scripts.Hook] from it. A limit
// that is zero has its default. RequireAuth comes before the first client: one that
// has run a script is not asked again.
func PoolScripts(m *miniredis.Miniredis, limits luabox.Limits) (*Scripts, error) {
	m.Lock()
	srv := m.Server()
	m.Unlock()
	if srv == nil || m.Ctx.Err() != nil {
		return nil, errNotRunning
	}
	s := &Scripts{
		m: m, srv: srv,
		box:      luabox.New(limits),
		loaded:   map[string]*luabox.Script{},
		compiled: map[string]*luabox.Script{},
		tickets:  map[string]*ticket{},
	}
	s.callers.init()
	s.inner = server.NewPeer(bufio.NewWriterSize(&s.buf, 512))
	srv.SetPreHook(s.Hook)
	return s, nil
}

// Limits returns the limits of each run.
func (s *Scripts) Limits() luabox.Limits { return s.box.Limits() }

// Loaded returns the SHAs of the scripts in the cache, sorted: what SCRIPT EXISTS
// knows, and part of the state of the server.
func (s *Scripts) Loaded() []string {
	s.m.Lock()
	defer s.m.Unlock()
	list := make([]string, 0, len(s.loaded))
	for sha := range s.loaded {
		list = append(list, sha)
	}
	slices.Sort(list)
	return list
}

// Hook answers a command that concerns scripts and reports whether it has. It is
// called by miniredis before each command, the name in upper case.
func (s *Scripts) Hook(c *server.Peer, cmd string, args ...string) bool {
	// Commands of a script run with the server locked.
	if s.Arrived != nil && c != s.inner && cmd != redeem {
		s.Arrived()
	}
	switch cmd {
	case "EVAL", "EVALSHA", "EVAL_RO", "EVALSHA_RO":
		// Too few arguments are for miniredis to complain about.
		return len(args) >= 2 && !s.isEntrance(cmd, args) && s.answer(c, request{cmd, args})
	case "SCRIPT":
		return ours(args) && s.answer(c, request{cmd, args})
	case "MULTI":
		s.queueing(c)
	case "EXEC":
		return len(args) == 0 && s.exec(c)
	case "DISCARD":
		if len(args) == 0 {
			s.discard(c)
		}
	case "SELECT", "AUTH", "HELLO", "RESET", "QUIT", "SUBSCRIBE", "PSUBSCRIBE":
		s.forget(c)
	case redeem:
		return len(args) == 1 && s.redeem(c, args[0])
	}
	return false
}

// ours tells the well-formed SCRIPT commands. The others fail in miniredis.
func ours(args []string) bool {
	if len(args) == 0 {
		return false
	}
	switch strings.ToUpper(args[0]) {
	case "LOAD":
		return len(args) == 2
	case "EXISTS":
		return len(args) >= 2
	case "FLUSH":
		return len(args) == 1 || len(args) == 2 && (strings.EqualFold(args[1], "SYNC") || strings.EqualFold(args[1], "ASYNC"))
	}
	return false
}

// request is a command about scripts.
type request struct {
	cmd  string
	args []string
}

// answer executes a request of a client at once where the client is known and not
// in a transaction, otherwise through the entrance.
func (s *Scripts) answer(c *server.Peer, r request) bool {
	context := s.known(c)
	if context == nil {
		s.enter(c, r)
		return true
	}
	s.m.Lock()
	defer s.m.Unlock()
	c.WriteRaw(string(s.execute(r, context, c.Resp3)))
	if s.run.selected {
		s.forget(c)
	}
	if cap(s.out) > keepBuffer {
		s.out = nil
	}
	if s.buf.Cap() > keepBuffer {
		s.buf = bytes.Buffer{}
	}
	return true
}

// Replies of Redis.
const (
	noScript    = "-NOSCRIPT No matching script. Please use EVAL.\r\n"
	badNumKeys  = "-ERR value is not an integer or out of range\r\n"
	negativeKey = "-ERR Number of keys can't be negative\r\n"
	manyKeys    = "-ERR Number of keys can't be greater than number of args\r\n"
)

// execute runs a request under the lock of m and returns the reply, which is valid
// until the next one. context is what miniredis knows of the commands of scripts of
// this client.
func (s *Scripts) execute(r request, context any, resp3 bool) []byte {
	s.run = run{}
	if r.cmd == "SCRIPT" {
		return s.script(r.args)
	}
	n, err := strconv.Atoi(r.args[1])
	rest := r.args[2:]
	switch {
	case err != nil:
		return []byte(badNumKeys)
	case n < 0:
		return []byte(negativeKey)
	case n > len(rest):
		return []byte(manyKeys)
	}
	script, problem := s.find(r)
	if problem != "" {
		return []byte(problem)
	}
	s.run.readOnly = script.ReadOnly || strings.HasSuffix(r.cmd, "_RO")
	s.inner.Ctx = context
	s.out = s.box.Run(script, &luabox.Call{
		Keys: rest[:n], Args: rest[n:],
		Do:    s.do,
		RESP3: resp3,
	}, s.out[:0])
	if s.Ran != nil {
		s.Ran(script.SHA, r.args[1:], s.out)
	}
	return s.out
}

// find returns the script of a request, or the error to answer. EVAL puts the
// script into the cache before it runs.
func (s *Scripts) find(r request) (script *luabox.Script, problem string) {
	if strings.HasPrefix(r.cmd, "EVALSHA") {
		if script = s.cached(r.args[0]); script == nil {
			problem = noScript
		}
		return script, problem
	}
	script, err := s.load(r.args[0])
	if err != nil {
		problem = compileError(err)
	}
	return script, problem
}

// cached finds a script by its SHA, which may be in upper case.
func (s *Scripts) cached(sha string) *luabox.Script {
	if script := s.loaded[sha]; script != nil {
		return script
	}
	return s.loaded[strings.ToLower(sha)]
}

// keepCompiled is how many scripts stay compiled beside those in the cache.
const keepCompiled = 256

// load puts a script into the cache, compiling it if it never was.
func (s *Scripts) load(source string) (*luabox.Script, error) {
	sha := luabox.SHA(source)
	if script := s.loaded[sha]; script != nil {
		return script, nil
	}
	script := s.compiled[sha]
	if script == nil {
		var err error
		if script, err = luabox.Compile(source); err != nil {
			return nil, err
		}
		if len(s.compiled) >= keepCompiled {
			clear(s.compiled)
		}
		s.compiled[sha] = script
	}
	s.loaded[sha] = script
	return script, nil
}

func compileError(err error) string {
	return "-ERR Error compiling script (new function): " + err.Error() + "\r\n"
}

// script is SCRIPT LOAD, EXISTS or FLUSH.
func (s *Scripts) script(args []string) []byte {
	switch strings.ToUpper(args[0]) {
	case "LOAD":
		script, err := s.load(args[1])
		if err != nil {
			return []byte(compileError(err))
		}
		return []byte("$40\r\n" + script.SHA + "\r\n")
	case "EXISTS":
		reply := append(strconv.AppendInt([]byte{'*'}, int64(len(args)-1), 10), '\r', '\n')
		for _, sha := range args[1:] {
			if s.cached(sha) != nil {
				reply = append(reply, ":1\r\n"...)
			} else {
				reply = append(reply, ":0\r\n"...)
			}
		}
		return reply
	}
	clear(s.loaded)
	return []byte("+OK\r\n")
}
