package sim

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"time"

	"flashlab/sim/source"
	"flashlab/sim/trace"
)

// ErrKilled is what every gate answers to a dead actor.
var ErrKilled = errors.New("this actor was killed")

// ErrTwoOperations is what a gate answers when one actor enters two operations
// at once, as business code does that starts goroutines by itself.
var ErrTwoOperations = errors.New("two operations of one actor at once")

// ErrForeignGoroutine is what a gate answers when the operation comes from a
// goroutine that business code has started by itself. Nobody could end that one.
var ErrForeignGoroutine = errors.New("operation from a goroutine that the lab did not start")

// A dead actor may ignore [ErrKilled] so often before its goroutine is ended
// without asking. Below database/sql, which loses the connection of a query that
// does not return, there is more patience: a loop that also does something else
// ends there.
const (
	refusalLimit    = 32
	refusalLimitSQL = 4 * refusalLimit
)

// killed is the panic value that unwinds a killed actor.
type killed struct{}

// State of an actor's goroutine.
type State uint32

// The states of an actor.
const (
	Idle    State = iota // no body
	Running              // between two operations
	Filling              // a gate fills the operation
	Parked               // before its operation
	Done                 // its body returned
	Dead                 // killed
	Crashed              // its body panicked
)

// Actor is one thread of control on a node. Its exported fields are read by the
// driver between steps, never while the actor runs.
type Actor struct {
	ID     int    // position in start order
	Name   string // what it is: "buyer", "consumer c1"
	Node   string // the node it lives on
	Daemon bool   // does not count as unfinished
	Urgent bool   // when due, it precedes other actors and the clock
	Hung   bool   // stopped for ever by a fault
	Parent *Actor // who started it; nil for the scenario's own actors
	Op     Op     // valid while parked
	Err    error  // what the body returned
	Panic  []byte // stack of a crashed body

	Steps   int       // operations finished
	History HistoryID // the replies it has seen

	k        *Kernel
	ctx      context.Context
	body     func(context.Context) error
	state    atomic.Uint32
	dead     atomic.Bool
	dying    bool         // the kill panic has been raised
	refusals atomic.Int32 // atomic, for foreign goroutines come here too
	tokens   int          // ids drawn by this actor
	children int          // tasks started by it
	fresh    bool         // no run has seen what it does after its present history
	holds    []Object
	joined   bool
	deaf     bool // its next reply is lost
	in, out  chan struct{}
	ended    bool        // its goroutine is no more
	lost     atomic.Bool // it did not come back in time, and nobody waits for it
}

type actorKey struct{}

// From returns the actor that ctx carries, or nil in a free run.
func From(ctx context.Context) *Actor {
	a, _ := ctx.Value(actorKey{}).(*Actor)
	return a
}

// Root is the actor that the scenario declared, of which this one is a task.
func (a *Actor) Root() *Actor {
	for a.Parent != nil {
		a = a.Parent
	}
	return a
}

// Letter is the actor's name in schedules: 'A' for the first.
func (a *Actor) Letter() string { return string(rune('A' + a.ID)) }

// Kernel returns the scheduler the actor belongs to.
func (a *Actor) Kernel() *Kernel { return a.k }

// State returns what the actor's goroutine is doing.
func (a *Actor) State() State { return State(a.state.Load()) }

// Alive reports whether the actor is neither dead nor ended.
func (a *Actor) Alive() bool { return a.State() == Parked && !a.dead.Load() }

// Refused reports whether every gate must turn the actor away.
func (a *Actor) Refused() bool { return a.dead.Load() }

// NextToken numbers the ids this actor draws: the same in every replay.
func (a *Actor) NextToken() int { a.tokens++; return a.tokens }

// LoseReply makes the next reply of the actor get lost.
func (a *Actor) LoseReply() { a.deaf = true }

// LosesReply reports, once, whether the reply of the operation just done is lost.
func (a *Actor) LosesReply() bool {
	lost := a.deaf
	a.deaf = false
	return lost
}

// Deaf reports whether the actor's next reply will be lost.
func (a *Actor) Deaf() bool { return a.deaf }

// Hold notes that the actor holds an object from now on.
func (a *Actor) Hold(o Object) { a.holds = append(a.holds, o) }

// Drop notes that the actor holds an object no longer.
func (a *Actor) Drop(o Object) {
	for i, h := range a.holds {
		if h == o {
			a.holds = append(a.holds[:i], a.holds[i+1:]...)
			return
		}
	}
}

// Prepare claims the operation slot for a gate, which then fills it and calls
// [Actor.Park] or [Actor.ParkErr]. A dead actor gets [ErrKilled].
func (a *Actor) Prepare(kind Kind, name string) (*Op, error) {
	if a.dead.Load() {
		return nil, a.refuse(kind)
	}
	if !a.state.CompareAndSwap(uint32(Running), uint32(Filling)) {
		return nil, a.misuse(ErrTwoOperations, name)
	}
	// What an actor does after a history is always the same, so that one look at
	// its stack for each history is enough.
	if a.fresh && !onOwnGoroutine() {
		a.state.Store(uint32(Running))
		return nil, a.misuse(ErrForeignGoroutine, name)
	}
	a.CloseJoined()
	a.fresh = false
	op := &a.Op
	op.Kind, op.Name, op.Blocked, op.Wake, op.Detail, op.Object, op.npc = kind, name, nil, 0, nil, nil, 0
	if a.k.Recording {
		op.npc = runtime.Callers(3, op.pcs[:])
	}
	return op, nil
}

// misuse is the hard error for an operation that cannot be scheduled.
func (a *Actor) misuse(err error, name string) error {
	err = fmt.Errorf("%w: actor %s enters %s%s; start tasks with proc.Go", err, a.Letter(), name, a.k.where())
	a.k.fail(err)
	return err
}

// Join leaves the step just taken open: the next operation belongs to it, as the
// command after WATCH does. A gate calls it in place of [Actor.Did].
func (a *Actor) Join() { a.joined = true }

// Joined reports whether the next operation belongs to the step being taken.
func (a *Actor) Joined() bool { return a.joined }

// Relabel names the operation that a joined step goes on with, without parking.
func (a *Actor) Relabel(name string, d Detail) error {
	if a.dead.Load() {
		return a.refuse(a.Op.Kind)
	}
	a.joined = false
	a.Op.Name += "+" + name
	a.Op.Detail = joined{a.Op.Detail, d}
	return nil
}

// CloseJoined publishes a step that was left open and that nothing will follow.
func (a *Actor) CloseJoined() {
	if a.joined && !a.dead.Load() {
		a.joined = false
		a.Did(nil, nil)
	}
}

// joined is the detail of a step made of two operations.
type joined struct{ first, second Detail }

// Parts returns the two operations.
func (j joined) Parts() (first, second Detail) { return j.first, j.second }

func (j joined) Command() string { return j.first.Command() + "; " + j.second.Command() }
func (j joined) Reply() string   { return j.second.Reply() }
func (j joined) Accesses() []trace.Access {
	return append(j.first.Accesses(), j.second.Accesses()...)
}

// Park stops the actor before its prepared operation until the driver steps it.
// A killed actor unwinds from here by panic; its later operations, those of
// deferred functions for instance, get [ErrKilled] from Prepare.
func (a *Actor) Park() error {
	a.yield()
	if a.dead.Load() {
		if !a.dying {
			a.dying = true
			panic(killed{})
		}
		return a.refuse(a.Op.Kind)
	}
	return nil
}

// ParkErr is Park for gates below code that leaks when a panic passes through
// it: database/sql loses the connection of a panicking query. The dead get an
// error instead.
func (a *Actor) ParkErr() error {
	a.yield()
	if a.dead.Load() {
		return a.refuse(a.Op.Kind)
	}
	return nil
}

func (a *Actor) yield() {
	a.state.Store(uint32(Parked))
	a.out <- struct{}{}
	<-a.in
	a.state.Store(uint32(Running))
}

// refuse turns a dead actor away. Code that loops on errors for ever is ended by
// Goexit, which no recover can stop.
func (a *Actor) refuse(kind Kind) error {
	limit := int32(refusalLimit)
	if kind == KindSQL {
		limit = refusalLimitSQL
	}
	if a.refusals.Add(1) > limit {
		runtime.Goexit()
	}
	return ErrKilled
}

// Did publishes the finished operation. reply is its canonical form, the exact
// bytes that decide how the actor goes on; err is part of it.
func (a *Actor) Did(reply []byte, err error) {
	k := a.k
	// The last byte keeps an error apart from an answer that looks like one.
	if err != nil {
		reply = append(append(append(reply, '!'), err.Error()...), 1)
	} else {
		reply = append(reply, 0)
	}
	a.Saw(reply)
	a.Steps++
	if k.OnDid != nil {
		k.OnDid(a, &a.Op, err)
	}
}

// Saw extends the actor's history by something it learnt without an operation.
func (a *Actor) Saw(b []byte) {
	var isNew bool
	a.History, isNew = a.k.Histories.Append(a.History, b)
	a.fresh = a.fresh || isNew
}

// Start runs a task of the same process as an actor of its own, up to its first
// operation. The task may use all that this actor knows, so its history begins
// with this one's.
func (a *Actor) Start(name string, body func(context.Context) error) (*Actor, error) {
	a.children++
	return a.k.spawn(a, name, a.Node, true, body)
}

// Stack returns the lesson frames of the parked operation, innermost first. It
// is empty unless the kernel records.
func (a *Actor) Stack(r *source.Resolver) []source.Frame { return r.Stack(a.Op.PCs()) }

// Why returns the reason the actor cannot step, if there is one.
func (a *Actor) Why() (trace.Reason, bool) {
	if a.State() != Parked {
		return trace.Reason{}, false
	}
	if until, ok := a.k.paused[a.Node]; ok {
		return trace.Reason{Kind: "pause", Name: a.Node, Left: max(0, until-a.k.Now)}, true
	}
	if a.Op.Blocked == nil {
		return trace.Reason{}, false
	}
	return a.Op.Blocked()
}

// resume lets the actor run until it parks or ends. An actor that computes for
// longer than the limit is reported and given up. While an actor waits for a task
// that it starts, the clock runs for the task alone.
func (a *Actor) resume(parent *Actor) error {
	k := a.k
	stall := k.stall
	if parent == nil {
		stall.Reset(k.Stall)
	} else {
		outer := stall
		outer.Stop()
		stall = time.NewTimer(k.Stall)
		k.stall = stall
		defer func() {
			stall.Stop()
			k.stall = outer
			outer.Reset(k.Stall)
		}()
	}
	a.in <- struct{}{}
	select {
	case <-a.out:
		return nil
	case <-stall.C:
		a.abandon()
		err := fmt.Errorf("actor %s has computed for %v without an operation after %q: does its code loop without waiting?", a.Letter(), k.Stall, a.Op.Name)
		k.fail(err)
		return err
	}
}
