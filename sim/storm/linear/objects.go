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
	renewal                    // its lease was set anew; no operation of the model
	anyRenewal                 // so it was, whoever had it; no operation of the model
	death                      // of a node; no operation of the model
	got                        // a unit, or an order
	none                       // refused: no unit left, or there was an order
)

// operation is a call on one object.
type operation struct {
	begin, end int64 // ns
	kind       kind
	who, node  int
	lease      int64 // ns; 0: for ever, -1: not known
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
	for i, o := range list {
		switch o.kind {
		case death, renewal, anyRenewal:
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
		x := operation{kind: expire, who: o.who, begin: earliest(o, list[i+1:]), end: latest(o, list[i+1:]), effect: true}
		if died[o.node] {
			x.begin = o.begin
		}
		if x.begin <= min(last, x.end) {
			out = append(out, x)
		}
	}
	return before(out, cutAt)
}

// earliest is when a grant can have run out at the earliest, given what came after it.
// What its owner has renewed, or taken once more, runs anew from the last time; of
// those that were sent side by side any may have been the last. Somebody who sets a
// lease without asking whose lock it is can shorten it.
func earliest(grant operation, after []operation) int64 {
	out := runsOut(grant)
	shortest := int64(never)
	last := grant // that is known to stand behind all before it
	for _, o := range after {
		switch {
		case o.kind == anyRenewal:
			shortest = min(shortest, runsOut(o))
		case o.who != grant.who:
		case o.kind == release || o.kind == refusedRelease:
			return min(out, shortest)
		case o.kind == acquire || o.kind == renewal:
			if o.begin > last.end {
				out, last = runsOut(o), o
			} else {
				out = min(out, runsOut(o))
				last.end = max(last.end, o.end)
			}
		}
	}
	return min(out, shortest)
}

// latest is when a grant was over for certain: somebody who asked later has been granted
// the lock, or its owner has given it back, in vain or not. To run out after that would
// change nothing, and each call that may come at any time makes the check harder.
func latest(grant operation, after []operation) int64 {
	out := int64(never)
	for _, o := range after {
		switch {
		case o.who == grant.who && (o.kind == release || o.kind == refusedRelease):
			return min(out, o.end)
		case o.who != grant.who && o.kind == acquire && o.begin >= grant.end:
			out = min(out, o.end)
		}
	}
	return out
}

func runsOut(o operation) int64 {
	switch {
	case o.lease < 0:
		return o.begin
	case o.lease == 0:
		return never
	}
	return o.begin + o.lease
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
