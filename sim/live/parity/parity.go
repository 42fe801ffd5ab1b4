// Package parity runs one schedule on the embedded engine and on a live server and
// lists where they differ: in answers, keys, leases, streams, rows and lights. That an
// operation fails is an effect; how its error is worded is not.
//
// The package must not know a lesson, and must not judge: a difference is for people.
package parity

import (
	"context"
	"errors"
	"fmt"
	"time"

	"flashlab/sim"
	"flashlab/sim/live"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

// Difference is one thing that is not the same on both. One that stays as it is over
// later steps is listed once, where it came up.
type Difference struct {
	Step     int    // 0: the start; -1: in the run-out
	Move     string // as in a token; "" at the start
	Actor    string // letter of the actor that took the step, "" for the environment
	Command  string // what it ran on the embedded engine, on one line; "" for none
	What     string // one of [Aspects]
	Embedded string // what is to be seen there and not on the other side
	Live     string
}

// String renders it on one line.
func (d Difference) String() string {
	where := fmt.Sprintf("step %d (%s)", d.Step, d.Move)
	switch {
	case d.Step < 0:
		where = "in the run-out"
	case d.Step == 0:
		where = "at the start"
	}
	return fmt.Sprintf("%s: %s: %q on the embedded engine, %q on the server", where, d.What, d.Embedded, d.Live)
}

// Report is what came of a comparison.
type Report struct {
	Server, Version string // the live one, without its password; "" if it was not reached
	Steps           int    // those compared, the run-out included
	RunOut          int    // those of them that belong to the run-out
	Differences     []Difference
	Took            time.Duration // on the server
}

// Compare runs a schedule on both. Where it reaches the end of an interleaving the
// run-out is compared as well. Each side has engines of its own, and on the server
// keys of its own, which are removed at the end. The error is trouble with one of the
// engines, or that of ctx; what was compared until then is returned.
func Compare(ctx context.Context, s *scenario.Scenario, moves []sim.Move, t *live.Target) (rep Report, err error) {
	embedded, there := *s, *s
	embedded.World.Live, there.World.Live = nil, t
	c := &comparison{rep: &rep, last: map[string][2]string{}}
	for i, x := range []*scenario.Scenario{&embedded, &there} {
		r, bad := scenario.Open(x)
		if bad != nil {
			return rep, bad
		}
		defer func() { err = errors.Join(err, r.Close()) }()
		r.Record(true)
		c.runs[i] = r
	}
	rep.Server, rep.Version, _ = c.runs[1].W.Server()
	same, err := c.schedule(ctx, moves)
	if err != nil || !same || !c.now[0].State.Ended || !c.now[1].State.Ended {
		return rep, err
	}
	err = c.runOut()
	return rep, err
}

// comparison is two runs of one schedule: the embedded engine's and the server's.
type comparison struct {
	rep  *Report
	runs [2]*scenario.Run
	now  [2]trace.Frame
	last map[string][2]string // by aspect: the difference listed last, while it stays
}

// schedule plays the moves on both; same is false if one side cannot go on.
func (c *comparison) schedule(ctx context.Context, moves []sim.Move) (same bool, err error) {
	for i, r := range c.runs {
		if c.now[i], err = r.Start(); err != nil {
			return false, err
		}
	}
	c.frame(Difference{})
	for n, m := range moves {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		at := Difference{Step: n + 1, Move: m.String()}
		if !c.runs[0].Allowed(m) {
			return false, fmt.Errorf("step %d: %s is not possible there", n+1, m)
		}
		if !c.runs[1].Allowed(m) {
			c.differ(at, aspect{theStep, []string{possible}}, aspect{theStep, []string{notPossible}})
			return false, nil
		}
		if err := c.play(m); err != nil {
			return false, err
		}
		c.rep.Steps++
		c.frame(at)
	}
	return true, nil
}

// play takes one step on both.
func (c *comparison) play(m sim.Move) (err error) {
	for i, r := range c.runs {
		began := time.Now()
		if c.now[i], err = r.Play(m, c.now[i].State.Lights); err != nil {
			return err
		}
		if i == 1 {
			c.rep.Took += time.Since(began)
		}
	}
	return nil
}

// runOut compares what comes after the end of the interleaving.
func (c *comparison) runOut() (err error) {
	var out [2][]trace.Frame
	for i, r := range c.runs {
		if out[i], err = r.PlayOut(c.now[i].State.Lights); err != nil {
			return err
		}
	}
	at := Difference{Step: -1}
	length := func(i int) aspect { return aspect{runOutLength, []string{fmt.Sprint(len(out[i]))}} }
	c.differ(at, length(0), length(1))
	for i := range min(len(out[0]), len(out[1])) {
		c.rep.Steps++
		c.rep.RunOut++
		c.now = [2]trace.Frame{out[0][i], out[1][i]}
		c.frame(at)
	}
	return nil
}

// frame compares the present frames; at says where they stand in the schedule.
func (c *comparison) frame(at Difference) {
	if e := c.now[0].Event; e != nil {
		at.Actor, at.Command = e.Actor, e.Args
	}
	a, b := aspects(&c.now[0]), aspects(&c.now[1])
	for i := range a {
		c.differ(at, a[i], b[i])
	}
}

// differ lists how one aspect differs, unless that was listed already and has stayed.
func (c *comparison) differ(at Difference, embedded, there aspect) {
	x, y, same := embedded.against(there)
	if same {
		delete(c.last, embedded.name)
		return
	}
	if now := [2]string{x, y}; embedded.event() || c.last[embedded.name] != now {
		c.last[embedded.name] = now
		at.What, at.Embedded, at.Live = embedded.name, x, y
		c.rep.Differences = append(c.rep.Differences, at)
	}
}
