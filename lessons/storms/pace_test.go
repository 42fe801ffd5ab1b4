package storms_test

import (
	"os"
	"testing"
	"time"

	"flashlab/lessons"
	"flashlab/lessons/storms"
	"flashlab/sim/live"
	"flashlab/sim/live/livetest"
	"flashlab/sim/scenario"
	"flashlab/sim/storm"
)

// paced makes a storm whose lesson takes seconds that last milliseconds.
func paced(t testing.TB, name string, requests int) (*scenario.Scenario, storm.Options) {
	t.Helper()
	s, o := variant(t, name, requests, 2, nil)
	l, err := lessons.Find(s.Lesson)
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Variant(s.Variant)
	if err != nil {
		t.Fatal(err)
	}
	_, o.Pace = storms.Usual(v)
	if o.Pace <= 1 {
		t.Fatalf("%s is stormed in real time", name)
	}
	p := scenario.NewParams(v.Params).Stormed(requests, 2, func(string) bool { return false })
	return v.Scenario(p), o
}

// TestLessonTime: where work outlasts a lease, a storm shows it in a second, whoever
// runs it and wherever Redis is. The lock itself is innocent: its lease has run out, and
// nothing but that may be told of it.
func TestLessonTime(t *testing.T) {
	for _, where := range []string{"goroutines", "processes", "server"} {
		t.Run(where, func(t *testing.T) {
			s, o := paced(t, "watchdog.fixed-lease", 20)
			switch where {
			case "processes":
				processes(s, &o)
			case "server":
				target, err := live.Parse(live.Flags{URL: "redis://" + livetest.Start(t).Addr()}, os.Getenv)
				if err != nil {
					t.Fatal(err)
				}
				o.Server = target
			}
			began := time.Now()
			r := run(t, s, o)
			if r.Done != 20 || r.Pace != o.Pace {
				t.Errorf("%d requests ended, with a pace of %d", r.Done, r.Pace)
			}
			// 20 times 5 s of lease, one after the other, if the lesson's time went by.
			if lesson := time.Since(began) * time.Duration(o.Pace); lesson < 20*5*time.Second {
				t.Errorf("all that in %v of the lesson", lesson)
			}
			if got := verdictOf(t, r, scenario.MutualExclusionLight); got != scenario.Breaks {
				t.Errorf("mutual exclusion: %v", got)
			}
			for _, light := range []string{scenario.LockReleasedLight, scenario.NoMisdeletionLight} {
				if got := verdictOf(t, r, light); got != scenario.Holds {
					t.Errorf("%s: %v", light, got)
				}
			}
			for _, f := range r.Histories {
				if f.Verdict == scenario.Breaks {
					t.Errorf("history of %s: %s", f.Object, f.Reason)
				}
			}
		})
	}
}

// TestLessonTimeHolds: where a lock lasts long enough, nothing breaks at that pace.
func TestLessonTimeHolds(t *testing.T) {
	s, o := paced(t, "watchdog.reentrant", 20)
	if r := run(t, s, o); r.Verdict != scenario.Holds || r.OK != 20 {
		t.Errorf("%v, %d ok: %+v", r.Verdict, r.OK, r.Lights)
	}
}
