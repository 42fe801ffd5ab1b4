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
	Processes   bool           `json:"processes"`
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
	Latency    latencyJSON      `json:"latency"`
	Nodes      []stormNodeJSON  `json:"nodes"`
	Died       int64            `json:"died"`
	Restarted  []string         `json:"restarted"`
	Drain      drainJSON        `json:"drain"`
	Lights     []stormLightJSON `json:"lights"`
	Histories  []historyJSON    `json:"histories"`
}

type latencyJSON struct {
	Median    int64 `json:"median_us"`
	Ninety    int64 `json:"ninety_us"`
	NinetyNin int64 `json:"ninety_nine_us"`
	Max       int64 `json:"max_us"`
}

type stormNodeJSON struct {
	Name   string `json:"name"`
	PID    int    `json:"pid"`
	Killed bool   `json:"killed"`
}

type drainJSON struct {
	Seconds    float64 `json:"seconds"`
	ClockMoves int     `json:"clock_moves"`
	ClockStep  int64   `json:"clock_step_ms"`
	InFlight   int     `json:"in_flight"`
}

type stormLightJSON struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
	Reason  string `json:"reason,omitempty"`
	Detail  string `json:"detail,omitempty"`
}

type historyJSON struct {
	Object  string `json:"object"`
	Calls   int    `json:"calls"`
	Verdict string `json:"verdict"`
	Reason  string `json:"reason,omitempty"`
}

func (t *tempest) document(results []*storm.Result, share *odds) stormJSON {
	f := t.flags
	doc := stormJSON{
		Schema: schema, Lesson: t.s.Lesson, Variant: t.s.Variant, Params: t.s.Params.Map(),
		Requests: f.requests, Concurrency: f.concurrency, Nodes: f.nodes, Processes: f.processes,
		Verdict: worst(results).String(),
	}
	for _, r := range results {
		if r.Verdict == scenario.Breaks {
			doc.Failed++
		}
		doc.Storms = append(doc.Storms, runDocument(r))
	}
	if share != nil {
		doc.Share = &shareJSON{share.light, broke(results, share.light), share.violating, share.interleavings, t.small.Params.Map()}
	}
	return doc
}

func runDocument(r *storm.Result) stormRunJSON {
	x := stormRunJSON{
		Verdict: r.Verdict.String(), Seconds: r.Elapsed.Seconds(), Started: r.Started, Done: r.Done, OK: r.OK,
		CutOff: r.CutOff, Stuck: r.Stuck, Refused: r.Refused, Accepted: r.Accepted, Rows: r.Figures,
		Rate: r.Rate(), Throughput: r.Throughput,
		Latency: latencyJSON{r.Latency.P50, r.Latency.P90, r.Latency.P99, r.Latency.Max},
		Nodes:   []stormNodeJSON{}, Died: r.Died, Restarted: append([]string{}, r.Restarted...),
		Drain:     drainJSON{r.Drain.Took.Seconds(), r.Drain.Moves, r.Drain.Step.Milliseconds(), r.Drain.InFlight},
		Histories: []historyJSON{},
	}
	for _, n := range r.Nodes {
		x.Nodes = append(x.Nodes, stormNodeJSON{n.Name, n.PID, n.Killed})
	}
	for _, l := range r.Lights {
		x.Lights = append(x.Lights, stormLightJSON{l.Light, l.Verdict.String(), l.Reason, l.Detail.String()})
	}
	for _, h := range r.Histories {
		x.Histories = append(x.Histories, historyJSON{h.Object, h.Calls, h.Verdict.String(), h.Reason})
	}
	return x
}
