package proc_test

import (
	"context"
	"sync"
	"testing"

	"flashlab/sim"
	"flashlab/sim/proc"
)

// spawn adds an actor, or fails the test.
func spawn(t *testing.T, k *sim.Kernel, node string, body func(ctx context.Context) error) *sim.Actor {
	t.Helper()
	a, err := k.Spawn("actor", node, false, body)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// step takes one step with each of the actors, or fails the test.
func step(t *testing.T, k *sim.Kernel, actors ...*sim.Actor) {
	t.Helper()
	for _, a := range actors {
		if err := k.Step(a); err != nil {
			t.Fatal(err)
		}
	}
}

func newKernel(t *testing.T) *sim.Kernel {
	t.Helper()
	k := sim.New()
	t.Cleanup(func() { k.Close() })
	return k
}

// lockTwice locks and unlocks two mutexes, one inside the other.
func lockTwice(outer, inner *proc.Mutex) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		outer.Lock(ctx)
		inner.Lock(ctx)
		inner.Unlock(ctx)
		outer.Unlock(ctx)
		return nil
	}
}

func TestMutexExcludes(t *testing.T) {
	k := newKernel(t)
	var outer, inner proc.Mutex
	a, b := spawn(t, k, "n1", lockTwice(&outer, &inner)), spawn(t, k, "n1", lockTwice(&outer, &inner))
	elsewhere := spawn(t, k, "n2", lockTwice(&outer, &inner))
	step(t, k, a)
	if k.Enabled(b) || !k.Enabled(elsewhere) {
		t.Error("a mutex must exclude on its node, and only there")
	}
	if why, ok := b.Why(); !ok || why.Kind != "mutex" || why.By != "A" {
		t.Errorf("reason %+v", why)
	}
	step(t, k, a, a)
	if k.Enabled(b) {
		t.Error("the outer mutex is still held")
	}
	step(t, k, a, b)
}

func TestMutexOfDead(t *testing.T) {
	k := newKernel(t)
	var outer, inner proc.Mutex
	a, b := spawn(t, k, "n1", lockTwice(&outer, &inner)), spawn(t, k, "n1", lockTwice(&inner, &outer))
	step(t, k, a, b)
	if k.Enabled(a) || k.Enabled(b) {
		t.Fatal("no deadlock")
	}
	if err := k.Kill(a); err != nil {
		t.Fatal(err)
	}
	step(t, k, b, b, b)
	if b.State() != sim.Done {
		t.Errorf("state %d", b.State())
	}
}

// TestUnlockByOther: as with sync.Mutex, a mutex belongs to nobody in particular.
func TestUnlockByOther(t *testing.T) {
	k := newKernel(t)
	var mu proc.Mutex
	a := spawn(t, k, "n1", func(ctx context.Context) error { mu.Lock(ctx); return nil })
	b := spawn(t, k, "n1", func(ctx context.Context) error { mu.Unlock(ctx); return nil })
	c := spawn(t, k, "n1", func(ctx context.Context) error { mu.Lock(ctx); return nil })
	step(t, k, a)
	if k.Enabled(c) {
		t.Error("the mutex is free after its holder has returned")
	}
	step(t, k, b, c)
}

func TestUnlockUnlocked(t *testing.T) {
	k := newKernel(t)
	var mu proc.Mutex
	a := spawn(t, k, "n1", func(ctx context.Context) error { mu.Unlock(ctx); return nil })
	step(t, k, a)
	if a.State() != sim.Crashed {
		t.Errorf("state %d, %v", a.State(), a.Err)
	}
}

// TestMutexIsFreshInEachRun: what a run leaves locked does not reach the next.
func TestMutexIsFreshInEachRun(t *testing.T) {
	k := newKernel(t)
	var mu proc.Mutex
	for range 3 {
		a := spawn(t, k, "n1", func(ctx context.Context) error { mu.Lock(ctx); return nil })
		step(t, k, a)
		if err := k.Reset(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMutexOutsideTheLab(t *testing.T) {
	ctx := context.Background()
	var mu proc.Mutex
	n := 0
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				mu.Lock(ctx)
				n++
				mu.Unlock(ctx)
			}
		})
	}
	wg.Wait()
	if n != 8000 {
		t.Errorf("n = %d", n)
	}
}
