package lessontest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"flashlab/lessons"
	"flashlab/sim"
	"flashlab/sim/scenario"
	"flashlab/sim/source"
	"flashlab/sim/trace"
)

// randomPlays is how many random schedules Operations plays at each size.
const randomPlays = 8

// Operations runs every variant in many ways - one actor after the other, in turn,
// at random with its faults, and all staged schedules: whatever an actor does or
// waits to do must stand on a line of the variant's file that belongs to a step,
// or be called from one, and every step must be met.
func Operations(t testing.TB, l *lessons.Lesson, sizes ...string) {
	t.Helper()
	c := coverage{l: l, met: map[*lessons.Step]bool{}, said: map[string]bool{}}
	known := map[string]bool{"": true}
	for _, v := range all(l) {
		for _, sets := range append([]string{""}, sizes...) {
			p := scenario.NewParams(v.Params)
			if sets != "" {
				var err error
				if p, err = p.Set(sets); err != nil {
					continue // a size of other variants
				}
			}
			known[sets] = true
			c.plays(t, v, p)
		}
	}
	for _, sets := range sizes {
		if !known[sets] {
			t.Errorf("no variant can be played at %s", sets)
		}
	}
	for i := range l.Staged {
		frames, err := l.Staged[i].Run(l)
		if err != nil {
			t.Error(err)
			continue
		}
		c.cover(t, Variant(t, l, l.Staged[i].Variant), frames)
	}
	for _, v := range all(l) {
		for k := range v.Steps {
			if !c.met[&v.Steps[k]] {
				t.Errorf("%s: no run comes to %q", v.Name, v.Steps[k].Go)
			}
		}
	}
}

type coverage struct {
	l    *lessons.Lesson
	met  map[*lessons.Step]bool
	said map[string]bool // what has been reported: once is enough
}

func (c *coverage) plays(t testing.TB, v *lessons.Variant, p scenario.Params) {
	t.Helper()
	last := func(moves []sim.Move, _ int) int { return len(moves) - 1 }
	c.cover(t, v, Play(t, v.Scenario(p), First))
	c.cover(t, v, Play(t, v.Scenario(p), last))
	c.cover(t, v, Play(t, v.Scenario(p), InTurn))
	for seed := range uint64(randomPlays) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		c.cover(t, v, Play(t, v.Scenario(p), func(moves []sim.Move, _ int) int { return rnd.IntN(len(moves)) }))
	}
}

// cover looks at what the actors have done and at what they wait to do.
func (c *coverage) cover(t testing.TB, v *lessons.Variant, frames []trace.Frame) {
	t.Helper()
	for _, f := range frames {
		if e := f.Event; e != nil && e.Kind != "env" {
			c.at(t, v, e.Op, e.Stack, true)
		}
		for _, a := range f.State.Actors {
			if len(a.Stack) > 0 {
				c.at(t, v, a.NextOp, a.Stack, false)
			}
		}
	}
}

func (c *coverage) at(t testing.TB, v *lessons.Variant, op string, stack []source.Frame, done bool) {
	t.Helper()
	report := func(format string, args ...any) {
		t.Helper()
		if key := v.Name + op + format; !c.said[key] {
			c.said[key] = true
			t.Errorf(format, args...)
		}
	}
	if len(stack) == 0 {
		report("%s: %s has no line", v.Name, op)
		return
	}
	var step *lessons.Step
	within := false
	for _, f := range stack {
		if s, ok := v.StepAt(c.l, f.File, f.Line); ok && step == nil {
			step = s
		}
		for _, name := range strings.Fields(v.Func) {
			within = within || f.Func == name || strings.HasPrefix(f.Func, name+".")
		}
	}
	if _, err := c.l.GoSource(stack[0].File); err != nil {
		report("%s: %s cannot be shown: %v", v.Name, op, err)
	}
	if step == nil {
		report("%s: %s at %s:%d belongs to no step", v.Name, op, stack[0].File, stack[0].Line)
	}
	if !within {
		report("%s: %s runs in %s, not in %s", v.Name, op, stack[0].Func, v.Func)
	}
	if done {
		c.met[step] = true
	}
}
