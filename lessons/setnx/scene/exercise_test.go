package scene_test

import (
	"testing"

	"flashlab/lessons/exercise"
	"flashlab/lessons/lessontest"
)

func TestSetTheLease(t *testing.T) {
	lessontest.Grades(t, "set-the-lease", []lessontest.Answer{
		{"solution", "NX PX 30000", lessontest.Passed},
		{"seconds", "nx ex 30", lessontest.Passed},
		{"other order", "PX 10000 NX", lessontest.Passed},
		{"a minute", "NX EX 60", lessontest.Passed},
		{"SETNX", "NX", exercise.NoLease},
		{"keeps the TTL", "NX KEEPTTL", exercise.NoLease},
		{"no NX", "PX 30000", exercise.TakesForeign},
		{"nothing", "", exercise.TakesForeign},
		{"XX", "XX PX 30000", exercise.Trivial},
		{"milliseconds as seconds", "NX EX 30000", exercise.WrongUnit},
		{"seconds as milliseconds", "NX PX 30", exercise.WrongUnit},
		{"shorter than the work", "NX PX 5000", exercise.ShortLease},
		{"five", "NX PX 5", exercise.ShortLease},
		{"ten minutes", "NX EX 600", exercise.LongLease},
		{"no unit", "NX 30000", exercise.Fails},
		{"zero", "NX PX 0", exercise.Fails},
		{"both units", "NX EX 30 PX 30000", exercise.Fails},
		{"another option", "NX PX 30000 GET", exercise.Forbidden},
		{"a second command", "NX PX 30000; DEL", exercise.Forbidden},
		{"Go", "NX PX 30*1000", exercise.Forbidden},
		{"for ever", "NX PX 99999999999999999999", exercise.LongLease},
	})
}

func TestLimiter(t *testing.T) {
	const (
		limit = "if n > tonumber(ARGV[1]) then return 0 end\nreturn 1"
		incr  = "local n = redis.call('INCR', KEYS[1])\n"
	)
	lessontest.Grades(t, "limiter", []lessontest.Answer{
		{"INCR first", incr + "if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end\n" + limit, lessontest.Passed},
		{"SET NX first", "redis.call('SET', KEYS[1], 0, 'NX', 'PX', ARGV[2])\n" + incr + limit, lessontest.Passed},
		{"refused are not counted", "local used = tonumber(redis.call('GET', KEYS[1]) or '0')\n" +
			"if used >= tonumber(ARGV[1]) then return 0 end\n" +
			"if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end\nreturn 1", lessontest.Passed},
		{"two calls that mend each other", "return redis.call('INCR', KEYS[1])\n" + exercise.NextCall +
			"\nif redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end\n" +
			"if tonumber(ARGV[3]) > tonumber(ARGV[1]) then return 0 end\nreturn 1", lessontest.Passed},
		{"two calls", "return redis.call('INCR', KEYS[1])\n" + exercise.NextCall +
			"\nlocal n = tonumber(ARGV[3])\nif n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end\n" + limit, exercise.TwoCalls},
		{"looks in one call, counts in the next", "return redis.call('GET', KEYS[1]) or 0\n" + exercise.NextCall +
			"\nif tonumber(ARGV[3]) >= tonumber(ARGV[1]) then return 0 end\n" +
			"if redis.call('INCR', KEYS[1]) == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end\nreturn 1", exercise.TwoCalls},
		{"no end", incr + limit, exercise.NoLease},
		{"nil", "local used = redis.call('GET', KEYS[1])\n" +
			"if used == nil then redis.call('SET', KEYS[1], 1, 'PX', ARGV[2]) return 1 end\n" +
			"if used and tonumber(used) >= tonumber(ARGV[1]) then return 0 end\nredis.call('INCR', KEYS[1])\nreturn 1", exercise.MissingIsNil},
		{"compares false", "local used = redis.call('GET', KEYS[1])\n" +
			"if tonumber(used) >= tonumber(ARGV[1]) then return 0 end\nredis.call('INCR', KEYS[1])\nreturn 1", exercise.MissingIsNil},
		{"seconds", incr + "if n == 1 then redis.call('EXPIRE', KEYS[1], ARGV[2]) end\n" + limit, exercise.WrongUnit},
		{"half the window", incr + "if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2] / 2) end\n" + limit, exercise.WrongUnit},
		{"every call", incr + "redis.call('PEXPIRE', KEYS[1], ARGV[2])\n" + limit, exercise.Refreshes},
		{"refused calls", incr + "if n == 1 or n > tonumber(ARGV[1]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end\n" + limit, exercise.Refreshes},
		{"one too many", incr + "if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end\n" +
			"if n > ARGV[1] + 1 then return 0 end\nreturn 1", exercise.OffByOne},
		{"one too few", incr + "if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end\n" +
			"if n >= tonumber(ARGV[1]) then return 0 end\nreturn 1", exercise.OffByOne},
		{"always 1", "return 1", exercise.AllowsAll},
		{"always 0", "return 0", exercise.Trivial},
		{"says nothing", incr, exercise.WrongAnswer},
		{"a key of its own", "local n = redis.call('INCR', 'limit')\n" + limit, exercise.WrongKey},
		{"text and number", incr + "if n > ARGV[1] then return 0 end\nreturn 1", exercise.Fails},
		{"arguments swapped", incr + "if n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end\n" +
			"if n > tonumber(ARGV[2]) then return 0 end\nreturn 1", exercise.SwappedArgs},
		{"no Lua", "INCR KEYS[1]", exercise.Syntax},
	})
}

// TestExtra runs the checks for variants on the one that these exercises run.
func TestExtra(t *testing.T) {
	lessontest.CheckExtra(t, "setnx", "limited", "buyers=3", "crashes=0", "wait=15000")
}
