package explore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"flashlab/sim"
	"flashlab/sim/explore"
	"flashlab/sim/proc"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// validator watches a run: where a step lets another actor move that could not, or
// the other way round, both operations must say that they touch the same thing.
// Reductions and happens-before lanes believe what operations say.
type validator struct {
	*scenario.Run
	hide  string // a resource that nobody mentions, to see the validator at work
	step  []trace.Access
	flips int
}

func validate(r *scenario.Run) *validator {
	v := &validator{Run: r}
	did := r.W.Kernel.OnDid
	r.W.Kernel.OnDid = func(a *sim.Actor, op *sim.Op, err error) {
		did(a, op, err)
		v.step = append(v.step, op.Detail.Accesses()...)
	}
	return v
}

// pending is an actor before its operation.
type pending struct {
	steps   int
	enabled bool
}

// Do takes the step and compares.
func (v *validator) Do(m sim.Move) error {
	k := v.W.Kernel
	before := map[*sim.Actor]pending{}
	for _, a := range k.Actors {
		if a.Alive() {
			before[a] = pending{a.Steps, k.Enabled(a)}
		}
	}
	v.step = v.step[:0]
	if err := v.Run.Do(m); err != nil || !m.Actor() {
		return err // the death of a holder needs no operation
	}
	for a, was := range before {
		if a.ID == int(m.Arg) || !a.Alive() || k.Enabled(a) == was.enabled {
			continue
		}
		v.flips++
		if !v.share(v.step, a.Op.Detail.Accesses()) {
			return fmt.Errorf("step %s (%v) changes whether %s can %s (%v), and they share nothing", m, v.step, a.Letter(), a.Op.Name, a.Op.Detail.Accesses())
		}
	}
	return nil
}

func (v *validator) share(a, b []trace.Access) bool {
	for _, x := range a {
		for _, y := range b {
			if x.Resource == y.Resource && x.Resource != v.hide && (x.Write || y.Write) {
				return true
			}
		}
	}
	return false
}

// blockingScenes are those in which actors wait for one another, and what for.
var blockingScenes = []struct {
	sale
	waitFor string
}{
	{sale{name: "guarded", buy: txGuarded, engine: world.WAL}, sqlgate.WriteLock},
	{sale{name: "guarded", buy: txGuarded, engine: world.WAL, begin: sqlgate.Deferred}, sqlgate.WriteLock},
	{sale{name: "read and write", buy: txReadWrite, engine: world.WAL, begin: sqlgate.Deferred}, sqlgate.WriteLock},
	{sale{name: "order first", buy: txOrderFirst, engine: world.WAL, begin: sqlgate.Deferred, unique: true, same: true}, sqlgate.WriteLock},
	{sale{name: "mutex", buy: func(s *shop, ctx context.Context, buyer int) error { return s.mutexed(ctx, buyer, 0) },
		mutexes: func(int) []*proc.Mutex { return []*proc.Mutex{{}} }}, "mutex"},
	{sale{name: "crossed", buy: (*shop).abba, mutexes: func(int) []*proc.Mutex { return []*proc.Mutex{{}, {}, {}} }}, "mutex"},
}

func TestEnablednessIsDeclared(t *testing.T) {
	for _, x := range blockingScenes {
		for _, crashes := range []int{0, 1} {
			x.buyers, x.stock, x.crashes = 3, 2, crashes
			v := validate(x.open(t))
			if _, err := explore.Run(t.Context(), v, saleLights, explore.Limits{}, nil); err != nil {
				t.Errorf("%s: %v", x, err)
			}
			if v.flips == 0 {
				t.Errorf("%s: nobody ever waits", x)
			}
		}
	}
}

// TestValidatorAtWork: if operations kept silent about what they wait for, the
// validator would say so.
func TestValidatorAtWork(t *testing.T) {
	for _, x := range blockingScenes {
		x.buyers, x.stock = 2, 2
		v := validate(x.open(t))
		v.hide = x.waitFor
		_, err := explore.Run(t.Context(), v, saleLights, explore.Limits{}, nil)
		if err == nil || !strings.Contains(err.Error(), "share nothing") {
			t.Errorf("%s without %s: %v", x, x.waitFor, err)
		}
	}
}

// TestDefectsAreFound: what must break does break, in the way it must.
func TestDefectsAreFound(t *testing.T) {
	for _, x := range []struct {
		sale
		breaks map[int]bool
	}{
		{sale{name: "redis set", buy: redisSet, redis: true}, map[int]bool{oversell: true}},
		{sale{name: "redis decr", buy: redisDecr, redis: true}, map[int]bool{oversell: true}},
		{sale{name: "redis watch without EXEC", buy: watchOnly, redis: true}, map[int]bool{oversell: true}},
		{sale{name: "redis cas", buy: redisCAS, redis: true}, nil},
		{sale{name: "redis script", buy: redisScript, redis: true}, nil},
		{sale{name: "redis decr, check", buy: redisDecrCheck, redis: true}, nil},
		{sale{name: "set", buy: sqlSet}, map[int]bool{oversell: true}},
		{sale{name: "decr", buy: sqlDecr}, map[int]bool{oversell: true, negative: true}},
		{sale{name: "decr, check", buy: sqlDecrCheck}, map[int]bool{negative: true}},
		{sale{name: "cas", buy: sqlCAS}, nil},
		{sale{name: "guarded", buy: sqlGuarded}, nil},
		{sale{name: "returning", buy: sqlReturning}, nil},
		{sale{name: "immediate", buy: txReadWrite, engine: world.WAL}, nil},
		{sale{name: "deferred", buy: txReadWrite, engine: world.WAL, begin: sqlgate.Deferred}, nil},
		{sale{name: "snapshot", buy: txSnapshot, engine: world.WAL}, map[int]bool{oversell: true, negative: true}},
		{sale{name: "crossed", buy: (*shop).abba, mutexes: func(int) []*proc.Mutex { return []*proc.Mutex{{}, {}} }}, map[int]bool{deadlock: true}},
	} {
		x.buyers, x.stock = 2, 1
		r, err := explore.Run(t.Context(), x.open(t), saleLights, explore.Limits{}, nil)
		if err != nil {
			t.Errorf("%s: %v", x, err)
			continue
		}
		for i, l := range r.Lights {
			if l.Broken != x.breaks[i] {
				t.Errorf("%s: light %d broken = %v, %v schedules", x, i, l.Broken, l.Violating)
			}
		}
	}
}
