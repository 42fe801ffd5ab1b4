package sim_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"flashlab/sim"
	"flashlab/sim/proc"
	"flashlab/sim/source"
)

// named returns a kernel that names lines of these tests in its errors.
func named(t *testing.T) *sim.Kernel {
	k := newKernel(t)
	k.FreeTime = true
	k.Sources = source.NewResolver("flashlab/sim_test")
	return k
}

// run steps an actor until it ends or the run is over.
func run(k *sim.Kernel, a *sim.Actor) error {
	for a.State() == sim.Parked {
		if err := k.Step(a); err != nil {
			return err
		}
	}
	return k.Err()
}

// TestForeignGoroutines: operations from goroutines that the code has started by
// itself are hard errors that name the line, whether it waits for them or not.
func TestForeignGoroutines(t *testing.T) {
	for name, body := range map[string]func(ctx context.Context) error{
		"waits for one": func(ctx context.Context) error {
			proc.Sleep(ctx, 1)
			done := make(chan error)
			go func() { done <- proc.Sleep(ctx, 2) }()
			return <-done
		},
		"waits for one at once": func(ctx context.Context) error {
			done := make(chan error)
			go func() { done <- proc.Sleep(ctx, 2) }()
			return <-done
		},
		"waits for many": func(ctx context.Context) error {
			proc.Sleep(ctx, 1)
			var wg sync.WaitGroup
			for range 5 {
				wg.Go(func() { proc.Sleep(ctx, 2) })
			}
			wg.Wait()
			return proc.Sleep(ctx, 3)
		},
		"goes on beside one": func(ctx context.Context) error {
			begun, done := make(chan bool), make(chan error, 1)
			go func() {
				close(begun)
				done <- proc.Sleep(ctx, 2)
			}()
			<-begun
			proc.Sleep(ctx, 1)
			return <-done
		},
	} {
		t.Run(name, func(t *testing.T) {
			k := named(t)
			a, err := k.Spawn("actor", "n1", false, body)
			if err == nil {
				err = run(k, a)
			}
			if !errors.Is(err, sim.ErrForeignGoroutine) && !errors.Is(err, sim.ErrTwoOperations) {
				t.Fatalf("%v", err)
			}
			if !strings.Contains(err.Error(), "misuse_test.go:") || !strings.Contains(err.Error(), "actor A") {
				t.Errorf("the error names no line or no actor: %v", err)
			}
		})
	}
}

// TestTasksAreNotForeign: what proc.Go starts may do anything, also below many
// frames of other code.
func TestTasksAreNotForeign(t *testing.T) {
	k := named(t)
	var deep func(ctx context.Context, n int) error
	deep = func(ctx context.Context, n int) error {
		if n > 0 {
			return deep(ctx, n-1)
		}
		return proc.Sleep(ctx, 1)
	}
	a := spawn(t, k, "n1", func(ctx context.Context) error {
		proc.Go(ctx, "task", func(ctx context.Context) { deep(ctx, 300) })
		return deep(ctx, 500)
	})
	step(t, k, a, k.Actors[1])
	if err := k.Err(); err != nil || k.Actors[1].State() != sim.Done {
		t.Errorf("%v", err)
	}
}

// TestStall: an actor that computes for too long is reported and given up; when it
// comes back at last it finds the gates closed.
func TestStall(t *testing.T) {
	var stop atomic.Bool
	defer stop.Store(true)
	spin := func() {
		for !stop.Load() {
			time.Sleep(time.Millisecond)
		}
	}
	touched := atomic.Bool{}
	for name, c := range map[string]struct {
		body func(ctx context.Context) error
		who  string
	}{
		"in the middle": {func(ctx context.Context) error {
			proc.Sleep(ctx, 1)
			spin()
			return proc.Sleep(ctx, 2)
		}, "actor A has computed"},
		"at the start": {func(ctx context.Context) error {
			spin()
			if proc.Sleep(ctx, 1) == nil {
				touched.Store(true)
			}
			return nil
		}, "actor A has computed"},
		"in a task": {func(ctx context.Context) error {
			proc.Sleep(ctx, 1)
			proc.Go(ctx, "task", func(context.Context) { spin() })
			return proc.Sleep(ctx, 2)
		}, "actor B has computed"},
		"in a task started late": {func(ctx context.Context) error {
			proc.Sleep(ctx, 1)
			time.Sleep(30 * time.Millisecond)
			proc.Go(ctx, "task", func(ctx context.Context) {
				spin()
				proc.Sleep(ctx, 2)
			})
			return proc.Sleep(ctx, 2)
		}, "actor B has computed"},
		"for good": {func(ctx context.Context) error {
			proc.Sleep(ctx, 1)
			spin()
			panic("never mind")
		}, "actor A has computed"},
	} {
		t.Run(name, func(t *testing.T) {
			stop.Store(false)
			k := named(t)
			k.Stall = 40 * time.Millisecond
			a, err := k.Spawn("actor", "n1", false, c.body)
			start := time.Now()
			if err == nil {
				err = run(k, a)
			}
			if err == nil || !strings.Contains(err.Error(), c.who) {
				t.Fatalf("%v", err)
			}
			if d := time.Since(start); d > time.Second {
				t.Errorf("noticed after %v", d)
			}
			if err := k.Step(a); err == nil {
				t.Error("the run goes on")
			}
			closed := make(chan bool)
			go func() { k.Close(); close(closed) }()
			select {
			case <-closed:
			case <-time.After(5 * time.Second):
				t.Fatal("closing waits for the one that computes")
			}
			stop.Store(true) // it comes back, and the kernel is gone: see newKernel
		})
	}
	if touched.Load() {
		t.Error("an operation of one that was given up went through")
	}
}

// TestStallLimit: what takes long but not too long is no stall.
func TestStallLimit(t *testing.T) {
	k := named(t)
	if k.Stall != sim.StallLimit {
		t.Errorf("limit %v", k.Stall)
	}
	a := spawn(t, k, "n1", func(ctx context.Context) error {
		for range 3 {
			time.Sleep(20 * time.Millisecond)
			proc.Sleep(ctx, 1)
		}
		return nil
	})
	if err := run(k, a); err != nil {
		t.Error(err)
	}
}
