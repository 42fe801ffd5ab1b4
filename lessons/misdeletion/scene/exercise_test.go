package scene_test

import (
	"testing"

	"flashlab/lessons/exercise"
	"flashlab/lessons/lessontest"
)

// The lines: 1 DEL, 2 next call, 3 if token is mine, 4 return GET, 5 end, 6 token is
// GET, 7 if the first answer is mine, 8 return 0, 9 if there is a token.
func TestOrderUnlock(t *testing.T) {
	lessontest.Grades(t, "order-unlock", []lessontest.Answer{
		{"solution", "6 3 1 5 8", lessontest.Passed},
		{"with commas", "6,3,1,5,8", lessontest.Passed},
		{"two calls", "4 2 7 1 5 8", exercise.TwoCalls},
		{"blind", "1", exercise.AlwaysDeletes},
		{"whoever has it", "6 9 1 5 8", exercise.AlwaysDeletes},
		{"never", "8", exercise.NeverDeletes},
		{"nothing", "", exercise.NeverDeletes},
		{"compares what is not there", "6 7 1 5 8", exercise.NeverDeletes},
		{"no answer", "6 3 1 5", exercise.WrongAnswer},
		{"no token", "3 1 5 8", exercise.Forbidden},
		{"no end", "6 3 1", exercise.Syntax},
		{"end too many", "6 1 5", exercise.Syntax},
		{"behind a return", "6 8 3 1 5", exercise.Syntax},
	})
}

// TestExtra runs the checks for variants on the one that these exercises run.
func TestExtra(t *testing.T) {
	lessontest.CheckExtra(t, "misdeletion", "by-script", "buyers=3", "work=0")
}
