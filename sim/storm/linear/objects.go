package linear

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/anishathalye/porcupine"
)

// kind is what an operation does to its object.
type kind uint8

const (
	acquire        kind = iota // the lock was granted
	release                    // the key was deleted
	refusedRelease             // it was not
	expire                     // it may have gone by itself
	death                      // of a node; no operation of the model
	got                        // a unit, or an order
	none                       // refused: no unit left, or there was an order
)

// operation is a call on one object.
type operation struct {
	begin, end int64 // ns
	kind       kind
	who, node  int
	lease      int64 // ms
	// effect says that it changes the object, so that leaving it out is not allowed
	// where others depend on it.
	effect bool
}

const never = math.MaxInt64

// lockCalls are the operations of a lock. A lease may run out: for a grant whose lease
// is known that is possible after it, for a holder that died at any time.
func lockCalls(list []operation, cutAt int64) []operation {
	last := int64(0)
	died := map[int]bool{}
	for _, o := range list {
		last = max(last, o.end)
		if o.kind == death {
			died[o.node] = true
		}
	}
	var out []operation
	depth := map[int]int{} // holds of one that takes the lock again
	for _, o := range list {
		switch o.kind {
		case death:
			continue
		case acquire:
			if depth[o.who]++; depth[o.who] > 1 {
				continue
			}
		case release, refusedRelease:
			depth[o.who] = 0
		}
		o.effect = o.kind != refusedRelease
		out = append(out, o)
		if o.kind != acquire {
			continue
		}
		x := operation{kind: expire, who: o.who, begin: o.begin + o.lease*1e6, end: never, effect: true}
		if died[o.node] {
			x.begin = o.begin
		}
		if (o.lease > 0 || died[o.node]) && x.begin <= last {
			out = append(out, x)
		}
	}
	return before(out, cutAt)
}

// stockCalls are the calls of everybody. If the effect of some is not known, a refusal
// proves nothing.
func (h *History) stockCalls(lost bool) []operation {
	for _, c := range h.calls {
		lost = lost || c.Answer == Unclear
	}
	var out []operation
	for _, c := range h.calls {
		o := operation{begin: c.Begin, end: c.End, who: -1}
		switch {
		case c.Answer == Got:
			o.kind, o.effect = got, true
		case c.Answer == SoldOut && !lost:
			o.kind = none
		default:
			continue
		}
		out = append(out, o)
	}
	return before(out, h.cutAt)
}

// userCalls are those of one user.
func userCalls(calls []Call, lost bool, cutAt int64) []operation {
	for _, c := range calls {
		lost = lost || c.Answer == Unclear
	}
	var out []operation
	for _, c := range calls {
		o := operation{begin: c.Begin, end: c.End, who: -1}
		switch {
		case c.Answer == Got:
			o.kind, o.effect = got, true
		case c.Answer == Duplicate && !lost:
			o.kind = none
		default:
			continue
		}
		out = append(out, o)
	}
	return before(out, cutAt)
}

// before cuts a history at an instant from which on operations are missing; 0: it is
// whole. What had not ended by then may rest on something that is missing: a refusal,
// or a grant on a release. It is left out. A unit that was got stays got, and others
// may rest on a release.
func before(list []operation, at int64) []operation {
	slices.SortFunc(list, func(a, b operation) int { return cmp.Compare(a.begin, b.begin) })
	if at == 0 {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(o operation) bool {
		return o.begin >= at || o.end >= at && (!o.effect || o.kind == acquire)
	})
}

// free is the state of a lock that nobody has.
const free = -1

func lockModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return free },
		Step: func(state, input, _ any) (bool, any) {
			holder, o := state.(int), input.(operation)
			switch o.kind {
			case acquire:
				return holder == free, o.who
			case release:
				return holder == o.who, free
			case refusedRelease:
				return holder != o.who, holder
			}
			if holder == o.who {
				return true, free
			}
			return true, holder
		},
		DescribeOperation: func(input, _ any) string {
			o := input.(operation)
			return fmt.Sprintf([...]string{"request %d acquires", "request %d deletes the key", "request %d releases in vain", "the lease of request %d may run out"}[o.kind], o.who+1)
		},
		DescribeState: func(state any) string {
			if state.(int) == free {
				return "free"
			}
			return fmt.Sprintf("held by request %d", state.(int)+1)
		},
	}
}

func stockModel(units int64) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return units },
		Step: func(state, input, _ any) (bool, any) {
			left := state.(int64)
			if input.(operation).kind == got {
				return left > 0, left - 1
			}
			return left == 0, left
		},
		DescribeOperation: func(input, _ any) string {
			if input.(operation).kind == got {
				return "gets a unit"
			}
			return "sold out"
		},
		DescribeState: func(state any) string { return fmt.Sprintf("%d left", state) },
	}
}

func userModel() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return false },
		Step: func(state, input, _ any) (bool, any) {
			has := state.(bool)
			if input.(operation).kind == got {
				return !has, true
			}
			return has, has
		},
		DescribeOperation: func(input, _ any) string {
			if input.(operation).kind == got {
				return "gets an order"
			}
			return "has one already"
		},
		DescribeState: func(state any) string {
			if state.(bool) {
				return "has an order"
			}
			return "no order"
		},
	}
}
