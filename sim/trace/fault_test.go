package trace_test

import (
	"testing"

	"flashlab/sim/trace"
)

// Where nobody raced, the fault is named: the step that broke the light, the last
// fault before it, or the actor that hangs.
func TestBlame(t *testing.T) {
	buyer := func(letter string, phase trace.Phase) trace.Actor {
		return trace.Actor{Letter: letter, Begun: true, Phase: phase}
	}
	red := []trace.Light{{Name: "progress", Status: trace.Red}}
	step := func(n int, actor string) *trace.Event {
		return &trace.Event{Seq: n, Actor: actor, Kind: "redis", Op: "GET"}
	}
	fault := func(n int, op string) *trace.Event { return &trace.Event{Seq: n, Kind: "env", Op: op} }
	both := []trace.Actor{buyer("A", trace.Ready), buyer("B", trace.Ready)}
	dead := []trace.Actor{buyer("A", trace.Dead), buyer("B", trace.Ready)}
	asleep := []trace.Actor{{Letter: "A", Phase: trace.Dead}, buyer("B", trace.Ready)}
	hung := []trace.Actor{{Letter: "A", Phase: trace.Blocked, Why: trace.Reason{Kind: "hang"}}}
	start := trace.Frame{State: trace.State{Actors: both}}
	frame := func(e *trace.Event, actors []trace.Actor, lights []trace.Light) trace.Frame {
		return trace.Frame{Event: e, State: trace.State{Actors: actors, Lights: lights}}
	}
	for _, c := range []struct {
		name   string
		frames []trace.Frame
		ok     bool
		seq    int
		alone  bool
		hung   string
	}{
		{"the crash itself", []trace.Frame{start, frame(fault(1, "crash"), dead, red)}, true, 1, true, ""},
		{"a crash before", []trace.Frame{start, frame(fault(1, "kill-node"), dead, nil), frame(step(2, "B"), dead, red)}, true, 1, false, ""},
		{"the last of two", []trace.Frame{start, frame(fault(1, "expire"), both, nil), frame(fault(2, "redeliver"), both, nil), frame(step(3, "B"), both, red)}, true, 2, false, ""},
		{"seen at the end only", []trace.Frame{start, frame(fault(1, "lose-reply"), both, nil), frame(nil, both, red)}, true, 1, false, ""},
		{"a crash of one that had not begun", []trace.Frame{start, frame(fault(1, "crash"), asleep, nil), frame(step(2, "B"), asleep, red)}, false, 0, false, ""},
		{"a fault after it", []trace.Frame{start, frame(step(1, "B"), both, red), frame(fault(2, "crash"), dead, red)}, false, 0, false, ""},
		{"time alone", []trace.Frame{start, frame(fault(1, "clock"), both, nil), frame(step(2, "B"), both, red)}, false, 0, false, ""},
		{"one that hangs", []trace.Frame{start, frame(nil, hung, red)}, true, 0, false, "A"},
		{"nothing is broken", []trace.Frame{start, frame(fault(1, "crash"), dead, nil)}, false, 0, false, ""},
		{"nothing", nil, false, 0, false, ""},
	} {
		f, ok := trace.Blame(c.frames, "progress")
		seq := 0
		if f.Event != nil {
			seq = f.Event.Seq
		}
		if ok != c.ok || seq != c.seq || f.Alone != c.alone || f.Hung != c.hung {
			t.Errorf("%s: %+v, %v", c.name, f, ok)
		}
	}
}

func TestPhrase(t *testing.T) {
	for _, c := range []struct {
		p    trace.Phrase
		want string
	}{
		{trace.Phrase{}, ""},
		{trace.Verbatim("{n}"), "{n}"},
		{trace.Say("k", "{a} and {b}, {a}", "a", 1, "b", "x"), "1 and x, 1"},
		{trace.Say("k", "{a}", "a", "{b}", "b", "no"), "{b}"}, // a value is no form itself
		{trace.Say("k", "{a} {c}", "a", 1), "1 {c}"},
	} {
		if got := c.p.String(); got != c.want {
			t.Errorf("%+v: %q, want %q", c.p, got, c.want)
		}
	}
	if err := (trace.Mistake{Phrase: trace.Say("k", "no {x}", "x", "lesson")}); err.Error() != "no lesson" {
		t.Error(err)
	}
}
