package rehearsal_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"flashlab/lessons"
	"flashlab/sim/explore"
	"flashlab/sim/scenario"
)

// The proofs that the README speaks of, as `flashlab explore` makes them: worlds
// opened, everything explored, closed again. A speed counts only with the right
// answer, so each asserts its counts.

// claim is a proof and what it must find.
type claim struct {
	lesson, variant, sets string

	interleavings int64
	broken        map[string]int64 // violating interleavings by light; all others hold
}

func BenchmarkProveGetThenDel3(b *testing.B) {
	claim{
		lesson: "misdeletion", variant: "get-then-del", sets: "buyers=3,work=2,expiries=2",
		interleavings: 233178,
		broken:        map[string]int64{"no-misdeletion": 14706, "mutual-exclusion": 220488},
	}.benchmark(b)
}

func BenchmarkProveRenewed8Ticks(b *testing.B) {
	claim{lesson: "watchdog", variant: "renewed", sets: "ticks=8", interleavings: 16520}.benchmark(b)
}

func BenchmarkProvePipelineTwoUsersCrash(b *testing.B) {
	claim{lesson: "stream-pipeline", variant: "pipeline", sets: "buyers=2,crashes=1", interleavings: 1746}.benchmark(b)
}

// benchmark reports ms/proof and interleavings/s, both of wall time. The second is
// the ratio to compare: it grows with what merging equal states saves.
func (c claim) benchmark(b *testing.B) {
	l, err := lessons.Find(c.lesson)
	if err != nil {
		b.Fatal(err)
	}
	v, err := l.Variant(c.variant)
	if err != nil {
		b.Fatal(err)
	}
	p, err := scenario.NewParams(v.Params).Set(c.sets)
	if err != nil {
		b.Fatal(err)
	}
	proofs, start := 0, time.Now()
	for b.Loop() {
		if err := c.prove(b, v.Scenario(p)); err != nil {
			b.Fatalf("%s.%s %s: %v", c.lesson, c.variant, c.sets, err)
		}
		proofs++
	}
	took := time.Since(start).Seconds()
	b.ReportMetric(took*1000/float64(proofs), "ms/proof")
	b.ReportMetric(float64(c.interleavings)*float64(proofs)/took, "interleavings/s")
}

// prove explores a scenario once; the error tells what differs from the claim.
func (c claim) prove(b *testing.B, s *scenario.Scenario) (err error) {
	run, err := scenario.Open(s)
	if err != nil {
		return err
	}
	defer func() {
		if e := run.Close(); err == nil {
			err = e
		}
	}()
	res, err := explore.Run(b.Context(), run, len(s.Lights), explore.Limits{}, nil)
	switch {
	case err != nil:
		return err
	case !res.Complete:
		return fmt.Errorf("not complete: %s", res.Bound)
	case res.Interleavings.Cmp(big.NewInt(c.interleavings)) != 0:
		return fmt.Errorf("%s interleavings, want %d", res.Interleavings, c.interleavings)
	}
	for i, light := range s.Lights {
		if n := res.Lights[i].Violating; n.Cmp(big.NewInt(c.broken[light.Name])) != 0 {
			return fmt.Errorf("%s breaks in %s, want %d", light.Name, n, c.broken[light.Name])
		}
	}
	return nil
}
