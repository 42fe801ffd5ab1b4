package scene_test

import (
	"testing"

	"flashlab/lessons/exercise"
	"flashlab/lessons/lessontest"
)

func TestRenewAnswers(t *testing.T) {
	const check = "local t = redis.call('GET', KEYS[1])\nif not t then return 0 end\nif t ~= ARGV[1] then return -1 end\n"
	lessontest.Grades(t, "renew", []lessontest.Answer{
		{"solution", check + "return redis.call('PEXPIRE', KEYS[1], ARGV[2])", lessontest.Passed},
		{"set after the check", check + "redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1", lessontest.Passed},
		{"set keeps no one out", "redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1", exercise.ChecksNothing},
		{"whoever holds it", "if redis.call('PEXPIRE', KEYS[1], ARGV[2]) == 1 then return 1 end return 0", exercise.ChecksNothing},
		{"revives", "local t = redis.call('GET', KEYS[1])\nif t and t ~= ARGV[1] then return -1 end\nredis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1", exercise.Revives},
		{"expire", check + "return redis.call('EXPIRE', KEYS[1], ARGV[2])", exercise.WrongUnit},
		{"seconds", check + "return redis.call('PEXPIRE', KEYS[1], ARGV[2] / 1000)", exercise.WrongUnit},
		{"persist", check + "return redis.call('PERSIST', KEYS[1])", exercise.NoLease},
		{"fixed", check + "return redis.call('PEXPIRE', KEYS[1], 30000)", ""},
		{"never", check + "return 1", exercise.NeverRenews},
		{"deletes", check + "return redis.call('DEL', KEYS[1])", exercise.AlwaysDeletes},
		{"two calls", "return redis.call('GET', KEYS[1])\n-- next call\nif ARGV[3] == '' then return 0 end\nif ARGV[3] ~= ARGV[1] then return -1 end\nreturn redis.call('PEXPIRE', KEYS[1], ARGV[2])", exercise.TwoCalls},
		{"no lock is -1", "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return -1", exercise.WrongAnswer},
		{"another's is 0", "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0", exercise.WrongAnswer},
		{"renewed is OK", check + "redis.call('PEXPIRE', KEYS[1], ARGV[2]) return redis.status_reply('OK')", exercise.WrongAnswer},
		{"nil", "local t = redis.call('GET', KEYS[1])\nif t == nil then return 0 end\nif t ~= ARGV[1] then return -1 end\nreturn redis.call('PEXPIRE', KEYS[1], ARGV[2])", exercise.MissingIsNil},
		{"argv", "if redis.call('GET', KEYS[1]) ~= ARGV[2] then return -1 end\nreturn redis.call('PEXPIRE', KEYS[1], ARGV[1])", exercise.SwappedArgs},
		{"keys", "if redis.call('GET', ARGV[1]) ~= KEYS[1] then return -1 end\nreturn redis.call('PEXPIRE', ARGV[1], ARGV[2])", exercise.SwappedArgs},
		{"another key", "redis.call('PEXPIRE', 'lock:order:7', ARGV[2]) return 1", exercise.WrongKey},
		{"no such argument", check + "return redis.call('PEXPIRE', KEYS[1], ARGV[3])", exercise.Fails},
		{"endless", check + "while true do end", exercise.Endless},
		{"forbidden", "return os.time()", exercise.Forbidden},
		{"syntax", "if redis.call('GET', KEYS[1]) = ARGV[1] then return 1 end", exercise.Syntax},
	})
}

func TestReentrantAnswers(t *testing.T) {
	const free = "redis.call('EXISTS', KEYS[1]) == 0"
	const mine = "redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1"
	const count = "redis.call('HINCRBY', KEYS[1], ARGV[2], 1)\n"
	const lease = "redis.call('PEXPIRE', KEYS[1], ARGV[1])\n"
	const left = "return redis.call('PTTL', KEYS[1])"
	lessontest.Grades(t, "reentrant", []lessontest.Answer{
		{"solution", "if " + free + " or " + mine + " then\n" + count + lease + "return nil end\n" + left, lessontest.Passed},
		{"as Redisson writes it", "if " + free + " then redis.call('HSET', KEYS[1], ARGV[2], 1) " + lease + " return nil end\nif " + mine + " then " + count + lease + " return nil end\n" + left, lessontest.Passed},
		{"nested is refused", "if " + free + " then\n" + count + lease + "return nil end\n" + left, exercise.NotReentrant},
		{"hset", "if " + free + " or " + mine + " then\nredis.call('HSET', KEYS[1], ARGV[2], 1)\n" + lease + "return nil end\n" + left, exercise.NotCounted},
		{"twice at most", "if " + free + " then\n" + count + lease + "return nil end\nif " + mine + " then redis.call('HSET', KEYS[1], ARGV[2], 2) " + lease + "return nil end\n" + left, exercise.NotCounted},
		{"takes all", count + lease + "return nil", exercise.TakesForeign},
		{"zero is true", "if redis.call('HEXISTS', KEYS[1], ARGV[2]) or " + free + " then\n" + count + lease + "return nil end\n" + left, exercise.ZeroIsTrue},
		{"not zero", "if not redis.call('EXISTS', KEYS[1]) or " + mine + " then\n" + count + lease + "return nil end\n" + left, exercise.ZeroIsTrue},
		{"says granted", "if " + free + " or " + mine + " then\n" + count + lease + "end\nreturn nil", exercise.TakesForeign},
		{"no lease", "if " + free + " or " + mine + " then\n" + count + "return nil end\n" + left, exercise.NoLease},
		{"lease only once", "if " + free + " then\n" + count + lease + "return nil end\nif " + mine + " then " + count + "return nil end\n" + left, exercise.NeverRenews},
		{"expire", "if " + free + " or " + mine + " then\n" + count + "redis.call('EXPIRE', KEYS[1], ARGV[1])\nreturn nil end\n" + left, exercise.WrongUnit},
		{"ttl", "if " + free + " or " + mine + " then\n" + count + lease + "return nil end\nreturn redis.call('TTL', KEYS[1])", exercise.WrongUnit},
		{"answers 1", "if " + free + " or " + mine + " then\n" + count + lease + "return 1 end\n" + left, exercise.WrongAnswer},
		{"answers the count", "if " + free + " then\n" + count + lease + "return nil end\nif " + mine + " then local n = " + count + lease + "return n end\n" + left, exercise.WrongAnswer},
		{"refuses with 0", "if " + free + " or " + mine + " then\n" + count + lease + "return nil end\nreturn 0", exercise.WrongAnswer},
		{"touches", "if " + free + " or " + mine + " then\n" + count + lease + "return nil end\n" + lease + left, exercise.ChecksNothing},
		{"lends a lease", "if " + free + " or " + mine + " then\n" + count + lease + "return nil end\nif redis.call('PTTL', KEYS[1]) < 0 then " + lease + " end " + left, exercise.ChecksNothing},
		{"two calls", "if " + free + " or " + mine + " then return 'mine' end\n" + left + "\n-- next call\nif ARGV[3] == 'mine' then\n" + count + lease + "return nil end\nreturn tonumber(ARGV[3])", exercise.TwoCalls},
		{"count in one, lease in the next", "if " + free + " or " + mine + " then " + count + "return 'mine' end\n" + left + "\n-- next call\nif ARGV[3] == 'mine' then\n" + lease + "return nil end\nreturn tonumber(ARGV[3])", exercise.TwoCalls},
		{"swapped", "if " + free + " or redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then\nredis.call('HINCRBY', KEYS[1], ARGV[1], 1) redis.call('PEXPIRE', KEYS[1], ARGV[2])\nreturn nil end\n" + left, exercise.SwappedArgs},
		{"nil", "local owner = redis.call('HKEYS', KEYS[1])[1]\nif redis.call('HGET', KEYS[1], ARGV[2]) ~= nil and owner then\n" + count + lease + "return nil end\n" + left, exercise.MissingIsNil},
		{"never", "return -2", exercise.Trivial},
		{"nothing", "return nil", exercise.Trivial},
		{"a string", "if redis.call('SET', KEYS[1], ARGV[2], 'NX', 'PX', ARGV[1]) then return nil end\n" + left, exercise.NotCounted},
		{"another key", "redis.call('HINCRBY', 'lock:order:7', ARGV[2], 1)\nreturn nil", exercise.WrongKey},
		{"no such argument", "redis.call('PEXPIRE', KEYS[1], ARGV[3])", exercise.Fails},
		{"endless", "repeat until false", exercise.Endless},
		{"forbidden", "lock = KEYS[1] return nil", exercise.Forbidden},
		{"syntax", "if " + free + " then return nil", exercise.Syntax},
	})
}
