package trace

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// shivizRegexp tells ShiViz how to take a line apart. ShiViz reads named groups
// in its own way: a group may not nest, and the greedy event must stop at the
// last `" {`, which no compact JSON object of numbers contains.
const shivizRegexp = `(?<host>\w+) "(?<event>.*)" (?<clock>\{.*\})`

// shivizWorld is the host of environment steps that happen to no one in
// particular, such as a tick of the clock.
const shivizWorld = "World"

// WriteShiViz writes the run as a log for ShiViz (bestchai.bitbucket.io/shiviz).
// The first line is the regular expression that parses the rest,
//
//	(?<host>\w+) "(?<event>.*)" (?<clock>\{.*\})
//
// the second, empty, the delimiter of executions: there is one. Then comes one
// line an event, such as
//
//	SQLite "A 3 UPDATE" {"A":4,"SQLite":3}
//
// Hosts are the actors and the stores they use. A command is a message to the
// store and back, three events: sent, served, answered. The vector clocks of
// both sides are merged at each end, so an arrow leads from a write to whoever
// hears of it later. Mutexes and queues live in a process and are no hosts;
// there the clock passes from who wrote a thing to who touches it next. An error
// is the writer's.
func WriteShiViz(w io.Writer, l Log) error {
	v := shiviz{ids: laneIDs(l.cast()), clocks: map[string]clock{}, shared: map[string]clock{}}
	v.b.WriteString(shivizRegexp + "\n\n")
	for _, e := range l.events() {
		v.step(e)
	}
	if _, err := io.WriteString(w, v.b.String()); err != nil {
		return fmt.Errorf("writing the run for ShiViz: %w", err)
	}
	return nil
}

// clock is a vector clock: events seen, by host.
type clock map[string]int

// merge takes in all that o has seen.
func (c clock) merge(o clock) {
	for host, n := range o {
		c[host] = max(c[host], n)
	}
}

type shiviz struct {
	b      strings.Builder
	ids    map[string]string // letter to host
	clocks map[string]clock  // by host
	shared map[string]clock  // by node and resource inside its process: the last write
}

// event logs one thing that happens at host, after what from has seen.
func (v *shiviz) event(host, text string, from clock) clock {
	c := v.clocks[host]
	if c == nil {
		c = clock{}
		v.clocks[host] = c
	}
	c.merge(from)
	c[host]++
	stamp, err := json.Marshal(c)
	if err != nil {
		panic(err) // a map of integers can always be encoded
	}
	fmt.Fprintf(&v.b, "%s \"%s\" %s\n", host, oneLine(text), stamp)
	return c
}

func (v *shiviz) step(e *Event) {
	number := strconv.Itoa(e.Seq)
	if e.RunOut {
		number = "run-out"
	}
	broken := ""
	for _, light := range e.Broken {
		broken += " ✗ " + light
	}
	who := v.ids[e.Actor]
	switch engine := e.engine(); {
	case e.environment():
		host := cmp.Or(e.engine(), v.ids[e.target()], shivizWorld)
		v.event(host, number+" "+happening(e)+broken, nil)
	case engine != "":
		sent := v.event(who, number+" "+e.command(), nil)
		served := v.event(engine, e.Actor+" "+number+" "+e.Op, sent)
		v.event(who, number+" → "+e.Reply+broken, served)
	default:
		seen := clock{}
		for _, a := range e.Access {
			seen.merge(v.shared[e.Node+" "+a.Resource])
		}
		text := number + " " + e.command()
		if e.Reply != "" {
			text += " → " + e.Reply
		}
		now := v.event(who, text+broken, seen)
		for _, a := range e.Access {
			if a.Write {
				c := clock{}
				c.merge(now)
				v.shared[e.Node+" "+a.Resource] = c
			}
		}
	}
}
