package scene_test

import (
	"testing"

	"flashlab/lessons/exercise"
	"flashlab/lessons/lessontest"
)

// lines are the parts that most of the scripts below have.
const (
	args      = "if #ARGV ~= 3 then return 4 end\nfor _, id in ipairs(ARGV) do if not id:match('^%d+$') then return 4 end end\n"
	stock     = "local stock = redis.call('GET', KEYS[1])\n"
	there     = "if not stock then return 3 end\n"
	bought    = "if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then return 2 end\n"
	soldOut   = "if tonumber(stock) <= 0 then return 1 end\n"
	questions = args + stock + there + bought + soldOut
	deduct    = "redis.call('DECR', KEYS[1])\n"
	mark      = "redis.call('SADD', KEYS[2], ARGV[1])\n"
	queue     = "redis.call('XADD', KEYS[3], '*', 'userId', ARGV[1], 'voucherId', ARGV[2], 'id', ARGV[3])\n"
	yes       = "return 0"
)

func TestSeckillAnswers(t *testing.T) {
	lessontest.Grades(t, "seckill", []lessontest.Answer{
		{"solution", questions + deduct + mark + queue + yes, lessontest.Passed},
		{"sold out before bought", args + stock + there + soldOut + bought + deduct + mark + queue + yes, lessontest.Passed},
		{"marks and asks in one", args + stock + there + "if tonumber(stock) <= 0 then return 1 end\nif redis.call('SADD', KEYS[2], ARGV[1]) == 0 then return 2 end\n" + deduct + queue + yes, lessontest.Passed},
		{"gives back", args + stock + there + bought + "if redis.call('DECR', KEYS[1]) < 0 then redis.call('INCR', KEYS[1]) return 1 end\n" + mark + queue + yes, lessontest.Passed},
		{"zero is true", args + stock + there + "if redis.call('SISMEMBER', KEYS[2], ARGV[1]) then return 2 end\n" + soldOut + deduct + mark + queue + yes, exercise.ZeroIsTrue},
		{"zero is true, in a variable", args + stock + there + "local b = redis.call('SISMEMBER', KEYS[2], ARGV[1])\nif b then return 2 end\n" + soldOut + deduct + mark + queue + yes, exercise.ZeroIsTrue},
		{"nil", args + stock + "if stock == nil then return 3 end\n" + bought + soldOut + deduct + mark + queue + yes, exercise.MissingIsNil},
		{"nil, and or", args + stock + "if stock == nil then return 3 end\n" + bought + "if tonumber(stock or 0) <= 0 then return 1 end\n" + deduct + mark + queue + yes, exercise.MissingIsNil},
		{"sells without a stock", args + bought + "if redis.call('GET', KEYS[1]) == '0' then return 1 end\n" + deduct + mark + queue + yes, exercise.MissingIsNil},
		{"no stock is sold out", args + stock + "if not stock then return 1 end\n" + bought + soldOut + deduct + mark + queue + yes, exercise.WrongAnswer},
		{"arguments unasked", stock + there + bought + soldOut + deduct + mark + queue + yes, exercise.WriteThenFail},
		{"an argument made up", stock + there + bought + soldOut + deduct + mark + "redis.call('XADD', KEYS[3], '*', 'userId', ARGV[1], 'voucherId', ARGV[2], 'id', ARGV[3] or 1)\n" + yes, exercise.WriteThenFail},
		{"fails at once", "assert(ARGV[3])\n" + questions + deduct + mark + queue + yes, exercise.Fails},
		{"words", "if #ARGV ~= 3 then return 4 end\n" + stock + there + bought + soldOut + deduct + mark + queue + yes, exercise.WriteThenFail},
		{"names", args + "local stock = redis.call('GET', 'seckill:stock:' .. ARGV[2])\n" + there + bought + soldOut + "redis.call('DECR', 'seckill:stock:' .. ARGV[2])\n" + mark + queue + yes, exercise.WrongKey},
		{"fields swapped", questions + deduct + mark + "redis.call('XADD', KEYS[3], '*', 'userId', ARGV[2], 'voucherId', ARGV[1], 'id', ARGV[3])\n" + yes, exercise.SwappedArgs},
		{"voucher marked", questions + deduct + "redis.call('SADD', KEYS[2], ARGV[2])\n" + queue + yes, exercise.SwappedArgs},
		{"keys swapped", args + "local stock = redis.call('GET', KEYS[2])\n" + there + "if redis.call('SISMEMBER', KEYS[1], ARGV[1]) == 1 then return 2 end\n" + soldOut + "redis.call('DECR', KEYS[2])\nredis.call('SADD', KEYS[1], ARGV[1])\n" + queue + yes, exercise.SwappedArgs},
		{"one too many", args + stock + there + bought + "if tonumber(stock) >= 0 then\n" + deduct + mark + queue + "return 0 end\nreturn 1", exercise.OffByOne},
		{"one too few", args + stock + there + bought + "if tonumber(stock) <= 1 then return 1 end\n" + deduct + mark + queue + yes, exercise.OffByOne},
		{"two at once", questions + "redis.call('DECRBY', KEYS[1], 2)\n" + mark + queue + yes, exercise.OffByOne},
		{"no duplicate check", args + stock + there + soldOut + deduct + mark + queue + yes, exercise.NoDuplicate},
		{"no mark", questions + deduct + queue + yes, exercise.NoDuplicate},
		{"deducts first", args + stock + there + soldOut + deduct + bought + mark + queue + yes, exercise.WriteFirst},
		{"deducts first of all", args + stock + there + bought + "if redis.call('DECR', KEYS[1]) < 0 then return 1 end\n" + mark + queue + yes, exercise.WriteFirst},
		{"marks first", args + stock + there + "if redis.call('SADD', KEYS[2], ARGV[1]) == 0 then return 2 end\n" + soldOut + deduct + queue + yes, exercise.WriteFirst},
		{"queues first", args + stock + there + soldOut + queue + bought + deduct + mark + yes, exercise.WriteFirst},
		{"two calls", questions + yes + "\n-- next call\nlocal answer = ARGV[#ARGV]\nif answer ~= '0' then return tonumber(answer) end\n" + deduct + mark + queue + yes, exercise.TwoCalls},
		{"queues in a second call", questions + deduct + mark + yes + "\n-- next call\nlocal answer = ARGV[#ARGV]\nif answer ~= '0' then return tonumber(answer) end\n" + queue + yes, exercise.TwoCalls},
		{"asks for the user in a call before", stock + there + bought + yes + "\n-- next call\nlocal answer = table.remove(ARGV)\nif answer ~= '0' then return tonumber(answer) end\n" + args + stock + soldOut + deduct + mark + queue + yes, exercise.TwoCalls},
		{"a call that only looks at the arguments", args + yes + "\n-- next call\nlocal answer = ARGV[#ARGV]\nif answer ~= '0' then return tonumber(answer) end\n" + stock + there + bought + soldOut + deduct + mark + queue + yes, lessontest.Passed},
		{"no order", questions + deduct + mark + yes, exercise.NoOrder},
		{"other fields", questions + deduct + mark + "redis.call('XADD', KEYS[3], '*', 'user', ARGV[1], 'voucher', ARGV[2], 'order', ARGV[3])\n" + yes, exercise.NoOrder},
		{"numbers", questions + deduct + mark + "redis.call('XADD', KEYS[3], '*', 'userId', ARGV[1], 'voucherId', ARGV[2], 'id', tonumber(ARGV[3]))\n" + yes, exercise.DigitsLost},
		{"nothing deducted", questions + mark + queue + yes, exercise.NotDeducted},
		{"always 0", yes, exercise.Trivial},
		{"never 0", "return 1", exercise.Trivial},
		{"another school", questions + deduct + mark + queue + "return 1", exercise.WrongAnswer},
		{"bought is 1", args + stock + there + "if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then return 1 end\n" + soldOut + deduct + mark + queue + yes, exercise.WrongAnswer},
		{"no answer", questions + deduct + mark + queue, exercise.WrongAnswer},
		{"endless", "while true do redis.call('PING') end", exercise.Endless},
		{"global", "stock = redis.call('GET', KEYS[1])", exercise.Forbidden},
		{"syntax", questions + "redis.call('DECR' KEYS[1])", exercise.Syntax},
	})
}

func TestSaleLinesAnswers(t *testing.T) {
	lessontest.Grades(t, "sale-lines", []lessontest.Answer{
		{"solution", "9 13 3 12 8 10 1 11 5 7", lessontest.Passed},
		{"questions in another order", "9 13 8 3 12 10 5 1 11 7", lessontest.Passed},
		{"marks before the names", "13 3 12 8 10 1 11 5 9 7", exercise.Forbidden},
		{"zero is true", "9 13 3 12 2 10 1 11 5 7", exercise.ZeroIsTrue},
		{"nil", "9 13 3 6 8 10 1 11 5 7", exercise.MissingIsNil},
		{"one too many", "9 13 3 12 8 4 1 11 5 7", exercise.OffByOne},
		{"arguments last", "9 3 12 8 10 1 11 5 13 7", exercise.WriteThenFail},
		{"deducts first", "9 13 3 12 10 1 8 11 5 7", exercise.WriteFirst},
		{"deducts before it counts", "9 13 3 12 8 1 10 11 5 7", exercise.WriteFirst},
		{"no duplicate check", "9 13 3 12 10 1 11 5 7", exercise.NoDuplicate},
		{"not marked", "9 13 3 12 8 10 1 5 7", exercise.NoDuplicate},
		{"no order", "9 13 3 12 8 10 1 11 7", exercise.NoOrder},
		{"nothing deducted", "9 13 3 12 8 10 11 5 7", exercise.NotDeducted},
		{"yes before all", "9 7", exercise.Trivial},
		{"no such line", "9 14", ""},
		{"a line twice", "9 9", ""},
	})
}
