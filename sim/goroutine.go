package sim

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// work is the actor's goroutine: it runs one body after another, so that stacks
// need not grow again in every run.
func (a *Actor) work() {
	defer func() { // reached by Goexit only
		a.ended = true
		a.state.Store(uint32(Dead))
		a.Err = ErrKilled
		a.out <- struct{}{}
	}()
	for range a.in {
		a.run()
		a.out <- struct{}{}
	}
	runtime.Goexit()
}

func (a *Actor) run() {
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		if _, ok := p.(killed); ok {
			a.Err = ErrKilled
			a.state.Store(uint32(Dead))
			return
		}
		a.Err, a.Panic = fmt.Errorf("panic: %v", p), debug.Stack()
		a.state.Store(uint32(Crashed))
	}()
	a.Err = a.body(a.ctx)
	a.CloseJoined()
	if a.dead.Load() {
		a.Err = ErrKilled
		a.state.Store(uint32(Dead))
		return
	}
	a.state.Store(uint32(Done))
}

// abandon leaves an actor to itself that does not come back. Should it do so after
// all, it finds every gate closed and ends.
func (a *Actor) abandon() {
	a.lost.Store(true)
	a.dead.Store(true)
	go func() {
		<-a.out
		a.bury()
	}()
}

// bury ends the goroutine of an actor that has come back too late.
func (a *Actor) bury() {
	for a.State() == Parked { // in the very moment in which it was given up
		a.in <- struct{}{}
		<-a.out
	}
	if !a.ended {
		close(a.in)
		<-a.out
	}
}

// onOwnGoroutine reports whether the caller runs on an actor's goroutine, as
// opposed to one that its code has started with the go statement.
func onOwnGoroutine() bool {
	const root = "flashlab/sim.(*Actor).run"
	var pcs [64]uintptr
	for skip := 2; ; skip += len(pcs) {
		n := runtime.Callers(skip, pcs[:])
		for frames := runtime.CallersFrames(pcs[:n]); ; {
			f, more := frames.Next()
			if f.Function == root {
				return true
			}
			if !more {
				break
			}
		}
		if n < len(pcs) {
			return false
		}
	}
}
