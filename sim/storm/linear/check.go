package linear

import (
	"time"

	"github.com/anishathalye/porcupine"

	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

// maxClients is how many calls may overlap: with sixteen a history of a thousand takes
// a second, with thirty-two no time is enough.
const maxClients = 8

// first is the length of the first part that is checked; each next is four times that.
// A violation is mostly found early, and a short one can be looked at.
const first = 64

// check checks one object.
func check(object string, m porcupine.Model, list []operation, deadline time.Time) Finding {
	f := Finding{Object: object}
	for n := first; ; n *= 4 {
		part := list
		if n < len(list) {
			part = before(list[:n:n], list[n].begin)
		}
		ops, most := lanes(thin(part))
		if most > maxClients {
			f.Verdict, f.Reason = scenario.Unknown, trace.Say("history.crowded", "{n} calls at once, at most {most} can be checked: let fewer in at a time (--concurrency {most})", "n", most, "most", maxClients)
			return f
		}
		left := time.Until(deadline)
		if left <= 0 {
			f.Verdict, f.Reason = scenario.Unknown, outOfTime()
			return f
		}
		result, info := porcupine.CheckOperationsVerbose(m, ops, left)
		f.Calls, f.model, f.info = len(ops), m, info
		switch {
		case result == porcupine.Illegal:
			f.Verdict = scenario.Breaks
			return f
		case result == porcupine.Unknown:
			f.Verdict, f.Reason = scenario.Unknown, outOfTime()
			return f
		case n >= len(list):
			return f
		}
	}
}

func outOfTime() trace.Phrase { return trace.Say("history.time", "the time was over") }

// thin leaves out operations without effect where too many overlap: the others remain
// possible, or impossible, without them.
func thin(list []operation) []operation {
	var out []operation
	var open []int64 // ends of what is kept, as of the present begin
	count := func(at int64) int {
		n := 0
		for _, end := range open {
			if end >= at {
				open[n] = end
				n++
			}
		}
		open = open[:n]
		return n
	}
	for i, o := range list {
		n := count(o.begin)
		if !o.effect {
			// Those with effect that begin within it need their places too.
			for _, later := range list[i+1:] {
				if later.begin > o.end || n >= maxClients {
					break
				}
				if later.effect {
					n++
				}
			}
			if n >= maxClients {
				continue
			}
		}
		out = append(out, o)
		open = append(open, o.end)
	}
	return out
}

// lanes makes operations of a history: each gets the first lane that is free, as if a
// client made one call at a time. It also returns how many lanes there are.
func lanes(list []operation) ([]porcupine.Operation, int) {
	var ends []int64
	out := make([]porcupine.Operation, 0, len(list))
	for _, o := range list {
		lane := -1
		for i, end := range ends {
			if end < o.begin {
				lane = i
				break
			}
		}
		if lane < 0 {
			if lane = len(ends); lane > 4*maxClients {
				return nil, lane
			}
			ends = append(ends, 0)
		}
		ends[lane] = o.end
		out = append(out, porcupine.Operation{ClientId: lane, Input: o, Call: o.begin, Return: o.end})
	}
	return out, len(ends)
}
