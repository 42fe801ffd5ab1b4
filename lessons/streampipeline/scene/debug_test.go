package scene

import (
	"fmt"
	"testing"

	"flashlab/sim"
	"flashlab/sim/scenario"
)

func TestDebug(t *testing.T) {
	st := codes["pipeline"]
	st.variant, st.ticks = "pipeline", 2
	p := scenario.NewParams(params(sizes{1, 8, 2, 1}))
	p, _ = p.Set("ticks=1")
	r, err := scenario.Open(st.sale()(p))
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]string{}
	type rec struct{ sched, moves string }
	seen := map[string]rec{}
	var walk func(path []sim.Move, depth int)
	n := 0
	walk = func(path []sim.Move, depth int) {
		if n > 0 {
			return
		}
		if err := r.Reset(); err != nil {
			t.Fatal(err)
		}
		r.Judge()
		for _, m := range path {
			if err := r.Do(m); err != nil {
				t.Fatal(err)
			}
			r.Judge()
		}
		k, _ := r.AppendKey(nil)
		moves := append([]sim.Move(nil), r.Moves(nil)...)
		var lab []string
		for _, m := range moves {
			lab = append(lab, r.Label(m))
		}
		ms := fmt.Sprint(moves, lab)
		if o, ok := seen[string(k)]; ok && o.moves != ms {
			fmt.Printf("AMBIGUOUS %v: %s\n vs %s: %s\n%q\n", path, ms, o.sched, o.moves, k)
			n++
			return
		}
		seen[string(k)] = rec{fmt.Sprint(path), ms}
		if depth == 0 {
			return
		}
		for _, m := range moves {
			walk(append(path[:len(path):len(path)], m), depth-1)
		}
	}
	walk(nil, 6)
	_ = keys
	fmt.Println(len(seen), "states")
}
