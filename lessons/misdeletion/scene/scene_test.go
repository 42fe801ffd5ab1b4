package scene_test

import (
	"testing"

	_ "flashlab/lessons/all"
	"flashlab/lessons/lessontest"
	"flashlab/sim/scenario"
)

func TestLesson(t *testing.T) {
	lessontest.Check(t, "misdeletion", "buyers=3", "work=0", "work=2,expiries=2")
}

// TestCounts holds the figures that the texts and the field know by heart.
func TestCounts(t *testing.T) {
	lessontest.Counts(t, lessontest.Lesson(t, "misdeletion"), `
		delete-blind   -        44  no-misdeletion   14  5 (6)  2
		delete-blind   -        44  mutual-exclusion 12  3 (2)  1
		delete-blind   buyers=3 942 no-misdeletion   534 5 (18) 2
		delete-blind   buyers=3 942 mutual-exclusion 456 3 (6)  1
		bare-thread-id -        44  no-misdeletion   14  5 (6)  2
		bare-thread-id buyers=3 942 no-misdeletion   534 5 (18) 2
		fresh-token    -        42  lock-released    36  3 (2)  0
		fresh-token    -        42  no-misdeletion   0
		get-then-del   -        76  no-misdeletion   6   6 (2)  2
		get-then-del   -        76  mutual-exclusion 20  3 (2)  1
		get-then-del   buyers=3 1704 no-misdeletion  276 6 (6)  2
		by-script      -        44  no-misdeletion   0
		by-script      -        44  mutual-exclusion 12  3 (2)  1
	`)
}

// TestThirdParty: with three requests two can be inside although neither one's own
// lease has run out.
func TestThirdParty(t *testing.T) {
	l := lessontest.Lesson(t, "misdeletion")
	for _, c := range []struct {
		variant, sets, violating string
		shortest                 int
	}{
		{"delete-blind", "", "0", 0},
		{"delete-blind", "buyers=3", "108", 6},
		{"get-then-del", "buyers=3", "60", 7},
	} {
		s := lessontest.Scene(t, l, c.variant, c.sets)
		s.Lights = append(s.Lights, scenario.ThirdParty())
		x := lessontest.Search(t, s).Lights[len(s.Lights)-1]
		if got := lessontest.Decimal(x.Violating); got != c.violating || x.Shortest != c.shortest {
			t.Errorf("%s %s: %s with a third inside, shortest %d; want %s, %d", c.variant, c.sets, got, x.Shortest, c.violating, c.shortest)
		}
	}
}

// TestReferences: what the texts name must exist.
func TestReferences(t *testing.T) {
	lessontest.Lesson(t, "lua-unlock")
	lessontest.Variant(t, lessontest.Lesson(t, "setnx"), "unlock-unheld")
}

// TestInside: in third-enters A is done with its work when B comes in, so the light
// names B alone, then B and C.
func TestInside(t *testing.T) {
	l := lessontest.Lesson(t, "misdeletion")
	frames := lessontest.RunStaged(t, l, "third-enters")
	for step, want := range map[int]string{1: "A", 2: "-", 4: "B", 6: "B C"} {
		for _, x := range frames[step].State.Lights {
			if x.Name == scenario.MutualExclusionLight && x.Detail.String() != "lock:order:7: "+want {
				t.Errorf("step %d: %s, want %s inside", step, x.Detail, want)
			}
		}
	}
}
