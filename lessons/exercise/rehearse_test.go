package exercise_test

import (
	"context"
	"testing"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
)

// TestEveryExercise proves what every exercise, question and card says.
func TestEveryExercise(t *testing.T) {
	for _, l := range lessons.All() {
		t.Run(l.Name, func(t *testing.T) {
			t.Parallel()
			err := exercise.Rehearse(context.Background(), l, func(r exercise.Row) {
				t.Logf("%s: %s: %s %s", r.Subject, r.Claim, r.Found, r.Detail)
				if !r.OK {
					t.Errorf("%s: %s: found %s: %s", r.Subject, r.Claim, r.Found, r.Detail)
				}
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
}
