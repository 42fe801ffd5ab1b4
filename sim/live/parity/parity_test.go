package parity

import (
	"slices"
	"strings"
	"testing"
	"time"

	"flashlab/sim/trace"
)

// frame is what one side has come to after a step.
func frame(reply string, failed bool, lists ...[]string) trace.Frame {
	f := trace.Frame{Event: &trace.Event{Actor: "A", Args: "GET k", Reply: reply, Failed: failed}}
	for _, l := range lists {
		f.State.Keys = append(f.State.Keys, trace.Key{Name: l[0], Type: "string", Value: l[1], TTL: -1})
	}
	return f
}

// compared lists the differences of pairs of frames, step by step.
func compared(pairs ...[2]trace.Frame) []Difference {
	c := &comparison{rep: &Report{}, last: map[string][2]string{}}
	for i, p := range pairs {
		c.now = p
		c.frame(Difference{Step: i + 1, Move: "A"})
	}
	return c.rep.Differences
}

// TestEffects: that something fails is an effect, how the error is worded is not; of
// lists only what is on one side is told.
func TestEffects(t *testing.T) {
	a, b := []string{"a", "1"}, []string{"b", "2"}
	for name, x := range map[string]struct {
		here, there trace.Frame
		want        []Difference
	}{
		"equal":       {frame("1", false, a), frame("1", false, a), nil},
		"error texts": {frame("ERR x", true), frame("ERR y", true), nil},
		"an error": {frame("1", false), frame("ERR", true), []Difference{
			{Step: 1, Move: "A", Actor: "A", Command: "GET k", What: answer, Embedded: "1", Live: anError},
		}},
		"one key more": {frame("1", false, a), frame("1", false, a, b), []Difference{
			{Step: 1, Move: "A", Actor: "A", Command: "GET k", What: keys, Embedded: "", Live: "b string 2"},
		}},
		"twice": {frame("1", false, a, a), frame("1", false, a), []Difference{
			{Step: 1, Move: "A", Actor: "A", Command: "GET k", What: keys, Embedded: "a string 1", Live: ""},
		}},
		"another order": {frame("1", false, a, b), frame("1", false, b, a), []Difference{
			{Step: 1, Move: "A", Actor: "A", Command: "GET k", What: keys, Embedded: "a string 1; b string 2", Live: "b string 2; a string 1"},
		}},
	} {
		if got := compared([2]trace.Frame{x.here, x.there}); !slices.Equal(got, x.want) {
			t.Errorf("%s: %+v, want %+v", name, got, x.want)
		}
	}
}

// TestListedOnce: a difference that stays is listed where it came up, and again when
// it comes back; each answer that differs is listed.
func TestListedOnce(t *testing.T) {
	k := []string{"k", "1"}
	more := [2]trace.Frame{frame("1", false, k), frame("1", false)}
	equal := [2]trace.Frame{frame("1", false), frame("1", false)}
	var steps []int
	for _, d := range compared(more, more, equal, more) {
		steps = append(steps, d.Step)
	}
	if !slices.Equal(steps, []int{1, 4}) {
		t.Errorf("a key was listed at the steps %v", steps)
	}
	other := [2]trace.Frame{frame("1", false), frame("2", false)}
	if got := compared(other, other); len(got) != 2 {
		t.Errorf("two answers differ: %+v", got)
	}
}

// TestEveryPartCounts: whatever of the world differs is found, and under a name that
// is known.
func TestEveryPartCounts(t *testing.T) {
	for what, change := range map[string]func(f *trace.Frame){
		operation: func(f *trace.Frame) { f.Event.Args = "GET j" },
		clock:     func(f *trace.Frame) { f.State.Now = time.Second },
		keys: func(f *trace.Frame) {
			f.State.Keys = []trace.Key{{Name: "k", TTL: time.Second, Owner: "A", Missing: true}}
		},
		streams: func(f *trace.Frame) {
			f.State.Streams = []trace.Stream{{Name: "s", Entries: []trace.Entry{{Rank: 1}}, Groups: []trace.Group{{Name: "g"}}}}
		},
		rows:    func(f *trace.Frame) { f.State.Tables = []trace.Table{{Name: "t", Rows: [][]string{{"1"}}}} },
		actors:  func(f *trace.Frame) { f.State.Actors = []trace.Actor{{Letter: "A", Result: "no stock"}} },
		choices: func(f *trace.Frame) { f.State.Choices = []trace.Choice{{Move: "A"}} },
		lights:  func(f *trace.Frame) { f.State.Lights = []trace.Light{{Name: "l", Status: trace.Red}} },
	} {
		there := frame("1", false)
		change(&there)
		got := compared([2]trace.Frame{frame("1", false), there})
		if len(got) != 1 || got[0].What != what || !slices.Contains(Aspects(), what) {
			t.Errorf("%s: %+v", what, got)
		}
	}
	a := trace.Actor{Letter: "A", Phase: trace.Done, Result: "no stock"}
	if text := actor(a); strings.Contains(text, a.Result) || !strings.Contains(text, anError) {
		t.Errorf("the wording of an error counts: %q", text)
	}
}
