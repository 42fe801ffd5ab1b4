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
	l := lessontest.Lesson(t, "misdeletion")
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

// The lines: 1 DEL, 2 next call, 3 if token is mine, 4 return GET, 5 end, 6 token is
// GET, 7 if the first answer is mine, 8 return 0, 9 if there is a token.
func TestOrderUnlock(t *testing.T) {
	judge(t, "order-unlock", []answer{
		{"solution", "6 3 1 5 8", ""},
		{"with commas", "6,3,1,5,8", ""},
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
