package scene_test

import (
	"testing"

	"flashlab/lessons/lessontest"
	_ "flashlab/lessons/streampipeline/scene"
	"flashlab/sim/scenario"
)

const name = "stream-pipeline"

func TestLesson(t *testing.T) {
	lessontest.Check(t, name, "buyers=2,users=1", "ticks=1", "redeliveries=1")
}

func TestTour(t *testing.T) {
	lessontest.Tour(t, lessontest.Lesson(t, name), "all-fine yes-then-crash acked-and-gone booked-twice "+
		"comes-back two-hands left-lying given-up half-done")
}

// TestCounts holds the figures of every variant that breaks a light.
func TestCounts(t *testing.T) {
	lessontest.Counts(t, lessontest.Lesson(t, name), `
		memory-queue         -         7  no-lost-order 5  2 (1) 0
		memory-queue         -         7  conservation  5  2 (1) 0
		memory-queue         crashes=0 1  no-lost-order 0

		ack-before-commit    -         12 no-lost-order 3  4 (1) 0
		ack-before-commit    -         12 conservation  3  4 (1) 0
		ack-before-commit    -         12 progress      0
		ack-before-commit    crashes=0 2  no-lost-order 0

		not-idempotent       -                        12  one-per-user 1   12 (1)  0
		not-idempotent       stock=1                  12  no-oversell  0
		not-idempotent       crashes=0                2   one-per-user 0
		not-idempotent       crashes=0,ticks=1        456 one-per-user 210 11 (42) 1
		not-idempotent       crashes=0,redeliveries=1 120 one-per-user 118 10 (22) 0

		no-reclaim           -         12 no-lost-order 3  7 (1)  0
		no-reclaim           -         12 progress      4  7 (1)  0
		no-reclaim           -         12 conservation  0

		poison               -         24 progress      24 26 (9) 0
		poison               -         24 no-lost-order 24 26 (9) 0

		half-done-script     -         1  conservation  1  1 (1)  0
		half-done-script     buyers=2  2  conservation  2  1 (2)  0

		duplicate-check-last -         12 conservation  12 2 (2)  0
		duplicate-check-last users=2   12 conservation  0

		ack-though-skipped   -         39 no-lost-order 21 7 (21) 1
		ack-though-skipped   -         39 conservation  21 7 (21) 1

		wrong-ack-key        -         1  progress      1  18 (1) 0
		wrong-ack-key        -         1  one-per-user  0
	`)
}

// TestHolds: the two variants that keep the promise keep it with more buyers, with
// a consumer that is slower than the others' patience (ticks), with a crash and a
// redelivery at any point. No light breaks in any schedule.
func TestHolds(t *testing.T) {
	l := lessontest.Lesson(t, name)
	for _, c := range []struct{ variant, sets, interleavings string }{
		{"pipeline", "", "12"},
		{"pipeline", "buyers=2,users=1", "146"},
		{"pipeline", "buyers=2", "1746"},
		{"pipeline", "stock=1,buyers=2", "146"},
		{"pipeline", "redeliveries=1", "412"},
		{"pipeline", "redeliveries=1,buyers=2", "154932"},
		{"pipeline", "ticks=1", "1690"},
		{"pipeline", "ticks=1,redeliveries=1", "25462"},
		{"pipeline", "ticks=1,buyers=2,users=1", "32996"},
		{"pipeline", "ticks=1,buyers=2", "339986"},
		{"dead-letter", "", "26"},
		{"dead-letter", "buyers=1,consumers=2,crashes=1,redeliveries=1", "297622"},
		{"dead-letter", "consumers=2,crashes=1", "197728"},
		{"dead-letter", "buyers=1,consumers=2,crashes=1,ticks=1", "13576"},
	} {
		if testing.Short() && len(c.interleavings) > 5 {
			continue
		}
		s := lessontest.Scene(t, l, c.variant, c.sets)
		res := lessontest.Search(t, s)
		t.Logf("%s %s: %v interleavings, %d states, %v", c.variant, c.sets, res.Interleavings, res.States, res.Elapsed)
		if got := res.Interleavings.String(); got != c.interleavings {
			t.Errorf("%s %s: %s interleavings, want %s", c.variant, c.sets, got, c.interleavings)
		}
		for i, light := range res.Lights {
			if light.Broken {
				t.Errorf("%s %s: %s breaks in %s", c.variant, c.sets, s.Lights[i].Name, light.Violating)
			}
		}
	}
}

// TestIntro: eleven ways, two of them keep the promise.
func TestIntro(t *testing.T) {
	l := lessontest.Lesson(t, name)
	hold := 0
	for i := range l.Variants {
		breaks := false
		for _, v := range l.Variants[i].Lights {
			breaks = breaks || v.Verdict == scenario.Breaks
		}
		if !breaks {
			hold++
		}
	}
	if len(l.Variants) != 11 || hold != 2 {
		t.Errorf("of %d variants %d hold", len(l.Variants), hold)
	}
}

// TestStagedStories holds the figures that the stories name against the run.
func TestStagedStories(t *testing.T) {
	l := lessontest.Lesson(t, name)
	for _, c := range []struct{ name, redis, stock, orders, ends string }{
		{"all-fine", "1", "1", "1", "ok, waits, waits"},
		{"yes-then-crash", "1", "2", "0", "ok, died"},
		{"acked-and-gone", "1", "2", "0", "ok, died, waits"},
		{"booked-twice", "1", "0", "2", "ok, died, waits"},
		{"comes-back", "1", "1", "1", "ok, died, waits"},
		{"two-hands", "1", "1", "1", "ok, waits, waits"},
		{"left-lying", "1", "2", "0", "ok, died, waits"},
		{"given-up", "1", "1", "1", "ok, ok, waits"},
		{"half-done", "1", "2", "0", "please try again, only one per person, waits"},
	} {
		last := lessontest.Last(lessontest.RunStaged(t, l, c.name))
		left := ""
		for _, k := range last.Keys {
			if k.Name == "seckill:stock:1" {
				left = k.Value
			}
		}
		if left != c.redis || lessontest.Stock(last) != c.stock || lessontest.Orders(last) != c.orders {
			t.Errorf("%s: %s in Redis, %s in the database, %s orders; want %s, %s, %s",
				c.name, left, lessontest.Stock(last), lessontest.Orders(last), c.redis, c.stock, c.orders)
		}
		if got := lessontest.Ends(last); got != c.ends {
			t.Errorf("%s: the actors end with %q, not %q", c.name, got, c.ends)
		}
	}
}
