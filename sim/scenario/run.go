package scenario

import (
	"fmt"

	"flashlab/sim"
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

	actors    []Actor
	view      View
	bits      sim.Bits // latched
	crashes   int      // budget left
	digest    uint64   // of the last step
	sources   *source.Resolver
	recording bool
	seq       int
	runOut    bool         // past the end of the interleaving
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
	r := &Run{S: s, W: w, view: View{w}, sources: source.NewResolver(lessonPrefix, "/scene")}
	w.Kernel.Sources = r.sources
	w.Kernel.OnDid = r.did
	w.Kernel.FreeTime = true // no move of a scenario lets time pass
	r.actors = s.Actors(w)
	return r, nil
}

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
	r.bits, r.seq, r.digest, r.event, r.runOut = 0, 0, 0, nil, false
	r.crashes = r.S.Params.Get("crashes")
	if r.S.Setup != nil {
		if err := r.S.Setup(r.W); err != nil {
			return fmt.Errorf("setting up %s.%s: %w", r.S.Lesson, r.S.Variant, err)
		}
	}
	for _, a := range r.actors {
		if _, err := r.W.Kernel.Spawn(a.Name, a.Node, a.Daemon, a.Body); err != nil {
			return err
		}
	}
	return r.W.Kernel.Err()
}

// did is called after each operation, on the actor's goroutine.
func (r *Run) did(a *sim.Actor, op *sim.Op, err error) {
	r.W.Observe(a, op, err)
	if !r.recording {
		return
	}
	e := &trace.Event{
		Actor: a.Letter(), Node: a.Node, Kind: op.Kind.String(), Op: op.Name,
		Failed: err != nil, At: r.W.Kernel.Now, Stack: a.Stack(r.sources),
	}
	if op.Detail != nil {
		e.Args, e.Reply, e.Access = op.Detail.Command(), op.Detail.Reply(), op.Detail.Accesses()
	}
	r.event = e
}

// Finished reports whether every actor that counts has ended.
func (r *Run) Finished() bool { return r.W.Kernel.Finished() }

// Moves appends the moves possible now: actors by letter, then the environment.
// It is empty exactly where an interleaving ends.
func (r *Run) Moves(dst []sim.Move) []sim.Move {
	k := r.W.Kernel
	if k.Finished() {
		return dst
	}
	for i, a := range k.Actors {
		if k.Enabled(a) {
			dst = append(dst, sim.Move{Kind: sim.MoveActor, Arg: uint8(i)})
		}
	}
	if r.crashes > 0 {
		for i, a := range k.Actors {
			if a.State() == sim.Parked && !a.Hung {
				dst = append(dst, sim.Move{Kind: sim.MoveCrash, Arg: uint8(i)})
			}
		}
	}
	return dst
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
	if int(m.Arg) >= len(k.Actors) {
		return fmt.Errorf("step %d: there is no actor %s", r.seq, m)
	}
	a := k.Actors[m.Arg]
	switch m.Kind {
	case sim.MoveActor:
		if err := k.Step(a); err != nil {
			return err
		}
		if a.State() == sim.Crashed {
			return fmt.Errorf("the business code of actor %s panicked: %w\n%s", a.Letter(), a.Err, a.Panic)
		}
		r.digest = digest(a)
	case sim.MoveCrash:
		r.crashes--
		if err := k.Kill(a); err != nil {
			return err
		}
		r.digest = 0
		if r.recording {
			r.event = &trace.Event{Node: a.Node, Kind: "env", Op: m.Kind.String(), Args: "crash " + a.Letter(), At: k.Now}
		}
	default:
		return fmt.Errorf("step %d: %s is no step of this scenario", r.seq, m)
	}
	if err := k.Err(); err != nil {
		return err
	}
	return r.W.Loaded()
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

// AppendKey appends the state key: engines, actors, budgets, latched lights.
func (r *Run) AppendKey(b []byte) ([]byte, error) {
	b = append(b, byte(r.bits), byte(r.bits>>8), byte(r.crashes))
	return r.W.AppendKey(b)
}
