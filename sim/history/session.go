// Package history lets a person walk through the schedules of a scenario: step,
// go back, go on, jump, take another turn. Everything ever done stays in a tree;
// going back costs nothing to look at, and taking another turn re-executes the
// prefix on a fresh world, which is exact.
//
// The package must not know the screen or a lesson.
package history

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"flashlab/sim"
	"flashlab/sim/scenario"
	"flashlab/sim/token"
	"flashlab/sim/trace"
)

// Node is one point of the tree: the step that led here and the world after it.
type Node struct {
	Parent   *Node
	Children []*Node
	Move     sim.Move
	Depth    int // steps from the start
	Frame    trace.Frame
	// RunOut holds, at the end of an interleaving, the steps of the run-out; the
	// last frame has no event and carries the final lights.
	RunOut []trace.Frame

	next *Node // the child that "forward" goes to
}

// State is the world at the node; at an end, after the run-out.
func (n *Node) State() *trace.State {
	if k := len(n.RunOut); k > 0 {
		return &n.RunOut[k-1].State
	}
	return &n.Frame.State
}

// Ended reports whether the interleaving is over here.
func (n *Node) Ended() bool { return n.Frame.State.Ended }

// Moves returns the schedule that leads to the node.
func (n *Node) Moves() []sim.Move {
	out := make([]sim.Move, n.Depth)
	for x := n; x.Parent != nil; x = x.Parent {
		out[x.Depth-1] = x.Move
	}
	return out
}

// child returns the child that m leads to, or nil.
func (n *Node) child(m sim.Move) *Node {
	for _, c := range n.Children {
		if c.Move == m {
			return c
		}
	}
	return nil
}

// Session is one scenario being walked through. It is not safe for concurrent use.
type Session struct {
	run    *scenario.Run
	root   *Node
	cursor *Node
	world  *Node // where the engines stand; nil when they are spent
	hash   string
}

// Open starts a session at the beginning. Close must be called.
func Open(s *scenario.Scenario) (*Session, error) {
	run, err := scenario.Open(s)
	if err != nil {
		return nil, err
	}
	x := &Session{run: run}
	if err := x.start(); err != nil {
		run.Close()
		return nil, err
	}
	return x, nil
}

func (s *Session) start() error {
	var err error
	if s.hash, err = s.run.Hash(); err != nil {
		return err
	}
	s.run.Record(true)
	f, err := s.run.Start()
	if err != nil {
		return err
	}
	s.root = &Node{Frame: f}
	s.cursor, s.world = s.root, s.root
	return s.settle(s.root)
}

// Close ends the engines.
func (s *Session) Close() error { return s.run.Close() }

// Scenario returns what is being walked through.
func (s *Session) Scenario() *scenario.Scenario { return s.run.S }

// Server names the live server that the session runs on, and its version; ok is
// false on the embedded engine.
func (s *Session) Server() (name, version string, ok bool) { return s.run.W.Server() }

// Root is the start.
func (s *Session) Root() *Node { return s.root }

// Cursor is where the session stands.
func (s *Session) Cursor() *Node { return s.cursor }

// Path returns the nodes from the start through the cursor to the end of the
// branch that "forward" follows.
func (s *Session) Path() []*Node {
	var out []*Node
	for n := s.cursor; n != nil; n = n.Parent {
		out = append(out, n)
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	for n := s.cursor.next; n != nil; n = n.next {
		out = append(out, n)
	}
	return out
}

// ErrNotPossible is returned for a step that cannot be taken where it is asked for.
var ErrNotPossible = errors.New("this step is not possible here")

// Step takes a step from the cursor. One that was taken before is only walked to.
func (s *Session) Step(m sim.Move) error {
	if c := s.cursor.child(m); c != nil {
		s.cursor.next, s.cursor = c, c
		return nil
	}
	possible := false
	for _, c := range s.cursor.Frame.State.Choices {
		possible = possible || c.Move == m.String()
	}
	if !possible {
		return fmt.Errorf("step %d (%s): %w", s.cursor.Depth+1, m, ErrNotPossible)
	}
	if err := s.rebuild(); err != nil {
		return err
	}
	f, err := s.run.Play(m, s.cursor.Frame.State.Lights)
	if err != nil {
		s.world = nil
		return err
	}
	n := &Node{Parent: s.cursor, Move: m, Depth: s.cursor.Depth + 1, Frame: f}
	s.cursor.Children = append(s.cursor.Children, n)
	s.cursor.next, s.cursor, s.world = n, n, n
	return s.settle(n)
}

// settle runs an ended interleaving out, once.
func (s *Session) settle(n *Node) error {
	if !n.Ended() || n.RunOut != nil {
		return nil
	}
	out, err := s.run.PlayOut(n.Frame.State.Lights)
	s.world = nil // spent
	if err != nil {
		return err // half a run-out judges nothing
	}
	n.RunOut = out
	return nil
}

// rebuild brings the engines to the cursor by running its prefix again.
func (s *Session) rebuild() error {
	if s.world == s.cursor {
		return nil
	}
	s.world = nil
	f, err := s.run.Start()
	if err != nil {
		return err
	}
	path := s.Path()[:s.cursor.Depth+1]
	for _, n := range path[1:] {
		if f, err = s.run.Play(n.Move, f.State.Lights); err != nil {
			return err
		}
		if was, is := n.Frame.Event, f.Event; was.Args != is.Args || was.Reply != is.Reply {
			return fmt.Errorf("step %d (%s) was %q -> %q and is now %q -> %q: the run is not deterministic", n.Depth, n.Move, was.Args, was.Reply, is.Args, is.Reply)
		}
	}
	s.world = s.cursor
	return nil
}

// Back goes back up to n steps and returns how many it went.
func (s *Session) Back(n int) int {
	went := 0
	for ; went < n && s.cursor.Parent != nil; went++ {
		s.cursor.Parent.next = s.cursor
		s.cursor = s.cursor.Parent
	}
	return went
}

// Forward goes on up to n steps along what was done before.
func (s *Session) Forward(n int) int {
	went := 0
	for ; went < n && s.cursor.next != nil; went++ {
		s.cursor = s.cursor.next
	}
	return went
}

// Seek goes to a depth on the present branch, as near as it can.
func (s *Session) Seek(depth int) {
	if d := s.cursor.Depth - depth; d > 0 {
		s.Back(d)
	} else {
		s.Forward(-d)
	}
}

// Fork forgets what lies ahead of the cursor as the way "forward" goes; the branch
// stays in the tree.
func (s *Session) Fork() { s.cursor.next = nil }

// Load goes to the start and takes a whole schedule, step by step; the cursor ends
// behind its last step. The branch that was there stays in the tree.
func (s *Session) Load(moves []sim.Move) error {
	s.Seek(0)
	for _, m := range moves {
		if err := s.Step(m); err != nil {
			return err
		}
	}
	s.cursor.next = nil
	return nil
}

// Random takes one step drawn from rng among those possible that are no faults;
// it reports whether there was one.
func (s *Session) Random(rng *rand.Rand) (bool, error) {
	var able []sim.Move
	for _, c := range s.cursor.Frame.State.Choices {
		if c.Fault {
			continue
		}
		m, err := token.ParseSteps(c.Move)
		if err != nil {
			return false, err
		}
		able = append(able, m[0])
	}
	if len(able) == 0 {
		return false, nil
	}
	return true, s.Step(able[rng.IntN(len(able))])
}

// Branches is the number of different ways taken so far, each to its last step.
func (s *Session) Branches() int { return leaves(s.root) }

func leaves(n *Node) int {
	if len(n.Children) == 0 {
		return 1
	}
	sum := 0
	for _, c := range n.Children {
		sum += leaves(c)
	}
	return sum
}

// Hash is the scenario's name in tokens.
func (s *Session) Hash() string { return s.hash }

// Token is the text form of the schedule up to the cursor.
func (s *Session) Token() string { return TokenOf(s.run.S, s.hash, s.cursor.Moves()) }

// TokenOf renders a schedule of a scenario.
func TokenOf(s *scenario.Scenario, hash string, moves []sim.Move) string {
	return token.Token{Lesson: s.Lesson, Variant: s.Variant, Sets: s.Params.Changed(), Hash: hash, Steps: moves}.String()
}

// Log returns the run up to the cursor, with the run-out if it has ended, for
// exporters.
func (s *Session) Log() trace.Log {
	l := trace.Log{Lesson: s.run.S.Lesson, Variant: s.run.S.Variant, Params: s.run.S.Params.Changed(), Token: s.Token()}
	l.Actors = s.root.Frame.State.Actors
	for _, n := range s.Path()[:s.cursor.Depth+1] {
		l.Frames = append(l.Frames, n.Frame)
	}
	l.Frames = append(l.Frames, s.cursor.RunOut...)
	l.Verdict = s.Verdict().String()
	return l
}

// Verdict is what the schedule up to the cursor shows: breaks if a light is red,
// holds if it has ended without, unknown if it has not ended or could not be run out.
func (s *Session) Verdict() scenario.Verdict {
	switch {
	case s.cursor.State().AnyRed():
		return scenario.Breaks
	case s.cursor.Ended() && s.cursor.RunOut != nil:
		return scenario.Holds
	}
	return scenario.Unknown
}
