package exercise

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"flashlab/lessons"
	"flashlab/sim"
	"flashlab/sim/explore"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

// Verdict is what a fix is worth.
type Verdict struct {
	Passed bool
	// Miss says what is wrong; nil when passed.
	Miss *lessons.Miss
	// Remark is worth saying of an answer that passed; empty most of the time.
	Remark lessons.Text
	// Stage, Light, Schedule and Steps are the shortest counterexample; Stage is nil
	// when the answer failed before any scene was searched. Schedule is nil where a
	// scene was searched in full and nobody gets anything in any of its schedules.
	Stage    *lessons.Stage
	Light    string
	Schedule []sim.Move
	Steps    int
	Scenes   []SceneVerdict
	Elapsed  time.Duration
}

// Decided reports whether the answer was judged: it was not when a search came to its
// bound and had found nothing. Then it neither passes nor fails.
func (v *Verdict) Decided() bool {
	return v.Passed || v.Stage != nil || !slices.ContainsFunc(v.Scenes, func(s SceneVerdict) bool { return !s.Complete })
}

// SceneVerdict is the search of one scene.
type SceneVerdict struct {
	Name          lessons.Text
	Complete      bool
	States        int
	Interleavings *big.Int // nil when the search is not complete
	Violating     *big.Int // of the light in the verdict, or none; nil when not complete
}

// Limits bound the search of one scene while an answer is judged.
var Limits = explore.Limits{States: explore.DefaultStates, Duration: 20 * time.Second}

// Grade judges an answer. An answer that is no answer is a verdict, not an error:
// errors are for what kept the engine from judging.
func Grade(ctx context.Context, l *lessons.Lesson, x *lessons.Exercise, answer string) (*Verdict, error) {
	start := time.Now()
	v := &Verdict{}
	err := v.grade(ctx, l, x, answer)
	v.Elapsed = time.Since(start)
	var m *lessons.Miss
	if errors.As(err, &m) {
		v.Miss, err = m, nil
	}
	v.Passed = err == nil && v.Miss == nil
	if err != nil {
		return nil, fmt.Errorf("judging %s: %w", x.Name, err)
	}
	return v, nil
}

func (v *Verdict) grade(ctx context.Context, l *lessons.Lesson, x *lessons.Exercise, answer string) error {
	bench, err := BenchOf(l, x, answer)
	if err != nil {
		return err
	}
	for _, probe := range bench.Probes {
		m, err := probe(ctx)
		if err != nil {
			return err
		}
		if m != nil && m.Remark {
			v.Remark = m.Sentence
			continue
		}
		if m != nil {
			v.Miss = m
			break
		}
	}
	if v.Miss != nil && contained[v.Miss.Mistake] {
		return nil // it would be stopped in every schedule
	}
	for i := range bench.Scenes {
		if err := v.search(ctx, &bench.Scenes[i]); err != nil {
			return err
		}
		if v.Stage != nil {
			return nil
		}
	}
	return nil
}

// contained are the misses of scripts that never get to an answer.
var contained = map[string]bool{Endless: true, TooBig: true, TooDeep: true, Forbidden: true, Syntax: true}

// BenchOf makes what an answer is judged on. The error is a [lessons.Miss] if the
// answer is none.
func BenchOf(l *lessons.Lesson, x *lessons.Exercise, answer string) (*lessons.Bench, error) {
	if x.Fix == nil {
		return nil, fmt.Errorf("%s asks for a schedule, not for code", x.Name)
	}
	text, err := Text(x.Fix, answer)
	if err != nil {
		return nil, err
	}
	if x.Fix.Form != lessons.Pick {
		return x.Fix.Judge(text)
	}
	i := slices.IndexFunc(x.Fix.Options, func(o lessons.Body) bool { return o.Name == text })
	o := &x.Fix.Options[i]
	variant, err := l.Variant(o.Variant)
	if err != nil {
		return nil, err
	}
	return &lessons.Bench{Scenes: []lessons.Stage{{Name: o.Text, Variant: *variant, Sets: o.Sets, Must: o.Must}}}, nil
}

// search explores one scene and reports whether it is clean.
func (v *Verdict) search(ctx context.Context, st *lessons.Stage) error {
	s, err := SceneOf(st)
	if err != nil {
		return err
	}
	own := len(s.Lights)
	for _, r := range st.Reach {
		s.Lights = append(s.Lights, scenario.Light{Name: "out of reach: " + r.Name, Check: unreached(r)})
	}
	res, err := lessons.Explore(ctx, s, Limits, nil)
	if err != nil {
		return fmt.Errorf("scene %s: %w", st.Name.EN, err)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	sv := SceneVerdict{Name: st.Name, Complete: res.Complete, States: res.States, Interleavings: res.Interleavings}
	worst := -1
	for i := range own {
		x := &res.Lights[i]
		if !x.Broken || len(st.Must) > 0 && !slices.Contains(st.Must, s.Lights[i].Name) {
			continue
		}
		if worst < 0 || x.Shortest < res.Lights[worst].Shortest {
			worst = i
		}
	}
	if res.Complete {
		sv.Violating = new(big.Int)
	}
	if worst >= 0 {
		sv.Violating = res.Lights[worst].Violating
	}
	v.Scenes = append(v.Scenes, sv)
	if worst >= 0 {
		v.broken(st, s.Lights[worst].Name, &res.Lights[worst])
		return nil
	}
	if !res.Complete {
		return &lessons.Miss{Sentence: lessons.Text{
			EN: fmt.Sprintf("Not decided: the search of %q reached its bound (%s). Nothing was found that breaks, and nothing is proved.", st.Name.EN, res.Bound),
			ZH: fmt.Sprintf("没有结论：搜索“%s”到了上限（%s），没找到反例，也没证完。", st.Name.ZH, res.Bound),
		}}
	}
	for i, r := range st.Reach {
		if !res.Lights[own+i].Broken {
			v.Stage = st
			if v.Miss == nil || v.Miss.Mistake == "" { // else a probe has said it better
				m := r.Miss
				v.Miss = &m
			}
			return nil
		}
	}
	return nil
}

func unreached(r lessons.Reach) func(*scenario.View) (bool, error) {
	return func(view *scenario.View) (bool, error) {
		ok, err := r.Check(view)
		return !ok, err
	}
}

// broken notes a counterexample.
func (v *Verdict) broken(st *lessons.Stage, light string, x *explore.Light) {
	v.Stage, v.Light, v.Schedule, v.Steps = st, light, x.Schedule, x.Shortest
	if v.Miss != nil && v.Miss.Mistake != "" {
		return // a probe has said it better
	}
	if st.Explain != nil {
		if m := st.Explain(light); m != nil {
			v.Miss = m
		}
	}
	if v.Miss == nil {
		v.Miss = miss("", "%s breaks after %d steps.", "%s 在第 %d 步被破坏。", light, x.Shortest)
	}
}

// Frames plays the counterexample: a frame for the start, each step and the
// run-out. It returns nil when there is none.
func (v *Verdict) Frames() ([]trace.Frame, error) {
	if v.Stage == nil || v.Light == "" {
		return nil, nil
	}
	s, err := SceneOf(v.Stage)
	if err != nil {
		return nil, err
	}
	return lessons.Play(s, v.Schedule)
}

// SceneOf makes the scenario of a stage, for whoever wants to step through it.
func SceneOf(st *lessons.Stage) (*scenario.Scenario, error) {
	s, err := st.Variant.At(st.Sets)
	if err != nil {
		return nil, fmt.Errorf("scene %s: %w", st.Name.EN, err)
	}
	return s, nil
}
