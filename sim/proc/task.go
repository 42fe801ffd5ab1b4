package proc

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"

	"flashlab/sim"
)

// Go starts f as a task of the same process, as the go statement would. Under
// the lab it becomes an actor of the caller's node that does not count as
// unfinished; it sees the caller's cancellation.
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
	_, _ = a.Start(name, func(own context.Context) error {
		f(task{own, ctx})
		return nil
	})
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
