package scenario

import (
	"slices"
	"time"
)

// recentGrants is how many grants of a lock are kept for comparison.
const recentGrants = 64

// freeLock judges a lock by what was sent and answered, in the order in which it was
// seen. It only finds what cannot be otherwise: an overlap of the time from the reply
// that granted a lock to the call that gives it back, and a deletion by somebody whose
// own grant was gone for certain.
type freeLock struct {
	believers map[int]*believer
	grants    map[int]LockEvent // that their owners have not deleted
	recent    []LockEvent       // the last grants
	given     int               // grants so far
	suspects  []LockEvent       // ends of bodies that may have left their grant behind
	overlaps  int
	stolen    int
	leaked    int
}

// late is after what time, in ns, no grant is heard of any more that was asked for
// before it.
const late = int64(time.Second)

type believer struct{ holds, node int }

func newFreeLock() *freeLock {
	return &freeLock{believers: map[int]*believer{}, grants: map[int]LockEvent{}}
}

// feed follows the next event.
func (l *freeLock) feed(e LockEvent) {
	l.suspects = slices.DeleteFunc(l.suspects, func(s LockEvent) bool {
		if e.Kind == SawGrant && e.Who != s.Who && e.Call < s.At {
			return true // the key that was there is that of this one
		}
		old := s.At < e.At-late
		if old {
			l.leaked++
		}
		return old
	})
	b := l.believers[e.Who]
	switch e.Kind {
	case SawGrant:
		if b == nil {
			b = &believer{node: e.Node}
			l.believers[e.Who] = b
		}
		b.holds++
		if len(l.believers) > 1 {
			l.overlaps++
		}
		l.given++
		l.grants[e.Who] = e
		if l.recent = append(l.recent, e); len(l.recent) > recentGrants {
			l.recent = l.recent[1:]
		}
	case SawLeaving:
		if b != nil && b.holds <= 1 {
			delete(l.believers, e.Who)
		}
	case SawRelease:
		if b != nil && e.Nested {
			b.holds--
		} else {
			delete(l.believers, e.Who)
		}
		if e.Deleted {
			if g, ok := l.grants[e.Who]; !ok || l.others(e.Who, g.At, e.Call) {
				l.stolen++
			}
			delete(l.grants, e.Who)
		}
	case SawLoss:
		delete(l.believers, e.Who)
	case SawEnd:
		if g, ok := l.grants[e.Who]; ok && e.Left && !l.maybe(e.Who, g.Call, e.At) {
			l.suspects = append(l.suspects, e)
		}
		delete(l.believers, e.Who)
		delete(l.grants, e.Who)
	case SawDeath:
		l.died(e.Node)
	}
}

// end says that no more is heard.
func (l *freeLock) end() { l.leaked, l.suspects = l.leaked+len(l.suspects), nil }

// maybe reports whether somebody else may have been granted the lock within a time.
func (l *freeLock) maybe(who int, from, to int64) bool {
	for _, g := range l.recent {
		if g.Who != who && g.At > from && g.Call < to {
			return true
		}
	}
	return false
}

// others reports whether somebody else was granted the lock within a time.
func (l *freeLock) others(who int, from, to int64) bool {
	for _, g := range l.recent {
		if g.Who != who && g.Call > from && g.At < to {
			return true
		}
	}
	return false
}

// died ends the beliefs of a node; its grants stay in their keys.
func (l *freeLock) died(node int) {
	l.suspects = nil // a grant of the node may never be heard of
	for who, b := range l.believers {
		if b.node == node {
			delete(l.believers, who)
		}
	}
	for who, g := range l.grants {
		if g.Node == node {
			delete(l.grants, who)
		}
	}
}
