package lessons

import (
	"fmt"
	"strings"

	"flashlab/sim"
	"flashlab/sim/scenario"
	"flashlab/sim/token"
	"flashlab/sim/trace"
)

// Params returns the sizes of a staged schedule for its variant.
func (st *Staged) Params(v *Variant) (scenario.Params, error) {
	p := scenario.NewParams(v.Params)
	if st.Sets == "" {
		return p, nil
	}
	p, err := p.Set(st.Sets)
	if err != nil {
		return p, fmt.Errorf("staged schedule %s: %w", st.Name, err)
	}
	return p, nil
}

// Run plays a staged schedule on engines of its own and returns its frames, from
// the start on. Where the schedule reaches the end of an interleaving, the run-out
// follows. The error names the step that is not possible.
func (st *Staged) Run(l *Lesson) (frames []trace.Frame, err error) {
	v, err := l.Variant(st.Variant)
	if err != nil {
		return nil, fmt.Errorf("staged schedule %s: %w", st.Name, err)
	}
	p, err := st.Params(v)
	if err != nil {
		return nil, err
	}
	moves, err := token.ParseSteps(st.Steps)
	if err != nil {
		return nil, fmt.Errorf("staged schedule %s: %w", st.Name, err)
	}
	if frames, err = Play(v.Scenario(p), moves); err != nil {
		return frames, fmt.Errorf("staged schedule %s: %w", st.Name, err)
	}
	return frames, nil
}

// Play runs a schedule on engines of its own and returns its frames, from the start
// on. Where the schedule reaches the end of an interleaving, the run-out follows.
// The error names the step that is not possible; the frames before it are returned.
func Play(s *scenario.Scenario, moves []sim.Move) (frames []trace.Frame, err error) {
	r, err := scenario.Open(s)
	if err != nil {
		return nil, err
	}
	defer func() {
		if e := r.Close(); err == nil && e != nil {
			err = fmt.Errorf("closing its world: %w", e)
		}
	}()
	r.Record(true)
	f, err := r.Start()
	if err != nil {
		return nil, fmt.Errorf("starting: %w", err)
	}
	frames = append(frames, f)
	for i, m := range moves {
		if !r.Allowed(m) {
			return frames, fmt.Errorf("step %d: %s is not possible there", i+1, m)
		}
		if f, err = r.Play(m, f.State.Lights); err != nil {
			return frames, fmt.Errorf("step %d: %w", i+1, err)
		}
		frames = append(frames, f)
	}
	if !f.State.Ended {
		return frames, nil
	}
	out, err := r.PlayOut(f.State.Lights)
	if err != nil {
		return frames, fmt.Errorf("running it out: %w", err)
	}
	return append(frames, out...), nil
}

// Check compares the frames of a run with what the schedule promises: the light
// that breaks and the step at which it does. A schedule that breaks nothing must
// reach the end of its interleaving, else it would prove nothing.
func (st *Staged) Check(frames []trace.Frame) error {
	if len(frames) == 0 {
		return fmt.Errorf("staged schedule %s has not been run", st.Name)
	}
	last := &frames[len(frames)-1].State
	if st.Light == "" {
		switch {
		case !last.Ended:
			return fmt.Errorf("staged schedule %s: it breaks nothing, but it ends before everybody is done", st.Name)
		case last.AnyRed():
			return fmt.Errorf("staged schedule %s: it should break nothing, but it turns %s red", st.Name, redLights(last))
		}
		return nil
	}
	for i := range frames {
		if !frames[i].State.Broken(st.Light) {
			continue
		}
		at := 0
		if e := frames[i].Event; e != nil {
			at = e.Seq
		}
		if at != st.At {
			return fmt.Errorf("staged schedule %s: %s breaks at step %d, not at %d (0 is the end)", st.Name, st.Light, at, st.At)
		}
		return nil
	}
	return fmt.Errorf("staged schedule %s: %s does not break", st.Name, st.Light)
}

func redLights(s *trace.State) string {
	var red []string
	for _, l := range s.Lights {
		if l.Status == trace.Red {
			red = append(red, l.Name)
		}
	}
	return strings.Join(red, " and ")
}

// StagedLog renders a run for a staged file, one line a step: its number ("-" in
// the run-out), the actor or the step of the environment, the command and its
// reply, how the actor ended, and the lights that turned red.
//
//	2 B  SELECT stock FROM voucher WHERE id = 1 -> stock=1
//	6 B  INSERT INTO ... -> 1 row [ok] ✗ no-oversell
func StagedLog(frames []trace.Frame) string {
	var b strings.Builder
	red := map[string]bool{}
	for i := range frames {
		var broken []string
		for _, l := range frames[i].State.Lights {
			if l.Status == trace.Red && !red[l.Name] {
				red[l.Name] = true
				broken = append(broken, l.Name)
			}
		}
		e := frames[i].Event
		if e == nil && len(broken) == 0 {
			continue // the start, or an end that judged nothing new
		}
		b.WriteString(logLine(e, broken))
	}
	return b.String()
}

func logLine(e *trace.Event, broken []string) string {
	line := "  -    end"
	if e != nil {
		seq := "-"
		if !e.RunOut {
			seq = fmt.Sprint(e.Seq)
		}
		command := e.Args
		if command == "" {
			command = e.Op
		}
		line = fmt.Sprintf("%3s %-2s %s", seq, e.Move, command)
		if e.Reply != "" {
			line += " -> " + e.Reply
		}
		if e.End != "" {
			line += " [" + e.End + "]"
		}
	}
	if len(broken) > 0 {
		line += " ✗ " + strings.Join(broken, ", ")
	}
	return strings.ReplaceAll(line, "\n", " ") + "\n"
}
