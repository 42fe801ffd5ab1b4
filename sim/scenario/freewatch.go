package scenario

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/proc"
)

// Who is one body of a free run: a request, or a daemon. It travels in the context.
type Who struct {
	Request int // position among the actors
	Node    int // from 0

	mu   sync.Mutex
	open []bool // by lock: a grant that its own release has not deleted
	ever []bool // by lock: it was granted
}

type whoKey struct{}

// LockKind says what an event of a lock is.
type LockKind uint8

// The events of a lock, as whoever sends the commands sees them.
const (
	SawGrant   LockKind = iota + 1 // a reply has granted it
	SawLeaving                     // the first command of a release is about to be sent
	SawRelease                     // a release has been answered
	SawLoss                        // a renewal has been refused, and the work ends
	SawEnd                         // the body has returned
	SawDeath                       // a node has died, and with it what it believed
	SawRenewal                     // a lease has been set anew
)

// LockEvent is one event of a lock.
type LockEvent struct {
	At      int64    `json:"t"`           // ns since 1970: comparable on one machine
	Call    int64    `json:"c,omitempty"` // when the command was sent, of grants and releases
	Kind    LockKind `json:"k"`
	Lock    int      `json:"l"`
	Who     int      `json:"w"`
	Node    int      `json:"n"`
	Lease   int64    `json:"e,omitempty"` // ns that a grant or a renewal really lasts; 0: for ever, -1: not known
	Nested  bool     `json:"r,omitempty"` // a release that keeps an outer hold
	Deleted bool     `json:"d,omitempty"` // a release that has deleted the key
	Plain   bool     `json:"p,omitempty"` // a renewal that does not ask who holds the lock
	Left    bool     `json:"x,omitempty"` // the body has ended, its grant open and the key there
}

// Watch sees the Redis commands of one process of a free run, as a hook of go-redis.
type Watch struct {
	s      *Scenario
	exists func(key string) bool
	script func(sha string) string
	pace   proc.Pace
	// Accept is told at once of each request that a sale script accepts; may be nil.
	Accept func(user string)
	// Tell is told at once of each event of a lock, in order: of a grant before the body
	// hears of it, of a release before it is sent. nil: they are kept for Take.
	Tell func(LockEvent)

	mu     sync.Mutex
	events []LockEvent
}

// NewWatch returns a watch for a scenario; it sees nothing until it is part of a world.
func NewWatch(s *Scenario) *Watch { return &Watch{s: s} }

var _ redis.Hook = (*Watch)(nil)

// Begin marks the context of a body, and gives it the pace of the run.
func (x *Watch) Begin(ctx context.Context, request, node int) (context.Context, *Who) {
	who := &Who{Request: request, Node: node, open: make([]bool, len(x.s.Locks)), ever: make([]bool, len(x.s.Locks))}
	ctx = proc.WithPace(ctx, x.pace)
	return context.WithValue(ctx, whoKey{}, who), who
}

// End notes that a body has returned which had been granted a lock.
func (x *Watch) End(who *Who) {
	for i, open := range who.open {
		if !who.ever[i] {
			continue
		}
		x.note(LockEvent{Kind: SawEnd, Lock: i, Who: who.Request, Node: who.Node, Left: open && x.exists(x.s.Locks[i].Key)})
	}
}

// Take returns the events since the last call, in order.
func (x *Watch) Take() []LockEvent {
	x.mu.Lock()
	defer x.mu.Unlock()
	out := x.events
	x.events = nil
	return out
}

func (x *Watch) note(e LockEvent) {
	x.mu.Lock()
	defer x.mu.Unlock()
	e.At = time.Now().UnixNano() // under the lock: events come in order
	if x.Tell != nil {
		x.Tell(e)
		return
	}
	x.events = append(x.events, e)
}

// DialHook passes through.
func (x *Watch) DialHook(next redis.DialHook) redis.DialHook {
	return func(ctx context.Context, network, addr string) (net.Conn, error) { return next(ctx, network, addr) }
}

// ProcessHook watches a command.
func (x *Watch) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if x.blind() {
			return next(ctx, cmd)
		}
		sent := x.before(ctx, cmd)
		err := next(ctx, cmd)
		if err != nil {
			cmd.SetErr(err) // go-redis does so only later
		}
		x.after(ctx, sent, cmd)
		return err
	}
}

// ProcessPipelineHook watches the commands of a pipeline.
func (x *Watch) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		if x.blind() {
			return next(ctx, cmds)
		}
		sent := x.before(ctx, cmds...)
		err := next(ctx, cmds)
		x.after(ctx, sent, cmds...)
		return err
	}
}

func (x *Watch) blind() bool { return x.script == nil || len(x.s.Locks) == 0 && x.s.Accepts == nil }

// before notes who is about to leave a section and returns the time.
func (x *Watch) before(ctx context.Context, cmds ...redis.Cmder) int64 {
	who, _ := ctx.Value(whoKey{}).(*Who)
	if who != nil {
		for _, cmd := range cmds {
			for i := range x.s.Locks {
				if role, _ := x.s.Locks[i].role(x.script, cmd); role == Release {
					x.note(LockEvent{Kind: SawLeaving, Lock: i, Who: who.Request, Node: who.Node})
				}
			}
		}
	}
	return time.Now().UnixNano()
}

func (x *Watch) after(ctx context.Context, sent int64, cmds ...redis.Cmder) {
	who, _ := ctx.Value(whoKey{}).(*Who)
	for _, cmd := range cmds {
		if x.s.Accepts != nil && x.Accept != nil {
			x.accept(cmd)
		}
		if who == nil {
			continue
		}
		for i := range x.s.Locks {
			l := &x.s.Locks[i]
			role, name := l.role(x.script, cmd)
			e := LockEvent{Call: sent, Lock: i, Who: who.Request, Node: who.Node}
			switch {
			case grants(role, cmd):
				e.Kind, e.Lease = SawGrant, x.lease(l, cmd)
				who.set(i, true)
			case role == Renew && answers(cmd, 1):
				e.Kind, e.Lease = SawRenewal, x.lease(l, cmd)
			case role == Renew && l.LossCancels && refused(cmd):
				e.Kind = SawLoss
			case l.expires(cmd):
				e.Kind, e.Lease, e.Plain = SawRenewal, x.lease(l, cmd), true
			case role == Release && refusedByServer(cmd):
				continue // an unknown script, for instance: nothing has happened
			case role == Release && name != "get":
				e.Kind = SawRelease
				e.Nested, e.Deleted = answers(cmd, 2), answers(cmd, 1)
				if e.Deleted {
					who.set(i, false)
				}
			default:
				continue
			}
			x.note(e)
		}
	}
}

// refusedByServer reports whether a server has answered with an error.
func refusedByServer(cmd redis.Cmder) bool {
	var answer redis.Error
	return cmd.Err() != nil && !errors.Is(cmd.Err(), redis.Nil) && errors.As(cmd.Err(), &answer)
}

func (who *Who) set(lock int, open bool) {
	who.mu.Lock()
	defer who.mu.Unlock()
	who.open[lock], who.ever[lock] = open, who.ever[lock] || open
}

// accept tells of a request that a sale script has said yes to.
func (x *Watch) accept(cmd redis.Cmder) {
	if name := strings.ToLower(cmd.Name()); name != "evalsha" && name != "eval" || len(cmd.Args()) < 2 {
		return
	}
	if user, ok := x.s.Accepts(scriptOf(x.script, cmd), cmd); ok {
		x.Accept(user)
	}
}

// answers reports whether the answer of a release is that number: 1 says that the
// key is gone, 2 that an outer hold is left, in DEL, DELEX and scripts alike.
func answers(cmd redis.Cmder, want int64) bool {
	switch c := cmd.(type) {
	case *redis.IntCmd:
		return c.Err() == nil && c.Val() == want
	case *redis.Cmd:
		n, ok := c.Val().(int64)
		return ok && n == want
	}
	return false
}

// lease is how long what a command grants or prolongs really lasts.
func (x *Watch) lease(l *Lock, cmd redis.Cmder) int64 {
	d, ok := leaseOf(l, x.script, cmd)
	if !ok {
		return -1
	}
	return x.pace.Real(d).Nanoseconds()
}

// leaseOf is the time to live that a command on a lock asks for, 0 if it asks for
// none; ok is false if that is not known.
func leaseOf(l *Lock, script func(sha string) string, cmd redis.Cmder) (d time.Duration, ok bool) {
	args := cmd.Args()
	switch name := strings.ToLower(cmd.Name()); name {
	case "evalsha", "eval": // name, script, number of keys, the lock, arguments
		i := l.Leases[scriptOf(script, cmd)]
		if i == 0 || 3+i >= len(args) {
			return 0, false
		}
		return amount(args[3+i], time.Millisecond)
	case "expire":
		return amount(args[2], time.Second)
	case "pexpire":
		return amount(args[2], time.Millisecond)
	}
	for i := 2; i+1 < len(args); i++ {
		switch strings.ToLower(text(args[i])) {
		case "px":
			return amount(args[i+1], time.Millisecond)
		case "ex":
			return amount(args[i+1], time.Second)
		}
	}
	return 0, true
}

// amount reads a number as it may be sent.
func amount(v any, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseInt(fmt.Sprint(v), 10, 64)
	return time.Duration(n) * unit, err == nil
}
