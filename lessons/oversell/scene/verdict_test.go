package scene_test

import (
	"testing"

	"flashlab/lessons/lessontest"
	"flashlab/lessons/shop"
	"flashlab/sim"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
)

// TestCounts holds the figures that the texts and the field know by heart.
func TestCounts(t *testing.T) {
	lessontest.Counts(t, lesson(t), `
		lost-update           -         16   no-oversell         12   6 (12)  1
		lost-update           buyers=3  702  no-oversell         684  6 (36)  1
		lost-update           stock=2   20   conservation        12   6 (12)  1
		lost-update           stock=2   20   no-oversell         0
		check-then-decrement  -         16   no-oversell         12   6 (12)  1
		check-then-decrement  -         16   stock-not-negative  12   4 (4)   1
		cas-version           stock=1   12   no-oversell         0
		cas-stock             -         16   no-oversell         0
		cas-stock             buyers=3  552  no-oversell         0
		guarded               -         2    no-oversell         0
		guarded               buyers=3  6    no-oversell         0
		immediate-tx          -         2    no-oversell         0
		immediate-tx          buyers=3  6    no-oversell         0
		ignored-rowcount      -         6    no-oversell         6    4 (6)   0
	`)
}

// TestOneAfterTheOther: the variants that need a race never fail without a
// preemption, at any size up to three buyers; ignored-rowcount always does.
func TestOneAfterTheOther(t *testing.T) {
	for _, name := range []string{"lost-update", "check-then-decrement"} {
		for _, sets := range []string{"", "stock=2", "buyers=3", "buyers=3,stock=2"} {
			s := scene(t, name, sets)
			res := lessontest.Search(t, s)
			for i, l := range res.Lights {
				if len(l.ByPreemptions) > 0 && l.ByPreemptions[0].Sign() != 0 {
					t.Errorf("%s %s breaks %s without a preemption", name, sets, s.Lights[i].Name)
				}
			}
		}
	}
	s := scene(t, "ignored-rowcount", "buyers=3")
	res := lessontest.Search(t, s)
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
		res := lessontest.Search(t, s)
		got := lessontest.Decimal(res.Lights[s.Light("sold")].Violating)
		if got != c.unsold || lessontest.Decimal(res.Interleavings) != c.of {
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
		last := lessontest.Last(lessontest.Play(t, s, func(_ []sim.Move, n int) int {
			if n < 8 {
				return n
			}
			return 0
		}))
		if stock, orders := lessontest.Stock(last), lessontest.Orders(last); stock != c.stock || orders != c.orders {
			t.Errorf("%s: stock %s and %s orders, want %s and %s", c.variant, stock, orders, c.stock, c.orders)
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
		res := lessontest.Search(t, s)
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
	res := lessontest.Search(t, s)
	for i, l := range res.Lights {
		if name := s.Lights[i].Name; l.Broken != (name == "sold") {
			t.Errorf("%s broken: %v", name, l.Broken)
		}
	}
	if got, of := lessontest.Decimal(res.Lights[s.Light("sold")].Violating), lessontest.Decimal(res.Interleavings); got != "8" || of != "10" {
		t.Errorf("units stay unsold in %s of %s schedules, want 8 of 10", got, of)
	}
	// Both read, then A goes on to its end, then B.
	frames := lessontest.Play(t, plain("stock=2"), func(_ []sim.Move, n int) int {
		if n == 1 {
			return 1
		}
		return 0
	})
	last := lessontest.Last(frames)
	b := last.Actor("B")
	if !contains(b.Result, "517") {
		t.Errorf("B ends with %q, not with BUSY_SNAPSHOT (517)", b.Result)
	}
}
