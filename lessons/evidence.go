package lessons

import (
	"context"
	"fmt"
	"sync"

	"flashlab/sim/explore"
	"flashlab/sim/scenario"
	"flashlab/sim/token"
	"flashlab/sim/trace"
)

// Evidence is what claims are proved from: complete searches and played schedules
// of real code. It keeps what it has found, and is safe for concurrent use.
type Evidence struct {
	ctx   context.Context
	mu    sync.Mutex
	found map[string]*Found
}

// Found is a scenario that has been searched.
type Found struct {
	Scenario *scenario.Scenario
	Result   *explore.Result
}

// NewEvidence returns evidence that stops searching when ctx is cancelled.
func NewEvidence(ctx context.Context) *Evidence {
	return &Evidence{ctx: ctx, found: map[string]*Found{}}
}

// Search explores a variant at its default sizes changed by sets ("k=v,k=v" or
// ""). The error says why there is no complete result.
func (e *Evidence) Search(l *Lesson, variant, sets string) (*Found, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	name := l.Name + "." + variant + ":" + sets
	if f := e.found[name]; f != nil {
		return f, nil
	}
	s, err := Scene(l, variant, sets)
	if err != nil {
		return nil, err
	}
	res, err := Explore(e.ctx, s, explore.Limits{}, nil)
	if err != nil {
		return nil, fmt.Errorf("searching %s: %w", name, err)
	}
	if !res.Complete {
		return nil, fmt.Errorf("searching %s: not complete, it reached its bound (%s)", name, res.Bound)
	}
	f := &Found{Scenario: s, Result: res}
	e.found[name] = f
	return f, nil
}

// Explore searches a scenario on engines of its own; see [explore.Run].
func Explore(ctx context.Context, s *scenario.Scenario, lim explore.Limits, progress func(explore.Progress)) (*explore.Result, error) {
	run, err := scenario.Open(s)
	if err != nil {
		return nil, err
	}
	defer run.Close()
	return explore.Run(ctx, run, len(s.Lights), lim, progress)
}

// Scene makes a variant's scenario at its default sizes changed by sets.
func Scene(l *Lesson, variant, sets string) (*scenario.Scenario, error) {
	v, err := l.Variant(variant)
	if err != nil {
		return nil, err
	}
	s, err := v.At(sets)
	if err != nil {
		return nil, fmt.Errorf("%s.%s: %w", l.Name, variant, err)
	}
	return s, nil
}

// Changed makes what whole makes, and changes it: the place of a learner's answer, or of
// what a bug has different.
func Changed(whole func(scenario.Params) *scenario.Scenario, change func(*scenario.Scenario)) func(scenario.Params) *scenario.Scenario {
	return func(p scenario.Params) *scenario.Scenario {
		s := whole(p)
		change(s)
		return s
	}
}

// At makes the scenario at the variant's default sizes changed by sets.
func (v *Variant) At(sets string) (*scenario.Scenario, error) {
	p := scenario.NewParams(v.Params)
	if sets != "" {
		var err error
		if p, err = p.Set(sets); err != nil {
			return nil, err
		}
	}
	return v.Scenario(p), nil
}

// A Claim is a statement about a case that the engine proves or refutes.
type Claim func(c *Case) bool

// Case is what a claim is about: a variant at certain sizes, and a schedule where
// one is given. Its methods search and play as needed; the first error sticks, and
// whoever asked a claim looks at it.
type Case struct {
	Evidence *Evidence
	Lesson   *Lesson
	Variant  string
	Sets     string
	Steps    string // as in a token; "" if the claim is about all schedules

	err *error
}

// Case returns a case for claims.
func (e *Evidence) Case(l *Lesson, variant, sets, steps string) *Case {
	return &Case{Evidence: e, Lesson: l, Variant: variant, Sets: sets, Steps: steps, err: new(error)}
}

// Err returns the first error of the case and of those made from it.
func (c *Case) Err() error { return *c.err }

func (c *Case) fail(err error) {
	if *c.err == nil {
		*c.err = err
	}
}

// With returns the case at other sizes, for claims of the kind "without a crash".
func (c *Case) With(sets string) *Case {
	d := *c
	d.Sets = sets
	return &d
}

// As returns the case for another variant of the lesson, at its default sizes.
func (c *Case) As(variant string) *Case {
	d := *c
	d.Variant, d.Sets, d.Steps = variant, "", ""
	return &d
}

// Light returns what the search has found about a light, an empty answer when it
// failed.
func (c *Case) Light(name string) (explore.Light, *explore.Result) {
	f, err := c.Evidence.Search(c.Lesson, c.Variant, c.Sets)
	if err != nil {
		c.fail(err)
		return explore.Light{}, nil
	}
	i := f.Scenario.Light(name)
	if i < 0 {
		c.fail(fmt.Errorf("%s.%s shows no light %s", c.Lesson.Name, c.Variant, name))
		return explore.Light{}, nil
	}
	return f.Result.Lights[i], f.Result
}

// Breaks reports whether some schedule breaks the light.
func (c *Case) Breaks(light string) bool {
	l, _ := c.Light(light)
	return l.Broken
}

// Holds reports whether no schedule breaks the light.
func (c *Case) Holds(light string) bool {
	l, r := c.Light(light)
	return r != nil && !l.Broken
}

// Always reports whether every schedule breaks the light.
func (c *Case) Always(light string) bool {
	l, r := c.Light(light)
	return l.Broken && l.Violating.Cmp(r.Interleavings) == 0
}

// Frames plays the case's schedule, or the shortest that breaks the light when the
// case has none; nil when that failed.
func (c *Case) Frames(light string) []trace.Frame {
	s, err := Scene(c.Lesson, c.Variant, c.Sets)
	if err != nil {
		c.fail(err)
		return nil
	}
	moves, err := token.ParseSteps(c.Steps)
	if c.Steps == "" {
		l, _ := c.Light(light)
		moves, err = l.Schedule, nil
	}
	if err != nil {
		c.fail(err)
		return nil
	}
	frames, err := Play(s, moves)
	if err != nil {
		c.fail(err)
	}
	return frames
}

// Last returns the reply of the last step of the case's schedule, "" when there is
// none.
func (c *Case) Last() string {
	frames := c.Frames("")
	for i := len(frames) - 1; i >= 0; i-- {
		if e := frames[i].Event; e != nil && !e.RunOut {
			return e.Reply
		}
	}
	return ""
}

// Red reports whether the light is red after the case's schedule.
func (c *Case) Red(light string) bool {
	frames := c.Frames(light)
	return len(frames) > 0 && frames[len(frames)-1].State.Broken(light)
}

// Breaks, Holds, Always and Sometimes are the usual claims about all schedules.
func Breaks(light string) Claim { return func(c *Case) bool { return c.Breaks(light) } }

// Holds claims that no schedule breaks the light.
func Holds(light string) Claim { return func(c *Case) bool { return c.Holds(light) } }

// Always claims that every schedule breaks the light: no race is needed.
func Always(light string) Claim { return func(c *Case) bool { return c.Always(light) } }

// Sometimes claims that some schedules break the light and others do not.
func Sometimes(light string) Claim {
	return func(c *Case) bool { return c.Breaks(light) && !c.Always(light) }
}

// And claims that every one of the claims is true.
func And(claims ...Claim) Claim {
	return func(c *Case) bool {
		for _, f := range claims {
			if !f(c) {
				return false
			}
		}
		return true
	}
}

// HashOf names a scenario as tokens do, see [scenario.Run.Hash].
func HashOf(s *scenario.Scenario) (hash string, err error) {
	r, err := scenario.Open(s)
	if err != nil {
		return "", err
	}
	defer func() {
		if e := r.Close(); err == nil {
			err = e
		}
	}()
	return r.Hash()
}

// Raced claims that the shortest schedule that breaks the light has a race behind
// it: somebody relied on an answer about the resource that another had made stale.
// The resource is a table ("voucher") or a key ("lock:order:7").
func Raced(light, resource string) Claim {
	return func(c *Case) bool {
		x, ok := trace.Explain(c.Frames(light), light)
		return ok && x.Resource == resource
	}
}

// Needs claims that the light breaks as things are, and holds at the sizes given:
// what they take away is needed for it to break ("crashes=0", "nodes=1").
func Needs(light, without string) Claim {
	return func(c *Case) bool { return c.Breaks(light) && c.With(without).Holds(light) }
}
