package scene_test

import (
	"testing"

	"flashlab/lessons/shop"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
)

// TestVerdicts: every declared verdict is what the explorer finds at the default
// size, and no light is left out.
func TestVerdicts(t *testing.T) {
	l := lesson(t)
	for i := range l.Variants {
		v := &l.Variants[i]
		s := scene(t, v.Name, "")
		if len(v.Lights) != len(s.Lights) {
			t.Errorf("%s declares %d lights, its scenario has %d", v.Name, len(v.Lights), len(s.Lights))
		}
		res := search(t, s)
		for k, light := range s.Lights {
			want, ok := v.Declared(light.Name)
			if !ok {
				t.Errorf("%s does not declare %s", v.Name, light.Name)
			}
			got := scenario.Holds
			if res.Lights[k].Broken {
				got = scenario.Breaks
			}
			if got != want {
				t.Errorf("%s: %s is declared as %s, it %s", v.Name, light.Name, want, got)
			}
		}
	}
}

// TestCounts holds the figures that the texts and the field know by heart.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		variant, sets, light     string
		interleavings, violating string
		shortest, preemptions    int
		ties                     string
	}{
		{"lost-update", "", shop.NoOversell, "16", "12", 6, 1, "12"},
		{"lost-update", "buyers=3", shop.NoOversell, "702", "684", 6, 1, "36"},
		{"lost-update", "stock=2", shop.Conservation, "20", "12", 6, 1, "12"},
		{"lost-update", "stock=2", shop.NoOversell, "20", "0", 0, 0, "0"},
		{"check-then-decrement", "", shop.NoOversell, "16", "12", 6, 1, "12"},
		{"check-then-decrement", "", shop.StockNotNegative, "16", "12", 4, 1, "4"},
		{"cas-version", "stock=1", shop.NoOversell, "12", "0", 0, 0, "0"},
		{"cas-stock", "", shop.NoOversell, "16", "0", 0, 0, "0"},
		{"cas-stock", "buyers=3", shop.NoOversell, "552", "0", 0, 0, "0"},
		{"guarded", "", shop.NoOversell, "2", "0", 0, 0, "0"},
		{"guarded", "buyers=3", shop.NoOversell, "6", "0", 0, 0, "0"},
		{"immediate-tx", "", shop.NoOversell, "2", "0", 0, 0, "0"},
		{"immediate-tx", "buyers=3", shop.NoOversell, "6", "0", 0, 0, "0"},
		{"ignored-rowcount", "", shop.NoOversell, "6", "6", 4, 0, "6"},
	} {
		s := scene(t, c.variant, c.sets)
		res := search(t, s)
		l := res.Lights[s.Light(c.light)]
		if got := decimal(res.Interleavings); got != c.interleavings {
			t.Errorf("%s %s: %s interleavings, want %s", c.variant, c.sets, got, c.interleavings)
		}
		if got := decimal(l.Violating); got != c.violating {
			t.Errorf("%s %s: %s break %s, want %s", c.variant, c.sets, got, c.light, c.violating)
		}
		if l.Shortest != c.shortest || decimal(l.Ties) != c.ties || l.Preemptions != c.preemptions {
			t.Errorf("%s %s %s: shortest %d (%s ties), %d preemptions; want %d (%s), %d",
				c.variant, c.sets, c.light, l.Shortest, decimal(l.Ties), l.Preemptions, c.shortest, c.ties, c.preemptions)
		}
	}
}

// TestOneAfterTheOther: the variants that need a race never fail without a
// preemption, at any size up to three buyers; ignored-rowcount always does.
func TestOneAfterTheOther(t *testing.T) {
	for _, name := range []string{"lost-update", "check-then-decrement"} {
		for _, sets := range []string{"", "stock=2", "buyers=3", "buyers=3,stock=2"} {
			s := scene(t, name, sets)
			res := search(t, s)
			for i, l := range res.Lights {
				if len(l.ByPreemptions) > 0 && l.ByPreemptions[0].Sign() != 0 {
					t.Errorf("%s %s breaks %s without a preemption", name, sets, s.Lights[i].Name)
				}
			}
		}
	}
	s := scene(t, "ignored-rowcount", "buyers=3")
	res := search(t, s)
	if l := res.Lights[s.Light(shop.NoOversell)]; l.Violating.Cmp(res.Interleavings) != 0 {
		t.Errorf("ignored-rowcount oversells in %s of %s schedules", l.Violating, res.Interleavings)
	}
}

// TestSold: the transactions sell what there is in every schedule, the optimistic
// locks leave units unsold in some.
func TestSold(t *testing.T) {
	for _, c := range []struct {
		variant, sets, unsold, of string
	}{
		{"guarded", "stock=2", "0", "2"},
		{"guarded", "buyers=3,stock=2", "0", "6"},
		{"immediate-tx", "stock=2", "0", "2"},
		{"cas-version", "", "8", "16"},
		{"cas-stock", "", "8", "16"},
		{"cas-stock", "stock=1", "0", "12"},
		{"cas-stock", "buyers=3", "108", "552"},
	} {
		s := sold(scene(t, c.variant, c.sets))
		res := search(t, s)
		got := decimal(res.Lights[s.Light("sold")].Violating)
		if got != c.unsold || decimal(res.Interleavings) != c.of {
			t.Errorf("%s %s leaves units unsold in %s of %s schedules, want %s of %s",
				c.variant, c.sets, got, res.Interleavings, c.unsold, c.of)
		}
	}
}

// TestRush: eight buyers read the same value before the first of them writes. The
// optimistic locks serve one of them, with seven units on the shelf.
func TestRush(t *testing.T) {
	for _, c := range []struct{ variant, stock, orders string }{
		{"cas-version", "7", "1"},
		{"cas-stock", "7", "1"},
		{"guarded", "0", "8"},
	} {
		s := scene(t, c.variant, "buyers=8,stock=8")
		frames := play(t, s, func(_ *scenario.Run, n int) (bool, int) {
			if n < 8 {
				return false, n
			}
			return false, 0
		})
		last := frames[len(frames)-1].State
		if stock(last) != c.stock || orders(last) != c.orders {
			t.Errorf("%s: stock %s and %s orders, want %s and %s", c.variant, stock(last), orders(last), c.stock, c.orders)
		}
	}
}

// TestCrash is the case for the transaction: with one crash every variant in
// autocommit can lose a unit, the transactions cannot.
func TestCrash(t *testing.T) {
	l := lesson(t)
	for i := range l.Variants {
		name := l.Variants[i].Name
		s := scene(t, name, "crashes=1")
		res := search(t, s)
		whole := name == "guarded" || name == "immediate-tx"
		if got := res.Lights[s.Light(shop.Conservation)].Broken; got == whole {
			t.Errorf("%s with a crash: conservation broken %v", name, got)
		}
	}
}

// TestPlainTransaction is the card of that name: read, subtract, write back inside
// a plain BEGIN does not oversell on this engine, the loser gets an error, and
// units stay unsold.
func TestPlainTransaction(t *testing.T) {
	plain := func(sets string) *scenario.Scenario {
		s := sold(scene(t, "immediate-tx", sets))
		s.World.Begin = sqlgate.Deferred
		return s
	}
	s := plain("stock=2")
	res := search(t, s)
	for i, l := range res.Lights {
		if name := s.Lights[i].Name; l.Broken != (name == "sold") {
			t.Errorf("%s broken: %v", name, l.Broken)
		}
	}
	if got, of := decimal(res.Lights[s.Light("sold")].Violating), decimal(res.Interleavings); got != "8" || of != "10" {
		t.Errorf("units stay unsold in %s of %s schedules, want 8 of 10", got, of)
	}
	// Both read, then A goes on to its end, then B.
	frames := play(t, plain("stock=2"), func(_ *scenario.Run, n int) (bool, int) {
		if n == 1 {
			return false, 1
		}
		return false, 0
	})
	b := frames[len(frames)-1].State.Actor("B")
	if !contains(b.Result, "517") {
		t.Errorf("B ends with %q, not with BUSY_SNAPSHOT (517)", b.Result)
	}
}
