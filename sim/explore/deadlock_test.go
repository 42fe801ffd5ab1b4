package explore_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"flashlab/sim"
	"flashlab/sim/explore"
	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// TestTwoMutexes: two actors take A, then B; the third takes B, then A. The figures
// are those of an independent prototype.
func TestTwoMutexes(t *testing.T) {
	x := sale{name: "crossed", buyers: 3, stock: 1, mutexes: func(int) []*proc.Mutex { return []*proc.Mutex{{}, {}} }}
	x.buy = func(s *shop, ctx context.Context, buyer int) error {
		first, second := s.mutexes[0], s.mutexes[1]
		if buyer == 3 {
			first, second = second, first
		}
		first.Lock(ctx)
		second.Lock(ctx)
		second.Unlock(ctx)
		first.Unlock(ctx)
		return nil
	}
	r := mustAgree(t, x.open(t), saleLights, 1000)
	if r.Interleavings.Int64() != 26 || r.Lights[deadlock].Violating.Int64() != 10 {
		t.Errorf("%v interleavings, %v end in a deadlock", r.Interleavings, r.Lights[deadlock].Violating)
	}
}

// reasons drives a scene along a schedule and tells why each actor waits then.
func reasons(t *testing.T, x sale, schedule string) map[string]trace.Reason {
	t.Helper()
	r := x.open(t)
	if err := r.Reset(); err != nil {
		t.Fatal(err)
	}
	for _, c := range schedule {
		if err := r.Do(sim.Move{Kind: sim.MoveActor, Arg: uint8(c - 'A')}); err != nil {
			t.Fatal(err)
		}
	}
	why := map[string]trace.Reason{}
	for _, a := range r.W.Kernel.Actors {
		if x, ok := a.Why(); ok {
			why[a.Letter()] = x
		}
	}
	return why
}

// TestReasons: who waits is told for what, and who has it.
func TestReasons(t *testing.T) {
	pair := func(int) []*proc.Mutex { return []*proc.Mutex{{}, {}} }
	for _, c := range []struct {
		sale
		schedule string
		want     map[string]trace.Reason
	}{
		{sale{buy: (*shop).abba, mutexes: pair}, "AB", map[string]trace.Reason{
			"A": {Kind: "mutex", Name: "mutex on n1", By: "B"},
			"B": {Kind: "mutex", Name: "mutex on n1", By: "A"},
		}},
		{sale{buy: (*shop).abba, mutexes: pair, nodes: 2}, "AB", map[string]trace.Reason{}},
		{sale{buy: txGuarded, engine: world.WAL}, "A", map[string]trace.Reason{
			"B": {Kind: "write-lock", Name: sqlgate.WriteLock, By: "A"},
		}},
		{sale{buy: txGuarded, engine: world.WAL, begin: sqlgate.Deferred}, "B", map[string]trace.Reason{
			"A": {Kind: "write-lock", Name: sqlgate.WriteLock, By: "B"},
		}},
		{sale{buy: txGuarded, engine: world.WAL}, "AAAA", map[string]trace.Reason{}},
	} {
		c.buyers, c.stock = 2, 1
		if diff := cmp.Diff(c.want, reasons(t, c.sale, c.schedule)); diff != "" {
			t.Errorf("after %s (-want +got):\n%s", c.schedule, diff)
		}
	}
}

// TestBlockedStep: an actor that waits cannot be made to step.
func TestBlockedStep(t *testing.T) {
	x := sale{name: "guarded", buy: txGuarded, buyers: 2, stock: 1, engine: world.WAL}
	r := x.open(t)
	if err := r.Reset(); err != nil {
		t.Fatal(err)
	}
	for i, m := range []sim.Move{{}, {Arg: 1}} {
		if err := r.Do(m); (err != nil) != (i == 1) {
			t.Errorf("step %d: %v", i+1, err)
		}
	}
	for _, m := range []sim.Move{{Arg: 9}, {Kind: sim.MoveKind(99)}} {
		if err := r.Do(m); err == nil {
			t.Errorf("%+v succeeds", m)
		}
	}
}

// TestTransactionsOnMemory: the memory engine does for transactions that write
// from the start. Where it cannot follow, the search ends and names the one that can.
func TestTransactionsOnMemory(t *testing.T) {
	mixed := func(s *shop, ctx context.Context, buyer int) error {
		if err := take(ctx, s.db); err != nil {
			return err
		}
		return s.inTx(ctx, nil, func(tx *sql.Tx) error { return book(ctx, tx, buyer) })
	}
	for _, x := range []sale{{name: "guarded", buy: txGuarded}, {name: "autocommit before", buy: mixed}} {
		for _, crashes := range []int{0, 1} {
			x.buyers, x.stock, x.crashes = 2, 2, crashes
			agree(t, x)
		}
	}
	x := sale{name: "read and write", buy: txReadWrite, buyers: 2, stock: 2, begin: sqlgate.Deferred}
	r, err := scenario.Open(x.scenario(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err = explore.Run(t.Context(), r, saleLights, explore.Limits{}, nil); !errors.Is(err, sqlgate.ErrBusy) || !strings.Contains(err.Error(), "WAL") {
		t.Errorf("%v", err)
	}
	r.Close() // tells of the same
}
