package scene_test

import (
	"strings"
	"testing"

	"flashlab/lessons/lessontest"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// TestStagedTour keeps the schedules that a class is shown, in the order in which
// the story is told, and the figures that the stories name.
func TestStagedTour(t *testing.T) {
	l := lesson(t)
	lessontest.Tour(t, l, "one-click-at-a-time both-count-zero wait-for-the-mutex a-mutex-each "+
		"equal-not-same free-too-early commit-first the-table-says-no")
	const ok, refused = "ok, ok", "ok, only one per person"
	for _, c := range []struct{ name, stock, orders, ends string }{
		{"one-click-at-a-time", "1", "1", refused},
		{"both-count-zero", "0", "2", ok},
		{"wait-for-the-mutex", "1", "1", refused},
		{"a-mutex-each", "0", "2", ok},
		{"equal-not-same", "0", "2", ok},
		{"free-too-early", "0", "2", ok},
		{"commit-first", "1", "1", refused},
		{"the-table-says-no", "1", "1", refused},
	} {
		s := lessontest.Last(lessontest.RunStaged(t, l, c.name))
		if stock, orders, ends := lessontest.Stock(s), lessontest.Orders(s), lessontest.Ends(s); stock != c.stock || orders != c.orders || ends != c.ends {
			t.Errorf("%s: stock %s, %s orders, clicks end with %q; want %s, %s, %q", c.name, stock, orders, ends, c.stock, c.orders, c.ends)
		}
	}
	if two, one := lessontest.StagedSchedule(t, l, "a-mutex-each"), lessontest.StagedSchedule(t, l, "equal-not-same"); two.Log != one.Log {
		t.Error("the run on one node is not, step by step, that on two")
	}
}

// TestWaitForTheMutex: while A holds the mutex, B is the one who cannot step, and
// the screen can say why.
func TestWaitForTheMutex(t *testing.T) {
	for _, f := range lessontest.RunStaged(t, lesson(t), "wait-for-the-mutex")[1:7] {
		b := f.State.Actor("B")
		if b.Why.Kind != "mutex" || b.Why.By != "A" || len(f.State.Choices) != 1 {
			t.Errorf("step %d: B waits for %+v with choices %v", f.Event.Seq, b.Why, f.State.Choices)
		}
	}
}

// TestDials: what the texts say of other sizes. A mutex that holds on one node
// breaks on two, the index holds everywhere, neither minds a crash, and with one
// unit nothing shows.
func TestDials(t *testing.T) {
	for _, c := range []struct {
		variant, sets string
		broken        bool
	}{
		{"mutex-one-node", "nodes=2", true},
		{"mutex-one-node", "buyers=3,stock=3", false},
		{"commit-under-lock", "nodes=2", true},
		{"unique-index", "buyers=3,nodes=3,stock=3", false},
		{"mutex-one-node", "crashes=1", false},
		{"unique-index", "crashes=1", false},
		{"no-lock", "stock=1", false},
		{"mutex-two-nodes", "stock=1", false},
	} {
		s := scene(t, c.variant, c.sets)
		res := lessontest.Search(t, s)
		if got := res.Lights[s.Light("one-per-user")].Broken; got != c.broken {
			t.Errorf("%s %s: one-per-user broken %v, want %v", c.variant, c.sets, got, c.broken)
		}
	}
}
