package scenario

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"sort"
	"strconv"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// FreeRun is a scenario that runs free: no kernel, real time. It sets the scenario up,
// keeps what its lights need to be judged, and judges them. Whoever runs the bodies
// reports what happens; all methods are for one goroutine at a time.
type FreeRun struct {
	S     *Scenario
	W     *world.World
	Watch *Watch // of this process

	view     View
	mu       sync.Mutex
	accepted map[string]int // guarded by mu
	locks    []*freeLock
	broken   map[string]bool // seen red on the way
	asked    bool            // a light wanted to see an actor
	last     string          // what was in motion when Idle last looked
	since    time.Time       // of that
}

// OpenFree starts the engines of a scenario and sets it up, unless another process
// has done so. Close must be called.
func OpenFree(s *Scenario, o world.FreeOptions) (*FreeRun, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	f := &FreeRun{S: s, Watch: NewWatch(s), accepted: map[string]int{}, broken: map[string]bool{}}
	o.Hook, f.Watch.pace = f.Watch, o.Pace
	if s.Accepts != nil {
		f.Watch.script = scriptNames(s.World)
		o.Ran = f.ran
	}
	w, err := world.OpenFree(s.World, o)
	if err != nil {
		return nil, err
	}
	f.W, f.Watch.exists, f.Watch.script = w, w.Exists, w.ScriptName
	f.view = View{w: w, free: f}
	for range s.Locks {
		f.locks = append(f.locks, newFreeLock())
	}
	if s.Setup != nil && o.File == "" {
		if err := s.Setup(w); err != nil {
			w.Close()
			return nil, fmt.Errorf("setting up %s.%s: %w", s.Lesson, s.Variant, err)
		}
	}
	return f, nil
}

// scriptNames tells the names of a scenario's scripts before there is a world.
func scriptNames(cfg world.Config) func(sha string) string {
	names := map[string]string{}
	for name, src := range cfg.Scripts {
		names[redis.NewScript(src).Hash()] = name
	}
	return func(sha string) string { return names[sha] }
}

// Close ends the engines.
func (f *FreeRun) Close() error { return f.W.Close() }

// Accepted notes a request that a sale script has accepted. Any goroutine may call it.
func (f *FreeRun) Accepted(user string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.accepted[user]++
}

// ran notes what the embedded server's scripts have accepted, heard or not.
func (f *FreeRun) ran(sha string, args []string, reply []byte) {
	number, ok := bytes.CutPrefix(bytes.TrimSpace(reply), []byte(":"))
	n, err := strconv.ParseInt(string(number), 10, 64)
	if !ok || err != nil {
		return
	}
	all := []any{"evalsha", sha}
	for _, a := range args {
		all = append(all, a)
	}
	cmd := redis.NewCmd(context.Background(), all...)
	cmd.SetVal(n)
	if user, ok := f.S.Accepts(f.Watch.script(sha), cmd); ok {
		f.Accepted(user)
	}
}

// acceptedByUser is a copy of what was accepted.
func (f *FreeRun) acceptedByUser() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.accepted)
}

// Acceptances counts those requests.
func (f *FreeRun) Acceptances() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, k := range f.accepted {
		n += k
	}
	return n
}

// Follow judges events of locks; of several processes they must be merged in order
// of time before.
func (f *FreeRun) Follow(events []LockEvent) {
	for _, e := range events {
		f.locks[e.Lock].feed(e)
	}
}

// quietFor is how long nothing may have moved for a run to count as idle.
const quietFor = 60 * time.Millisecond

// Idle reports whether nothing has moved for a while: rows, entries of streams.
func (f *FreeRun) Idle() bool {
	now := f.motion()
	if now != f.last {
		f.last, f.since = now, time.Now()
	}
	return time.Since(f.since) >= quietFor
}

func (f *FreeRun) motion() string {
	figures, _ := f.W.Figures()
	return fmt.Sprint(figures, f.Acceptances())
}

// InFlight counts accepted work that is not finished.
func (f *FreeRun) InFlight() (int, error) {
	if f.S.InFlight == nil {
		return 0, nil
	}
	return f.S.InFlight(&f.view)
}

// Glance judges what can be judged in the midst of a run, and remembers what is red.
// It reads all rows.
func (f *FreeRun) Glance() error {
	f.W.Look()
	for i := range f.S.Lights {
		l := &f.S.Lights[i]
		if l.When != EachStep || f.broken[l.Name] || byCommands(l.Name) {
			continue
		}
		if v := f.look(l); v.Err != nil {
			return v.Err
		} else if v.Verdict == Breaks {
			f.broken[l.Name] = true
		}
	}
	return nil
}

// Broken lists the lights that are red so far.
func (f *FreeRun) Broken() []string {
	var out []string
	for name := range f.broken {
		out = append(out, name)
	}
	for name, n := range f.Violations() {
		if n > 0 {
			out = append(out, name)
		}
	}
	sort.Strings(out)
	return out
}

// Violations counts, by light, what the events of locks have shown.
func (f *FreeRun) Violations() map[string]int {
	out := map[string]int{}
	for _, l := range f.locks {
		out[MutualExclusionLight] += l.overlaps
		out[NoMisdeletionLight] += l.stolen
		out[LockReleasedLight] += l.leaked
	}
	return out
}

// FreeVerdict is what a free run says of a light. Holds means that this run has not
// shown a violation, never that there is none.
type FreeVerdict struct {
	Light   string
	Verdict Verdict
	Reason  trace.Phrase // why it was not judged, or what broke it; may be empty
	Detail  trace.Phrase
	Err     error
}

// FreeEnd is how a free run has ended.
type FreeEnd struct {
	CutOff    int  // requests that had begun and were stopped by a limit
	Killed    bool // a node was killed
	Waited    bool // the engine's clock has passed ten times the longest lease since
	Truncated bool // not all events of locks were kept
	InFlight  int  // accepted work that nobody has finished
}

// byCommands are the lights that the kernel judges by its actors, and a free run by
// the commands on locks.
func byCommands(name string) bool {
	switch name {
	case MutualExclusionLight, NoMisdeletionLight, LockReleasedLight, ProgressLight, ThirdPartyLight:
		return true
	}
	return false
}

// Judge judges all lights after the run. It must not be called while it goes on.
func (f *FreeRun) Judge(end FreeEnd) []FreeVerdict {
	for _, l := range f.locks {
		l.end()
	}
	f.W.Look()
	var out []FreeVerdict
	for i := range f.S.Lights {
		l := &f.S.Lights[i]
		var v FreeVerdict
		switch {
		case byCommands(l.Name):
			v = f.judgeLocks(l.Name, end)
		case l.When != EachStep && end.CutOff > 0:
			v = FreeVerdict{Verdict: Unknown, Reason: trace.Say("free.cut-off", "{n} requests were cut off in the midst of their work", "n", end.CutOff)}
		default:
			v = f.look(l)
			if f.broken[l.Name] && v.Verdict != Breaks {
				v.Verdict, v.Reason = Breaks, trace.Say("free.on-the-way", "seen on the way")
			}
		}
		v.Light = l.Name
		out = append(out, v)
	}
	return out
}

// look judges a light by what is committed now.
func (f *FreeRun) look(l *Light) (v FreeVerdict) {
	defer func() {
		if r := recover(); r != nil {
			v = FreeVerdict{Verdict: Unknown, Reason: trace.Say("free.scheduler", "it looks at something that only the scheduler knows")}
		}
	}()
	f.asked = false
	ok, err := l.Check(&f.view)
	switch {
	case err != nil:
		return FreeVerdict{Verdict: Unknown, Reason: trace.Verbatim(err.Error()), Err: err}
	case f.asked:
		return FreeVerdict{Verdict: Unknown, Reason: trace.Say("free.instant", "it looks at what everybody does at one instant, which only the scheduler knows")}
	case !ok:
		v.Verdict = Breaks
	}
	if l.Detail != nil {
		v.Detail = l.Detail(&f.view)
	}
	return v
}

// judgeLocks judges a light by the commands that were sent.
func (f *FreeRun) judgeLocks(name string, end FreeEnd) FreeVerdict {
	if n := f.Violations()[name]; n > 0 {
		reason := trace.Say("free.once", "seen once")
		if n > 1 {
			reason = trace.Say("free.times", "seen {n} times", "n", n)
		}
		return FreeVerdict{Verdict: Breaks, Reason: reason}
	}
	switch name {
	case ThirdPartyLight:
		return FreeVerdict{Verdict: Unknown, Reason: trace.Say("free.lease", "whose lease has run out cannot be seen from outside")}
	case ProgressLight:
		return f.judgeProgress(end)
	case LockReleasedLight:
		for _, l := range f.S.Locks {
			switch {
			case !f.W.Exists(l.Key):
			case end.CutOff > 0:
				return FreeVerdict{Verdict: Unknown, Reason: trace.Say("free.unreleased", "requests were cut off before they could release {lock}", "lock", l.Key)}
			case !end.Killed || f.W.TTL(l.Key) <= 0:
				return FreeVerdict{Verdict: Breaks, Reason: trace.Say("free.left-behind", "{lock} is left behind", "lock", l.Key)}
			}
		}
	}
	if end.Truncated {
		return FreeVerdict{Verdict: Unknown, Reason: trace.Say("free.truncated", "there were more operations on locks than can be kept")}
	}
	return FreeVerdict{}
}

func (f *FreeRun) judgeProgress(end FreeEnd) FreeVerdict {
	for _, l := range f.S.Locks {
		if f.W.Exists(l.Key) && f.W.TTL(l.Key) <= 0 {
			return FreeVerdict{Verdict: Breaks, Reason: trace.Say("free.for-ever", "{lock} has no time to live, and nobody is left to delete it", "lock", l.Key)}
		}
	}
	switch {
	case end.CutOff > 0:
		return FreeVerdict{Verdict: Unknown, Reason: trace.Say("free.late", "{n} requests had not ended when the time was over", "n", end.CutOff)}
	case end.InFlight > 0 && end.Waited:
		return FreeVerdict{Verdict: Breaks, Reason: trace.Say("free.unfinished", "{n} accepted orders stay unfinished for ten times the longest lease", "n", end.InFlight)}
	case end.InFlight > 0:
		return FreeVerdict{Verdict: Unknown, Reason: trace.Say("free.in-flight", "{n} accepted orders are still in flight", "n", end.InFlight)}
	}
	return FreeVerdict{}
}
