package proc

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"
	"sync/atomic"

	"flashlab/sim"
)

// WatchdogName begins the name of a task that renews a lease.
const WatchdogName = "watchdog"

// Go starts f as a task of the same process, as the go statement would. Under
// the lab it becomes an actor of the caller's node that does not count as
// unfinished; it sees the caller's cancellation.
//
// A task whose name begins with [WatchdogName] is urgent there: once it is due on
// a running node it goes before all other actors and before the clock, and only a
// fault can come first. That is what a renewal every third of a lease relies on:
// its node may be slow, though not by two thirds of a lease. Without that the lab
// would call every watchdog broken, for no other reason than that it never ran.
func Go(ctx context.Context, name string, f func(ctx context.Context)) {
	a := sim.From(ctx)
	if a == nil {
		go f(ctx)
		return
	}
	if a.Refused() {
		return
	}
	// An error (too many actors) is kept by the kernel and ends the run.
	child, _ := a.Start(name, func(own context.Context) error {
		f(task{own, ctx})
		return nil
	})
	if child != nil {
		child.Urgent = strings.HasPrefix(name, WatchdogName)
	}
}

// task carries the new actor's values and the parent's cancellation.
type task struct {
	context.Context
	parent context.Context
}

func (t task) Err() error            { return t.parent.Err() }
func (t task) Done() <-chan struct{} { return t.parent.Done() }

// Token returns a fresh value for a lock or a request: 32 hexadecimal digits at
// random; under the lab short and the same in every replay, such as "A1".
func Token(ctx context.Context) string {
	a := sim.From(ctx)
	if a == nil {
		var b [16]byte
		rand.Read(b[:]) // never fails since Go 1.24
		return hex.EncodeToString(b[:])
	}
	return fmt.Sprintf("%s%d", a.Letter(), a.NextToken())
}

// numbers is how many this process has given out, outside the lab.
var numbers atomic.Int64

// Number returns a number from 1 that nothing else in this process has been given,
// for an owner or a request; under the lab the same in every replay: 101 is A's
// first, 202 B's second.
func Number(ctx context.Context) int64 {
	a := sim.From(ctx)
	if a == nil {
		return numbers.Add(1)
	}
	return int64(100*(a.ID+1) + a.NextToken())
}
