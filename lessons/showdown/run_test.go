package showdown

import (
	"context"
	"testing"

	_ "flashlab/lessons/all"
	"flashlab/sim/live/livetest"
	"flashlab/sim/scenario"
)

// With a server the script is ahead of the synchronous path; by how much is logged and
// is not the same on every machine, so the test asks for little.
func TestRun(t *testing.T) {
	srv := livetest.Start(t)
	o := Options{Server: targetOf(t, srv), Requests: 300, Concurrency: []int{4, 32}, Stock: []int{1, 100, 1000}}
	cells, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(cells) != len(o.Settings()) || len(cells) != 4*6 {
		t.Errorf("%d cells, %d settings", len(cells), len(o.Settings()))
	}
	for _, c := range cells {
		if !c.Holds() {
			t.Errorf("%+v", c)
		}
	}
	best := 0.0
	for _, r := range Ratios(cells) {
		t.Logf("%+v", r)
		if !r.Limited {
			best = max(best, r.Answered)
		}
	}
	if best < 1 {
		t.Errorf("the script is %.2f times as fast as the synchronous path at best", best)
	}
	if n := srv.Client(t).DBSize(context.Background()).Val(); n != 0 {
		t.Errorf("%d keys are left", n)
	}
}

// A path that breaks a promise has no ratio.
func TestRatioOfWrongPath(t *testing.T) {
	a := Cell{Setting: Setting{Path: Synchronous}, Rate: 10, Elapsed: 1}
	b := Cell{Setting: Setting{Path: Script}, Rate: 50, Elapsed: 1}
	a.Requests, b.Requests = 1, 1
	a.Verdict, b.Verdict = scenario.Holds, scenario.Holds
	if r := Ratios([]Cell{a, b}); len(r) != 1 || r[0].Answered != 5 || r[0].Settled != 1 {
		t.Errorf("%+v", r)
	}
	b.Verdict = scenario.Breaks
	if r := Ratios([]Cell{a, b}); len(r) != 1 || r[0].Answered != 0 {
		t.Errorf("%+v", r)
	}
}

func TestClaims(t *testing.T) {
	srv := livetest.Start(t)
	cards, err := Claims(context.Background(), targetOf(t, srv), 500)
	if err != nil {
		t.Fatal(err)
	}
	if len(cards) != 3 {
		t.Fatalf("%d cards", len(cards))
	}
	for _, c := range cards {
		for _, f := range c.Figures {
			t.Logf("%s: %s: %.4f, %s", c.Name, f.What, f.Value, f.Text)
		}
	}
	if f := cards[0].Figures[2]; f.Value <= 0 || f.Value >= 1 {
		t.Errorf("exact share %+v", f)
	}
	// Whoever is a millisecond away from a database reads what others are about to change.
	if f := cards[1].Figures[1]; f.Value > 0.9 {
		t.Errorf("stock = old: %+v", f)
	}
	if f := cards[1].Figures[2]; f.Value != 1 {
		t.Errorf("guarded: %+v", f)
	}
}
