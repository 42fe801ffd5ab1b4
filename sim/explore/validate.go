package explore

import (
	"fmt"
	"math/big"
	"math/rand/v2"

	"flashlab/sim"
)

// The graph is right only if the key of a state holds everything its future
// depends on. Memory that actors share past engines and sim/proc is not in it: two
// states would be taken for one, and counts be silently wrong. So some schedules
// are executed once more, from start to end, and compared with the graph: all of
// them where they are few, else a sample that costs a tenth of the search.
const (
	fewSchedules  = 64
	mostSchedules = 1000
)

// validate replays schedules of a complete graph.
func (b *builder) validate(r *Result) error {
	n := min(max(fewSchedules, b.runs/10), mostSchedules)
	all := r.Interleavings.Cmp(big.NewInt(int64(n))) <= 0
	if all {
		n = int(r.Interleavings.Int64())
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		if b.ctx.Err() != nil {
			return nil
		}
		var moves []sim.Move
		var err error
		if all {
			moves, err = r.Unrank(big.NewInt(int64(i + 1)))
		} else {
			moves, err = r.Sample(rng)
		}
		if err == nil {
			err = b.compare(moves)
		}
		if err != nil {
			return err
		}
		r.Checked++
	}
	return nil
}

// compare executes one schedule and follows it in the graph.
func (b *builder) compare(moves []sim.Move) error {
	if err := b.reset(); err != nil {
		return err
	}
	if _, err := b.sys.Judge(); err != nil {
		return err
	}
	at := int32(0)
	for i, m := range moves {
		if b.moves = b.sys.Moves(b.moves[:0]); !b.g.offers(at, b.moves) {
			return unsound(i)
		}
		if err := b.sys.Do(m); err != nil {
			return err
		}
		bits, err := b.sys.Judge()
		if err != nil {
			return err
		}
		if b.key, err = b.sys.AppendKey(b.key[:0]); err != nil {
			return err
		}
		at, _ = b.g.step(at, m)
		if id, ok := b.g.ids[string(b.key)]; !ok || id != at || bits != b.g.nodes[id].bits {
			return unsound(i + 1)
		}
	}
	if len(b.sys.Moves(b.moves[:0])) > 0 {
		return unsound(len(moves))
	}
	final, err := b.sys.Finish(nil)
	if err == nil && final != b.g.nodes[at].final {
		err = unsound(len(moves))
	}
	return err
}

func unsound(step int) error {
	return fmt.Errorf("%w (seen after %d steps of a schedule)", ErrAmbiguous, step)
}
