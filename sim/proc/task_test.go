package proc_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"flashlab/sim"
	"flashlab/sim/proc"
)

func TestGo(t *testing.T) {
	k := newKernel(t)
	k.FreeTime = true
	var seen []string
	a := spawn(t, k, "n7", func(ctx context.Context) error {
		proc.Go(ctx, "first", func(ctx context.Context) {
			seen = append(seen, sim.From(ctx).Name)
			proc.Sleep(ctx, 1)
			proc.Go(ctx, "grandchild", func(ctx context.Context) { proc.Sleep(ctx, 1) })
		})
		proc.Go(ctx, "second", func(ctx context.Context) { seen = append(seen, sim.From(ctx).Name) })
		return proc.Sleep(ctx, 1)
	})
	if len(k.Actors) != 3 || strings.Join(seen, " ") != "first second" {
		t.Fatalf("%d actors, %v have begun", len(k.Actors), seen)
	}
	first := k.Actors[1]
	if first.Letter() != "B" || first.Node != "n7" || !first.Daemon || first.Name != "first" {
		t.Errorf("%+v", first)
	}
	step(t, k, a)
	if !k.Finished() {
		t.Error("tasks count as unfinished")
	}
	step(t, k, first)
	if first.State() != sim.Done || len(k.Actors) != 4 || k.Actors[3].Name != "grandchild" {
		t.Errorf("state %d, %d actors", first.State(), len(k.Actors))
	}
}

// TestDeadStartNothing: a killed actor's deferred functions start no task.
func TestDeadStartNothing(t *testing.T) {
	k := newKernel(t)
	a := spawn(t, k, "n1", func(ctx context.Context) error {
		defer func() { proc.Go(ctx, "task", func(context.Context) { t.Error("the task runs") }) }()
		return proc.Sleep(ctx, 1)
	})
	if err := k.Kill(a); err != nil {
		t.Fatal(err)
	}
	if len(k.Actors) != 1 {
		t.Errorf("%d actors", len(k.Actors))
	}
}

func TestGoOutsideTheLab(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	proc.Go(ctx, "task", func(ctx context.Context) { done <- proc.Sleep(ctx, time.Hour) })
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestTokens(t *testing.T) {
	k := newKernel(t)
	var got []string
	draw := func(ctx context.Context) error {
		got = append(got, proc.Token(ctx), proc.Token(ctx))
		return nil
	}
	for range 2 {
		got = got[:0]
		spawn(t, k, "n1", draw)
		spawn(t, k, "n1", draw)
		if s := strings.Join(got, " "); s != "A1 A2 B1 B2" {
			t.Errorf("tokens %s", s)
		}
		if err := k.Reset(); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	if a, b := proc.Token(ctx), proc.Token(ctx); len(a) != 32 || a == b {
		t.Errorf("outside the lab: %q, %q", a, b)
	}
}
