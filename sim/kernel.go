package sim

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"flashlab/sim/source"
)

// StallLimit is how long an actor may compute without an operation, unless the
// kernel is told otherwise.
const StallLimit = 2 * time.Second

// MaxActors is the number of letters a schedule has for actors.
const MaxActors = 26

// Kernel owns the actors of one run and moves them one at a time. It is driven
// from a single goroutine; only gates call it from actors, and then the driver
// is waiting.
type Kernel struct {
	Actors    []*Actor
	Now       time.Duration // virtual time since the start of the run
	Recording bool          // keep call stacks of operations
	FreeTime  bool          // time stands still and a sleep is always enabled
	Stall     time.Duration // how long an actor may compute without an operation
	Histories *Histories
	Sources   *source.Resolver // names the line in errors; may be nil

	// OnDid is called on the actor's goroutine after each finished operation.
	OnDid func(a *Actor, op *Op, err error)

	resources []shared
	paused    map[string]time.Duration // node -> virtual end of its pause
	free      []*Actor
	named     []Object // scratch of AppendKey
	locals    map[local]Object
	stall     *time.Timer

	mu  sync.Mutex
	err error // first hard error
}

// Resource is something actors share through sim/proc, such as a mutex. Its
// content is part of the state key, and a node's death takes it along.
type Resource interface {
	// AppendKey appends the canonical content.
	AppendKey(dst []byte) []byte
	// NodeDied tells that a node with everything in its memory is gone.
	NodeDied(node string)
}

// New returns a kernel without actors.
func New() *Kernel {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return &Kernel{Histories: NewHistories(), paused: map[string]time.Duration{}, locals: map[local]Object{}, Stall: StallLimit, stall: t}
}

// local names one node's copy of a process-wide object.
type local struct {
	object any
	node   string
}

// Local returns the state that an object of the business code, such as a mutex
// in a package variable, has on one node: nodes are processes and share none.
func (k *Kernel) Local(object any, node string, make func() Object) Object {
	l := local{object, node}
	o := k.locals[l]
	if o == nil {
		o = make()
		k.locals[l] = o
	}
	return o
}

// Share registers a resource for the rest of this run. Its owner is the actor that
// made it, nil for what belongs to the scenario. The key lists resources by owner
// and, within one, in the order of making: the same for every schedule that gave
// the owner the same history.
func (k *Kernel) Share(r Resource, owner *Actor) {
	id := -1
	if owner != nil {
		id = owner.ID
	}
	at := len(k.resources)
	for at > 0 && k.resources[at-1].owner > id {
		at--
	}
	k.resources = slices.Insert(k.resources, at, shared{r, id})
}

// shared is a resource with the position of its owner, -1 for the scenario.
type shared struct {
	Resource
	owner int
}

// Spawn registers an actor and runs it to its first operation. Starting is no
// step. The driver calls it; an actor that starts a task uses [Actor.Start].
func (k *Kernel) Spawn(name, node string, daemon bool, body func(context.Context) error) (*Actor, error) {
	return k.spawn(nil, name, node, daemon, body)
}

func (k *Kernel) spawn(parent *Actor, name, node string, daemon bool, body func(context.Context) error) (*Actor, error) {
	if len(k.Actors) == MaxActors {
		err := fmt.Errorf("more than %d actors: %q on %s is one too many", MaxActors, name, node)
		k.fail(err)
		return nil, err
	}
	var a *Actor
	if n := len(k.free); n > 0 {
		a, k.free = k.free[n-1], k.free[:n-1]
	} else {
		a = &Actor{k: k, in: make(chan struct{}), out: make(chan struct{})}
		a.ctx = context.WithValue(context.Background(), actorKey{}, a)
		go a.work()
	}
	a.ID, a.Name, a.Node, a.Daemon, a.body = len(k.Actors), name, node, daemon, body
	a.Urgent, a.Hung, a.Err, a.Panic, a.Steps, a.fresh = false, false, nil, nil, 0, false
	a.dying, a.tokens, a.children, a.holds, a.joined = false, 0, 0, a.holds[:0], false
	a.deaf = false
	a.dead.Store(false)
	a.refusals.Store(0)
	// A history begins with the body that makes it: one of the scenario's own
	// actors, or the nth task of another one at some point of its history.
	if parent == nil {
		a.History = 0
		a.Saw([]byte{byte(a.ID)})
	} else {
		a.History = parent.History
		a.Saw([]byte{'+', byte(parent.children)})
	}
	a.Parent = parent
	k.Actors = append(k.Actors, a)
	a.state.Store(uint32(Running))
	return a, a.resume(parent)
}

// Enabled reports whether the actor can take a step now.
func (k *Kernel) Enabled(a *Actor) bool {
	if a.State() != Parked {
		return false
	}
	if _, ok := k.paused[a.Node]; ok {
		return false
	}
	if a.Op.Blocked == nil {
		return true
	}
	_, blocked := a.Op.Blocked()
	return !blocked
}

// Step lets the actor execute its operation and run on to the next one.
func (k *Kernel) Step(a *Actor) error {
	if err := k.Err(); err != nil {
		return err
	}
	if a.State() != Parked {
		return fmt.Errorf("actor %s cannot step: it is not at an operation", a.Letter())
	}
	if !k.Enabled(a) {
		why, _ := a.Why()
		return fmt.Errorf("actor %s cannot step: it waits (%s %s)", a.Letter(), why.Kind, why.Name)
	}
	if err := a.resume(nil); err != nil {
		return err
	}
	return k.Err()
}

// Kill is kill -9 for one actor: nothing of it reaches an engine any more. Its
// deferred functions run, but every gate refuses them.
func (k *Kernel) Kill(a *Actor) error {
	if a.lost.Load() || a.State() != Parked {
		return nil
	}
	a.dead.Store(true)
	if err := a.resume(nil); err != nil {
		return err
	}
	if a.State() == Parked {
		return fmt.Errorf("actor %s lives on after a kill", a.Letter())
	}
	for _, o := range a.holds {
		o.Abandon()
	}
	a.holds = a.holds[:0]
	return nil
}

// KillNode kills every actor of a node and what it held in memory.
func (k *Kernel) KillNode(node string) error {
	for _, a := range k.Actors {
		if a.Node == node {
			if err := k.Kill(a); err != nil {
				return err
			}
		}
	}
	for _, r := range k.resources {
		r.NodeDied(node)
	}
	delete(k.paused, node)
	return nil
}

// Pause stops a node for d of virtual time.
func (k *Kernel) Pause(node string, d time.Duration) { k.paused[node] = k.Now + d }

// Paused reports whether the node stands still.
func (k *Kernel) Paused(node string) bool { _, ok := k.paused[node]; return ok }

// Unpause ends all pauses, as the run-out does.
func (k *Kernel) Unpause() { clear(k.paused) }

// Advance moves virtual time to t and ends the pauses that are over.
func (k *Kernel) Advance(t time.Duration) {
	k.Now = t
	for n, end := range k.paused {
		if end <= t {
			delete(k.paused, n)
		}
	}
}

// Deadlines calls f with every instant in the future at which something can
// happen by itself: sleepers, timeouts, ends of pauses.
func (k *Kernel) Deadlines(f func(time.Duration)) {
	for _, a := range k.Actors {
		if a.State() == Parked && a.Op.Wake > k.Now && !k.Paused(a.Node) {
			f(a.Op.Wake)
		}
	}
	for _, end := range k.paused {
		f(end)
	}
	for _, r := range k.resources {
		if d, ok := r.Resource.(interface{ Due() time.Duration }); ok {
			if at := d.Due(); at > k.Now {
				f(at)
			}
		}
	}
}

// Finished reports whether every actor that counts has ended; one that a fault
// hung is excused.
func (k *Kernel) Finished() bool {
	for _, a := range k.Actors {
		if !a.Daemon && !a.Hung && a.State() == Parked {
			return false
		}
	}
	return true
}

// Err returns the first hard error of the run: a stall, two operations at once,
// an operation without an actor.
func (k *Kernel) Err() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.err
}

// Fail records a hard error found by a gate.
func (k *Kernel) Fail(err error) { k.fail(err) }

func (k *Kernel) fail(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err == nil {
		k.err = err
	}
}

// NoActor is the hard error for an operation that carries no actor although the
// world is under control, such as a deferred release on context.Background().
func (k *Kernel) NoActor(op string) error {
	err := fmt.Errorf("%s runs without its actor%s: pass on the context the function was given", op, k.where())
	k.fail(err)
	return err
}

// where names the lesson line of the caller, for errors.
func (k *Kernel) where() string {
	if k.Sources == nil {
		return ""
	}
	var pcs [64]uintptr
	n := runtime.Callers(3, pcs[:])
	if st := k.Sources.Stack(pcs[:n]); len(st) > 0 {
		return fmt.Sprintf(" (%s:%d)", st[0].File, st[0].Line)
	}
	return ""
}

// Reset ends every actor and forgets the run. Histories stay: they are
// comparable between runs.
func (k *Kernel) Reset() error {
	for i := len(k.Actors) - 1; i >= 0; i-- {
		a := k.Actors[i]
		if err := k.Kill(a); err != nil {
			return err
		}
		if st := a.State(); a.lost.Load() || st == Running || st == Filling || a.ended {
			continue // only after a stall does one still run
		}
		a.state.Store(uint32(Idle))
		k.free = append(k.free, a) // last in, first out: the same goroutine for the same actor
	}
	k.Actors, k.resources = k.Actors[:0], k.resources[:0]
	k.Now = 0
	clear(k.paused)
	clear(k.locals)
	return k.Err()
}

// Close ends every goroutine of the kernel. One that computes without end cannot
// be ended and is left behind.
func (k *Kernel) Close() error {
	err := k.Reset()
	for _, a := range k.free {
		close(a.in)
		<-a.out
	}
	k.free = nil
	k.stall.Stop()
	return err
}
