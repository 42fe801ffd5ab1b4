package scene_test

import (
	"testing"

	"flashlab/lessons/exercise"
	"flashlab/lessons/lessontest"
)

func TestUnlockScript(t *testing.T) {
	const get = "local token = redis.call('GET', KEYS[1])\n"
	lessontest.Grades(t, "unlock", []lessontest.Answer{
		{"short", get + "if token == ARGV[1] then return redis.call('DEL', KEYS[1]) end\nreturn token and -1 or 0", lessontest.Passed},
		{"two calls", "return redis.call('GET', KEYS[1])\n" + exercise.NextCall +
			"\nif ARGV[2] == ARGV[1] then return redis.call('DEL', KEYS[1]) end\nreturn 0", exercise.TwoCalls},
		{"blind", "redis.call('DEL', KEYS[1]) return 1", exercise.AlwaysDeletes},
		{"says so only", get + "if token == ARGV[1] then return 1 end\nreturn token and -1 or 0", exercise.NeverDeletes},
		{"never", "return 0", exercise.NeverDeletes},
		{"swapped", "if redis.call('GET', ARGV[1]) == KEYS[1] then return redis.call('DEL', ARGV[1]) end\nreturn 0", exercise.SwappedArgs},
		{"nil", get + "if token == nil then return 0 end\nif token ~= ARGV[1] then return -1 end\nreturn redis.call('DEL', KEYS[1])", exercise.MissingIsNil},
		{"0 for all", get + "if token == ARGV[1] then return redis.call('DEL', KEYS[1]) end\nreturn 0", lessontest.Passed},
		{"the usual", "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) else return 0 end", lessontest.Passed},
		{"1 for all", get + "if token == ARGV[1] then redis.call('DEL', KEYS[1]) end\nreturn 1", exercise.WrongAnswer},
		{"-1 for all", get + "if token == ARGV[1] then return redis.call('DEL', KEYS[1]) end\nreturn -1", exercise.WrongAnswer},
		{"answers OK", get + "if token == ARGV[1] then redis.call('DEL', KEYS[1]) return 'OK' end\nreturn token and -1 or 0", exercise.WrongAnswer},
		{"puts it back", get + "redis.call('DEL', KEYS[1])\nif token ~= ARGV[1] then redis.call('SET', KEYS[1], token or '') return token and -1 or 0 end\nreturn 1", exercise.WrongKey},
		{"another key", get + "if token == ARGV[1] then redis.call('DEL', 'lock:order:8') return redis.call('DEL', KEYS[1]) end\nreturn token and -1 or 0", exercise.WrongKey},
		{"revives", get + "if token == ARGV[1] then return redis.call('DEL', KEYS[1]) end\nif token then return -1 end\nredis.call('SET', KEYS[1], ARGV[1]) return 0", exercise.Revives},
		{"no Lua", "DEL KEYS[1]", exercise.Syntax},
	})
}
