package proc

import (
	"context"
	"sync"

	"flashlab/sim"
	"flashlab/sim/trace"
)

// Mutex is a lock inside one process. Under the lab every node has its own copy
// of each Mutex, also of one in a package variable. The zero value is unlocked.
type Mutex struct {
	real sync.Mutex
}

// held is the state of a Mutex on one node.
type held struct{ by *sim.Actor }

// Abandon frees the mutex of an actor that died.
func (h *held) Abandon() { h.by = nil }

func (m *Mutex) on(a *sim.Actor) *held {
	return a.Kernel().Local(m, a.Node, func() sim.Object { return &held{} }).(*held)
}

// Lock waits until the mutex is free and takes it. It returns early, without the
// lock, only for an actor that was killed.
func (m *Mutex) Lock(ctx context.Context) {
	a := sim.From(ctx)
	if a == nil {
		m.real.Lock()
		return
	}
	h := m.on(a)
	op, err := a.Prepare(sim.KindMutex, "lock")
	if err != nil {
		return
	}
	op.Object, op.Detail = h, mutexCall{"lock", h}
	op.Blocked = func() (trace.Reason, bool) {
		if h.by == nil {
			return trace.Reason{}, false
		}
		return trace.Reason{Kind: "mutex", Name: "mutex on " + a.Node, By: h.by.Letter()}, true
	}
	if a.Park() != nil {
		return
	}
	h.by = a
	a.Hold(h)
	a.Did(nil, nil)
}

// Unlock frees the mutex. Unlocking a free one panics, as sync.Mutex does.
func (m *Mutex) Unlock(ctx context.Context) {
	a := sim.From(ctx)
	if a == nil {
		m.real.Unlock()
		return
	}
	h := m.on(a)
	op, err := a.Prepare(sim.KindMutex, "unlock")
	if err != nil {
		return
	}
	op.Object, op.Detail = h, mutexCall{"unlock", h}
	if a.Park() != nil {
		return
	}
	if h.by == nil {
		panic("proc: unlock of an unlocked mutex")
	}
	h.by.Drop(h)
	h.by = nil
	a.Did(nil, nil)
}

type mutexCall struct {
	name string
	h    *held
}

func (c mutexCall) Command() string { return "mutex." + c.name + "()" }
func (c mutexCall) Reply() string   { return "" }
func (c mutexCall) Accesses() []trace.Access {
	return []trace.Access{{Resource: "mutex", Write: true}}
}
