package explore

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"

	"flashlab/sim"
)

// ErrIncomplete is returned for questions that only a complete search can answer.
var ErrIncomplete = errors.New("the search is not complete")

// totals is the number of schedules from each node, computed when first needed.
func (r *Result) totals() ([]*big.Int, error) {
	if !r.Complete {
		return nil, ErrIncomplete
	}
	if r.graph.totals == nil {
		order, err := r.graph.order()
		if err != nil {
			return nil, err
		}
		r.graph.totals = r.graph.count(order, func(*node) bool { return true })
	}
	return r.graph.totals, nil
}

// Rank is the position of a complete schedule among all in canonical order,
// counted from 1. For a prefix it is the position of the first that begins so.
func (r *Result) Rank(moves []sim.Move) (*big.Int, error) {
	totals, err := r.totals()
	if err != nil {
		return nil, err
	}
	rank, id := big.NewInt(1), int32(0)
	for i, m := range moves {
		found := false
		for _, e := range r.graph.out(id) {
			if e.move == m {
				id, found = e.to, true
				break
			}
			rank.Add(rank, totals[e.to])
		}
		if !found {
			return nil, fmt.Errorf("step %d (%s) is not possible there", i+1, m)
		}
	}
	return rank, nil
}

// Preemptions counts those of a schedule or of the beginning of one.
func (r *Result) Preemptions(moves []sim.Move) (int, error) {
	if _, err := r.Rank(moves); err != nil {
		return 0, err
	}
	return r.graph.preemptions(moves), nil
}

// Unrank returns the complete schedule at a position counted from 1.
func (r *Result) Unrank(rank *big.Int) ([]sim.Move, error) {
	totals, err := r.totals()
	if err != nil {
		return nil, err
	}
	if rank.Sign() < 1 || rank.Cmp(totals[0]) > 0 {
		return nil, fmt.Errorf("rank %s is not between 1 and %s", rank, totals[0])
	}
	left := new(big.Int).Sub(rank, big.NewInt(1))
	var moves []sim.Move
	for id := int32(0); r.graph.nodes[id].n > 0; {
		for _, e := range r.graph.out(id) {
			if left.Cmp(totals[e.to]) < 0 {
				moves = append(moves, e.move)
				id = e.to
				break
			}
			left.Sub(left, totals[e.to])
		}
	}
	return moves, nil
}

// Sample draws a complete schedule, each with the same probability.
func (r *Result) Sample(rng *rand.Rand) ([]sim.Move, error) {
	totals, err := r.totals()
	if err != nil {
		return nil, err
	}
	return r.Unrank(new(big.Int).Add(below(rng, totals[0]), big.NewInt(1)))
}

// below draws a number in [0, n) without bias.
func below(rng *rand.Rand, n *big.Int) *big.Int {
	bits := n.BitLen()
	for {
		v := new(big.Int)
		for got := 0; got < bits; got += 32 {
			v.Lsh(v, 32).Or(v, big.NewInt(int64(rng.Uint32())))
		}
		v.Rsh(v, uint((32-bits%32)%32))
		if v.Cmp(n) < 0 {
			return v
		}
	}
}

// From tells what can still happen after a prefix: the number of schedules that
// begin so, and of those that break light i. It is what a choice is worth.
func (r *Result) From(moves []sim.Move, i int) (all, violating *big.Int, err error) {
	totals, err := r.totals()
	if err != nil {
		return nil, nil, err
	}
	id, ok := r.graph.follow(moves)
	if !ok {
		return nil, nil, errors.New("the schedule is not possible")
	}
	if r.graph.bad == nil {
		r.graph.bad = map[int][]*big.Int{}
	}
	if r.graph.bad[i] == nil {
		order, err := r.graph.order()
		if err != nil {
			return nil, nil, err
		}
		r.graph.bad[i] = r.graph.count(order, func(n *node) bool { return n.final.Has(i) })
	}
	return totals[id], r.graph.bad[i][id], nil
}

// Clean returns a complete schedule that does not break light i, as close as there
// is to letting everybody run to the end, one after the other. It reports false if
// every schedule breaks the light.
func (r *Result) Clean(i int) ([]sim.Move, bool, error) {
	all, bad, err := r.From(nil, i)
	if err != nil || all.Cmp(bad) == 0 {
		return nil, false, err
	}
	var moves []sim.Move
	totals, violating := r.graph.totals, r.graph.bad[i]
	for id, last := int32(0), uint8(nobody); r.graph.nodes[id].n > 0; {
		var next *edge
		for k := range r.graph.out(id) {
			e := &r.graph.out(id)[k]
			if totals[e.to].Cmp(violating[e.to]) == 0 {
				continue
			}
			if next == nil || !next.move.Actor() && e.move.Actor() || after(last, e.move) == last && e.move.Actor() {
				next = e
			}
		}
		moves = append(moves, next.move)
		id, last = next.to, after(last, next.move)
	}
	return moves, true, nil
}
