package sim

import (
	"sort"
	"time"
)

// AppendKey appends the kernel's part of the state: actors with their histories,
// shared objects, timers and pauses.
func (k *Kernel) AppendKey(b []byte) []byte {
	k.named = k.named[:0]
	b = append(b, byte(len(k.Actors)))
	for _, a := range k.Actors {
		st := a.State()
		flags := byte(st)
		if st == Parked && a.Op.Wake > 0 {
			flags |= 0x80
		}
		if a.deaf {
			flags |= 0x40
		}
		if a.Hung {
			flags |= 0x20
		}
		b = append(b, flags, byte(len(a.holds)))
		for _, o := range a.holds {
			b = append(b, k.number(o))
		}
		if st != Parked {
			continue // its history is dropped: nothing can read it any more
		}
		h := uint32(a.History)
		b = append(b, byte(h), byte(h>>8), byte(h>>16), byte(h>>24))
		if a.Op.Wake > 0 {
			b = appendTime(b, a.Op.Wake)
		}
		if a.Op.Object != nil {
			b = append(b, k.number(a.Op.Object))
		}
	}
	b = appendTime(b, k.Now)
	for _, r := range k.resources {
		at := len(b)
		if b = r.AppendKey(append(b, byte(r.owner))); len(b) == at+1 {
			b = b[:at] // says nothing, for instance an empty queue
			continue
		}
		b = append(b, '|')
	}
	if len(k.paused) > 0 {
		nodes := make([]string, 0, len(k.paused))
		for n := range k.paused {
			nodes = append(nodes, n)
		}
		sort.Strings(nodes)
		for _, n := range nodes {
			b = appendTime(append(b, n...), k.paused[n])
		}
	}
	return b
}

// number names an object by the order in which a scan over the actors meets it.
// Addresses and creation order differ between schedules that reach the same
// state; this order does not.
func (k *Kernel) number(o Object) byte {
	for i, x := range k.named {
		if x == o {
			return byte(i)
		}
	}
	k.named = append(k.named, o)
	return byte(len(k.named) - 1)
}

func appendTime(b []byte, d time.Duration) []byte {
	for i := 0; i < 8; i++ {
		b = append(b, byte(d>>(8*i)))
	}
	return b
}
