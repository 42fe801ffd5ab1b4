package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"flashlab/lessons/storms"
	"flashlab/sim/explore"
	"flashlab/sim/live"
	"flashlab/sim/scenario"
	"flashlab/sim/storm"
)

// Limits of a storm.
const (
	maxConcurrency = 256
	maxNodes       = 8
	maxRepeat      = 1000
	maxPace        = 100_000
)

// stormFlags is what the command line says of a storm.
type stormFlags struct {
	choose                                choice
	form                                  format
	requests, concurrency, nodes, repeats int
	pace                                  int
	given                                 func(flag string) bool
	processes                             bool
	kill, history                         string
	seed                                  uint64
	limit                                 time.Duration
	server                                server
}

func newStorm() *cobra.Command {
	var f stormFlags
	c := &cobra.Command{
		Use:   "storm LESSON",
		Short: "Let a lesson's code run free: thousands of requests, real time, several nodes",
		Long: `Storm runs the lesson's real code without the scheduler: many requests at once, in
real time, on nodes that are groups of goroutines or, with --processes, processes of
their own. What it finds broken is broken. What it does not find is not proved: beside
its result stands the exact share of schedules that explore has counted.

Where a lesson lives in leases and long work, its time goes faster than real time: with
--pace 250 a second of the lesson lasts 4 ms, and a lease of 30 s is one of 120 ms, on a
live server too. With --pace 1 leases and waits are real: what a dead consumer has left
on a live server is claimed after its 30 s.

` + liveHelp + `

Exit code 0: everything held. 1: something broke. 3: something could not be decided.
4: the server cannot be used, or was lost on the way; what was found is printed.`,
		Args: oneLesson,
		RunE: func(c *cobra.Command, args []string) error {
			how, err := f.form.pick(c)
			if err != nil {
				return err
			}
			t, err := f.prepare(args[0])
			if err != nil {
				return err
			}
			return t.run(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), how == "json")
		},
	}
	f.choose.flags(c)
	f.server.flags(c)
	f.form.flags(c, "print one JSON document", "text", "json")
	fl := c.Flags()
	f.given = fl.Changed
	fl.IntVar(&f.requests, "requests", 0, fmt.Sprintf("send `N` requests (default: %d, or %d where work takes seconds of the lesson)", storms.Requests, storms.SlowRequests))
	fl.IntVar(&f.concurrency, "concurrency", 32, "`N` requests at once, over all nodes")
	fl.IntVar(&f.nodes, "nodes", 0, "`N` nodes (default: the lesson's, else 2)")
	fl.BoolVar(&f.processes, "processes", false, "nodes are processes of their own")
	fl.StringVar(&f.kill, "kill-after", "", "kill -9 the first node after this `TIME` or number of requests; needs --processes")
	fl.IntVar(&f.repeats, "repeat", 1, "storm `N` times")
	fl.Uint64Var(&f.seed, "seed", 1, "draw the order of the requests from the seed `N`")
	fl.IntVar(&f.pace, "pace", 0, fmt.Sprintf("let the time of the lesson go `N` times as fast as real time (default: 1, or %d where work takes seconds of the lesson)", storms.SlowPace))
	fl.DurationVar(&f.limit, "max-time", time.Minute, "cut a storm off after this `TIME`")
	fl.StringVar(&f.history, "history", "", "write the first history that cannot be explained as an HTML `FILE`")
	return c
}

// tempest is a storm that has been asked for, ready to run.
type tempest struct {
	flags    stormFlags
	s        *scenario.Scenario // at the size of the storm
	small    *scenario.Scenario // at the lesson's size
	again    func() *scenario.Scenario
	killTime time.Duration
	killN    int
	server   *live.Target // nil: the embedded Redis
}

// prepare checks what was asked for.
func (f *stormFlags) prepare(lesson string) (*tempest, error) {
	_, v, asked, err := f.choose.resolve(lesson)
	if err != nil {
		return nil, err
	}
	t := &tempest{}
	set := map[string]bool{}
	for _, kv := range strings.Split(strings.Join(f.choose.sets, ","), ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(kv), "=")
		set[name] = true
	}
	if set["buyers"] {
		return nil, usage(errors.New("--set buyers= is for schedules: say --requests N here"))
	}
	if t.server, err = f.server.target(); err != nil {
		return nil, err
	}
	if err := canWrite("--history", f.history); err != nil {
		return nil, err
	}
	requests, pace := storms.Usual(v)
	if !f.given("requests") {
		f.requests = requests
	}
	if !f.given("pace") {
		f.pace = pace
	}
	leastNodes := 0
	if f.given("nodes") {
		leastNodes = 1
	}
	for _, x := range []struct {
		name        string
		n, min, max int
	}{
		{"pace", f.pace, 1, maxPace}, {"requests", f.requests, 1, scenario.StormLimit}, {"concurrency", f.concurrency, 1, maxConcurrency},
		{"nodes", f.nodes, leastNodes, maxNodes}, {"repeat", f.repeats, 1, maxRepeat},
	} {
		if x.n < x.min || x.n > x.max {
			return nil, usage(fmt.Errorf("--%s %d is not possible: give a whole number from %d to %d", x.name, x.n, max(x.min, 1), x.max))
		}
	}
	if f.limit <= 0 {
		return nil, usage(fmt.Errorf("--max-time %s is not possible: give more than zero, such as 30s", f.limit))
	}
	t.flags = *f
	switch p := asked.Params; {
	case set["nodes"] && f.nodes != 0 && f.nodes != p.Get("nodes"):
		return nil, usage(errors.New("--nodes and --set nodes= contradict each other: leave one out"))
	case f.nodes == 0 && p.Has("nodes"):
		t.flags.nodes = p.Get("nodes")
	case f.nodes == 0:
		t.flags.nodes = 2
	}
	if f.kill != "" {
		if !f.processes {
			return nil, usage(errors.New("--kill-after needs --processes: a node that is no process cannot be killed"))
		}
		if n, err := strconv.Atoi(f.kill); err == nil && n >= f.requests {
			return nil, usage(fmt.Errorf("--kill-after %d is not possible: the storm has %d requests, and the node must die before the last has begun", n, f.requests))
		} else if err == nil && n > 0 {
			t.killN = n
		} else if d, err := time.ParseDuration(f.kill); err == nil && d > 0 {
			t.killTime = d
		} else {
			return nil, usage(fmt.Errorf("--kill-after %q is not possible: give a time such as 200ms or a number of requests", f.kill))
		}
	}
	sizes := asked.Params.Stormed(f.requests, t.flags.nodes, func(name string) bool { return set[name] })
	t.again = func() *scenario.Scenario { return v.Scenario(sizes) }
	t.s, t.small = t.again(), v.Scenario(scenario.NewParams(v.Params))
	if t.server != nil && !t.s.World.Redis {
		return nil, usage(fmt.Errorf("%s.%s does not use Redis: leave out %s", t.s.Lesson, t.s.Variant, f.server.given()))
	}
	return t, nil
}

// options are those of one storm.
func (t *tempest) options(n int, progress *storm.Mailbox) (storm.Options, error) {
	f := t.flags
	o := storm.Options{
		Requests: f.requests, Concurrency: f.concurrency, Nodes: f.nodes, Limit: f.limit,
		Seed: f.seed + uint64(n), Pace: f.pace, Answer: storms.Answer, Progress: progress, Server: t.server,
	}
	if f.processes {
		self, err := os.Executable()
		if err != nil {
			return o, exit{exitService, fmt.Errorf("this program does not find its own file, which nodes are made of: %w", err)}
		}
		o.Fleet = &storm.Fleet{
			Command: func() *exec.Cmd { return f.server.node(self) },
			Lesson:  t.s.Lesson, Variant: t.s.Variant, Sizes: t.s.Params.Map(),
			KillAfter: t.killTime, KillRequests: t.killN,
		}
	}
	return o, nil
}

// run storms as often as asked and prints what came of it.
func (t *tempest) run(ctx context.Context, out, errOut io.Writer, asJSON bool) error {
	var results []*storm.Result
	for i := range t.flags.repeats {
		r, err := t.once(ctx, i, errOut)
		if err != nil {
			return err
		}
		results = append(results, r)
		if ctx.Err() != nil || r.Lost != nil {
			break
		}
	}
	var share *odds
	if results[len(results)-1].Lost == nil { // else nobody waits for figures
		share = t.share(ctx, results)
	}
	written, err := t.writeHistory(results)
	if err != nil {
		return err
	}
	if t.flags.history != "" && !written {
		fmt.Fprintf(errOut, "flashlab: every history that was decided can be explained: %s was not written\n", t.flags.history)
	}
	if asJSON {
		err = writeJSON(out, t.document(results, share))
	} else {
		err = t.write(out, results, share)
	}
	if err != nil {
		return err
	}
	if lost := results[len(results)-1].Lost; lost != nil {
		return unreachable(lost)
	}
	return verdictExit(worst(results))
}

// once is one storm, with a line of progress on a terminal.
func (t *tempest) once(ctx context.Context, n int, errOut io.Writer) (*storm.Result, error) {
	var box *storm.Mailbox
	if isTerminal(errOut) {
		box = &storm.Mailbox{}
		shown := make(chan struct{})
		over := make(chan struct{})
		go func() {
			defer close(shown)
			tick := time.NewTicker(100 * time.Millisecond)
			defer tick.Stop()
			for {
				select {
				case <-over:
					fmt.Fprint(errOut, "\r\x1b[K")
					return
				case <-tick.C:
					if s, ok := box.Take(); ok {
						fmt.Fprintf(errOut, "\r%s\x1b[K", progressLine(s))
					}
				}
			}
		}()
		defer func() { close(over); <-shown }()
	}
	o, err := t.options(n, box)
	if err != nil {
		return nil, err
	}
	s := t.s
	if n > 0 {
		s = t.again() // what a scenario keeps in memory belongs to one storm
	}
	r, err := storm.Run(ctx, s, o)
	if trouble := (*live.Trouble)(nil); errors.As(err, &trouble) {
		return nil, unreachable(trouble)
	}
	if err != nil {
		return nil, exit{exitService, fmt.Errorf("the storm of %s.%s could not go on: %w", s.Lesson, s.Variant, err)}
	}
	return r, nil
}

func progressLine(s storm.Snapshot) string {
	line := fmt.Sprintf("%s: %d of %d, %d ok, %.1f s", s.Phase, s.Done, s.Requests, s.OK, s.Elapsed.Seconds())
	if s.Left > 0 {
		line += fmt.Sprintf(", %.0f s left", s.Left.Seconds())
	}
	if len(s.Broken) > 0 {
		line += ", broken: " + strings.Join(s.Broken, ", ")
	}
	return line
}

// worst is the verdict over all storms: breaks if one has, else unknown if one is.
func worst(results []*storm.Result) scenario.Verdict {
	v := scenario.Holds
	for _, r := range results {
		switch r.Verdict {
		case scenario.Breaks:
			return scenario.Breaks
		case scenario.Unknown:
			v = scenario.Unknown
		}
	}
	return v
}

// writeHistory writes the first history that is impossible, if it was asked for.
func (t *tempest) writeHistory(results []*storm.Result) (written bool, err error) {
	if t.flags.history == "" {
		return false, nil
	}
	for _, r := range results {
		for i := range r.Histories {
			if r.Histories[i].Verdict != scenario.Breaks {
				continue
			}
			file, err := os.Create(t.flags.history)
			if err != nil {
				return false, usage(fmt.Errorf("--history: %w", err))
			}
			err = r.Histories[i].WriteHTML(file)
			if e := file.Close(); err == nil {
				err = e
			}
			if err != nil {
				return false, exit{exitService, fmt.Errorf("--history: writing %s: %w", t.flags.history, err)}
			}
			return true, nil
		}
	}
	return false, nil
}

// odds is what explore says of the same code at the lesson's size.
type odds struct {
	light                    string
	violating, interleavings *big.Int
	sizes                    string
}

// share explores the variant at its default sizes: for how many schedules a light
// breaks, one that the storms have broken if there is any. nil: it could not be
// counted in time.
func (t *tempest) share(ctx context.Context, results []*storm.Result) *odds {
	p, err := prove(ctx, t.small, explore.Limits{States: explore.DefaultStates, Duration: 10 * time.Second}, nil)
	if err != nil || !p.res.Complete {
		return nil
	}
	best, most := -1, -1
	for i, l := range p.res.Lights {
		n := broke(results, p.s.Lights[i].Name)
		if n > most || n == most && l.Violating.Cmp(p.res.Lights[best].Violating) > 0 {
			best, most = i, n
		}
	}
	if best < 0 {
		return nil
	}
	return &odds{
		light: p.s.Lights[best].Name, sizes: t.small.Params.String(),
		violating: p.res.Lights[best].Violating, interleavings: p.res.Interleavings,
	}
}

// broke counts the storms in which a light broke.
func broke(results []*storm.Result, light string) int {
	n := 0
	for _, r := range results {
		if slices.ContainsFunc(r.Lights, func(l scenario.FreeVerdict) bool {
			return l.Light == light && l.Verdict == scenario.Breaks
		}) {
			n++
		}
	}
	return n
}
