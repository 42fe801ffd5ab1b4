package scene_test

import (
	"strings"
	"testing"

	"flashlab/lessons"
	"flashlab/lessons/lessontest"
)

// TestStagedTour keeps the schedules that a class is shown, in the order in which
// the story is told.
func TestStagedTour(t *testing.T) {
	l := lesson(t)
	lessontest.Tour(t, l, "all-fine both-read-one last-unit healthy-figure below-zero no-race-needed "+
		"unit-left wait-in-line crash-between crash-rolled-back")
	fine, broken := lessontest.StagedSchedule(t, l, "all-fine"), lessontest.StagedSchedule(t, l, "both-read-one")
	if fine.Variant != broken.Variant || fine.Sets != broken.Sets {
		t.Error("all-fine must run the same code at the same size as both-read-one")
	}
}

// TestStagedStories holds the figures that the stories name against the run.
func TestStagedStories(t *testing.T) {
	l := lesson(t)
	for _, c := range []struct{ name, stock, orders, ends string }{
		{"all-fine", "0", "1", "ok, sold out"},
		{"both-read-one", "0", "2", "ok, ok"},
		{"last-unit", "0", "3", "ok, ok, ok"},
		{"healthy-figure", "1", "2", "ok, ok"},
		{"below-zero", "-1", "2", "ok, ok"},
		{"no-race-needed", "0", "2", "ok, ok"},
		{"unit-left", "1", "1", "ok, somebody else was faster"},
		{"wait-in-line", "0", "1", "ok, sold out"},
		{"crash-between", "0", "0", "died, sold out"},
		{"crash-rolled-back", "0", "1", "died, ok"},
	} {
		s := lessontest.Last(lessontest.RunStaged(t, l, c.name))
		if got := lessontest.Stock(s); got != c.stock {
			t.Errorf("%s: the stock ends at %s, not %s", c.name, got, c.stock)
		}
		if got := lessontest.Orders(s); got != c.orders {
			t.Errorf("%s: %s orders, not %s", c.name, got, c.orders)
		}
		if got := lessontest.Ends(s); got != c.ends {
			t.Errorf("%s: the buyers end with %q, not %q", c.name, got, c.ends)
		}
	}
}

// TestWaitInLine: while A's transaction is open, B is the one who cannot step, and
// the screen can say why.
func TestWaitInLine(t *testing.T) {
	for _, f := range lessontest.RunStaged(t, lesson(t), "wait-in-line")[1:4] {
		b := f.State.Actor("B")
		if b.Why.Kind != "write-lock" || b.Why.By != "A" || len(f.State.Choices) != 1 {
			t.Errorf("step %d: B waits for %+v with choices %v", f.Event.Seq, b.Why, f.State.Choices)
		}
	}
}

// TestStagedRefusals: a schedule that is not possible, stops early or promises
// something else is found out.
func TestStagedRefusals(t *testing.T) {
	l := lesson(t)
	for _, c := range []struct {
		what   string
		staged lessons.Staged
		want   string
	}{
		{"too many steps", lessons.Staged{Variant: "lost-update", Steps: "A3B2"}, "step 5: B is not possible there"},
		{"nobody of that letter", lessons.Staged{Variant: "guarded", Steps: "C"}, "step 1: C is not possible there"},
		{"waits for the lock", lessons.Staged{Variant: "guarded", Steps: "AB"}, "step 2: B is not possible there"},
		{"stops early", lessons.Staged{Variant: "lost-update", Steps: "A3"}, "before everybody is done"},
		{"breaks after all", lessons.Staged{Variant: "lost-update", Steps: "ABABAB"}, "turns no-oversell and conservation red"},
		{"another step", lessons.Staged{Variant: "lost-update", Steps: "ABABAB", Light: "no-oversell", At: 5}, "at step 6, not at 5"},
		{"holds after all", lessons.Staged{Variant: "lost-update", Steps: "A3B", Light: "no-oversell", At: 4}, "no-oversell does not break"},
		{"no such variant", lessons.Staged{Variant: "lost-updates", Steps: "A"}, "did you mean lost-update"},
		{"no such setting", lessons.Staged{Variant: "guarded", Sets: "buyer=3", Steps: "A"}, `no setting "buyer"`},
		{"no steps", lessons.Staged{Variant: "guarded", Steps: "A?"}, "cut off"},
	} {
		frames, err := c.staged.Run(l)
		if err == nil {
			err = c.staged.Check(frames)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.what, err, c.want)
		}
	}
}
