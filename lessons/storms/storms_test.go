package storms_test

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"flashlab/lessons"
	_ "flashlab/lessons/all"
	"flashlab/lessons/storms"
	"flashlab/sim/scenario"
	"flashlab/sim/storm"
)

// asNode makes this test binary a node.
const asNode = "FLASHLAB_TEST_NODE"

func TestMain(m *testing.M) {
	if os.Getenv(asNode) != "" {
		if err := storm.Serve(context.Background(), os.Stdin, os.Stdout, nil, storms.Scenario, storms.Answer); err != nil {
			os.Exit(1)
		}
		return
	}
	goleak.VerifyTestMain(m)
}

// variant makes a storm of a lesson's variant, written "lesson.variant", and its sizes.
func variant(t testing.TB, name string, requests, nodes int, sizes map[string]int) (*scenario.Scenario, storm.Options) {
	t.Helper()
	lesson, variant, _ := strings.Cut(name, ".")
	l, err := lessons.Find(lesson)
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Variant(variant)
	if err != nil {
		t.Fatal(err)
	}
	p := scenario.NewParams(v.Params).Stormed(requests, nodes, func(string) bool { return false })
	for k, n := range sizes {
		p = p.Storm(k, n)
	}
	return v.Scenario(p), storm.Options{Requests: requests, Nodes: nodes, Seed: 1, Answer: storms.Answer, Limit: 30 * time.Second}
}

// processes lets nodes be copies of this test.
func processes(s *scenario.Scenario, o *storm.Options) {
	o.Fleet = &storm.Fleet{
		Command: func() *exec.Cmd {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), asNode+"=1")
			return cmd
		},
		Lesson: s.Lesson, Variant: s.Variant, Sizes: s.Params.Map(),
	}
}

func run(t testing.TB, s *scenario.Scenario, o storm.Options) *storm.Result {
	t.Helper()
	r, err := storm.Run(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// verdictOf is the verdict of one light.
func verdictOf(t testing.TB, r *storm.Result, light string) scenario.Verdict {
	t.Helper()
	for _, l := range r.Lights {
		if l.Light == light {
			return l.Verdict
		}
	}
	t.Fatalf("no light %s", light)
	return 0
}

func TestSafeVariantsHold(t *testing.T) {
	for _, name := range []string{
		"oversell.guarded", "oversell.immediate-tx", "oversell.cas-version", "synchronized.mutex-one-node",
		"synchronized.unique-index", "setnx.set-nx-px", "misdeletion.get-then-del", "lua-unlock.lua", "stream-pipeline.pipeline",
	} {
		t.Run(name, func(t *testing.T) {
			nodes := 2
			if name == "synchronized.mutex-one-node" {
				nodes = 1
			}
			s, o := variant(t, name, 400, nodes, nil)
			o.Concurrency = 8
			r := run(t, s, o)
			if r.Verdict != scenario.Holds || r.Done != 400 || r.OK == 0 {
				t.Errorf("verdict %v, done %d, ok %d: %+v", r.Verdict, r.Done, r.OK, r.Lights)
			}
			var answers int64
			for _, n := range r.Refused {
				answers += n
			}
			if r.OK+answers != r.Done {
				t.Errorf("%d ok and %d refused of %d", r.OK, answers, r.Done)
			}
			for _, h := range r.Histories {
				if h.Verdict == scenario.Breaks {
					t.Errorf("the history of %s is called impossible", h.Object)
				}
			}
		})
	}
}

func TestUnsafeVariantsBreak(t *testing.T) {
	for _, tt := range []struct{ name, light string }{
		{"oversell.lost-update", "no-oversell"},
		{"oversell.ignored-rowcount", "no-oversell"},
		{"misdeletion.fresh-token", "lock-released"},
		{"setnx.unlock-unheld", "no-misdeletion"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for range 10 { // a storm may pass
				s, o := variant(t, tt.name, 1000, 2, nil)
				if verdictOf(t, run(t, s, o), tt.light) == scenario.Breaks {
					return
				}
			}
			t.Errorf("%s holds in ten storms", tt.light)
		})
	}
}

// What only the scheduler can see is not called good.
func TestUnseenIsNotJudged(t *testing.T) {
	s, o := variant(t, "setnx.limited", 20, 2, nil)
	r := run(t, s, o)
	if verdictOf(t, r, "within-limit") != scenario.Unknown || r.Verdict == scenario.Holds {
		t.Errorf("%+v", r.Lights)
	}
}

func TestLimitKeepsResult(t *testing.T) {
	s, o := variant(t, "watchdog.renewed", 4, 2, nil)
	o.Limit = 300 * time.Millisecond
	r := run(t, s, o)
	if !r.Limited || r.Verdict != scenario.Unknown || r.CutOff == 0 || r.Done != 4 {
		t.Errorf("limited %v, verdict %v, cut off %d, done %d", r.Limited, r.Verdict, r.CutOff, r.Done)
	}
}

func TestCancelKeepsResult(t *testing.T) {
	s, o := variant(t, "oversell.guarded", 100_000, 2, nil)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	o.Progress = &storm.Mailbox{}
	go func() {
		for ctx.Err() == nil {
			if p, ok := o.Progress.Take(); ok && p.Done > 0 {
				cancel()
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	r, err := storm.Run(ctx, s, o)
	if err != nil || !r.Cancelled || r.Started == 0 || r.Started == 100_000 || r.Verdict == scenario.Holds {
		t.Fatalf("%v %+v", err, r)
	}
}

func TestHistoryIsWritten(t *testing.T) {
	s, o := variant(t, "oversell.ignored-rowcount", 200, 1, nil)
	o.Concurrency = 4
	for _, h := range run(t, s, o).Histories {
		if h.Object != "stock" {
			continue
		}
		var b strings.Builder
		if err := h.WriteHTML(&b); h.Verdict != scenario.Breaks || err != nil || !strings.Contains(b.String(), "<html") {
			t.Errorf("%v %v, %d bytes", h.Verdict, err, b.Len())
		}
		return
	}
	t.Error("no history of the stock")
}

func TestProcesses(t *testing.T) {
	for _, tt := range []struct {
		nodes int
		want  scenario.Verdict
	}{{1, scenario.Holds}, {2, scenario.Breaks}} {
		seen := scenario.Holds
		for range 20 {
			s, o := variant(t, "synchronized.mutex-two-nodes", 200, tt.nodes, nil)
			processes(s, &o)
			r := run(t, s, o)
			if len(r.Nodes) != tt.nodes || r.Done != 200 {
				t.Fatalf("%d processes, %d done", len(r.Nodes), r.Done)
			}
			gone(t, r)
			if seen = verdictOf(t, r, "one-per-user"); seen == scenario.Breaks {
				break
			}
		}
		if seen != tt.want {
			t.Errorf("%d nodes: %v", tt.nodes, seen)
		}
	}
}

// gone checks that no child is left.
func gone(t *testing.T, r *storm.Result) {
	t.Helper()
	for _, n := range r.Nodes {
		if err := syscall.Kill(n.PID, 0); !errors.Is(err, syscall.ESRCH) {
			t.Errorf("process %d of %s is still there", n.PID, n.Name)
		}
	}
}

func TestKillInMidSale(t *testing.T) {
	for _, consumers := range []int{2, 1} {
		s, o := variant(t, "stream-pipeline.pipeline", 2000, 2, map[string]int{"stock": 400, "consumers": consumers})
		processes(s, &o)
		o.Fleet.KillRequests = 500
		r := run(t, s, o)
		gone(t, r)
		if r.Verdict != scenario.Holds || len(r.Killed) != 1 || r.Accepted != int(r.Figures["orders"]) || r.Drain.InFlight != 0 {
			t.Errorf("%d consumers: %v, killed %v, accepted %d, rows %v, drain %+v, %+v", consumers, r.Verdict, r.Killed, r.Accepted, r.Figures, r.Drain, r.Lights)
		}
		if restarted := len(r.Restarted) > 0; restarted != (consumers == 1) {
			t.Errorf("%d consumers: restarted %v", consumers, r.Restarted)
		}
	}
}

func TestMemoryQueueLoses(t *testing.T) {
	for range 5 {
		s, o := variant(t, "stream-pipeline.memory-queue", 2000, 2, map[string]int{"stock": 1000})
		processes(s, &o)
		o.Fleet.KillRequests = 300
		if verdictOf(t, run(t, s, o), "no-lost-order") == scenario.Breaks {
			return
		}
	}
	t.Error("a killed node loses nothing of its memory")
}

// A node ends with its input, whatever it is doing.
func TestNodeEndsWithItsInput(t *testing.T) {
	var o storm.Options
	s, _ := variant(t, "oversell.guarded", 10, 1, nil)
	processes(s, &o)
	cmd := o.Fleet.Command()
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	io.WriteString(in, "{}\n")
	in.Close()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		cmd.Process.Kill()
		t.Error("it is still there")
	}
}

// The cost of a request does not grow with their number.
func BenchmarkStorm(b *testing.B) {
	cost := func(n int) float64 {
		best := 0.0
		for range 3 {
			s, o := variant(b, "setnx.set-nx-px", n, 2, nil)
			r := run(b, s, o)
			if each := float64(r.Elapsed.Nanoseconds()) / float64(n); best == 0 || each < best {
				best = each
			}
		}
		return best
	}
	for range b.N {
		small, large := cost(10_000), cost(100_000)
		b.ReportMetric(small, "ns/request-of-10k")
		b.ReportMetric(large, "ns/request-of-100k")
		b.ReportMetric(large/small, "ratio")
	}
}
