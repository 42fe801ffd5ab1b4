package pane

import (
	"strings"

	"flashlab/cmd/flashlab/internal/i18n"
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

// Offer is what a choice would do: the whole command of an actor, a fault in words.
func (d *Lesson) Offer(c trace.Choice) string {
	if c.Actor != "" && !c.Fault || c.Move == "" {
		return c.Label
	}
	_, verb := faultWords(d.words(), c.Move[0])
	return strings.TrimSpace(verb + " " + c.What)
}

// Steps is a number of steps in words.
func Steps(w *i18n.Panes, n int) string { return plural(w.OneStep, w.ManySteps, n, "") }

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
