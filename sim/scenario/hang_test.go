package scenario_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"flashlab/sim"
	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// TestHang: who is stuck does not step and is excused; the end of its context frees
// it, and from then on it counts again.
func TestHang(t *testing.T) {
	var ended error
	r, err := scenario.Open(&scenario.Scenario{
		Lesson: "test", Variant: "hang", Time: scenario.Eager,
		Faults: scenario.Faults{Hangs: func(a *sim.Actor) bool { return a.ID == 0 && a.Op.Kind == sim.KindSleep }},
		Actors: func(*world.World) []scenario.Actor {
			return []scenario.Actor{{Name: trace.Verbatim("stuck"), Node: "n1", Body: func(ctx context.Context) error {
				work, end := proc.WithCancel(ctx)
				proc.Go(ctx, proc.WatchdogName, func(ctx context.Context) {
					if proc.Sleep(ctx, time.Minute) == nil {
						end()
					}
				})
				ended = proc.Sleep(work, time.Hour)
				return ended
			}}}
		},
		Lights: []scenario.Light{scenario.Progress()},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := r.Reset(); err != nil {
		t.Fatal(err)
	}
	a, dog := r.W.Kernel.Actors[0], r.W.Kernel.Actors[1]
	if !a.Hung || !r.Finished() || len(r.Moves(nil)) != 0 {
		t.Errorf("hung %v, finished %v, moves %v", a.Hung, r.Finished(), r.Moves(nil))
	}
	r.W.Advance(time.Minute)
	if err := r.Do(sim.Move{Kind: sim.MoveActor, Arg: uint8(dog.ID)}); err != nil {
		t.Fatal(err)
	}
	if a.Hung || r.Finished() {
		t.Errorf("cancelled, but hung %v, finished %v", a.Hung, r.Finished())
	}
	if m := r.Moves(nil); len(m) != 1 || m[0].String() != "A" {
		t.Errorf("moves %v", m)
	}
	if bits, err := r.Finish(nil); err != nil || bits != 0 || !errors.Is(ended, context.Canceled) {
		t.Errorf("lights %b, %v, the wait ends with %v", bits, err, ended)
	}
}
