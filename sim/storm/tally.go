package storm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"flashlab/sim/scenario"
	"flashlab/sim/storm/linear"
)

// Latencies are counted from 1 us to 10 minutes with two significant digits.
const (
	maxLatency = int64(10 * time.Minute / time.Microsecond)
	digits     = 2
)

// maxClasses is how many kinds of refusals are told apart.
const maxClasses = 12

// maxCalls is how many requests a process keeps as a history.
const maxCalls = 10_000

// Delta is what has happened in a process since the last one.
type Delta struct {
	Started  int64                `json:"started,omitempty"`
	Done     int64                `json:"done,omitempty"`
	OK       int64                `json:"ok,omitempty"`
	CutOff   int64                `json:"cut_off,omitempty"` // of Done: ended by the end of the storm
	Refused  map[string]int64     `json:"refused,omitempty"` // of Done, by class of error
	Latency  [][2]int64           `json:"latency,omitempty"` // us, how many
	Locks    []scenario.LockEvent `json:"locks,omitempty"`
	Calls    []linear.Call        `json:"calls,omitempty"`
	CutAt    int64                `json:"cut_at,omitempty"` // from here on calls are not kept
	Accepted []string             `json:"accepted,omitempty"`
	Faults   []string             `json:"faults,omitempty"`   // panics of business code
	Restarts int64                `json:"restarts,omitempty"` // of daemons that gave up
}

// tally counts what happens in this process.
type tally struct {
	watch  *scenario.Watch
	calls  bool // histories are kept
	answer func(error) linear.Answer

	mu      sync.Mutex
	d       Delta
	latency *hdrhistogram.Histogram // since the last delta
	classes map[string]bool
	kept    int
}

func newTally(w *scenario.Watch, sells bool, answer func(error) linear.Answer) *tally {
	return &tally{
		watch: w, answer: answer, calls: sells && answer != nil,
		latency: hdrhistogram.New(1, maxLatency, digits), classes: map[string]bool{},
	}
}

// begin notes the start of a request and reports whether its call is to be kept.
func (t *tally) begin(now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.d.Started++
	if !t.calls {
		return false
	}
	if t.kept < maxCalls {
		t.kept++
		return true
	}
	if t.d.CutAt == 0 {
		t.d.CutAt = now.UnixNano()
	}
	return false
}

// end notes the end of a request. stopped says that the storm was over by then.
func (t *tally) end(p placed, began time.Time, keep, stopped bool, err error) {
	now := time.Now()
	class := ""
	if err != nil {
		class = classOf(err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.d.Done++
	switch {
	case err == nil:
		t.d.OK++
	case stopped && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)):
		t.d.CutOff++
	default:
		if !t.classes[class] && len(t.classes) >= maxClasses {
			class = "other errors"
		}
		t.classes[class] = true
		if t.d.Refused == nil {
			t.d.Refused = map[string]int64{}
		}
		t.d.Refused[class]++
	}
	// An hour is more than the histogram knows, and no reason to lose the count.
	_ = t.latency.RecordValue(min(max(now.Sub(began).Microseconds(), 1), maxLatency))
	if keep {
		t.d.Calls = append(t.d.Calls, linear.Call{
			User: p.User, Begin: began.UnixNano(), End: now.UnixNano(), Answer: t.answer(err),
		})
	}
}

func (t *tally) accept(user string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.d.Accepted = append(t.d.Accepted, user)
}

func (t *tally) fault(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.d.Faults) < 3 {
		t.d.Faults = append(t.d.Faults, text)
	}
}

func (t *tally) restarted() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.d.Restarts++
}

// take returns what has happened since the last call.
func (t *tally) take() Delta {
	t.mu.Lock()
	defer t.mu.Unlock()
	d := t.d
	t.d = Delta{}
	if d.Done > 0 {
		for _, b := range t.latency.Distribution() {
			if b.Count > 0 {
				d.Latency = append(d.Latency, [2]int64{b.To, b.Count})
			}
		}
		t.latency.Reset()
	}
	d.Locks = t.watch.Take()
	return d
}

// classOf is the kind of an error: its text, numbers aside.
func classOf(err error) string {
	text := strings.Join(strings.Fields(err.Error()), " ")
	const most = 80
	var b strings.Builder
	digit := false
	for _, r := range text {
		if b.Len() >= most {
			b.WriteString("...")
			break
		}
		if r >= '0' && r <= '9' {
			if !digit {
				b.WriteByte('#')
			}
			digit = true
			continue
		}
		digit = false
		b.WriteRune(r)
	}
	return b.String()
}

// panicked is a panic of business code as an error.
func panicked(r any) error { return fmt.Errorf("panic: %v", r) }
