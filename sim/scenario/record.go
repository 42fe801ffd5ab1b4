package scenario

import (
	"flashlab/sim"
	"flashlab/sim/trace"
)

// Start resets the run and returns its first frame. The run must be recording.
func (r *Run) Start() (trace.Frame, error) {
	if err := r.Reset(); err != nil {
		return trace.Frame{}, err
	}
	if _, err := r.Judge(); err != nil {
		return trace.Frame{}, err
	}
	st, err := r.State(nil)
	return trace.Frame{State: st}, err
}

// Play takes one step and returns what it left behind. before are the lights as
// they stood, so that the step that broke one is known.
func (r *Run) Play(m sim.Move, before []trace.Light) (trace.Frame, error) {
	old := r.bits
	if err := r.Do(m); err != nil {
		return trace.Frame{}, err
	}
	if _, err := r.Judge(); err != nil {
		return trace.Frame{}, err
	}
	return r.frame(m, old, before, false)
}

// PlayOut runs the scenario out and returns a frame for each step of it; the last
// frame carries the lights as finally judged.
func (r *Run) PlayOut(before []trace.Light) ([]trace.Frame, error) {
	var out []trace.Frame
	old := r.bits
	_, err := r.Finish(func() error {
		m := sim.Move{Kind: sim.MoveClock} // a run-out knows no other step of the environment
		if e := r.event; e != nil && e.Actor != "" {
			m = sim.Move{Kind: sim.MoveActor, Arg: e.Actor[0] - 'A'}
		}
		f, err := r.frame(m, old, before, true)
		old, before = r.bits, f.State.Lights
		out = append(out, f)
		return err
	})
	if err != nil {
		return out, err
	}
	st, err := r.State(before)
	if err != nil {
		return out, err
	}
	return append(out, trace.Frame{State: st}), nil
}

func (r *Run) frame(m sim.Move, old sim.Bits, before []trace.Light, runOut bool) (trace.Frame, error) {
	st, err := r.State(before)
	if err != nil {
		return trace.Frame{}, err
	}
	e := r.event
	if e == nil {
		e = &trace.Event{Kind: "env", Op: m.Kind.String(), Args: m.Kind.String(), At: r.W.Kernel.Now}
	}
	e.Seq, e.Move, e.RunOut = r.seq, m.String(), runOut
	if runOut {
		e.Seq = 0
	}
	e.Broken = r.S.Names(r.bits &^ old)
	if m.Kind == sim.MoveActor {
		e.End = r.ending(r.W.Kernel.Actors[m.Arg])
	}
	return trace.Frame{Event: e, State: st}, nil
}

func (r *Run) ending(a *sim.Actor) string {
	switch a.State() {
	case sim.Done:
		if a.Err != nil {
			return a.Err.Error()
		}
		return "ok"
	case sim.Dead:
		return "died"
	}
	return ""
}

// State pictures the world as it stands. before carries over since when a light
// has been red; nil at the start.
func (r *Run) State(before []trace.Light) (trace.State, error) {
	k := r.W.Kernel
	st := trace.State{Now: k.Now, Keys: r.lockKeys(r.W.Keys()), Notes: r.S.Notes}
	var err error
	if st.Streams, err = r.W.Streams(); err != nil {
		return st, err
	}
	if st.Tables, err = r.W.Tables(); err != nil {
		return st, err
	}
	if w := r.W.Store.Writer(); w != nil {
		st.Writer = w.Letter()
	}
	declared := 0
	for _, a := range k.Actors {
		x := trace.Actor{Letter: a.Letter(), Node: a.Node, Daemon: a.Daemon, Begun: a.Steps > 0}
		// What an actor starts itself has one word for a name, which is its key too.
		if x.Name = trace.Say(a.Name, a.Name); a.Parent == nil && declared < len(r.actors) {
			x.Name = r.actors[declared].Name
			declared++
		}
		switch a.State() {
		case sim.Parked:
			x.NextOp, x.Next = a.Op.Name, a.Op.Name
			if a.Op.Detail != nil {
				x.Next = a.Op.Detail.Command()
			}
			x.Stack = a.Stack(r.sources)
			if why, ok := a.Why(); ok {
				x.Phase, x.Why = trace.Blocked, why
				if why.Kind == "pause" {
					x.Phase = trace.Paused
				}
			}
			if a.Hung && x.Phase != trace.Paused { // whatever it waits for will not come
				x.Phase, x.Why = trace.Blocked, trace.Reason{Kind: "hang"}
			}
		case sim.Dead:
			x.Phase = trace.Dead
		default:
			x.Phase, x.Result = trace.Done, r.ending(a)
		}
		st.Actors = append(st.Actors, x)
	}
	for _, m := range r.Moves(nil) {
		c := trace.Choice{Move: m.String()}
		switch m.Kind {
		case sim.MoveActor:
			c.Actor = k.Actors[m.Arg].Letter()
			c.Label = st.Actors[m.Arg].Next
		default:
			c.Label, c.What = r.faultLabel(m)
			c.Fault = m.Kind != sim.MoveClock
		}
		st.Choices = append(st.Choices, c)
	}
	st.Ended = len(st.Choices) == 0
	st.Deadlock = st.Ended && !k.Finished()
	quiet := r.quiescent()
	for i := range r.S.Lights {
		l := &r.S.Lights[i]
		x := trace.Light{Name: l.Name}
		if l.Detail != nil {
			x.Detail = l.Detail(&r.view)
		}
		switch {
		case r.bits.Has(i):
			x.Status, x.Since = trace.Red, r.seq
			if r.runOut {
				x.Since = 0
			}
			for _, b := range before {
				if b.Name == l.Name && b.Status == trace.Red {
					x.Since = b.Since
				}
			}
		case l.When == AtEnd || l.When == Quiescent && !quiet:
			x.Status = trace.Grey
		}
		st.Lights = append(st.Lights, x)
	}
	return st, nil
}
