package scene_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"flashlab/lessons"
	"flashlab/lessons/lessontest"
	"flashlab/lessons/watchdog"
	"flashlab/sim"
	"flashlab/sim/trace"
	store "flashlab/store/shop"
)

// event is what an actor did, and when.
type event struct {
	actor, op, reply string
	at               time.Duration
}

// events lists what the frames show of an actor's commands on the lock.
func events(frames []trace.Frame, actor, op string) []event {
	var out []event
	for _, f := range frames {
		if e := f.Event; e != nil && e.Actor == actor && strings.Contains(e.Args, op) {
			out = append(out, event{e.Actor, op, e.Reply, e.At})
		}
	}
	return out
}

// steps plays a schedule of a variant.
func steps(t *testing.T, variant, sets, schedule string) []trace.Frame {
	t.Helper()
	st := lessons.Staged{Name: schedule, Variant: variant, Sets: sets, Steps: schedule}
	frames, err := st.Run(lessontest.Lesson(t, "watchdog"))
	if err != nil {
		t.Fatal(err)
	}
	return frames
}

// TestAtMostOneLease: whenever the holder's node dies, the next request is in within
// 30 s, and in the worst case it takes all of them.
func TestAtMostOneLease(t *testing.T) {
	l := lessontest.Lesson(t, "watchdog")
	longest := time.Duration(0)
	for n := range 30 {
		crashed := time.Duration(-1)
		frames := lessontest.Play(t, lessontest.Scene(t, l, "crash", ""), func(moves []sim.Move, at int) int {
			if at == n {
				for i, m := range moves {
					if m.Kind == sim.MoveKillNode {
						return i
					}
				}
			}
			return 0
		})
		for _, f := range frames {
			if e := f.Event; e != nil && strings.HasPrefix(e.Args, "crash node") {
				crashed = e.At
			}
		}
		for _, e := range events(frames, "B", "reentrant_acquire") {
			if crashed >= 0 && e.reply == "(nil)" && e.at > crashed {
				longest = max(longest, e.at-crashed)
			}
		}
		if ends := lessontest.Ends(lessontest.Last(frames)); !strings.Contains(ends, "ok") {
			t.Errorf("crash at step %d: %s", n, ends)
		}
	}
	if longest != watchdog.Lease {
		t.Errorf("the longest wait after a crash is %v, not %v", longest, watchdog.Lease)
	}
}

// TestTold: a holder that wakes from its pause is told: its work is cancelled and its
// release finds somebody else's lock.
func TestTold(t *testing.T) {
	frames := steps(t, "pause", "", "ABp1tBBt")
	last := lessontest.Last(frames)
	if !last.Broken("mutual-exclusion") || last.Now != 40*time.Second {
		t.Fatalf("lights %v at %v", last.Lights, last.Now)
	}
	frames = steps(t, "pause", "", "ABp1tBBtCCDDAA")
	last = lessontest.Last(frames)
	a := last.Actor("A")
	if a.Result != "context canceled\nthe lock was lost" {
		t.Errorf("A ends with %q", a.Result)
	}
	if e := events(frames, "A", "reentrant_release"); len(e) != 1 || e[0].reply != "-1" {
		t.Errorf("the release: %v", e)
	}
	if e := events(frames, "C", "reentrant_renew"); len(e) != 1 || e[0].reply != "-1" {
		t.Errorf("the renewal: %v", e)
	}
}

// TestCount is the hash of a re-entrant lock, step by step.
func TestCount(t *testing.T) {
	frames := lessontest.Play(t, lessontest.Scene(t, lessontest.Lesson(t, "watchdog"), "reentrant", "buyers=1"), lessontest.First)
	var got []string
	for _, f := range frames {
		v := "gone"
		for _, k := range f.State.Keys {
			if k.Name == "lock:order:7" {
				v = k.Value
			}
		}
		if len(got) == 0 || got[len(got)-1] != v {
			got = append(got, v)
		}
	}
	if s := strings.Join(got, ", "); s != "gone, n1:101=1, n1:101=2, n1:101=1, gone" {
		t.Errorf("the lock was %s", s)
	}
}

// TestOverwritten: a late SET does not ask whose lock it is.
func TestOverwritten(t *testing.T) {
	frames := steps(t, "renewal-outlives-unlock", "", "ABtACABBC")
	for _, k := range lessontest.Last(frames).Keys {
		if k.Owner != "B" || k.Value != "A1" {
			t.Errorf("%s holds %s and belongs to %s", k.Name, k.Value, k.Owner)
		}
	}
}

// TestStories holds what the stories say of times and answers against the run.
func TestStories(t *testing.T) {
	l := lessontest.Lesson(t, "watchdog")
	for _, c := range []struct {
		staged, actor, op string
		want              string
	}{
		{"eight-in-five", "B", "reentrant_acquire", "0s 5000, 5s (nil)"},
		{"eight-in-five", "A", "reentrant_release", "8s -1"},
		{"kept-alive", "C", "reentrant_renew", "10s 1, 20s 1, 30s 1"},
		{"kept-alive", "A", "reentrant_release", "35s 1"},
		{"kept-alive", "B", "reentrant_acquire", "0s 30000, 30s 30000, 1m0s (nil)"},
		{"died-holding", "B", "reentrant_acquire", "0s 30000, 30s 10000, 40s (nil)"},
		{"let-go-unasked", "C", "reentrant_renew", "10s 1, 20s 1, 30s 1"},
		{"let-go-unasked", "B", "reentrant_acquire", "0s 30000, 30s 30000, 1m0s (nil)"},
		{"stopped-first", "A", "reentrant_release", "30s 1"},
		{"stopped-first", "B", "reentrant_acquire", "0s 30000, 30s (nil)"},
		{"just-before-renewal", "B", "reentrant_acquire", "0s 30000, 30s (nil)"},
		{"cut-to-five", "B", "reentrant_acquire", "0s 5000, 5s (nil)"},
		{"back-from-the-dead", "A", "unlock", "10s 1"},
	} {
		var got []string
		for _, e := range events(lessontest.RunStaged(t, l, c.staged), c.actor, c.op) {
			got = append(got, fmt.Sprint(e.at, " ", e.reply))
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s of %s: %s, want %s", c.staged, c.op, c.actor, s, c.want)
		}
	}
	last := lessontest.Last(lessontest.RunStaged(t, l, "eight-in-five"))
	if a := last.Actor("A"); a.Result != "the lock was lost" {
		t.Errorf("eight-in-five: A ends with %q", a.Result)
	}
	last = lessontest.Last(lessontest.RunStaged(t, l, "stuck-for-ever"))
	if last.Now < 10*watchdog.Lease {
		t.Errorf("stuck-for-ever gives up after %v", last.Now)
	}
	for _, f := range lessontest.RunStaged(t, l, "just-before-renewal") {
		if e := f.Event; e != nil && strings.HasPrefix(e.Args, "pause") {
			if ttl := f.State.Keys[0].TTL; ttl != 20*time.Second {
				t.Errorf("just-before-renewal: %v are left when the pause begins", ttl)
			}
		}
	}
}

// TestOutsideTheLab: the same code without anybody watching.
func TestOutsideTheLab(t *testing.T) {
	db := lessontest.Database(t, 1, true, "")
	rdb, _ := lessontest.Redis(t)
	ctx := context.Background()
	s := &watchdog.Shop{Node: "n1", Redis: rdb, DB: db, Work: 2, Lease: 5 * time.Second, Takes: time.Millisecond}
	for name, buy := range map[string]func(ctx context.Context, user, voucher int64) error{
		"FixedLease": s.FixedLease, "Renewed": s.Renewed, "ExplicitLease": s.ExplicitLease,
		"MaximumHold": s.MaximumHold, "HoldAndCancel": s.HoldAndCancel, "Reentrant": s.Reentrant,
		"Truncated": s.Truncated, "RenewalOutlives": s.RenewalOutlives,
	} {
		if err := buy(ctx, 7, store.Voucher); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := rdb.Exists(ctx, "lock:order:7").Val(); n != 0 {
			t.Errorf("%s leaves its lock behind", name)
		}
	}
}
