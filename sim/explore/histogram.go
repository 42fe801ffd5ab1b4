package explore

import "math/big"

// histogram counts schedules by their number of preemptions, all of them and those
// that break each light. It goes forward through the graph and forgets a state as
// soon as it is done with: only the front is kept.
func (r *Result) histogram(order []int32) {
	g := r.graph
	// ways[id] holds, by last actor, the number of schedules to the state by
	// number of preemptions.
	ways := make(map[int32]map[uint8][]*big.Int)
	ways[0] = map[uint8][]*big.Int{nobody: {big.NewInt(1)}}
	for _, id := range order {
		here := ways[id]
		delete(ways, id)
		out := g.out(id)
		for last, counts := range here {
			if len(out) == 0 {
				r.ByPreemptions = addCounts(r.ByPreemptions, counts, 0)
				for i := range r.Lights {
					if g.nodes[id].final.Has(i) {
						r.Lights[i].ByPreemptions = addCounts(r.Lights[i].ByPreemptions, counts, 0)
					}
				}
				continue
			}
			for _, e := range out {
				shift := 0
				if g.preempts(id, last, e.move) {
					shift = 1
				}
				to := ways[e.to]
				if to == nil {
					to = map[uint8][]*big.Int{}
					ways[e.to] = to
				}
				l := after(last, e.move)
				to[l] = addCounts(to[l], counts, shift)
			}
		}
	}
	// Every row as long as the longest, so that they can be drawn over each other.
	for i := range r.Lights {
		for len(r.Lights[i].ByPreemptions) < len(r.ByPreemptions) {
			r.Lights[i].ByPreemptions = append(r.Lights[i].ByPreemptions, new(big.Int))
		}
	}
}

// addCounts adds src, shifted by some places, to dst.
func addCounts(dst, src []*big.Int, shift int) []*big.Int {
	for len(dst) < len(src)+shift {
		dst = append(dst, new(big.Int))
	}
	for i, v := range src {
		dst[i+shift].Add(dst[i+shift], v)
	}
	return dst
}
