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
	l := lessontest.Lesson(t, "lua-unlock")
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

func TestUnlockScript(t *testing.T) {
	const get = "local token = redis.call('GET', KEYS[1])\n"
	judge(t, "unlock", []answer{
		{"short", get + "if token == ARGV[1] then return redis.call('DEL', KEYS[1]) end\nreturn token and -1 or 0", ""},
		{"two calls", "return redis.call('GET', KEYS[1])\n" + exercise.NextCall +
			"\nif ARGV[2] == ARGV[1] then return redis.call('DEL', KEYS[1]) end\nreturn 0", exercise.TwoCalls},
		{"blind", "redis.call('DEL', KEYS[1]) return 1", exercise.AlwaysDeletes},
		{"says so only", get + "if token == ARGV[1] then return 1 end\nreturn token and -1 or 0", exercise.NeverDeletes},
		{"never", "return 0", exercise.NeverDeletes},
		{"swapped", "if redis.call('GET', ARGV[1]) == KEYS[1] then return redis.call('DEL', ARGV[1]) end\nreturn 0", exercise.SwappedArgs},
		{"nil", get + "if token == nil then return 0 end\nif token ~= ARGV[1] then return -1 end\nreturn redis.call('DEL', KEYS[1])", exercise.MissingIsNil},
		{"0 for all", get + "if token == ARGV[1] then return redis.call('DEL', KEYS[1]) end\nreturn 0", ""},
		{"the usual", "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end", ""},
		{"1 for all", get + "if token == ARGV[1] then redis.call('DEL', KEYS[1]) end\nreturn 1", exercise.WrongAnswer},
		{"-1 for all", get + "if token == ARGV[1] then return redis.call('DEL', KEYS[1]) end\nreturn -1", exercise.WrongAnswer},
		{"answers OK", get + "if token == ARGV[1] then redis.call('DEL', KEYS[1]) return 'OK' end\nreturn token and -1 or 0", exercise.WrongAnswer},
		{"puts it back", get + "redis.call('DEL', KEYS[1])\nif token ~= ARGV[1] then redis.call('SET', KEYS[1], token or '') return token and -1 or 0 end\nreturn 1", exercise.WrongKey},
		{"another key", get + "if token == ARGV[1] then redis.call('DEL', 'lock:order:8') return redis.call('DEL', KEYS[1]) end\nreturn token and -1 or 0", exercise.WrongKey},
		{"revives", get + "if token == ARGV[1] then return redis.call('DEL', KEYS[1]) end\nif token then return -1 end\nredis.call('SET', KEYS[1], ARGV[1]) return 0", exercise.Revives},
		{"no Lua", "DEL KEYS[1]", exercise.Syntax},
	})
}
