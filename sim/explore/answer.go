package explore

import (
	"math/big"

	"flashlab/sim"
)

// answer computes everything from a complete graph.
func (r *Result) answer() error {
	g := r.graph
	order, err := g.order()
	if err != nil {
		return err
	}
	r.Interleavings = g.count(order, func(n *node) bool { return true })[0]
	r.Lights = make([]Light, g.lights)
	dist, ways := g.distances(order)
	for i := range r.Lights {
		l := &r.Lights[i]
		l.Violating = g.count(order, func(n *node) bool { return n.final.Has(i) })[0]
		if l.Violating.Sign() == 0 {
			continue
		}
		l.Broken = true
		g.shortest(l, i, dist, ways)
		l.Schedule, _ = g.best(order, i, byLength)
		l.Fewest, l.Preemptions = g.best(order, i, byPreemptions)
		l.InRunOut = !g.along(l.Schedule).bits.Has(i)
	}
	r.histogram(order)
	return nil
}

// count returns for each node the number of schedules from it that end in a
// wanted state.
func (g *graph) count(order []int32, wanted func(*node) bool) []*big.Int {
	c := make([]*big.Int, len(g.nodes))
	for i := len(order) - 1; i >= 0; i-- {
		id := order[i]
		v := new(big.Int)
		out := g.out(id)
		if len(out) == 0 && wanted(&g.nodes[id]) {
			v.SetInt64(1)
		}
		for _, e := range out {
			v.Add(v, c[e.to])
		}
		c[id] = v
	}
	return c
}

// distances returns the length of the shortest schedule to each node and the
// number of different schedules that short.
func (g *graph) distances(order []int32) (dist []int, ways []*big.Int) {
	dist = make([]int, len(g.nodes))
	ways = make([]*big.Int, len(g.nodes))
	for i := range dist {
		dist[i] = -1
	}
	dist[0], ways[0] = 0, big.NewInt(1)
	for _, id := range order {
		for _, e := range g.out(id) {
			d := dist[id] + 1
			switch {
			case dist[e.to] < 0 || d < dist[e.to]:
				dist[e.to], ways[e.to] = d, new(big.Int).Set(ways[id])
			case d == dist[e.to]:
				ways[e.to].Add(ways[e.to], ways[id])
			}
		}
	}
	return dist, ways
}

// breaks reports whether a schedule that stops in the state has broken light i:
// on the way, or in the run-out of an end.
func (n *node) breaks(i int) bool { return n.final.Has(i) }

// shortest fills in length, ties and certificate.
func (g *graph) shortest(l *Light, i int, dist []int, ways []*big.Int) {
	l.Shortest = -1
	for id := range g.nodes {
		if g.nodes[id].breaks(i) && (l.Shortest < 0 || dist[id] < l.Shortest) {
			l.Shortest = dist[id]
		}
	}
	l.Ties = new(big.Int)
	for id := range g.nodes {
		switch {
		case dist[id] < l.Shortest:
			l.Clean++
		case dist[id] == l.Shortest && g.nodes[id].breaks(i):
			l.Ties.Add(l.Ties, ways[id])
		}
	}
}

// preference says which schedule is the best.
type preference uint8

const (
	byLength      preference = iota // fewest steps, then fewest preemptions
	byPreemptions                   // fewest preemptions, then fewest steps
)

// unreachable is the cost of a state from which the light cannot break.
const unreachable = ^uint64(0)

// best returns the best schedule that breaks light i and its preemptions; among
// equals the first in canonical order.
func (g *graph) best(order []int32, i int, pref preference) ([]sim.Move, int) {
	step, switched := uint64(1)<<32, uint64(1)
	if pref == byPreemptions {
		step, switched = switched, step
	}
	actors := g.actors()
	row := actors + 1 // last actor, or nobody
	cost := make([]uint64, len(g.nodes)*row)
	slot := func(last uint8) int {
		if last == nobody {
			return actors
		}
		return int(last)
	}
	price := func(id int32, last uint8, e edge) uint64 {
		c := cost[int(e.to)*row+slot(after(last, e.move))]
		if c == unreachable {
			return c
		}
		c += step
		if g.preempts(id, last, e.move) {
			c += switched
		}
		return c
	}
	lastOf := func(s int) uint8 {
		if s == actors {
			return nobody
		}
		return uint8(s)
	}
	for k := len(order) - 1; k >= 0; k-- {
		id := order[k]
		for s := 0; s < row; s++ {
			best := unreachable
			if g.nodes[id].breaks(i) {
				best = 0
			} else {
				for _, e := range g.out(id) {
					best = min(best, price(id, lastOf(s), e))
				}
			}
			cost[int(id)*row+s] = best
		}
	}
	var path []sim.Move
	preemptions := 0
	for id, last := int32(0), uint8(nobody); !g.nodes[id].breaks(i); {
		for _, e := range g.out(id) {
			if price(id, last, e) == cost[int(id)*row+slot(last)] {
				if g.preempts(id, last, e.move) {
					preemptions++
				}
				path = append(path, e.move)
				id, last = e.to, after(last, e.move)
				break
			}
		}
	}
	return path, preemptions
}

// actors is one more than the highest actor that ever steps.
func (g *graph) actors() int {
	n := 0
	for _, e := range g.edges {
		if e.move.Actor() {
			n = max(n, int(e.move.Arg)+1)
		}
	}
	return n
}

// along returns the node a schedule leads to.
func (g *graph) along(moves []sim.Move) *node {
	id, _ := g.follow(moves)
	return &g.nodes[id]
}

// follow walks a schedule from the start; ok is false where it leaves the graph.
func (g *graph) follow(moves []sim.Move) (id int32, ok bool) {
	for _, m := range moves {
		if id, ok = g.step(id, m); !ok {
			return id, false
		}
	}
	return id, true
}

// step is the state that a move leads to; ok is false where it is not possible or
// has not been taken.
func (g *graph) step(id int32, m sim.Move) (to int32, ok bool) {
	for _, e := range g.out(id) {
		if e.move == m && e.to >= 0 {
			return e.to, true
		}
	}
	return id, false
}
