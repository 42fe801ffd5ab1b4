package explore

import (
	"context"
	"time"

	"flashlab/sim"
)

// builder fills the graph by depth-first re-execution.
type builder struct {
	sys      System
	g        *graph
	lim      Limits
	ctx      context.Context
	progress func(Progress)
	start    time.Time

	runs     int
	depth    int
	switches int // preemption bound being searched, -1: the whole graph is
	broken   sim.Bits
	moves    []sim.Move
	key      []byte
}

// frame is one state on the way from the start to where the search stands.
type frame struct {
	id     int32
	next   int      // the next step to try
	taken  sim.Move // the step last tried, which leads to the frame above
	digest uint64   // its outcome
}

// build returns the bound that ended the search, or "".
func (b *builder) build() (string, error) {
	if err := b.reset(); err != nil {
		return "", err
	}
	id, _, err := b.enter()
	if err != nil {
		return "", err
	}
	stack := []frame{{id: id}}
	live := true // the system stands at the top frame's state
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		out := b.g.out(f.id)
		if f.next == len(out) {
			stack = stack[:len(stack)-1]
			live = false
			continue
		}
		// Also where the system goes on: a loop without end never runs twice.
		if bound := b.bound(); bound != "" {
			return bound, nil
		}
		if !live {
			if err := b.replay(stack); err != nil {
				return "", err
			}
		}
		e := &out[f.next]
		f.next++
		f.taken = e.move
		if err := b.sys.Do(e.move); err != nil {
			return "", err
		}
		f.digest = b.sys.Digest()
		to, isNew, err := b.enter()
		if err != nil {
			return "", err
		}
		// enter may have moved the edges.
		b.g.edges[b.g.nodes[f.id].first+int32(f.next-1)].to = to
		b.g.done++
		b.depth = max(b.depth, len(stack))
		live = isNew && b.g.nodes[to].n > 0
		if live {
			stack = append(stack, frame{id: to})
		}
	}
	return "", nil
}

func (b *builder) reset() error {
	b.runs++
	if b.progress != nil && b.runs&0xff == 0 {
		b.report()
	}
	return b.sys.Reset()
}

func (b *builder) report() {
	b.progress(Progress{
		States: len(b.g.nodes), Edges: b.g.done, Runs: b.runs, Depth: b.depth,
		Broken: b.broken, Switches: b.switches, Elapsed: time.Since(b.start),
	})
}

func (b *builder) bound() string {
	switch {
	case len(b.g.nodes) > b.lim.States:
		return "states"
	case b.ctx.Err() != nil:
		return "cancelled"
	case b.g.done&0x3f == 0 && time.Since(b.start) > b.lim.Duration:
		return "time"
	}
	return ""
}

// enter registers the present state and, if it is a new end, runs it out.
func (b *builder) enter() (id int32, isNew bool, err error) {
	bits, err := b.sys.Judge()
	if err != nil {
		return 0, false, err
	}
	if b.key, err = b.sys.AppendKey(b.key[:0]); err != nil {
		return 0, false, err
	}
	b.moves = b.sys.Moves(b.moves[:0])
	if id, ok := b.g.ids[string(b.key)]; ok {
		if !b.g.offers(id, b.moves) {
			return 0, false, ErrAmbiguous
		}
		return id, false, nil
	}
	id = b.g.add(b.key, b.moves, bits)
	if len(b.moves) == 0 {
		if b.g.nodes[id].final, err = b.sys.Finish(nil); err != nil {
			return 0, false, err
		}
	}
	b.broken |= b.g.nodes[id].final
	return id, true, nil
}

// replay brings the system to the top frame's state.
func (b *builder) replay(stack []frame) error {
	if err := b.reset(); err != nil {
		return err
	}
	for i := range stack[:len(stack)-1] {
		f := &stack[i]
		if err := b.sys.Do(f.taken); err != nil {
			return err
		}
		if b.sys.Digest() != f.digest {
			return notDeterministic(i+1, f.taken)
		}
	}
	top := stack[len(stack)-1].id
	b.sys.Restore(b.g.nodes[top].bits)
	var err error
	if b.key, err = b.sys.AppendKey(b.key[:0]); err != nil {
		return err
	}
	if id, ok := b.g.ids[string(b.key)]; !ok || id != top {
		return otherState(len(stack) - 1)
	}
	return nil
}
