package explore_test

import (
	"context"
	"runtime"
	"syscall"
	"testing"
	"time"

	"flashlab/sim"
	"flashlab/sim/explore"
	"flashlab/sim/scenario"
	"flashlab/sim/world"
)

// processorTime is what the process has used of all cores so far, collector
// included: a busy machine does not distort it.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// benchmarkRuns measures plain re-execution: complete schedules a second of
// processor time, one world on one core.
func benchmarkRuns(b *testing.B, x sale) {
	r := x.open(b)
	path := []choice(nil)
	e := &enumerator{sys: bare{r}}
	var err error
	for range 1000 { // warm up
		if path, err = e.once(path); err != nil {
			b.Fatal(err)
		}
		path = advance(path)
	}
	b.ReportAllocs()
	start, n := processorTime(), 0
	for b.Loop() {
		if path, err = e.once(path); err != nil {
			b.Fatal(err)
		}
		path = advance(path)
		n++
	}
	b.ReportMetric(float64(n)/(processorTime()-start).Seconds(), "executions/core-s")
}

// bare is a system whose lights nobody looks at.
type bare struct{ explore.System }

func (bare) Judge() (sim.Bits, error)              { return 0, nil }
func (bare) Finish(func() error) (sim.Bits, error) { return 0, nil }

func BenchmarkExecution(b *testing.B) {
	for _, x := range []sale{
		{name: "lock on Redis", buy: locked, buyers: 2, stock: 1, redis: true},
		{name: "lock on Redis", buy: locked, buyers: 3, stock: 1, redis: true},
		{name: "oversell on SQLite", buy: sqlSet, buyers: 2, stock: 1},
		{name: "oversell on SQLite", buy: sqlSet, buyers: 3, stock: 1},
		{name: "oversell on SQLite", buy: sqlSet, buyers: 3, stock: 1, engine: world.WAL},
	} {
		b.Run(x.String(), func(b *testing.B) { benchmarkRuns(b, x) })
	}
}

// BenchmarkProof measures whole proofs: every state, every answer, the validation.
// sys-MB is what the process has got from the system so far, an upper bound of what
// the proof needs.
func BenchmarkProof(b *testing.B) {
	for _, x := range []sale{
		{name: "oversell", buy: sqlSet, buyers: 3, stock: 1},
		{name: "oversell", buy: sqlSet, buyers: 5, stock: 1},
		{name: "oversell", buy: sqlSet, buyers: 6, stock: 1},
		{name: "oversell, redis", buy: redisSet, buyers: 5, stock: 1, redis: true},
	} {
		b.Run(x.String(), func(b *testing.B) {
			start := processorTime()
			for b.Loop() {
				r, err := scenario.Open(x.scenario(b))
				if err != nil {
					b.Fatal(err)
				}
				res, err := explore.Run(context.Background(), r, saleLights, explore.Limits{}, nil)
				if err != nil || !res.Complete {
					b.Fatal(res, err)
				}
				b.ReportMetric(float64(res.States), "states")
				b.ReportMetric(float64(res.Runs), "runs")
				if err := r.Close(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((processorTime()-start).Seconds()*1000/float64(b.N), "core-ms/op")
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.Sys)/(1<<20), "sys-MB")
		})
	}
}
