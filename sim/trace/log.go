package trace

import (
	"strconv"
	"strings"
	"time"
)

// Log is one run, ready to be written out: what ran, the frames it left and
// what came of it. Every exporter takes one and gives the same bytes for the
// same log.
type Log struct {
	Lesson  string  // lesson name, such as "oversell"
	Variant string  // variant name, such as "lost-update"
	Actors  []Actor // letters and names, in lane order; later arrivals are found in Frames
	Frames  []Frame // frame 0 is the start and has no event
	Verdict string  // "holds", "breaks" or "unknown"
	Token   string  // replay token of the schedule, "" if there is none
	Params  string  // sets that differ from the defaults: "buyers=3 stock=2"
}

// The stores that actors share, as lanes of their own.
const (
	redisEngine  = "Redis"
	sqliteEngine = "SQLite"
)

// engine names the store that serves e, or "" for what stays in the process:
// mutexes, sleeps, queues. A pub/sub message comes from Redis.
func (e *Event) engine() string {
	switch {
	case e.environment():
		if e.Op == "expire" {
			return redisEngine
		}
	case e.Kind == "redis", e.Kind == "message":
		return redisEngine
	case e.Kind == "sql":
		return sqliteEngine
	}
	return ""
}

// environment reports whether nobody's code took the step.
func (e *Event) environment() bool { return e.Actor == "" || e.Kind == "env" }

// target is the letter of the actor that a step of the environment concerns, read
// from its move: "xA" crashes A, "rA" redelivers to it, "lA" loses its reply.
func (e *Event) target() string {
	if len(e.Move) == 2 && strings.ContainsRune("xrl", rune(e.Move[0])) {
		return e.Move[1:]
	}
	return ""
}

// command is the text of the step: the whole command, or its short name.
func (e *Event) command() string {
	if e.Args != "" {
		return e.Args
	}
	return e.Op
}

// events lists the steps of the run, the run-out included.
func (l *Log) events() []*Event {
	out := make([]*Event, 0, len(l.Frames))
	for i := range l.Frames {
		if e := l.Frames[i].Event; e != nil {
			out = append(out, e)
		}
	}
	return out
}

// final is the world after the last step; empty when nothing was recorded.
func (l *Log) final() *State {
	if len(l.Frames) == 0 {
		return &State{}
	}
	return &l.Frames[len(l.Frames)-1].State
}

// cast lists every actor of the run once: the declared ones, then those that
// were started on the way, such as a watchdog.
func (l *Log) cast() []Actor {
	var out []Actor
	seen := map[string]bool{"": true}
	add := func(a Actor) {
		if !seen[a.Letter] {
			seen[a.Letter] = true
			out = append(out, a)
		}
	}
	for _, a := range l.Actors {
		add(a)
	}
	for _, a := range l.final().Actors {
		add(a)
	}
	for _, e := range l.events() {
		add(Actor{Letter: e.Actor, Node: e.Node})
	}
	return out
}

// engines lists the stores that the run touched or that hold something at its
// end; a lane that nobody uses would only take room.
func (l *Log) engines() []string {
	s := l.final()
	redis, sqlite := len(s.Keys) > 0, len(s.Tables) > 0
	for _, e := range l.events() {
		redis = redis || e.engine() == redisEngine
		sqlite = sqlite || e.engine() == sqliteEngine
	}
	var out []string
	if redis {
		out = append(out, redisEngine)
	}
	if sqlite {
		out = append(out, sqliteEngine)
	}
	return out
}

// title is "lesson.variant", or what there is of it.
func (l *Log) title() string {
	if l.Variant == "" {
		return l.Lesson
	}
	return l.Lesson + "." + l.Variant
}

// laneIDs gives each actor of cast an identifier of ASCII word characters.
// Letters are their own; anything else is numbered, since foreign tools allow
// little in a name.
func laneIDs(cast []Actor) map[string]string {
	ids := make(map[string]string, len(cast))
	for i, a := range cast {
		if len(a.Letter) == 1 && a.Letter[0] >= 'A' && a.Letter[0] <= 'Z' {
			ids[a.Letter] = a.Letter
		} else {
			ids[a.Letter] = "P" + strconv.Itoa(i+1)
		}
	}
	return ids
}

// instant writes a virtual time as the lessons do: "t+5.2s".
func instant(d time.Duration) string { return "t+" + d.String() }
