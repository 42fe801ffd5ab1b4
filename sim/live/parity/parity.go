// Package parity runs one schedule on the embedded engine and on a live server and
// lists where they differ: in answers, keys, leases, streams, rows and lights. That an
// operation fails is an effect; how its error is worded is not.
//
// The package must not know a lesson, and must not judge: a difference is for people.
package parity

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"flashlab/sim"
	"flashlab/sim/live"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

// Difference is one thing that is not the same on both.
type Difference struct {
	Step     int    // 0: the start; -1: in the run-out
	Move     string // as in a token; "" at the start
	What     string // "answer", "keys", "streams", ...
	Embedded string
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
	Steps       int // those compared, the run-out included
	Differences []Difference
	Took        time.Duration // on the server
}

// Compare runs a schedule on both. Where it reaches the end of an interleaving the
// run-out is compared as well. The error is trouble with one of the engines; what was
// compared until then is returned.
func Compare(s *scenario.Scenario, moves []sim.Move, t *live.Target) (rep Report, err error) {
	embedded, there := *s, *s
	embedded.World.Live, there.World.Live = nil, t
	var runs [2]*scenario.Run
	for i, x := range []*scenario.Scenario{&embedded, &there} {
		if runs[i], err = scenario.Open(x); err != nil {
			return rep, err
		}
		defer func() { err = errors.Join(err, runs[i].Close()) }()
		runs[i].Record(true)
	}
	c := &comparison{rep: &rep}
	var now [2]trace.Frame
	for i, r := range runs {
		if now[i], err = r.Start(); err != nil {
			return rep, err
		}
	}
	c.frame(0, "", now)
	for n, m := range moves {
		for i, r := range runs {
			if !r.Allowed(m) {
				if i == 1 {
					c.add(n+1, m.String(), "the step", "possible", "not possible")
					return rep, nil
				}
				return rep, fmt.Errorf("step %d: %s is not possible there", n+1, m)
			}
		}
		for i, r := range runs {
			began := time.Now()
			if now[i], err = r.Play(m, now[i].State.Lights); err != nil {
				return rep, err
			}
			if i == 1 {
				rep.Took += time.Since(began)
			}
		}
		rep.Steps++
		c.frame(n+1, m.String(), now)
	}
	if !now[0].State.Ended || !now[1].State.Ended {
		return rep, nil
	}
	var out [2][]trace.Frame
	for i, r := range runs {
		if out[i], err = r.PlayOut(now[i].State.Lights); err != nil {
			return rep, err
		}
	}
	c.same(-1, "", "length of the run-out", fmt.Sprint(len(out[0])), fmt.Sprint(len(out[1])))
	for i := range min(len(out[0]), len(out[1])) {
		rep.Steps++
		c.frame(-1, "", [2]trace.Frame{out[0][i], out[1][i]})
	}
	return rep, nil
}

type comparison struct{ rep *Report }

func (c *comparison) add(step int, move, what, embedded, live string) {
	c.rep.Differences = append(c.rep.Differences, Difference{step, move, what, embedded, live})
}

func (c *comparison) same(step int, move, what, embedded, live string) {
	if embedded != live {
		c.add(step, move, what, embedded, live)
	}
}

func (c *comparison) frame(step int, move string, f [2]trace.Frame) {
	a, b := aspects(&f[0]), aspects(&f[1])
	for i := range a {
		c.same(step, move, a[i].name, a[i].text, b[i].text)
	}
}

// aspect is one side of what a step has done, as text.
type aspect struct{ name, text string }

func aspects(f *trace.Frame) []aspect {
	s := &f.State
	event, reply := "", ""
	if e := f.Event; e != nil {
		event = strings.TrimSpace(e.Actor + " " + e.Args)
		reply = e.Reply
		if e.Failed {
			reply = "an error"
		}
	}
	return []aspect{
		{"operation", event}, {"answer", reply},
		{"time", s.Now.String()},
		{"keys", lines(s.Keys, func(k trace.Key) string {
			return fmt.Sprintf("%s %s %s ttl=%v owner=%s believers=%v missing=%v", k.Name, k.Type, k.Value, k.TTL, k.Owner, k.Believers, k.Missing)
		})},
		{"streams", lines(s.Streams, func(x trace.Stream) string { return fmt.Sprintf("%+v", x) })},
		{"rows", lines(s.Tables, func(x trace.Table) string { return fmt.Sprint(x.Name, x.Rows) })},
		{"actors", lines(s.Actors, actor)},
		{"possible steps", lines(s.Choices, func(x trace.Choice) string { return x.Move })},
		{"lights", lines(s.Lights, func(x trace.Light) string { return fmt.Sprintf("%s %v %v", x.Name, x.Status, x.Detail) })},
	}
}

// actor leaves out the text of the error that somebody ended with.
func actor(a trace.Actor) string {
	end := a.Result
	if end != "" && end != "ok" && end != "died" {
		end = "an error"
	}
	return fmt.Sprintf("%s %v %+v before %q %s", a.Letter, a.Phase, a.Why, a.Next, end)
}

func lines[T any](list []T, f func(T) string) string {
	var out []string
	for _, x := range list {
		out = append(out, f(x))
	}
	return strings.Join(slices.Clip(out), "; ")
}
