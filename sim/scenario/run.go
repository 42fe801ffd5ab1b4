package scenario

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/redis/go-redis/v9"

	"flashlab/sim"
	"flashlab/sim/redisgate"
	"flashlab/sim/source"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// Lesson code is what the prefix selects; scenes and the shop's own plumbing for
// the lab are not shown.
const lessonPrefix = "flashlab/lessons/"

// Run executes a scenario one move at a time. It is not safe for concurrent use.
type Run struct {
	S *Scenario
	W *world.World

	actors   []Actor
	view     View
	bits     sim.Bits // latched
	locks    []*holding
	accepted map[string]int // by user
	budgets
	digest    uint64 // of the last step
	sources   *source.Resolver
	recording bool
	seq       int
	runOut    bool         // past the end of the interleaving
	final     bool         // the run-out is over
	hard      error        // found where no error can be returned
	event     *trace.Event // the operation just finished, when recording
}

// Open starts the engines of a scenario. Close must be called.
func Open(s *Scenario) (*Run, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	w, err := world.Open(s.World)
	if err != nil {
		return nil, err
	}
	r := &Run{S: s, W: w, accepted: map[string]int{}, sources: source.NewResolver(lessonPrefix, "/scene")}
	w.Kernel.Sources = r.sources
	w.Kernel.OnDid = r.did
	r.view = View{w: w, r: r}
	r.actors = s.Actors(w)
	return r, nil
}

// budgets are the faults and ticks that are left.
type budgets struct{ crashes, expiries, pauses, redeliveries, losses, ticks int }

// Close ends the actors and the engines.
func (r *Run) Close() error { return r.W.Close() }

// Record switches between exploring, which keeps no texts, and stepping.
func (r *Run) Record(on bool) {
	r.recording = on
	r.W.Kernel.Recording = on
}

// Reset brings the scenario to its start, every actor before its first operation.
func (r *Run) Reset() error {
	if err := r.W.Reset(); err != nil {
		return err
	}
	r.bits, r.seq, r.digest, r.event, r.runOut, r.final, r.hard = 0, 0, 0, nil, false, false, nil
	p := r.S.Params
	r.budgets = budgets{
		crashes: p.Get("crashes"), expiries: p.Get("expiries"), pauses: p.Get("pauses"),
		redeliveries: p.Get("redeliveries"), losses: p.Get("losses"), ticks: p.Get("ticks"),
	}
	if r.S.Time == Eager {
		if r.ticks = r.S.EagerTicks; r.ticks == 0 {
			r.ticks = 40
		}
	}
	r.resetLocks()
	clear(r.accepted)
	r.W.Kernel.FreeTime = r.S.Time == Free
	if r.S.Setup != nil {
		if err := r.S.Setup(r.W); err != nil {
			return fmt.Errorf("setting up %s.%s: %w", r.S.Lesson, r.S.Variant, err)
		}
	}
	for _, a := range r.actors {
		if _, err := r.W.Kernel.Spawn(a.Name.String(), a.Node, a.Daemon, a.Body); err != nil {
			return err
		}
	}
	r.hang()
	return r.W.Kernel.Err()
}

// did is called after each operation, on the actor's goroutine.
func (r *Run) did(a *sim.Actor, op *sim.Op, err error) {
	r.W.Observe(a, op, err)
	if op.Kind == sim.KindRedis {
		for _, h := range r.locks {
			h.observe(r, a, op.Detail)
		}
		r.accept(op.Detail)
	}
	if !r.recording {
		return
	}
	e := &trace.Event{
		Actor: a.Letter(), Node: a.Node, Kind: op.Kind.String(), Op: op.Name,
		// nil is an answer: no such key, nothing new to read.
		Failed: err != nil && !errors.Is(err, redis.Nil), At: r.W.Kernel.Now, Stack: a.Stack(r.sources),
	}
	if op.Detail != nil {
		e.Args, e.Reply, e.Access = op.Detail.Command(), op.Detail.Reply(), op.Detail.Accesses()
	}
	r.event = e
}

// Finished reports whether every actor that counts has ended.
func (r *Run) Finished() bool { return r.W.Kernel.Finished() }

// accept counts the requests that a sale script has said yes to.
func (r *Run) accept(d sim.Detail) {
	if r.S.Accepts == nil {
		return
	}
	for _, cmd := range redisgate.Commands(d) {
		if name := strings.ToLower(cmd.Name()); name != "evalsha" && name != "eval" {
			continue
		}
		if user, ok := r.S.Accepts(r.W.ScriptName(text(cmd.Args()[1])), cmd); ok {
			r.accepted[user]++
		}
	}
}

// Moves appends the moves possible now: actors by letter, then the environment.
// It is empty exactly where an interleaving ends: those that count have ended and
// nothing is in flight, or neither an actor nor time can move.
func (r *Run) Moves(dst []sim.Move) []sim.Move {
	out, err := r.moves(dst)
	if err != nil {
		r.hard = err // the next step reports it
	}
	return out
}

func (r *Run) moves(dst []sim.Move) ([]sim.Move, error) {
	k := r.W.Kernel
	start := len(dst)
	if k.Finished() {
		n, err := r.inFlight()
		if err != nil || n == 0 {
			return dst, err
		}
	}
	if u := r.urgent(); u != nil {
		return r.appendFaults(append(dst, sim.Move{Kind: sim.MoveActor, Arg: uint8(u.ID)}))
	}
	for i, a := range k.Actors {
		if !a.Hung && k.Enabled(a) {
			dst = append(dst, sim.Move{Kind: sim.MoveActor, Arg: uint8(i)})
		}
	}
	actorsCan := len(dst) > start
	dst = r.appendExpiries(dst)
	clock, err := r.clockMoves(actorsCan)
	if err != nil {
		return dst, err
	}
	if clock {
		dst = append(dst, sim.Move{Kind: sim.MoveClock})
	}
	if dst, err = r.appendRedeliveries(dst); err != nil || len(dst) == start {
		return dst, err
	}
	return r.appendFaults(dst)
}

// Allowed reports whether m is possible now.
func (r *Run) Allowed(m sim.Move) bool {
	for _, x := range r.Moves(nil) {
		if x == m {
			return true
		}
	}
	return false
}

// Do takes one step. Errors are hard: the run cannot go on after one.
func (r *Run) Do(m sim.Move) error {
	k := r.W.Kernel
	r.seq++
	r.event = nil
	if r.hard != nil {
		return r.hard
	}
	if m.Kind == sim.MoveActor {
		if int(m.Arg) >= len(k.Actors) {
			return fmt.Errorf("step %d: there is no actor %s", r.seq, m)
		}
		if err := r.stepActor(k.Actors[m.Arg]); err != nil {
			return err
		}
	} else if err := r.stepEnvironment(m); err != nil {
		return err
	}
	if err := k.Err(); err != nil {
		return err
	}
	r.hang()
	for _, h := range r.locks {
		h.settle(r)
	}
	return r.W.Loaded()
}

func (r *Run) stepActor(a *sim.Actor) error {
	if err := r.W.Kernel.Step(a); err != nil {
		return err
	}
	if a.State() == sim.Crashed {
		return fmt.Errorf("the business code of actor %s panicked: %w\n%s", a.Letter(), a.Err, a.Panic)
	}
	r.digest = digest(a)
	return nil
}

func (r *Run) stepEnvironment(m sim.Move) error {
	what, node, err := r.environment(m)
	if err != nil {
		return fmt.Errorf("step %d: %w", r.seq, err)
	}
	r.digest = uint64(r.W.Kernel.Now)
	if r.recording {
		r.event = &trace.Event{Node: node, Kind: "env", Op: m.Kind.String(), Args: what, At: r.W.Kernel.Now}
	}
	return nil
}

// Digest identifies the outcome of the last step: a replayed prefix must give the
// same ones.
func (r *Run) Digest() uint64 { return r.digest }

// digest is what an actor has seen so far and the operation it stands before: the
// history in the upper half, a hash of the operation's name in the lower.
func digest(a *sim.Actor) uint64 {
	const offset, prime = 2166136261, 16777619 // FNV-1a
	h := uint32(offset) ^ uint32(a.State())
	if a.State() == sim.Parked {
		for i := 0; i < len(a.Op.Name); i++ {
			h = (h ^ uint32(a.Op.Name[i])) * prime
		}
	}
	return uint64(a.History)<<32 | uint64(h)
}

// Label names the step that an actor stands before, for fingerprints.
func (r *Run) Label(m sim.Move) string {
	if m.Kind != sim.MoveActor {
		return m.String()
	}
	return r.W.Kernel.Actors[m.Arg].Op.Name
}

// AppendKey appends the state key: engines, actors, budgets, what the lights
// remember, and which are broken.
func (r *Run) AppendKey(b []byte) ([]byte, error) {
	b = append(b, byte(r.bits), byte(r.bits>>8), byte(r.crashes), byte(r.expiries), byte(r.pauses),
		byte(r.redeliveries), byte(r.losses), byte(r.ticks))
	for _, h := range r.locks {
		b = h.appendKey(r, b)
	}
	if len(r.accepted) > 0 {
		users := make([]string, 0, len(r.accepted))
		for u := range r.accepted {
			users = append(users, u)
		}
		sort.Strings(users)
		for _, u := range users {
			b = append(append(append(b, 'a'), u...), 0, byte(r.accepted[u]))
		}
	}
	return r.W.AppendKey(b)
}
