package scene

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"flashlab/lessons/watchdog"
	"flashlab/sim/explore"
	"flashlab/sim/scenario"
)

func fig(t *testing.T, name string, f buy, x set, decl []scenario.Param, sets string) {
	if w := os.Getenv("ONLY"); w != "" && !strings.HasPrefix(name, w) {
		return
	}
	p := scenario.NewParams(decl)
	var err error
	if sets != "" {
		if p, err = p.Set(sets); err != nil {
			t.Fatal(err)
		}
	}
	s := orders(name, f, x)(p)
	r, err := scenario.Open(s)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	start := time.Now()
	res, err := explore.Run(context.Background(), r, len(s.Lights), explore.Limits{}, nil)
	if err != nil {
		t.Errorf("%s %s: %v", name, sets, err)
		return
	}
	line := fmt.Sprintf("%-22s %-40s %v inter, %d states %.2fs complete=%v", name, sets, res.Interleavings, res.States, time.Since(start).Seconds(), res.Complete)
	for i, l := range res.Lights {
		if l.Broken {
			line += fmt.Sprintf(" | %s %v len %d (%v) runout=%v %v", s.Lights[i].Name, l.Violating, l.Shortest, l.Ties, l.InRunOut, l.Schedule)
		}
	}
	fmt.Println(line)
}

func TestFig(t *testing.T) {
	S := scenario.Standard
	W := (*watchdog.Shop).Renewed
	fl := params(2, 0, 8000, S("lease", 5000))
	fig(t, "fixed-lease", (*watchdog.Shop).FixedLease, set{}, fl, "")
	fig(t, "fixed-lease", (*watchdog.Shop).FixedLease, set{}, fl, "ticks=1")
	rn := params(2, 0, 70000)
	fig(t, "renewed", W, set{}, rn, "")
	fig(t, "renewed", W, set{}, rn, "buyers=3")
	for _, n := range []int{2, 4, 6, 8} {
		fig(t, "renewed", W, set{}, rn, fmt.Sprintf("ticks=%d", n))
	}
	el := params(2, 0, 8000, scenario.Param{Name: "lease", Default: 5000, Min: 0, Max: 3_600_000})
	fig(t, "explicit-lease", (*watchdog.Shop).ExplicitLease, set{}, el, "")
	fig(t, "explicit-lease", (*watchdog.Shop).ExplicitLease, set{}, el, "lease=0")
	cr := params(2, 0, 40000, S("crashes", 1))
	fig(t, "crash", W, set{}, cr, "")
	fig(t, "crash", W, set{}, cr, "work=1,worktime=0")
	fig(t, "crash", W, set{}, cr, "ticks=3")
	hw := params(2, 1, 3_600_000)
	fig(t, "hung-worker", W, set{stuck: true, ticks: 6}, hw, "work=0")
	fig(t, "hung-worker", W, set{stuck: true, ticks: 6}, hw, "")
	fig(t, "max-hold", (*watchdog.Shop).MaximumHold, set{stuck: true, ticks: 12}, hw, "work=0")
	fig(t, "max-hold", (*watchdog.Shop).MaximumHold, set{stuck: true, ticks: 12}, hw, "")
	fig(t, "max-hold-cancels", (*watchdog.Shop).HoldAndCancel, set{stuck: true, ticks: 12}, hw, "work=0")
	fig(t, "max-hold-cancels", (*watchdog.Shop).HoldAndCancel, set{stuck: true, ticks: 12}, hw, "")
	pa := params(2, 0, 40000, S("pauses", 1), S("pause", 40000))
	for _, x := range []string{"", "pause=15000", "pause=20000", "pause=25000", "work=1,worktime=0", "pause=19999", "ticks=1,pause=40000"} {
		fig(t, "pause", W, set{}, pa, x)
	}
	re := params(2, 1, 0)
	fig(t, "reentrant", (*watchdog.Shop).Reentrant, set{}, re, "")
	fig(t, "reentrant", (*watchdog.Shop).Reentrant, set{}, re, "buyers=3")
	fig(t, "reentrant", (*watchdog.Shop).Reentrant, set{}, re, "ticks=4")
	fig(t, "reentrant", (*watchdog.Shop).Reentrant, set{}, re, "work=0,worktime=40000")
	nn := params(1, 0, 1000)
	fig(t, "nested-non-reentrant", (*watchdog.Shop).NestedNonReentrant, set{ticks: 6}, nn, "")
	fig(t, "nested-non-reentrant", (*watchdog.Shop).NestedNonReentrant, set{ticks: 6}, nn, "buyers=2")
	tr := params(2, 0, 8000, S("lease", 5000))
	fig(t, "inner-lease", (*watchdog.Shop).Truncated, set{}, tr, "")
	fig(t, "inner-lease", (*watchdog.Shop).Truncated, set{}, tr, "ticks=1")
	ro := params(2, 0, 10000)
	fig(t, "renewal-outlives", (*watchdog.Shop).RenewalOutlives, set{}, ro, "buyers=1")
	fig(t, "renewal-outlives", (*watchdog.Shop).RenewalOutlives, set{}, ro, "")
}
