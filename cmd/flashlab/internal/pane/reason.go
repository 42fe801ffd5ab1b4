package pane

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"flashlab/cmd/flashlab/internal/i18n"
	"flashlab/sim/trace"
)

// waiting puts the reason why an actor cannot step into words: "waits for the write
// lock held by A".
func waiting(w *i18n.Panes, r trace.Reason) string {
	s := ""
	switch r.Kind {
	case "write-lock":
		s = waitsFor(w, w.TheWriteLock, r.By)
	case "mutex":
		name := r.Name
		if node, ok := strings.CutPrefix(name, "mutex on "); ok {
			name = i18n.Fill(w.MutexOn, "node", node)
		}
		s = waitsFor(w, name, r.By)
	case "sleep":
		s = w.Sleeps
	case "stream":
		s = i18n.Fill(w.WaitsEntry, "name", r.Name)
	case "hang":
		s = w.Hangs
	case "pause":
		s = i18n.Fill(w.Stands, "name", r.Name)
	default:
		s = w.CannotStep
		if r.Name != "" {
			s = waitsFor(w, r.Name, r.By)
		}
	}
	if r.Left > 0 {
		s += i18n.Fill(w.Left, "left", left(r.Left))
	}
	return s
}

// waitingShort is waiting for narrow places.
func waitingShort(w *i18n.Panes, r trace.Reason) string {
	if r.Kind == "write-lock" && r.By != "" {
		return i18n.Fill(w.WaitsByShort, "name", w.TheWriteLock, "by", r.By)
	}
	return waiting(w, r)
}

func waitsFor(w *i18n.Panes, name, by string) string {
	// Chinese is set apart from Latin letters, but not from Chinese.
	if name != "" && name[0] < utf8.RuneSelf && !strings.Contains(w.Waits, " {name}") {
		name = " " + name
	}
	if by == "" {
		return i18n.Fill(w.Waits, "name", name)
	}
	return i18n.Fill(w.WaitsBy, "name", name, "by", by)
}

// result puts the way an actor ended into words.
func result(w *i18n.Panes, a *trace.Actor, ordered bool) string {
	switch {
	case a.Phase == trace.Dead:
		return w.Died
	case a.Result != "" && a.Result != "ok":
		return failure(w, a.Result)
	case ordered:
		return w.OKOrder
	}
	return w.OK
}

// failure says what an error of the shop means. The text of the code itself stays
// beside it: that is what a reader meets in the source.
func failure(w *i18n.Panes, text string) string {
	if meaning := w.Results[text]; meaning != "" {
		return meaning + " (" + text + ")"
	}
	return text
}

// ordered reports whether an actor has put an order into the database, and has not
// taken it back, by the end of what has run.
func (d *Lesson) ordered(letter string) bool {
	has := false
	d.ran(func(f *trace.Frame) bool {
		e := f.Event
		switch {
		case e == nil || e.Actor != letter || e.Failed:
		case e.Op == "INSERT" && e.Reply != "0 rows":
			has = has || touches(e, "orders")
		case strings.HasPrefix(e.Op, "ROLLBACK"):
			has = false
		}
		return true
	})
	return has
}

func touches(e *trace.Event, resource string) bool {
	for _, a := range e.Access {
		if a.Resource == resource {
			return true
		}
	}
	return false
}

// happening puts a step of the environment into words.
func happening(w *i18n.Panes, e *trace.Event) string {
	phrase := ""
	switch e.Op {
	case "expire":
		phrase = w.Expires
	case "clock":
		return i18n.Fill(w.ClockMoves, "at", instant(e.At))
	case "crash":
		phrase = w.Crashes
	case "kill-node":
		phrase = w.NodeDies
	case "pause":
		phrase = w.NodeStops
	case "redeliver":
		phrase = w.Redelivered
	case "lose-reply":
		phrase = w.ReplyLost
	default:
		if e.Args != "" {
			return e.Args
		}
		return e.Op
	}
	return i18n.Fill(phrase, "what", concerns(e))
}

// concerns names what a step of the environment is about: its text without the
// operation, what it touched, or what its move says.
func concerns(e *trace.Event) string {
	switch {
	case (e.Op == "kill-node" || e.Op == "pause") && e.Node != "":
		return e.Node
	case e.Op == "redeliver" || e.Op == "lose-reply":
		return subject(e.Move)
	}
	if what := strings.TrimSpace(strings.TrimPrefix(e.Args, e.Op)); what != "" {
		return what
	}
	if len(e.Access) > 0 {
		return e.Access[0].Resource
	}
	return subject(e.Move)
}

// subject is whom a move of the environment concerns: "A" of "xA", "n1" of "k1". Keys
// have no name in a move.
func subject(move string) string {
	if len(move) != 2 || move[0] == 'e' {
		return ""
	}
	if move[0] == 'k' || move[0] == 'p' {
		return "n" + move[1:]
	}
	return move[1:]
}

// environment reports whether nobody's code took the step.
func environment(e *trace.Event) bool { return e.Actor == "" || e.Kind == "env" }

// engine is a store that actors share, as a lane.
type engine uint8

const (
	inProcess engine = iota // no store: a mutex, a sleep
	redisEngine
	sqliteEngine
)

// engineOf is the store that a step concerns.
func engineOf(e *trace.Event) engine {
	switch {
	case e.Kind == "redis", e.Kind == "message", environment(e) && e.Op == "expire":
		return redisEngine
	case e.Kind == "sql":
		return sqliteEngine
	}
	return inProcess
}

// lightNames joins the names of lights with a mark before each.
func lightNames(names []string) string {
	s := ""
	for i, n := range names {
		if i > 0 {
			s += "  "
		}
		s += "✗ " + n
	}
	return s
}

// lightOf is the light with that name, or nil.
func lightOf(s *trace.State, name string) *trace.Light {
	for i := range s.Lights {
		if s.Lights[i].Name == name {
			return &s.Lights[i]
		}
	}
	return nil
}

// plural is a number of things in words.
func plural(one, many string, n int, digits string) string {
	if n == 1 {
		return one
	}
	if digits == "" {
		digits = strconv.Itoa(n)
	}
	return i18n.Fill(many, "n", digits)
}
