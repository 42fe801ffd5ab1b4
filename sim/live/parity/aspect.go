package parity

import (
	"fmt"
	"slices"
	"strings"

	"flashlab/sim/trace"
)

// The aspects of a step, as [Difference.What] names them.
const (
	operation    = "operation"
	answer       = "answer"
	clock        = "time"
	keys         = "keys"
	streams      = "streams"
	rows         = "rows"
	actors       = "actors"
	choices      = "possible steps"
	lights       = "lights"
	theStep      = "the step"
	runOutLength = "length of the run-out"
)

// Values that are the lab's words and not an engine's.
const (
	anError     = "an error"
	possible    = "possible"
	notPossible = "not possible"
)

// Aspects lists what is compared: all values of [Difference.What].
func Aspects() []string {
	return []string{operation, answer, clock, keys, streams, rows, actors, choices, lights, theStep, runOutLength}
}

// Values lists the values of a difference that are the lab's own words.
func Values() []string { return []string{anError, possible, notPossible} }

// aspect is one side of what a step has done, as a list of texts: a key each, a row
// each.
type aspect struct {
	name string
	list []string
}

func aspects(f *trace.Frame) []aspect {
	s := &f.State
	var did, reply []string
	if e := f.Event; e != nil {
		did, reply = []string{strings.TrimSpace(e.Actor + " " + e.Args)}, []string{e.Reply}
		if e.Failed {
			reply = []string{anError}
		}
	}
	return []aspect{
		{operation, did}, {answer, reply},
		{clock, []string{s.Now.String()}},
		{keys, texts(s.Keys, key)},
		{streams, slices.Concat(texts(s.Streams, stream)...)},
		{rows, slices.Concat(texts(s.Tables, table)...)},
		{actors, texts(s.Actors, actor)},
		{choices, texts(s.Choices, func(x trace.Choice) string { return x.Move })},
		{lights, texts(s.Lights, func(x trace.Light) string { return fmt.Sprintf("%s %v %v", x.Name, x.Status, x.Detail) })},
	}
}

// event reports whether the aspect is of the step itself, and not of the world after
// it.
func (a aspect) event() bool { return a.name == operation || a.name == answer }

// against returns what is on one side only; all of both if only the order differs.
func (a aspect) against(b aspect) (mine, other string, same bool) {
	if slices.Equal(a.list, b.list) {
		return "", "", true
	}
	x, y := without(a.list, b.list), without(b.list, a.list)
	if len(x) == 0 && len(y) == 0 {
		x, y = a.list, b.list
	}
	return strings.Join(x, "; "), strings.Join(y, "; "), false
}

// without returns the texts of a list that another does not have, each as often as it
// has it less.
func without(list, other []string) (out []string) {
	left := slices.Clone(other)
	for _, x := range list {
		if i := slices.Index(left, x); i >= 0 {
			left = slices.Delete(left, i, i+1)
			continue
		}
		out = append(out, x)
	}
	return out
}

func key(k trace.Key) string {
	text := fmt.Sprintf("%s %s %s", k.Name, k.Type, k.Value)
	if k.TTL >= 0 {
		text += fmt.Sprintf(" ttl=%v", k.TTL)
	}
	if k.Owner != "" {
		text += " owner=" + k.Owner
	}
	if len(k.Believers) > 0 {
		text += " believers=" + strings.Join(k.Believers, ",")
	}
	if k.Missing {
		text += " missing"
	}
	return text
}

// stream is a text for the stream, each entry and each group.
func stream(s trace.Stream) []string {
	out := []string{s.Name}
	for _, e := range s.Entries {
		text := fmt.Sprintf("%s #%d %s", s.Name, e.Rank, e.Fields)
		if e.Delivered {
			text += " delivered"
		}
		if e.Group != "" {
			text += fmt.Sprintf(" pending=%s/%s idle=%v count=%d", e.Group, e.Consumer, e.Idle, e.Count)
		}
		out = append(out, text)
	}
	for _, g := range s.Groups {
		out = append(out, fmt.Sprintf("%s group=%s delivered=%d pending=%d", s.Name, g.Name, g.Delivered, g.Pending))
	}
	return out
}

// table is a text for the table and each row.
func table(t trace.Table) []string {
	out := []string{t.Name}
	for _, r := range t.Rows {
		out = append(out, fmt.Sprintf("%s %v", t.Name, r))
	}
	return out
}

// actor leaves out the text of the error that somebody ended with.
func actor(a trace.Actor) string {
	text := a.Letter
	if a.Phase != trace.Ready {
		text += " " + a.Phase.String()
	}
	if w := a.Why; w != (trace.Reason{}) {
		text += fmt.Sprintf(" (%s)", strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %v", w.Kind, w.Name, w.By, w.Left)), " "))
	}
	if a.Next != "" {
		text += ": " + a.Next
	}
	switch a.Result {
	case "", "ok", "died":
		text += " " + a.Result
	default:
		text += " " + anError
	}
	return strings.TrimSpace(text)
}

func texts[T, U any](list []T, f func(T) U) []U {
	var out []U
	for _, x := range list {
		out = append(out, f(x))
	}
	return out
}
