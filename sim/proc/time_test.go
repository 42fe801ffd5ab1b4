package proc_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"flashlab/sim"
	"flashlab/sim/proc"
)

// TestSleepInFreeTime: a sleep is a step like any other, and time stands still.
func TestSleepInFreeTime(t *testing.T) {
	k := newKernel(t)
	k.FreeTime = true
	a := spawn(t, k, "n1", func(ctx context.Context) error { return proc.Sleep(ctx, time.Hour) })
	if !k.Enabled(a) {
		t.Fatal("it waits")
	}
	step(t, k, a)
	if a.State() != sim.Done || a.Err != nil || k.Now != 0 {
		t.Errorf("state %d, %v, at %v", a.State(), a.Err, k.Now)
	}
}

// TestSleepInVirtualTime: it is due at its instant and not before.
func TestSleepInVirtualTime(t *testing.T) {
	k := newKernel(t)
	var woken time.Time
	a := spawn(t, k, "n1", func(ctx context.Context) error {
		if now := proc.Now(ctx); !now.Equal(proc.Epoch()) {
			t.Errorf("the run starts at %v", now)
		}
		err := proc.Sleep(ctx, 3*time.Second)
		woken = proc.Now(ctx)
		return err
	})
	if err := k.Step(a); err == nil {
		t.Fatal("it steps although it sleeps")
	}
	var due []time.Duration
	k.Deadlines(func(d time.Duration) { due = append(due, d) })
	if len(due) != 1 || due[0] != 3*time.Second {
		t.Fatalf("deadlines %v", due)
	}
	k.Advance(3*time.Second - 1)
	why, waits := a.Why()
	if !waits || why.Kind != "sleep" || why.Left != 1 {
		t.Errorf("reason %+v", why)
	}
	k.Advance(3 * time.Second)
	step(t, k, a)
	if a.Err != nil || woken.Sub(proc.Epoch()) != 3*time.Second {
		t.Errorf("%v, woken at %v", a.Err, woken)
	}
}

// TestNowIsPartOfHistory: two actors that have read different times are not alike.
func TestNowIsPartOfHistory(t *testing.T) {
	k := newKernel(t)
	k.FreeTime = true
	history := func(at time.Duration) sim.HistoryID {
		t.Helper()
		if err := k.Reset(); err != nil {
			t.Fatal(err)
		}
		k.Advance(at)
		return spawn(t, k, "n1", func(ctx context.Context) error {
			proc.Now(ctx)
			return proc.Sleep(ctx, 1)
		}).History
	}
	if history(0) != history(0) || history(0) == history(1) {
		t.Error("the time that was read does not decide the history")
	}
}

func TestSleepOutsideTheLab(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	if err := proc.Sleep(ctx, time.Millisecond); err != nil {
		t.Error(err)
	}
	cancel()
	if err := proc.Sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if d := time.Since(proc.Now(ctx)); d < 0 || d > time.Minute {
		t.Errorf("now is %v off", d)
	}
}
