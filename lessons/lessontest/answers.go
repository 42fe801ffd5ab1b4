package lessontest

import (
	"context"
	"testing"
	"time"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
)

// Answer is what a learner may write: what to call it, the text, and the
// misconception that is to be named; [Passed] if it is to pass.
type Answer [3]string

// Passed stands for no mistake.
const Passed = "passed"

// soon is how long judging an answer may take on a busy machine; it should be under
// 5 s.
const soon = 20 * time.Second

// Grades gives answers to an exercise. Each must be told what is wrong with it, soon,
// in both languages and in a sentence of its own.
func Grades(t *testing.T, name string, answers []Answer) {
	t.Helper()
	l, x, err := lessons.FindExercise(name)
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, a := range answers {
		what, text, want := a[0], a[1], a[2]
		v, err := exercise.Grade(context.Background(), l, x, text)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		got := Passed
		if !v.Passed {
			got = v.Miss.Mistake
			sentence := v.Miss.Sentence
			t.Logf("%s: %s: %s / %s %q (%s, %d steps)", what, got, sentence.EN, sentence.ZH, v.Miss.Shown, v.Light, v.Steps)
			Both(t, what, sentence)
			if other, ok := said[sentence.EN]; ok {
				t.Errorf("%s is told the same as %s: %s", what, other, sentence.EN)
			}
			said[sentence.EN] = what
		}
		if got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
		if v.Elapsed > soon {
			t.Errorf("%s takes %v", what, v.Elapsed)
		}
	}
}
