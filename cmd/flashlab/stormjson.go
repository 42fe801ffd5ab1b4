package main

import (
	"flashlab/sim/scenario"
	"flashlab/sim/storm"
)

type stormJSON struct {
	Schema      int            `json:"schema"`
	Lesson      string         `json:"lesson"`
	Variant     string         `json:"variant"`
	Params      map[string]int `json:"params"`
	Requests    int            `json:"requests"`
	Concurrency int            `json:"concurrency"`
	Nodes       int            `json:"nodes"`
	Pace        int            `json:"pace"`
	Processes   bool           `json:"processes"`
	Server      *string        `json:"server"`
	Storms      []stormRunJSON `json:"storms"`
	Failed      int            `json:"failed"`
	Share       *shareJSON     `json:"share"`
	Verdict     string         `json:"verdict"`
}

type shareJSON struct {
	Light         string         `json:"light"`
	Failed        int            `json:"failed"`
	Violating     string         `json:"violating"`
	Interleavings string         `json:"interleavings"`
	Params        map[string]int `json:"params"`
}

type stormRunJSON struct {
	Verdict    string           `json:"verdict"`
	Lost       string           `json:"lost,omitempty"`
	Seconds    float64          `json:"seconds"`
	Started    int64            `json:"started"`
	Done       int64            `json:"done"`
	OK         int64            `json:"ok"`
	CutOff     int64            `json:"cut_off"`
	Stuck      int              `json:"stuck"`
	Refused    map[string]int64 `json:"refused"`
	Accepted   int              `json:"accepted"`
	Rows       map[string]int64 `json:"rows"`
	Rate       float64          `json:"rate"`
	Throughput []float64        `json:"throughput"`
	Median     int64            `json:"median_us"`
	Ninety     int64            `json:"ninety_us"`
	NinetyNine int64            `json:"ninety_nine_us"`
	Max        int64            `json:"max_us"`
	Nodes      []stormNodeJSON  `json:"nodes"`
	Died       int64            `json:"died"`
	Restarted  []string         `json:"restarted"`
	Drain      float64          `json:"drain_seconds"`
	ClockMoves int              `json:"clock_moves"`
	ClockStep  int64            `json:"clock_step_ms"`
	InFlight   int              `json:"in_flight"`
	Lights     []stormLightJSON `json:"lights"`
	Histories  []stormLightJSON `json:"histories"`
}

type stormNodeJSON struct {
	Name   string `json:"name"`
	PID    int    `json:"pid"`
	Killed bool   `json:"killed"`
}

type stormLightJSON struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
	Calls   int    `json:"calls,omitempty"`
	Reason  string `json:"reason,omitempty"`
	Detail  string `json:"detail,omitempty"`
}

func (t *tempest) document(results []*storm.Result, share *odds) stormJSON {
	f := t.flags
	doc := stormJSON{
		Schema: schema, Lesson: t.s.Lesson, Variant: t.s.Variant, Params: t.s.Params.Map(),
		Requests: f.requests, Concurrency: f.concurrency, Nodes: f.nodes, Pace: f.pace, Processes: f.processes,
		Verdict: worst(results).String(),
	}
	for _, r := range results {
		if r.Verdict == scenario.Breaks {
			doc.Failed++
		}
		doc.Storms = append(doc.Storms, runDocument(r))
		if r.Server != "" {
			doc.Server = &r.Server
		}
	}
	if share != nil {
		doc.Share = &shareJSON{share.light, broke(results, share.light), share.violating.String(), share.interleavings.String(), t.small.Params.Map()}
	}
	return doc
}

func runDocument(r *storm.Result) stormRunJSON {
	x := stormRunJSON{
		Verdict: r.Verdict.String(), Seconds: r.Elapsed.Seconds(), Started: r.Started, Done: r.Done, OK: r.OK,
		CutOff: r.CutOff, Stuck: r.Stuck, Refused: r.Refused, Accepted: r.Accepted, Rows: r.Figures,
		Rate: r.Rate(), Throughput: r.Throughput,
		Median: r.Latency.P50, Ninety: r.Latency.P90, NinetyNine: r.Latency.P99, Max: r.Latency.Max,
		Nodes: []stormNodeJSON{}, Died: r.Died, Restarted: append([]string{}, r.Restarted...),
		Drain: r.Drain.Took.Seconds(), ClockMoves: r.Drain.Moves, ClockStep: r.Drain.Step.Milliseconds(), InFlight: r.Drain.InFlight,
		Histories: []stormLightJSON{},
	}
	if r.Lost != nil {
		x.Lost = r.Lost.Error()
	}
	for _, n := range r.Nodes {
		x.Nodes = append(x.Nodes, stormNodeJSON{n.Name, n.PID, n.Killed})
	}
	for _, l := range r.Lights {
		x.Lights = append(x.Lights, stormLightJSON{Name: l.Light, Verdict: l.Verdict.String(), Reason: l.Reason.String(), Detail: l.Detail.String()})
	}
	for _, h := range r.Histories {
		x.Histories = append(x.Histories, stormLightJSON{Name: h.Object, Verdict: h.Verdict.String(), Calls: h.Calls, Reason: h.Reason.String()})
	}
	return x
}
