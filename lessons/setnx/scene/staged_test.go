package scene_test

import (
	"testing"
	"time"

	"flashlab/lessons/lessontest"
	"flashlab/sim/scenario"
)

// TestStagedTour keeps the schedules that a class is shown, in the order in which
// the story is told, and how its requests end.
func TestStagedTour(t *testing.T) {
	l := lesson(t)
	lessontest.Tour(t, l, "wait-your-turn dead-with-the-lock between-two-commands after-the-lease "+
		"refused-in-peace the-error-path somebody-elses-lock third-one-walks-in")
	const busy = "an order is under way"
	for _, c := range []struct {
		name, ends string
		at         time.Duration
	}{
		{"wait-your-turn", "ok, ok", 10 * time.Second},
		{"dead-with-the-lock", "died, waits", 0},
		{"between-two-commands", "died, waits", 0},
		{"after-the-lease", "died, ok", 30 * time.Second},
		{"refused-in-peace", "ok, " + busy, 0},
		{"the-error-path", "sql: no rows in result set, ok", 30 * time.Second},
		{"somebody-elses-lock", "ok, " + busy, 0},
		{"third-one-walks-in", "ok, " + busy + ", ok", 0},
	} {
		s := lessontest.Last(lessontest.RunStaged(t, l, c.name))
		if ends := lessontest.Ends(s); ends != c.ends || s.Now != c.at {
			t.Errorf("%s: ends with %q after %v, want %q after %v", c.name, ends, s.Now, c.ends, c.at)
		}
	}
}

// TestWaitsForEver: run out to the end, the request that comes after the crash is
// still waiting after ten leases, and the key has no time to live.
func TestWaitsForEver(t *testing.T) {
	for _, name := range []string{"no-ttl", "setnx-then-expire"} {
		s := lessontest.Last(lessontest.Play(t, scene(t, name, ""), crashAtOnce()))
		if ends := lessontest.Ends(s); ends != "died, waits" || s.Now < 290*time.Second {
			t.Errorf("%s: %q after %v", name, ends, s.Now)
		}
		if len(s.Keys) != 1 || s.Keys[0].TTL >= 0 {
			t.Errorf("%s: the keys are %v", name, s.Keys)
		}
	}
	s := lessontest.Last(lessontest.Play(t, scene(t, "set-nx-px", ""), crashAtOnce()))
	if ends := lessontest.Ends(s); ends != "died, ok" || s.Now != 30*time.Second || len(s.Keys) != 0 {
		t.Errorf("set-nx-px: %q after %v with the keys %v", ends, s.Now, s.Keys)
	}
}

// TestNextLesson: one lease that may run out at any moment turns set-nx-px into the
// next lesson.
func TestNextLesson(t *testing.T) {
	s := scene(t, "set-nx-px", "expiries=1")
	res := lessontest.Search(t, s)
	for _, name := range []string{scenario.MutualExclusionLight, scenario.NoMisdeletionLight} {
		if !res.Lights[s.Light(name)].Broken {
			t.Errorf("with an expiry %s still holds", name)
		}
	}
}
