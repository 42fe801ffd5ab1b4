// Package linear checks what a storm was told against what could have been told by
// one who serves one request at a time: for each lock, for the units of the stock and
// for each user the history of calls must be linearizable.
//
// How hard that is depends on how many calls overlap, hardly on how many there are. At
// most eight may, else the answer is that it was not decided; the same when the time
// is over. Calls that are left out are always chosen so that a history which remains
// impossible was impossible. The package must not judge lights: it is a second opinion.
package linear

import (
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"

	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

// Answer is what the outcome of a request means.
type Answer uint8

// The answers.
const (
	Unclear   Answer = iota // nobody knows what it did
	Got                     // a unit and an order
	SoldOut                 // there was no unit
	Duplicate               // the user had an order
	Nothing                 // it did nothing, and says nothing about the state
)

// Call is a request with its answer; times are ns since 1970.
type Call struct {
	User   string `json:"u,omitempty"`
	Begin  int64  `json:"b"`
	End    int64  `json:"e"`
	Answer Answer `json:"a"`
}

// maxLockCalls is how many operations of a lock are kept.
const maxLockCalls = 10_000

// History is what is kept of a storm.
type History struct {
	Locks int

	calls  []Call
	cutAt  int64
	locks  [][]operation
	lockAt []int64 // from there on operations of the lock are not kept
}

// Add keeps calls; cutAt, if it is not 0, says from when on some are missing.
func (h *History) Add(calls []Call, cutAt int64) {
	h.calls = append(h.calls, calls...)
	if cutAt != 0 && (h.cutAt == 0 || cutAt < h.cutAt) {
		h.cutAt = cutAt
	}
}

// Follow keeps events of locks.
func (h *History) Follow(events []scenario.LockEvent) {
	if h.locks == nil {
		h.locks, h.lockAt = make([][]operation, h.Locks), make([]int64, h.Locks)
	}
	for _, e := range events {
		o := operation{begin: e.Call, end: e.At, who: e.Who, node: e.Node, lease: e.Lease}
		switch e.Kind {
		case scenario.SawGrant:
			o.kind = acquire
		case scenario.SawRelease:
			if e.Nested {
				continue
			}
			if o.kind = refusedRelease; e.Deleted {
				o.kind = release
			}
		case scenario.SawRenewal:
			if o.kind = renewal; e.Plain {
				o.kind = anyRenewal
			}
		case scenario.SawDeath:
			o.kind, o.begin, o.node = death, e.At, e.Node
		default:
			continue
		}
		if len(h.locks[e.Lock]) >= maxLockCalls {
			if h.lockAt[e.Lock] == 0 {
				h.lockAt[e.Lock] = o.begin
			}
			continue
		}
		h.locks[e.Lock] = append(h.locks[e.Lock], o)
	}
}

// CutLocks says from when on events of locks are missing. It comes after Follow.
func (h *History) CutLocks(at int64) {
	for i, old := range h.lockAt {
		if old == 0 || at < old {
			h.lockAt[i] = at
		}
	}
}

// Setting is what the histories are checked against.
type Setting struct {
	Units    int64 // at the start
	HasUnits bool
	Lost     bool // some requests have no answer
	Timeout  time.Duration
}

// Finding is what came out for one object.
type Finding struct {
	Object  string // "lock:order:7", "stock", "user 7"
	Calls   int    // that were checked
	Verdict scenario.Verdict
	Reason  trace.Phrase // why it was not decided

	model porcupine.Model
	info  porcupine.LinearizationInfo
}

// WriteHTML writes a picture of the history that needs nothing else.
func (f *Finding) WriteHTML(w io.Writer) error {
	if f.model.Step == nil {
		return fmt.Errorf("there is no history of %s", f.Object)
	}
	return porcupine.Visualize(f.model, f.info, w)
}

// Check checks all objects. Of users only those with more than one call are listed,
// one line for all of them that are in order.
func (h *History) Check(s Setting, locks []string) []Finding {
	deadline := time.Now().Add(s.Timeout)
	var out []Finding
	for i, key := range locks {
		if len(h.locks) > i && len(h.locks[i]) > 0 {
			out = append(out, check(key, lockModel(), lockCalls(h.locks[i], h.lockAt[i]), deadline))
		}
	}
	if s.HasUnits && len(h.calls) > 0 {
		out = append(out, check("stock", stockModel(s.Units), h.stockCalls(s.Lost), deadline))
	}
	return append(out, h.users(s.Lost, deadline)...)
}

func (h *History) users(lost bool, deadline time.Time) []Finding {
	by := map[string][]Call{}
	for _, c := range h.calls {
		if c.User != "" {
			by[c.User] = append(by[c.User], c)
		}
	}
	var names []string
	for u, calls := range by {
		if len(calls) > 1 {
			names = append(names, u)
		}
	}
	slices.Sort(names)
	var bad, unclear []Finding
	good := Finding{Object: fmt.Sprintf("%d users", len(names))}
	for _, u := range names {
		f := check("user "+u, userModel(), userCalls(by[u], lost, h.cutAt), deadline)
		switch {
		case f.Verdict == scenario.Breaks:
			bad = append(bad, f)
		case f.Verdict == scenario.Unknown:
			unclear = append(unclear, f)
		default:
			good.Calls += f.Calls
			if len(names) == 1 {
				good = f
			}
		}
		if len(bad)+len(unclear) >= 3 {
			break // three are as good as a thousand
		}
	}
	out := append(bad, unclear...)
	if good.Calls > 0 {
		out = append(out, good)
	}
	return out
}
