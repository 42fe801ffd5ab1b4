package storm

import (
	"time"

	"flashlab/sim/live"
	"flashlab/sim/scenario"
	"flashlab/sim/storm/linear"
	"flashlab/sim/trace"
)

// Result is what a storm has shown.
type Result struct {
	Snapshot
	Verdict   scenario.Verdict
	Lights    []scenario.FreeVerdict
	Histories []linear.Finding
	// Seen counts, by light, how often the commands on locks have shown a violation.
	Seen  map[string]int
	Drain Drain
	// NodesUsed is how many nodes had somebody.
	NodesUsed int
	Limited   bool     // the time was over
	Cancelled bool     // somebody stopped it
	Stuck     int      // requests that did not end although they were told to
	Died      int64    // requests whose end was never heard of: their node was killed
	Killed    []string // nodes
	// KillMissed says that a node was to be killed and the requests had ended before.
	KillMissed bool
	Restarted  []string // nodes whose consumers were started again
	Restarts   int64    // of daemons that gave up
	Faults     []string // panics of business code
	Pace       int      // how many times as fast as real time the lesson's went; at least 1
	Server     string   // the live server; "": the embedded Redis
	// Lost is why the live server could not be used to the end. What was found before
	// is kept; what could not be judged any more is unknown.
	Lost *live.Trouble
}

// Rate is how many requests ended a second.
func (r *Result) Rate() float64 {
	if r.Elapsed <= 0 {
		return 0
	}
	return float64(r.Done) / r.Elapsed.Seconds()
}

// InFlightAfter is what was accepted and not finished.
func (r *Result) InFlightAfter() int { return r.Drain.InFlight }

// historyTime bounds the check of a history.
const historyTime = 3 * time.Second

// result judges the storm.
func (c *collector) result() (*Result, error) {
	if c.merge {
		c.settle()
	}
	c.phase = Ended
	c.figures = nil
	if err := c.show(); err != nil {
		return nil, err
	}
	r := &Result{
		Snapshot: c.snapshot(), Drain: c.drained, NodesUsed: c.nodes, Limited: c.limited, Cancelled: c.cancelled,
		Stuck: c.stuck, Died: c.died, Killed: c.killed, Restarted: c.restarted, Restarts: c.total.Restarts, Faults: c.total.Faults,
	}
	if c.lost == nil {
		c.lost = c.way.trouble()
	}
	cut := int(c.total.CutOff) + c.stuck
	if c.lost != nil {
		cut = max(cut, 1)
	}
	r.Server, r.Pace = c.way.name(), max(c.o.Pace, 1)
	if f := c.o.Fleet; f != nil {
		r.KillMissed = (f.KillAfter > 0 || f.KillRequests > 0) && len(c.killed) == 0
	}
	r.Lights = c.free.Judge(scenario.FreeEnd{
		CutOff: cut, Killed: len(c.killed) > 0, Truncated: c.truncated,
		Waited: c.drained.Moves >= patienceOf, InFlight: c.drained.InFlight,
	})
	r.Seen = c.free.Violations()
	if len(c.free.S.Locks) > 0 || c.free.S.Sells {
		r.Histories = c.history.Check(linear.Setting{
			Units: int64(c.free.S.Params.Get("stock")), HasUnits: c.free.S.Params.Has("stock") && c.free.S.Sells,
			Lost: c.died > 0 || c.stuck > 0 || c.lost != nil, Timeout: historyTime,
		}, lockNames(c.free.S))
	}
	for _, l := range r.Lights { // in the midst of the judgement
		c.way.blamed(l.Err)
	}
	if c.lost == nil {
		c.lost = c.way.trouble()
	}
	if r.Lost = c.lost; r.Lost != nil {
		unheard(r.Lights)
		for i := range r.Histories { // the answers to what was under way are missing
			if h := &r.Histories[i]; h.Verdict == scenario.Breaks {
				h.Verdict, h.Reason = scenario.Unknown, serverLost
			}
		}
	}
	for _, l := range r.Lights {
		switch {
		case l.Err != nil:
			return nil, l.Err
		case l.Verdict == scenario.Breaks:
			r.Verdict = scenario.Breaks
		case l.Verdict == scenario.Unknown && r.Verdict != scenario.Breaks:
			r.Verdict = scenario.Unknown
		}
	}
	for _, h := range r.Histories {
		if h.Verdict == scenario.Breaks {
			r.Verdict = scenario.Breaks
		}
	}
	if r.Verdict == scenario.Holds && (r.Cancelled || r.Limited || r.Stuck > 0 || r.Lost != nil) {
		r.Verdict = scenario.Unknown
	}
	return r, nil
}

// serverLost is why something is not judged.
var serverLost = trace.Say("free.server-lost", "the server could not be used to the end")

// unheard takes back what nobody could look at any more: the server has gone.
func unheard(lights []scenario.FreeVerdict) {
	for i := range lights {
		if l := &lights[i]; l.Err != nil || l.Verdict != scenario.Breaks {
			l.Verdict, l.Reason, l.Detail, l.Err = scenario.Unknown, serverLost, trace.Phrase{}, nil
		}
	}
}

func lockNames(s *scenario.Scenario) []string {
	var out []string
	for _, l := range s.Locks {
		out = append(out, l.Key)
	}
	return out
}
