package exercise_test

import (
	"context"
	"testing"

	"flashlab/lessons"
	_ "flashlab/lessons/all"
	"flashlab/lessons/exercise"
)

// TestUnlock gives the grader what learners write.
func TestUnlock(t *testing.T) {
	l, x, err := lessons.FindExercise("unlock")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ script, mistake string }{
		"solution":       {x.Fix.Solution, "passed"},
		"two calls":      {x.Fix.Naive, exercise.TwoCalls},
		"always deletes": {"redis.call('DEL', KEYS[1]) return 1", exercise.AlwaysDeletes},
		"never deletes":  {"if redis.call('GET', KEYS[1]) == ARGV[1] then return 1 end return 0", exercise.NeverDeletes},
		"swapped":        {"if redis.call('GET', ARGV[1]) == KEYS[1] then return redis.call('DEL', ARGV[1]) end return 0", exercise.SwappedArgs},
		"endless":        {"while true do end", exercise.Endless},
		"huge":           {"local s = 'x' while true do s = s .. s end", exercise.TooBig},
		"deep":           {"local function f() return 1 + f() end return f()", exercise.TooDeep},
		"forbidden":      {"return os.execute('true')", exercise.Forbidden},
		"syntax":         {"if then", exercise.Syntax},
	} {
		t.Run(name, func(t *testing.T) {
			v, err := exercise.Grade(context.Background(), l, x, c.script)
			if err != nil {
				t.Fatal(err)
			}
			got := "passed"
			if !v.Passed {
				got = v.Miss.Mistake
				t.Logf("%s / %s %v", v.Miss.Sentence.EN, v.Miss.Sentence.ZH, v.Miss.Shown)
			}
			t.Logf("light %s steps %d %v, %v", v.Light, v.Steps, v.Schedule, v.Elapsed)
			if got != c.mistake {
				t.Errorf("%s, want %s", got, c.mistake)
			}
		})
	}
}
