package explore_test

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"flashlab/sim"
	"flashlab/sim/explore"
	"flashlab/sim/world"
)

// fickle is a program that changes its mind: after some runs it behaves in another
// way than it did before.
type fickle struct {
	*program
	runs int
	from int // the run in which it changes
	how  string
}

func (f *fickle) changed() bool { return f.runs >= f.from }

func (f *fickle) Reset() error {
	f.runs++
	err := f.program.Reset()
	if f.changed() && f.how == "start" {
		f.vars[0] = 7
	}
	return err
}

func (f *fickle) Digest() uint64 {
	if f.changed() && f.how == "reply" {
		return f.program.Digest() + 1
	}
	return f.program.Digest()
}

func (f *fickle) Moves(dst []sim.Move) []sim.Move {
	dst = f.program.Moves(dst)
	if f.changed() && f.how == "moves" && f.steps > 0 && len(dst) > 1 {
		return dst[:len(dst)-1]
	}
	return dst
}

func (f *fickle) AppendKey(b []byte) ([]byte, error) {
	b, err := f.program.AppendKey(b)
	if f.changed() && f.how == "state" && f.steps > 0 {
		b = binary.LittleEndian.AppendUint64(b, uint64(f.runs))
	}
	return b, err
}

// TestFickleModel: whenever it happens, and whatever it is that changes, the
// search ends with an error. Only a change after the last run goes unnoticed.
func TestFickleModel(t *testing.T) {
	for _, lim := range []explore.Limits{{}, {States: 40}} {
		for _, how := range []string{"start", "reply", "moves", "state"} {
			calm, err := explore.Run(t.Context(), race(3), 1, lim, nil)
			if err != nil {
				t.Fatal(err)
			}
			noticed := 0
			for from := 2; from <= calm.Runs; from++ {
				f := &fickle{program: race(3), from: from, how: how}
				_, err := explore.Run(t.Context(), f, 1, lim, nil)
				if err != nil && !errors.Is(err, explore.ErrNotDeterministic) && !errors.Is(err, explore.ErrAmbiguous) {
					t.Errorf("%s changes in run %d: %v", how, from, err)
				}
				if err != nil {
					noticed++
				}
			}
			switch {
			case how == "moves" && lim.States > 0:
				// Within bounds nothing is counted, and choices are not compared.
			case noticed < 8:
				t.Errorf("%s, limits %+v: noticed in %d of %d runs", how, lim, noticed, calm.Runs-1)
			}
		}
	}
}

// visits is a variable of the program: business code must not have any.
var visits int

// TestFickleCode: real code that reads what an earlier run has left in its memory.
func TestFickleCode(t *testing.T) {
	for name, code := range map[string]buy{
		"other operation": func(s *shop, ctx context.Context, buyer int) error {
			visits++
			if err := s.rdb.Get(ctx, stockKey).Err(); err != nil {
				return err
			}
			if visits > 5 {
				return s.rdb.Incr(ctx, stockKey).Err()
			}
			return s.rdb.Decr(ctx, stockKey).Err()
		},
		"other argument": func(s *shop, ctx context.Context, buyer int) error {
			visits++
			if err := s.rdb.Set(ctx, stockKey, visits, 0).Err(); err != nil {
				return err
			}
			return s.rdb.Del(ctx, "other").Err()
		},
		"one step more": func(s *shop, ctx context.Context, buyer int) error {
			visits++
			if err := s.rdb.Get(ctx, stockKey).Err(); err != nil || visits < 4 {
				return err
			}
			return s.rdb.Get(ctx, stockKey).Err()
		},
		"row of another content": func(s *shop, ctx context.Context, buyer int) error {
			visits++
			if err := s.order(ctx, visits); err != nil {
				return err
			}
			return s.order(ctx, 1)
		},
	} {
		t.Run(name, func(t *testing.T) {
			visits = 0
			x := sale{name: name, buy: code, buyers: 2, stock: 3, redis: true}
			_, err := explore.Run(t.Context(), x.open(t), saleLights, explore.Limits{}, nil)
			if !errors.Is(err, explore.ErrNotDeterministic) && !errors.Is(err, explore.ErrAmbiguous) {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestSharedMemory: actors that talk to each other past the engines. Every run is
// like the one before, but the state key does not hold what they share.
func TestSharedMemory(t *testing.T) {
	var first int
	x := sale{name: "flag", buyers: 2, stock: 1, redis: true}
	x.buy = func(s *shop, ctx context.Context, buyer int) error {
		if err := s.rdb.Get(ctx, stockKey).Err(); err != nil {
			return err
		}
		if first == 0 {
			first = buyer
		}
		if err := s.rdb.Get(ctx, stockKey).Err(); err != nil {
			return err
		}
		if first == buyer {
			return s.rdb.Get(ctx, stockKey).Err()
		}
		return nil
	}
	sc := x.scenario(t)
	setup := sc.Setup
	sc.Setup = func(w *world.World) error { first = 0; return setup(w) }
	r := openScenario(t, sc)
	_, err := explore.Run(t.Context(), r, saleLights, explore.Limits{}, nil)
	if !errors.Is(err, explore.ErrAmbiguous) {
		t.Errorf("%v", err)
	}
}
