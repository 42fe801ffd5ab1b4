package memredis

import (
	"bufio"
	"bytes"
	"strconv"
	"strings"
	"weak"

	"github.com/alicebob/miniredis/v2/server"
)

// What miniredis knows of a client - the database it has selected, whether it has
// passed AUTH, whether it is in a transaction - cannot be seen from outside. So the
// first script of a client takes the long way: miniredis is given a script of its
// own, the entrance, which calls back with a ticket for the real one. If it does,
// the client may run scripts, and the callback brings along what miniredis needs to
// know when a script executes commands for this client; later scripts use that
// directly. In a transaction the entrance is queued, and calls back at EXEC, in its
// turn. The price is the virtual machine that miniredis builds for the entrance,
// about 100 us: once a connection, and for each script in a transaction.

// entrance is the script that miniredis runs. The name of its command cannot come
// from a client by accident.
const (
	redeem   = "\x00FLASHLAB.REDEEM"
	entrance = "return redis.call('\\0FLASHLAB.REDEEM', ARGV[1])"
)

// ticketMark begins the status that stands in for the reply of a script.
const ticketMark = "+flashlab-ticket:"

// ticket is a request that waits to be called back. It must not hold its connection:
// a client may go away in the middle of a transaction.
type ticket struct {
	request
	id     string
	caller *caller
	resp3  bool   // the protocol of the reply
	reply  []byte // nil: not called back yet
}

// caller is a connection that has sent scripts or MULTI.
type caller struct {
	context  any  // of the commands of its scripts; nil: to be asked for
	queueing bool // it may be in a transaction
	moved    bool // the transaction has a SELECT or the like in it
	queued   []*ticket
}

// callerTable holds the callers by connection. It does not keep a connection alive
// and drops those that are gone when it has doubled.
type callerTable struct {
	m     map[weak.Pointer[server.Peer]]*caller
	sweep int // at so many
}

func (t *callerTable) init() { t.m, t.sweep = map[weak.Pointer[server.Peer]]*caller{}, 64 }

func (t *callerTable) get(c *server.Peer) *caller {
	if len(t.m) == 0 {
		return nil
	}
	return t.m[weak.Make(c)]
}

// add returns the caller behind a connection, a new one if need be, and the tickets of
// connections that are gone.
func (t *callerTable) add(c *server.Peer) (cl *caller, lost []*ticket) {
	if cl = t.get(c); cl != nil {
		return cl, nil
	}
	if len(t.m) >= t.sweep {
		for p, old := range t.m {
			if p.Value() == nil {
				lost = append(lost, old.queued...)
				delete(t.m, p)
			}
		}
		t.sweep = 2*len(t.m) + 64
	}
	cl = &caller{}
	t.m[weak.Make(c)] = cl
	return cl, lost
}

// known returns the context for commands of a client's scripts, nil where it has to
// be asked for.
func (s *Scripts) known(c *server.Peer) any {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cl := s.callers.get(c); cl != nil && !cl.queueing {
		return cl.context
	}
	return nil
}

// forget is called when something changes that contexts depend on.
func (s *Scripts) forget(c *server.Peer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cl := s.callers.get(c); cl != nil {
		cl.context, cl.moved = nil, true
	}
}

// queueing is called at MULTI, which may still fail. A client that is not in a
// transaction after all takes the long way for a while, and gets the same answers.
func (s *Scripts) queueing(c *server.Peer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cl := s.register(c)
	if !cl.queueing {
		cl.queueing, cl.moved = true, false
	}
}

func (s *Scripts) register(c *server.Peer) *caller {
	cl, lost := s.callers.add(c)
	s.tear(lost)
	return cl
}

func (s *Scripts) tear(tickets []*ticket) {
	for _, t := range tickets {
		delete(s.tickets, t.id)
	}
}

// discard ends what queueing began.
func (s *Scripts) discard(c *server.Peer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cl := s.callers.get(c); cl != nil {
		s.tear(cl.queued)
		cl.queueing, cl.queued = false, nil
		if cl.moved {
			cl.context = nil
		}
	}
}

// enter sends a request through the entrance and writes the reply.
func (s *Scripts) enter(c *server.Peer, r request) {
	s.mu.Lock()
	cl := s.register(c)
	s.issued++
	t := &ticket{request: r, id: strconv.Itoa(s.issued), caller: cl, resp3: c.Resp3}
	s.tickets[t.id] = t
	s.mu.Unlock()

	reply := s.aside(c, "EVAL", entrance, "0", t.id)

	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case t.reply != nil:
		reply = t.reply
	case bytes.HasPrefix(reply, []byte("+QUEUED")):
		cl.queued = append(cl.queued, t)
		c.WriteRaw(string(reply))
		return
	}
	// What else may come are refusals: NOAUTH, a client that has subscribed.
	delete(s.tickets, t.id)
	c.WriteRaw(string(reply))
}

// isEntrance tells the entrance, which is for miniredis, from a script of a client.
func (s *Scripts) isEntrance(cmd string, args []string) bool {
	if cmd != "EVAL" || len(args) != 3 || args[0] != entrance {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.tickets[args[2]] != nil
}

// redeem is the callback. inner is the connection that miniredis has made for the
// commands of the entrance; miniredis is locked.
func (s *Scripts) redeem(inner *server.Peer, id string) bool {
	s.mu.Lock()
	t := s.tickets[id]
	s.mu.Unlock()
	if t == nil || t.reply != nil {
		return false
	}
	reply := bytes.Clone(s.execute(t.request, inner.Ctx, t.resp3))
	s.mu.Lock()
	if t.caller.context = inner.Ctx; s.run.selected {
		t.caller.context = nil
	}
	t.reply = reply
	s.mu.Unlock()
	inner.WriteRaw(ticketMark + id + "\r\n")
	return true
}

// exec runs a transaction in which scripts are queued and puts their replies in
// the place of the tickets. It reports false for any other EXEC.
func (s *Scripts) exec(c *server.Peer) bool {
	s.mu.Lock()
	cl := s.callers.get(c)
	scripts := cl != nil && len(cl.queued) > 0
	s.mu.Unlock()
	if cl == nil {
		return false
	}
	defer s.discard(c)
	if !scripts {
		return false
	}
	c.WriteRaw(string(s.exchange(s.aside(c, "EXEC"))))
	return true
}

// aside lets miniredis execute a command of a client without writing to it.
func (s *Scripts) aside(c *server.Peer, args ...string) []byte {
	var buf bytes.Buffer
	p := server.NewPeer(bufio.NewWriter(&buf))
	p.Ctx, p.Resp3, p.ClientName = c.Ctx, c.Resp3, c.ClientName
	s.srv.Dispatch(p, args)
	p.Flush()
	c.Ctx = p.Ctx // made by the first command of a connection
	return buf.Bytes()
}

// exchange replaces the tickets in the reply of EXEC.
func (s *Scripts) exchange(reply []byte) []byte {
	if len(reply) == 0 || reply[0] != '*' {
		return reply
	}
	head := bytes.IndexByte(reply, '\n') + 1
	out := bytes.Clone(reply[:head])
	s.mu.Lock()
	defer s.mu.Unlock()
	for rest := reply[head:]; len(rest) > 0; {
		n := replySize(rest)
		item := rest[:n]
		rest = rest[n:]
		if id, ok := bytes.CutPrefix(item, []byte(ticketMark)); ok {
			if t := s.tickets[strings.TrimSpace(string(id))]; t != nil && t.reply != nil {
				item = t.reply
			}
		}
		out = append(out, item...)
	}
	return out
}

// replySize returns the length in bytes of the first reply in b, all of b where it
// is not complete.
func replySize(b []byte) int {
	end := bytes.IndexByte(b, '\n') + 1
	if end < 3 {
		return len(b)
	}
	n, _ := strconv.Atoi(string(b[1 : end-2]))
	items := 0
	switch b[0] {
	case '$', '=', '!':
		if n >= 0 {
			end += n + 2
		}
	case '*', '~', '>':
		items = n
	case '%':
		items = 2 * n
	}
	for range items {
		if end >= len(b) {
			break
		}
		end += replySize(b[end:])
	}
	return min(end, len(b))
}
