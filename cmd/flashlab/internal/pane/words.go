package pane

import (
	"flashlab/sim/trace"
)

// Why tells the race behind a broken light in one sentence, or that there was none.
func (d *Lesson) Why(light string) string { return d.why(light) }

// WhyNot says why an actor cannot take a step: what it waits for, or how it ended.
func (d *Lesson) WhyNot(a trace.Actor) string {
	w := d.words()
	switch a.Phase {
	case trace.Blocked, trace.Paused:
		return waiting(w, a.Why)
	case trace.Ready:
		return ""
	}
	return result(w, &a, d.ordered(a.Letter))
}

// Short is a step in a few words: "UPDATE stock=0 -> 1 row".
func (d *Lesson) Short(e trace.Event) string {
	if environment(&e) {
		return happening(d.words(), &e)
	}
	text := labelOf(e.Op, e.Args).in(1 << 10)
	if e.Reply != "" {
		text += " -> " + e.Reply
	}
	return text
}
