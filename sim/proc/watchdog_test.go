package proc_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"flashlab/sim"
	"flashlab/sim/proc"
)

// TestWatchdogIsUrgent: what a task is called decides whether it goes first.
func TestWatchdogIsUrgent(t *testing.T) {
	k := sim.New()
	t.Cleanup(func() { k.Close() })
	_, err := k.Spawn("holder", "n1", false, func(ctx context.Context) error {
		for _, name := range []string{proc.WatchdogName, "watchdog of lock:order:7", "renewal", "the watchdog"} {
			proc.Go(ctx, name, func(ctx context.Context) { proc.Sleep(ctx, time.Second) })
		}
		return proc.Sleep(ctx, time.Second)
	})
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	for _, a := range k.Actors {
		got += fmt.Sprint(a.Urgent, " ")
	}
	if got != "false true true false false " {
		t.Errorf("urgent: %s", got)
	}
}

// TestNumbers: under the lab by actor and the same in every run, outside it counting.
func TestNumbers(t *testing.T) {
	k := sim.New()
	t.Cleanup(func() { k.Close() })
	var got []int64
	for range 2 {
		got = got[:0]
		for range 2 {
			_, err := k.Spawn("actor", "n1", false, func(ctx context.Context) error {
				got = append(got, proc.Number(ctx), proc.Number(ctx))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if s := fmt.Sprint(got); s != "[101 102 201 202]" {
			t.Errorf("numbers %s", s)
		}
		if err := k.Reset(); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	if a, b := proc.Number(ctx), proc.Number(ctx); a < 1 || b != a+1 {
		t.Errorf("outside the lab %d, %d", a, b)
	}
}
