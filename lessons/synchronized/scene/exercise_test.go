package scene_test

import (
	"context"
	"testing"

	"flashlab/lessons/exercise"
	"flashlab/lessons/lessontest"
)

// answer is what a learner may write, and the misconception that is to be named;
// "" passes.
type answer struct{ name, text, mistake string }

// judge gives answers to an exercise. No two of them are told the same.
func judge(t *testing.T, name string, answers []answer) {
	t.Helper()
	l := lesson(t)
	x, ok := l.Exercise(name)
	if !ok {
		t.Fatalf("there is no exercise %s", name)
	}
	said := map[string]string{}
	for _, c := range answers {
		v, err := exercise.Grade(context.Background(), l, x, c.text)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if v.Passed || c.mistake == "" {
			if !v.Passed {
				t.Errorf("%s: fails: %s", c.name, v.Miss.Sentence.EN)
			} else if c.mistake != "" {
				t.Errorf("%s: passes, want %s", c.name, c.mistake)
			}
			continue
		}
		t.Logf("%s: %s: %s / %s %v (%s, %d steps)", c.name, v.Miss.Mistake, v.Miss.Sentence.EN, v.Miss.Sentence.ZH, v.Miss.Shown, v.Light, v.Steps)
		if v.Miss.Mistake != c.mistake {
			t.Errorf("%s: %s, want %s: %s", c.name, v.Miss.Mistake, c.mistake, v.Miss.Sentence.EN)
		}
		lessontest.Both(t, c.name, v.Miss.Sentence)
		if other := said[v.Miss.Sentence.EN]; other != "" {
			t.Errorf("%s and %s are told the same: %s", other, c.name, v.Miss.Sentence.EN)
		}
		said[v.Miss.Sentence.EN] = c.name
	}
}

// The lines: 1 INSERT, 2 COMMIT, 3 SELECT, 4 UPDATE without a condition, 5 BEGIN, 6
// UPDATE, 7 BEGIN, 8 COMMIT.
func TestOrderTheSale(t *testing.T) {
	judge(t, "order-the-sale", []answer{
		{"solution", "5 3 6 1 2", ""},
		{"the other BEGIN and COMMIT", "7 3 6 1 8", ""},
		{"take first", "5 6 3 1 2", ""},
		{"count, begin", "3 5 6 1 2", exercise.CountsTooEarly},
		{"no transaction", "3 6 1", exercise.CountsTooEarly},
		{"two transactions", "5 3 2 7 6 1 8", exercise.CountsTooEarly},
		{"no count", "5 6 1 2", exercise.NoDuplicate},
		{"no condition", "5 3 4 1 2", exercise.OffByOne},
		{"two updates", "5 3 4 6 1 2", exercise.OffByOne},
		{"no update", "5 3 1 2", exercise.NotDeducted},
		{"no insert", "5 3 6 2", exercise.NoOrder},
		{"no commit", "5 3 6 1", exercise.Trivial},
		{"counts itself", "5 6 1 3 2", exercise.Trivial},
		{"nothing", "", exercise.Trivial},
		{"begin twice", "5 7 3 6 1 2", exercise.Fails},
		{"commit without begin", "3 6 1 2", exercise.Fails},
	})
}

// TestExtra runs the checks for variants on the one that these exercises run.
func TestExtra(t *testing.T) {
	lessontest.CheckExtra(t, "synchronized", "count-in-transaction", "stock=0", "buyers=3,stock=3", "nodes=1")
}
