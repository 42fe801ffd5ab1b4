package explore

import (
	"fmt"
	"math/big"

	"flashlab/sim"
)

// graph is the state graph: every distinct state once, with the steps out of it.
type graph struct {
	lights int
	nodes  []node
	edges  []edge
	ids    map[string]int32
	done   int // edges that have been taken

	totals []*big.Int         // schedules from each node, when asked for
	bad    map[int][]*big.Int // those that break a light, when asked for
}

// node is a state. Its steps are edges[first : first+n] in canonical order.
type node struct {
	first int32
	n     int16
	bits  sim.Bits // broken on every way here
	final sim.Bits // at an end: broken after the run-out
}

// edge is a step: who takes it, and the state it leads to, -1 if not taken yet.
type edge struct {
	to   int32
	move sim.Move
}

func newGraph(lights int) *graph {
	return &graph{lights: lights, ids: map[string]int32{}}
}

// add makes a node for a new key. A node without moves is an end.
func (g *graph) add(key []byte, moves []sim.Move, bits sim.Bits) int32 {
	id := int32(len(g.nodes))
	g.ids[string(key)] = id
	g.nodes = append(g.nodes, node{first: int32(len(g.edges)), n: int16(len(moves)), bits: bits, final: bits})
	for _, m := range moves {
		g.edges = append(g.edges, edge{-1, m})
	}
	return id
}

// out returns the steps out of a node.
func (g *graph) out(id int32) []edge {
	n := &g.nodes[id]
	return g.edges[n.first : n.first+int32(n.n)]
}

// offers reports whether the steps out of a node are exactly moves.
func (g *graph) offers(id int32, moves []sim.Move) bool {
	out := g.out(id)
	if len(out) != len(moves) {
		return false
	}
	for i := range out {
		if out[i].move != moves[i] {
			return false
		}
	}
	return true
}

// order returns the nodes so that every edge leads from an earlier to a later one.
func (g *graph) order() ([]int32, error) {
	const fresh, open, closed = 0, 1, 2
	mark := make([]uint8, len(g.nodes))
	post := make([]int32, 0, len(g.nodes))
	type frame struct {
		id   int32
		next int
	}
	stack := []frame{{0, 0}}
	mark[0] = open
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		out := g.out(f.id)
		if f.next == len(out) {
			mark[f.id] = closed
			post = append(post, f.id)
			stack = stack[:len(stack)-1]
			continue
		}
		to := out[f.next].to
		f.next++
		if to < 0 {
			continue
		}
		switch mark[to] {
		case fresh:
			mark[to] = open
			stack = append(stack, frame{to, 0})
		case open:
			return nil, fmt.Errorf("a schedule comes back to a state it has been in: some loop of the business code takes steps without waiting for anything")
		}
	}
	for i, j := 0, len(post)-1; i < j; i, j = i+1, j-1 {
		post[i], post[j] = post[j], post[i]
	}
	return post, nil
}

// enabled reports whether the actor can step in the state.
func (g *graph) enabled(id int32, actor uint8) bool {
	for _, e := range g.out(id) {
		if e.move.Actor() && e.move.Arg == actor {
			return true
		}
	}
	return false
}

// nobody is the "last actor" before anybody has stepped.
const nobody = 255

// preempts reports whether taking m after last switches away from an actor that
// could have gone on. Steps of the environment never do.
func (g *graph) preempts(id int32, last uint8, m sim.Move) bool {
	return m.Actor() && last != nobody && last != m.Arg && g.enabled(id, last)
}

// after is the last actor once m has been taken.
func after(last uint8, m sim.Move) uint8 {
	if m.Actor() {
		return m.Arg
	}
	return last
}
