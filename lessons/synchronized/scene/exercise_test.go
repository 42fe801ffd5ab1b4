package scene_test

import (
	"testing"

	"flashlab/lessons/exercise"
	"flashlab/lessons/lessontest"
)

// The lines: 1 INSERT, 2 COMMIT, 3 SELECT, 4 UPDATE without a condition, 5 BEGIN, 6
// UPDATE, 7 BEGIN, 8 COMMIT.
func TestOrderTheSale(t *testing.T) {
	lessontest.Grades(t, "order-the-sale", []lessontest.Answer{
		{"solution", "5 3 6 1 2", lessontest.Passed},
		{"the other BEGIN and COMMIT", "7 3 6 1 8", lessontest.Passed},
		{"take first", "5 6 3 1 2", lessontest.Passed},
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
