package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"flashlab/sim"
	"flashlab/sim/explore"
	"flashlab/sim/history"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

func newExplore() *cobra.Command {
	var (
		choose choice
		form   format
		srv    server
		lim    explore.Limits
	)
	c := &cobra.Command{
		Use:   "explore LESSON",
		Short: "Prove or refute a lesson's invariants over all interleavings",
		Long: `Explore runs the lesson's real code under every possible schedule and says of each
invariant whether it holds, with exact counts and the shortest counterexample.

Exit code 0: everything holds. 1: something breaks. 3: a bound was reached first.`,
		Args: oneLesson,
		RunE: func(c *cobra.Command, args []string) error {
			how, err := form.pick(c)
			if err != nil {
				return err
			}
			if srv.flag.Given() {
				return usage(errors.New("explore runs the lesson thousands of times and stays on the embedded engine: leave out --redis; flashlab run LESSON --redis URL --parity compares one schedule with a server"))
			}
			if lim.States < 1 {
				return usage(fmt.Errorf("--max-states %d is not possible: give at least 1", lim.States))
			}
			if lim.Duration <= 0 {
				return usage(fmt.Errorf("--max-time %s is not possible: give more than zero, such as 30s", lim.Duration))
			}
			_, _, s, err := choose.resolve(args[0])
			if err != nil {
				return err
			}
			return exploreOne(c.Context(), c.OutOrStdout(), c.ErrOrStderr(), s, lim, how == "json")
		},
	}
	choose.flags(c)
	form.flags(c, "print one JSON document", "text", "json")
	srv.flags(c)
	for _, f := range []string{"redis", "redis-sentinel", "redis-cluster"} {
		_ = c.Flags().MarkHidden(f) // it is there to be refused with a reason
	}
	c.Flags().IntVar(&lim.States, "max-states", explore.DefaultStates, "stop counting beyond `N` states")
	c.Flags().DurationVar(&lim.Duration, "max-time", explore.DefaultDuration, "stop counting after this `TIME`")
	return c
}

// proof is a finished exploration with what is needed to print it.
type proof struct {
	s    *scenario.Scenario
	res  *explore.Result
	hash string
}

// prove explores a scenario.
func prove(ctx context.Context, s *scenario.Scenario, lim explore.Limits, progress func(explore.Progress)) (*proof, error) {
	run, err := scenario.Open(s)
	if err != nil {
		return nil, exit{exitService, err}
	}
	defer run.Close()
	hash, err := run.Hash()
	if err != nil {
		return nil, err
	}
	res, err := explore.Run(ctx, run, len(s.Lights), lim, progress)
	if err != nil {
		return nil, fmt.Errorf("exploring %s.%s: %w", s.Lesson, s.Variant, err)
	}
	return &proof{s, res, hash}, nil
}

func exploreOne(ctx context.Context, out, errOut io.Writer, s *scenario.Scenario, lim explore.Limits, asJSON bool) error {
	var progress func(explore.Progress)
	if isTerminal(errOut) {
		progress = meter(errOut)
	}
	p, err := prove(ctx, s, lim, progress)
	if progress != nil {
		fmt.Fprint(errOut, "\r\x1b[K")
	}
	if err != nil {
		return err
	}
	if asJSON {
		err = writeJSON(out, p.document())
	} else {
		err = p.write(out)
	}
	if err != nil {
		return err
	}
	return verdictExit(p.verdict())
}

// meter draws one line of progress a few times a second.
func meter(w io.Writer) func(explore.Progress) {
	var last time.Duration
	return func(p explore.Progress) {
		if p.Elapsed-last < 100*time.Millisecond {
			return
		}
		last = p.Elapsed
		fmt.Fprintf(w, "\r%d states, %d runs, %.1f s\x1b[K", p.States, p.Runs, p.Elapsed.Seconds())
	}
}

// verdictExit turns a verdict into an exit code.
func verdictExit(v scenario.Verdict) error {
	switch v {
	case scenario.Breaks:
		return exit{exitBreaks, nil}
	case scenario.Unknown:
		return exit{exitUnknown, nil}
	}
	return nil
}

// light is the verdict of one light.
func (p *proof) light(i int) scenario.Verdict {
	switch {
	case p.res.Lights[i].Broken:
		return scenario.Breaks
	case p.res.Complete:
		return scenario.Holds
	}
	return scenario.Unknown
}

// verdict is that of the variant: breaks if any light breaks, else unknown if any
// is unknown, else holds.
func (p *proof) verdict() scenario.Verdict {
	v := scenario.Holds
	for i := range p.res.Lights {
		switch p.light(i) {
		case scenario.Breaks:
			return scenario.Breaks
		case scenario.Unknown:
			v = scenario.Unknown
		}
	}
	return v
}

func (p *proof) token(moves []sim.Move) string { return history.TokenOf(p.s, p.hash, moves) }

type exploreJSON struct {
	Schema        int               `json:"schema"`
	Lesson        string            `json:"lesson"`
	Variant       string            `json:"variant"`
	Params        map[string]int    `json:"params"`
	Complete      bool              `json:"complete"`
	Bound         string            `json:"bound,omitempty"`
	Switches      *int              `json:"searched_up_to_preemptions,omitempty"`
	States        int               `json:"states"`
	Edges         int               `json:"edges"`
	Runs          int               `json:"runs"`
	Interleavings *string           `json:"interleavings"`
	ByPreemptions map[string]string `json:"by_preemptions"`
	Invariants    []invariantJSON   `json:"invariants"`
	Verdict       string            `json:"verdict"`
	Seconds       float64           `json:"seconds"`
}

type invariantJSON struct {
	Name          string            `json:"name"`
	Verdict       string            `json:"verdict"`
	Violating     *string           `json:"violating"`
	ByPreemptions map[string]string `json:"by_preemptions,omitempty"`
	Shortest      *int              `json:"shortest"`
	Ties          *string           `json:"ties"`
	Preemptions   *int              `json:"preemptions"`
	Schedule      *string           `json:"schedule"`
	Fewest        *string           `json:"schedule_fewest"`
	CleanStates   *int              `json:"clean_states,omitempty"`
}

func (p *proof) document() exploreJSON {
	r := p.res
	doc := exploreJSON{
		Schema: schema, Lesson: p.s.Lesson, Variant: p.s.Variant, Params: p.s.Params.Map(),
		Complete: r.Complete, Bound: r.Bound, States: r.States, Edges: r.Edges, Runs: r.Runs,
		Interleavings: decimal(r.Interleavings), ByPreemptions: counts(r.ByPreemptions),
		Verdict: p.verdict().String(), Seconds: r.Elapsed.Seconds(),
	}
	if !r.Complete && r.Switches >= 0 {
		doc.Switches = &r.Switches
	}
	for i, l := range r.Lights {
		x := invariantJSON{Name: p.s.Lights[i].Name, Verdict: p.light(i).String(), Violating: decimal(l.Violating), ByPreemptions: counts(l.ByPreemptions)}
		if l.Broken {
			schedule, fewest := p.token(l.Schedule), p.token(l.Fewest)
			x.Shortest, x.Ties, x.Preemptions, x.Schedule, x.Fewest = &l.Shortest, decimal(l.Ties), &l.Preemptions, &schedule, &fewest
			if r.Complete {
				x.CleanStates = &l.Clean
			}
		}
		doc.Invariants = append(doc.Invariants, x)
	}
	return doc
}

func decimal(n *big.Int) *string {
	if n == nil {
		return nil
	}
	s := n.String()
	return &s
}

func counts(list []*big.Int) map[string]string {
	if list == nil {
		return nil
	}
	m := map[string]string{}
	for i, n := range list {
		m[strconv.Itoa(i)] = n.String()
	}
	return m
}

// write prints the proof for people.
func (p *proof) write(w io.Writer) error {
	r, o := p.res, &printer{w: w}
	o.f("%s.%s", p.s.Lesson, p.s.Variant)
	if set := p.s.Params.String(); set != "" {
		o.f("   %s", set)
	}
	o.f("\n")
	if r.Complete {
		o.f("all %s interleavings checked: %d states, %d steps between them, %d runs, %.2f s\n\n", grouped(r.Interleavings), r.States, r.Edges, r.Runs, r.Elapsed.Seconds())
	} else {
		o.f("NOT COMPLETE (%s): %d states, %d runs, %.2f s", boundText(r.Bound), r.States, r.Runs, r.Elapsed.Seconds())
		o.f("\n\n")
	}
	worst := -1
	for i, l := range r.Lights {
		o.f("  %s %-20s ", sign(p.light(i)), p.s.Lights[i].Name)
		switch p.light(i) {
		case scenario.Holds:
			o.f("holds in every schedule\n")
		case scenario.Unknown:
			o.f("unknown: %s\n", searched(r.Switches))
		case scenario.Breaks:
			if r.Complete {
				o.f("breaks in %s of %s; shortest %d steps (%s ways), fewest preemptions %d\n", grouped(l.Violating), grouped(r.Interleavings), l.Shortest, grouped(l.Ties), l.Preemptions)
			} else {
				o.f("breaks; found with %s and %s\n", numbered(l.Shortest, "step"), numbered(l.Preemptions, "preemption"))
			}
			if worst < 0 {
				worst = i
			}
		}
	}
	if o.err != nil || worst < 0 {
		return o.err
	}
	return p.counterexample(o, worst)
}

// counterexample replays the shortest schedule that breaks a light and prints it.
func (p *proof) counterexample(o *printer, i int) error {
	l := p.res.Lights[i]
	s, err := history.Open(p.s)
	if err != nil {
		return err
	}
	defer s.Close()
	if err := s.Load(l.Schedule); err != nil {
		return err
	}
	o.f("\n")
	if o.err == nil {
		o.err = trace.WriteText(o.w, s.Log())
	}
	o.f("\n")
	if p.res.Complete {
		o.f("Nothing shorter breaks %s: all %d states within %d steps were checked.\n", p.s.Lights[i].Name, l.Clean, l.Shortest-1)
	}
	o.f("Again: flashlab run %s --schedule %s\n", p.s.Lesson, p.token(l.Schedule))
	return o.err
}

func boundText(b string) string {
	switch b {
	case "states":
		return "too many states, see --max-states"
	case "time":
		return "out of time, see --max-time"
	case "cancelled":
		return "stopped before the end"
	}
	return b
}

// searched says how far an incomplete search came with a light that it has not
// seen break.
func searched(switches int) string {
	switch switches {
	case -1:
		return "no violation among the schedules tried so far; not even those without preemption were all tried"
	case 0:
		return "no violation without preemption"
	case 1:
		return "no violation with up to 1 preemption"
	}
	return fmt.Sprintf("no violation with up to %d preemptions", switches)
}

// numbered puts a number before its noun.
func numbered(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func sign(v scenario.Verdict) string {
	return [...]string{"✓", "✗", "?"}[v]
}

// grouped writes a number with a comma every three digits.
func grouped(n *big.Int) string {
	s := n.String()
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
