package explore

import (
	"slices"
	"time"

	"flashlab/sim"
)

// partial answers what it can after a bound: every violation seen is real, but
// nothing is counted and nothing proved. It then deepens on the number of
// preemptions, which finds most faults first and can be completed bound by bound.
func (r *Result) partial(b *builder) error {
	r.Lights = make([]Light, r.graph.lights)
	for i := range r.Lights {
		r.Lights[i].Broken = b.broken.Has(i)
	}
	d := &deepener{builder: b, found: make([]*finding, r.graph.lights), seen: map[place]struct{}{}}
	if b.ctx.Err() == nil {
		k, err := d.search()
		if err != nil {
			return err
		}
		r.Switches = k
	}
	for i := range r.Lights {
		l := &r.Lights[i]
		if f := d.found[i]; f != nil {
			l.Broken = true
			l.Schedule, l.Fewest = f.moves, f.moves
			l.Shortest, l.Preemptions, l.InRunOut = len(f.moves), f.switches, f.inRunOut
		} else if l.Broken {
			r.fromGraph(l, i)
		}
	}
	return nil
}

// fromGraph takes a violating schedule from the part of the graph that is known.
func (r *Result) fromGraph(l *Light, i int) {
	g := r.graph
	type step struct {
		from int32
		move sim.Move
	}
	by := map[int32]step{0: {-1, sim.Move{}}}
	queue := []int32{0}
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		if g.nodes[id].breaks(i) {
			for at := id; by[at].from >= 0; at = by[at].from {
				l.Schedule = append(l.Schedule, by[at].move)
			}
			slices.Reverse(l.Schedule)
			l.Fewest, l.Shortest = l.Schedule, len(l.Schedule)
			l.InRunOut = !g.nodes[id].bits.Has(i)
			l.Preemptions = g.preemptions(l.Schedule)
			return
		}
		for _, e := range g.out(id) {
			if _, ok := by[e.to]; !ok && e.to >= 0 {
				by[e.to] = step{id, e.move}
				queue = append(queue, e.to)
			}
		}
	}
}

// preemptions counts them along a schedule of the graph.
func (g *graph) preemptions(moves []sim.Move) int {
	n, id, last := 0, int32(0), uint8(nobody)
	for _, m := range moves {
		if g.preempts(id, last, m) {
			n++
		}
		for _, e := range g.out(id) {
			if e.move == m {
				id = e.to
			}
		}
		last = after(last, m)
	}
	return n
}

// deepener searches schedule by schedule, all with k preemptions before any with
// k+1. A state is worth visiting once for each actor that may go on in it.
type deepener struct {
	*builder
	found []*finding
	seen  map[place]struct{}
	keys  map[string]int32
}

type finding struct {
	moves    []sim.Move
	switches int
	inRunOut bool
}

type place struct {
	id   int32
	last uint8
}

// todo is a step still to be taken, and the steps before it.
type todo struct {
	up     *todo
	move   sim.Move
	last   uint8
	bits   sim.Bits // broken before this step
	digest uint64   // its outcome, once taken
	state  int32    // where it leads to, once taken
}

func (t *todo) moves() []sim.Move {
	var out []sim.Move
	for x := t; x != nil; x = x.up {
		out = append(out, x.move)
	}
	slices.Reverse(out)
	return out
}

// search returns the largest k for which everything was searched, -1 if none. It
// may use as many states and as much time again as the search before it.
func (d *deepener) search() (int, error) {
	start, states := time.Now(), 0
	over := func() bool {
		return d.ctx.Err() != nil || states > d.lim.States || time.Since(start) > d.lim.Duration
	}
	d.keys = map[string]int32{}
	if err := d.reset(); err != nil {
		return -1, err
	}
	layer, err := d.expand(nil, nobody, nil)
	if err != nil {
		return -1, err
	}
	work := layer.same
	next := layer.more
	for k := 0; ; k++ {
		d.switches = k
		for len(work) > 0 {
			if over() {
				return k - 1, nil
			}
			t := work[len(work)-1]
			work = work[:len(work)-1]
			if err := d.rerun(t); err != nil {
				return k - 1, err
			}
			for t != nil {
				if err := d.sys.Do(t.move); err != nil {
					return k - 1, err
				}
				t.digest = d.sys.Digest()
				states++
				ex, err := d.expand(t, after(t.last, t.move), &k)
				if err != nil {
					return k - 1, err
				}
				next = append(next, ex.more...)
				if len(ex.same) == 0 {
					break
				}
				work = append(work, ex.same[1:]...)
				if over() { // here too: a loop without end never runs twice
					return k - 1, nil
				}
				t = ex.same[0] // goes on from here without running again
			}
		}
		if d.progress != nil {
			d.report()
		}
		if len(next) == 0 {
			return k, nil // the program has no more preemptions to offer
		}
		work, next = next, nil
	}
}

// rerun brings the system to where t is to be taken.
func (d *deepener) rerun(t *todo) error {
	if err := d.reset(); err != nil {
		return err
	}
	var path []*todo
	for x := t.up; x != nil; x = x.up {
		path = append(path, x)
	}
	slices.Reverse(path)
	for i, x := range path {
		if err := d.sys.Do(x.move); err != nil {
			return err
		}
		if d.sys.Digest() != x.digest {
			return notDeterministic(i+1, x.move)
		}
	}
	d.sys.Restore(t.bits)
	if t.up == nil {
		return nil
	}
	var err error
	if d.key, err = d.sys.AppendKey(d.key[:0]); err != nil {
		return err
	}
	if id, ok := d.keys[string(d.key)]; !ok || id != t.up.state {
		return otherState(len(path))
	}
	return nil
}

// steps out of a state, by whether they cost a preemption.
type steps struct{ same, more []*todo }

// expand judges the present state and lists what can follow, unless it has been
// here before.
func (d *deepener) expand(t *todo, last uint8, k *int) (steps, error) {
	var out steps
	bits, err := d.sys.Judge()
	if err != nil {
		return out, err
	}
	d.note(bits, t, k, false)
	if d.key, err = d.sys.AppendKey(d.key[:0]); err != nil {
		return out, err
	}
	id, ok := d.keys[string(d.key)]
	if !ok {
		id = int32(len(d.keys))
		d.keys[string(d.key)] = id
	}
	if t != nil {
		t.state = id
	}
	p := place{id, last}
	if _, ok := d.seen[p]; ok {
		return out, nil
	}
	d.seen[p] = struct{}{}
	moves := d.sys.Moves(nil)
	if len(moves) == 0 {
		final, err := d.sys.Finish(nil)
		if err != nil {
			return out, err
		}
		d.note(final, t, k, true)
		return out, nil
	}
	canGoOn := false
	for _, m := range moves {
		canGoOn = canGoOn || m.Actor() && m.Arg == last
	}
	for _, m := range moves {
		x := &todo{up: t, move: m, last: last, bits: bits}
		if canGoOn && m.Actor() && m.Arg != last {
			out.more = append(out.more, x)
		} else {
			out.same = append(out.same, x)
		}
	}
	return out, nil
}

// note keeps the first schedule that breaks a light: it has the fewest preemptions.
func (d *deepener) note(bits sim.Bits, t *todo, k *int, inRunOut bool) {
	for i := range d.found {
		if bits.Has(i) && d.found[i] == nil {
			f := &finding{inRunOut: inRunOut}
			if t != nil {
				f.moves = t.moves()
			}
			if k != nil {
				f.switches = *k
			}
			d.found[i] = f
			d.broken |= 1 << i
		}
	}
}
