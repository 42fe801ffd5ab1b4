package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"flashlab/cmd/flashlab/internal/screen"
	"flashlab/lessons/storms"
	"flashlab/sim/scenario"
	"flashlab/sim/storm"
)

// write prints storms for people: the last one in full, then how often it broke.
func (t *tempest) write(w io.Writer, results []*storm.Result, share *odds) error {
	o := &printer{w: w}
	f := t.flags
	o.f("%s.%s   %s\n", t.s.Lesson, t.s.Variant, t.s.Params)
	how := "in one process"
	switch {
	case f.processes && f.nodes == 1:
		how = "that is a process of its own"
	case f.processes:
		how = "that are processes of their own"
	}
	r := results[len(results)-1]
	o.f("%d requests, %d at once, %s %s\n\n", f.requests, f.concurrency, plural(r.NodesUsed, "node"), how)
	if r.Pace > 1 {
		o.f("a second of the lesson lasts %s\n\n", (time.Second / time.Duration(r.Pace)).String())
	}
	if len(results) > 1 {
		o.f("the last of %d storms:\n", len(results))
	}
	writeStorm(o, r)
	o.f("\n")
	if share != nil {
		o.f("%s broke in %d of %s", share.light, broke(results, share.light), plural(len(results), "storm"))
		o.f("; of the schedules at the lesson's size (%s) %s of %s break it.\n", share.sizes, share.violating, share.interleavings)
		if storms.Differ(broke(results, share.light), len(results), share.violating, share.interleavings) {
			o.f("The two differ: a storm meets the few schedules that the machine happens to make, explore counts every one once.\n")
		}
	} else if r.Lost == nil {
		n := 0
		for _, r := range results {
			if r.Verdict == scenario.Breaks {
				n++
			}
		}
		o.f("something broke in %d of %s; how many schedules break was not counted: see flashlab explore %s.\n", n, plural(len(results), "storm"), t.s.Lesson)
	}
	switch {
	case r.Lost != nil:
		o.f("What keys the storm has left there can be removed later: flashlab clean with the same server.\n")
	case r.Server != "":
		o.f("Redis is %s; its keys were the storm's own and are removed.\n", r.Server)
	case t.s.World.Redis:
		o.f("Redis is the embedded one: its speed is not that of a server.\n")
	}
	return o.err
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// writeStorm prints one storm.
func writeStorm(o *printer, r *storm.Result) {
	o.f("  requests  %d ended in %.2f s, %.0f/s  %s\n", r.Done, r.Elapsed.Seconds(), r.Rate(), sparkline(r.Throughput))
	o.f("  latency   half within %s, 90%% %s, 99%% %s, longest %s\n", micro(r.Latency.P50), micro(r.Latency.P90), micro(r.Latency.P99), micro(r.Latency.Max))
	o.f("  answers   ok %d", r.OK)
	for _, k := range byCount(r.Refused) {
		o.f(", %s %d", k, r.Refused[k])
	}
	o.f("\n")
	var rows []string
	for k, n := range r.Figures {
		if strings.HasSuffix(k, ".id") || strings.HasSuffix(k, ".version") {
			continue
		}
		rows = append(rows, fmt.Sprintf("%s %d", k, n))
	}
	slices.Sort(rows)
	o.f("  rows      %s\n", strings.Join(rows, ", "))
	if r.Accepted > 0 {
		heard := ""
		if r.Server != "" && len(r.Killed) > 0 {
			heard = ", as far as it was heard"
		}
		o.f("  accepted  %d by the sale script%s\n", r.Accepted, heard)
	}
	for _, n := range r.Nodes {
		end := ""
		if n.Killed {
			end = ", killed in mid-sale"
		}
		o.f("  node %s   process %d%s\n", n.Name, n.PID, end)
	}
	if r.KillMissed {
		o.f("            the storm was over before a node could be killed\n")
	}
	if len(r.Killed) > 0 {
		o.f("            of %d requests it was never heard how they ended, or whether they began\n", r.Died)
	}
	if len(r.Restarted) > 0 {
		o.f("            every consumer was on it: a supervisor has started %s again\n", strings.Join(r.Restarted, ", "))
	}
	if d := r.Drain; d.Took > 0 {
		o.f("  drain     %.2f s after the last request, %d left", d.Took.Seconds(), d.InFlight)
		if d.Moves > 0 {
			o.f("; clock moved by %s %s to make the claim due", d.Step, howOften(d.Moves))
		}
		o.f("\n")
	}
	if r.Restarts > 0 {
		o.f("  daemons   gave up and were started again %s\n", howOften(int(r.Restarts)))
	}
	switch {
	case r.Cancelled:
		o.f("  stopped before the end\n")
	case r.Lost != nil:
		o.f("  the server could not be used to the end: this is what had been found until then\n")
	case r.Limited || r.Stuck > 0:
		o.f("  the time was over: %d of them cut off, %d more did not end, %d never began; see --max-time\n", r.CutOff, r.Stuck, max(0, r.Requests-r.Started))
	}
	for _, text := range r.Faults {
		o.f("  %s\n", strings.SplitN(text, "\n", 2)[0])
	}
	o.f("\n")
	for _, l := range r.Lights {
		o.f("  %s %-20s %s\n", sign(l.Verdict), l.Light, lightText(l))
	}
	for _, h := range r.Histories {
		switch h.Verdict {
		case scenario.Holds:
			o.f("  ✓ history of %-10s %d calls, as if served one by one\n", h.Object, h.Calls)
		case scenario.Breaks:
			o.f("  ✗ history of %-10s %d calls that nobody could have answered one by one\n", h.Object, h.Calls)
		default:
			o.f("  ? history of %-10s not decided: %s\n", h.Object, h.Reason)
		}
	}
}

func lightText(l scenario.FreeVerdict) string {
	why := l.Reason.String()
	if detail := l.Detail.String(); detail != "" && l.Verdict != scenario.Unknown {
		why = strings.TrimPrefix(why+"; "+detail, "; ")
	}
	switch l.Verdict {
	case scenario.Breaks:
		return "breaks: " + why
	case scenario.Unknown:
		return "not judged: " + why
	}
	if why != "" {
		return "held: " + why
	}
	return "held"
}

func howOften(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// byCount lists the keys, the most frequent first.
func byCount(m map[string]int64) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(m[b], m[a]), strings.Compare(a, b)) })
	return out
}

// micro renders microseconds.
func micro(us int64) string {
	d := time.Duration(us) * time.Microsecond
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= 10*time.Millisecond:
		return d.Round(time.Millisecond).String()
	}
	return d.Round(10 * time.Microsecond).String()
}

// sparkline draws a series in at most 40 cells.
func sparkline(list []float64) string {
	const cells = 40
	for len(list) > cells {
		half := make([]float64, 0, (len(list)+1)/2)
		for i := 0; i < len(list); i += 2 {
			half = append(half, (list[i]+list[min(i+1, len(list)-1)])/2)
		}
		list = half
	}
	return screen.Bars(list)
}
