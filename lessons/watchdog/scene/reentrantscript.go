package scene

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/lessons/watchdog"
	"flashlab/lua"
	"flashlab/sim"
	"flashlab/sim/scenario"
)

// reentrantExercise is the acquisition of the re-entrant lock, written by the
// learner: it runs in the place of the shop's own in the scenes of reentrant.
func reentrantExercise() lessons.Exercise {
	return lessons.Exercise{
		Name: "reentrant", Kind: lessons.FixIt,
		Title: lessons.Text{EN: "Write reentrant.lua", ZH: "写出 reentrant.lua"},
		Task: lessons.Text{
			EN: "KEYS[1] is the lock: a hash with one field, the owner, and its number of holds. " +
				"ARGV[1] is the lease in ms, ARGV[2] the owner. If the lock is free or the " +
				"owner's own, count one hold more, set the lease and answer nil. If it is " +
				"another's, change nothing and answer its remaining milliseconds.",
			ZH: "KEYS[1] 是锁：一个哈希，只有一个字段，名字是持有者，值是重入次数。ARGV[1] 是租期毫秒数，ARGV[2] 是持有者。" +
				"锁空着，或者就是自己的：次数加一，重设租期，返回 nil。是别人的：什么也不改，返回锁还剩多少毫秒。",
		},
		Hints: []lessons.Text{
			{
				EN: "Two cases end the same way: there is no lock, or the owner's field is in it.",
				ZH: "有两种情况做法一样：锁不存在，或者哈希里有自己这个字段。",
			},
			{
				EN: "EXISTS and HEXISTS answer 0 or 1, and 0 is true in Lua: compare with a number. HINCRBY counts, HSET does not.",
				ZH: "EXISTS 和 HEXISTS 返回 0 或 1，而 Lua 里 0 是真，要和数字比。HINCRBY 会累加，HSET 不会。",
			},
			{
				EN: "Begin with:\nif redis.call('EXISTS', KEYS[1]) == 0\n  or redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then\nand end with:\nreturn redis.call('PTTL', KEYS[1])",
				ZH: "开头这样写：\nif redis.call('EXISTS', KEYS[1]) == 0\n  or redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then\n结尾这样写：\nreturn redis.call('PTTL', KEYS[1])",
			},
		},
		Fix: &lessons.Fix{
			Form: lessons.Script, File: "reentrant.lua",
			Shipped: "-- KEYS[1]  the lock: a hash, owner -> number of holds\n" +
				"-- ARGV[1]  the lease in ms        ARGV[2]  the owner\n" +
				"-- Answers  nil granted   else the ms for which another has it\n" +
				"if redis.call('EXISTS', KEYS[1]) == 0 then\n" +
				"  redis.call('HSET', KEYS[1], ARGV[2], 1)\n" +
				"  redis.call('PEXPIRE', KEYS[1], ARGV[1])\n" +
				"  return nil\nend\n" +
				"return redis.call('PTTL', KEYS[1])\n",
			Solution: lua.Sources()["reentrant_acquire"],
			Naive: "if redis.call('EXISTS', KEYS[1]) == 0\n" +
				"  or redis.call('HEXISTS', KEYS[1], ARGV[2]) == 1 then\n  return 'mine'\nend\n" +
				"return redis.call('PTTL', KEYS[1])\n" +
				exercise.NextCall + "\n" +
				"if ARGV[3] == 'mine' then\n" +
				"  redis.call('HINCRBY', KEYS[1], ARGV[2], 1)\n" +
				"  redis.call('PEXPIRE', KEYS[1], ARGV[1])\n" +
				"  return nil\nend\n" +
				"return tonumber(ARGV[3])\n",
			Judge: judgeReentrant,
		},
		Learned: lessons.Text{
			EN: "Re-entry is a name and a number: whose it is, and how often. Each acquisition counts " +
				"up and sets the lease anew, and one step does it all.",
			ZH: "可重入就是一个名字加一个次数：是谁的，拿了几次。每拿一次都加一、重设租期，而且一步做完。",
		},
	}
}

func judgeReentrant(text string) (*lessons.Bench, error) {
	parts, err := exercise.Parts(text)
	if err != nil {
		return nil, err
	}
	scene := func(name lessons.Text, sets string) lessons.Stage {
		v := reentrant()
		v.Params = append(v.Params, scenario.Standard("crashes", 0))
		v.Scenario = unlost(replaced(v.Scenario, "reentrant_acquire", parts, 6))
		return lessons.Stage{
			Name: name, Variant: v, Sets: sets,
			Reach: []lessons.Reach{{
				Name: "held twice",
				Check: func(v *scenario.View) (bool, error) {
					return strings.HasSuffix(held(v).Value, "=2"), nil
				},
				Miss: *sentence(exercise.NotCounted, "No lock is ever held twice: nobody gets in, or the second hold is not counted.", "从来没有哪把锁拿到第二层：要么进不去，要么第二次没记数。"),
			}},
			Explain: func(light string) *lessons.Miss { return reentrantExplained(light, len(parts) > 1) },
		}
	}
	return &lessons.Bench{
		Probes: []lessons.Probe{takesFree(text, parts), takesOwn(parts, 1), takesOwn(parts, 2), leavesForeign(text, parts), asksForever(parts)},
		Scenes: []lessons.Stage{
			scene(lessons.Text{EN: "two requests", ZH: "两个请求"}, ""),
			scene(lessons.Text{EN: "40 s of work inside", ZH: "里面的活干 40 秒"}, "work=0,worktime=40000"),
			scene(lessons.Text{EN: "the holder dies", ZH: "拿锁的宕机"}, "crashes=1"),
		},
	}, nil
}

// lockKept is a light for scenes in which no lease runs out under its holder: nobody
// finds its lock gone when it gives it back.
const lockKept = "no-lost-lock"

func unlost(whole func(scenario.Params) *scenario.Scenario) func(scenario.Params) *scenario.Scenario {
	return lessons.Changed(whole, func(s *scenario.Scenario) {
		s.Lights = append(s.Lights, scenario.Light{
			Name: lockKept, When: scenario.EachStep,
			Check: func(v *scenario.View) (bool, error) {
				for i := range s.Params.Get("buyers") {
					a := v.Actor(i)
					if a != nil && a.State() == sim.Done && errors.Is(a.Err, watchdog.ErrLost) {
						return false, nil
					}
				}
				return true, nil
			},
		})
	})
}

// reentrantExplained says what a broken light means in the scenes of reentrant.
func reentrantExplained(light string, twoCalls bool) *lessons.Miss {
	switch {
	case light == scenario.MutualExclusionLight && twoCalls:
		return sentence(exercise.TwoCalls, "Looking and taking are two calls: both requests find the lock free, and both take it.", "查和拿分成了两次调用：两个请求都查到锁空着，都拿到了。")
	case light == scenario.MutualExclusionLight:
		return sentence(exercise.NotCounted, "Two requests are in at once: the inner release has freed the lock, or it was taken from its holder.", "两个请求同时在里面：里层一解锁就全放开了，或者锁是抢来的。")
	case light == lockKept && !twoCalls:
		return sentence(exercise.NotCounted, "The inner release has freed the lock, and the outer one finds none.", "里层解锁就把锁放开了，外层解锁时锁已经没了。")
	case light == scenario.ProgressLight && twoCalls:
		return sentence(exercise.TwoCalls, "Between the two calls the lock has no lease: a node that dies there blocks it for ever.", "两次调用之间锁没有过期时间：节点在这里宕机，锁就永远占着。")
	}
	return nil
}

const (
	own     = "n1:101"
	another = "n2:201"
)

// takeTry acquires once: in is who holds the lock, "" for nobody, n how often, and ms
// for how long, 0 for ever.
func takeTry(parts []string, in string, n, ms int) exercise.Try {
	return exercise.Try{
		Parts: parts, Keys: []string{probed}, Args: []any{asked, own},
		Before: func(ctx context.Context, rdb *redis.Client) error {
			if err := rdb.HSet(ctx, key, own, 1).Err(); err != nil || in == "" {
				return err
			}
			if err := rdb.HSet(ctx, probed, in, n).Err(); err != nil || ms == 0 {
				return err
			}
			return rdb.PExpire(ctx, probed, time.Duration(ms)*time.Millisecond).Err()
		},
	}
}

// holds is a lock as an outcome shows it.
func holds(owner string, n, ms int) string { return fmt.Sprintf("map[%s:%d], %d ms", owner, n, ms) }

func takesFree(text string, parts []string) lessons.Probe {
	t := takeTry(parts, "", 0, 0)
	good := func(o *exercise.Outcome) bool { return o.After[probed] == holds(own, 1, asked) }
	return exercise.Probe(t, func(ctx context.Context, o *exercise.Outcome) *lessons.Miss {
		value, ms := lease(o.After[probed])
		switch {
		case o.Stopped():
			return nil
		case o.Touched(probed):
			return foreignKey()
		case good(o) && o.Reply != nil && o.Err == nil:
			return sentence(answerOf(parts), "The lock is taken, but the answer is %v: whoever gets it is told nil.", "锁拿到了，返回的却是 %v：拿到锁应该返回 nil。", reply(o))
		case good(o):
			return nil
		case t.Otherwise(ctx, t.Keys, []any{own, asked}, good):
			return sentence(exercise.SwappedArgs, "Owner and lease are swapped: ARGV[1] is the lease, ARGV[2] the owner.", "持有者和租期用反了：ARGV[1] 是租期，ARGV[2] 是持有者。")
		case o.Err != nil:
			return nil
		case o.After[probed] == "" && comparesNil.MatchString(text):
			return sentence(exercise.MissingIsNil, "A free lock is not taken: a missing key or field gives false, not nil.", "锁空着却没拿：key 或字段不存在得到的是 false，不是 nil。")
		case o.After[probed] == "" && zeroIsTrue.MatchString(text):
			return sentence(exercise.ZeroIsTrue, "A free lock is not taken: EXISTS answers 0, and 0 is true in Lua.", "锁空着却没拿：EXISTS 返回 0，而 Lua 里 0 是真。")
		case o.After[probed] == "" && o.Reply == nil:
			return sentence(exercise.Trivial, "The script says granted, and there is no lock.", "脚本说拿到了，其实锁根本没写进去。")
		case o.After[probed] == "":
			return sentence(exercise.Trivial, "The lock is free, and nobody gets it.", "锁空着，却谁也拿不到。")
		case value != fmt.Sprintf("map[%s:1]", own):
			return sentence(exercise.NotCounted, "The lock should be a hash with the field %s and the value 1, but holds %s.", "锁应该是一个哈希，字段 %s，值是 1，现在却是 %s。", own, value)
		}
		return leaseMiss(ms)
	})
}

// takesOwn asks for a lock that the owner holds n times.
func takesOwn(parts []string, n int) lessons.Probe {
	return exercise.Probe(takeTry(parts, own, n, 5000), func(_ context.Context, o *exercise.Outcome) *lessons.Miss {
		value, ms := lease(o.After[probed])
		switch {
		case o.Stopped() || o.Err != nil:
			return nil
		case o.Touched(probed):
			return foreignKey()
		case value == fmt.Sprintf("map[%s:%d]", own, n) && o.Reply != nil:
			return sentence(exercise.NotReentrant, "The owner asks for its own lock once more and is refused: it waits for itself.", "自己的锁再拿一次，却被挡在外面：自己等自己。")
		case value == fmt.Sprintf("map[%s:%d]", own, n):
			return sentence(exercise.NotCounted, "The owner holds the lock %d times, and the hash says %d: an inner release will free it.", "同一个持有者拿了 %d 次，次数却还是 %d：里层一解锁就全放开了。", n+1, n)
		case value != fmt.Sprintf("map[%s:%d]", own, n+1):
			return sentence(exercise.NotCounted, "The owner holds the lock %d times, and what is in it is %s.", "同一个持有者拿了 %d 次，锁里却是 %s。", n+1, value)
		case ms == 5000:
			return sentence(exercise.NeverRenews, "The second hold gets no lease of its own: 5 s are left, of %d s that were asked for.", "再拿一次时没有重设租期：还剩 5 秒，要的是 %d 秒。", asked/1000)
		case ms != asked:
			return leaseMiss(ms)
		case o.Reply != nil:
			return sentence(answerOf(parts), "The owner has one hold more, but the answer is %v, not nil.", "又拿到了一次，返回的却是 %v，应该是 nil。", reply(o))
		}
		return nil
	})
}

// zeroIsTrue finds an answer of 0 or 1 that is taken for a truth value.
var zeroIsTrue = regexp.MustCompile(`(?i)\bnot\s+redis\.call\(\s*['"]H?EXISTS|['"]H?EXISTS['"][^()]*\)\s*(?:then|and|or)\b`)

func leavesForeign(text string, parts []string) lessons.Probe {
	return exercise.Probe(takeTry(parts, another, 1, 5000), func(_ context.Context, o *exercise.Outcome) *lessons.Miss {
		value, _ := lease(o.After[probed])
		switch {
		case o.Stopped() || o.Err != nil:
			return nil
		case o.Touched(probed):
			return foreignKey()
		case value != fmt.Sprintf("map[%s:1]", another) && zeroIsTrue.MatchString(text):
			return sentence(exercise.ZeroIsTrue, "The lock is another's, and the script takes it: HEXISTS answers 0, and 0 is true in Lua.", "锁是别人的，脚本却拿走了：HEXISTS 返回 0，而 Lua 里 0 是真。")
		case value != fmt.Sprintf("map[%s:1]", another):
			return sentence(exercise.TakesForeign, "The lock is another's, and the script takes it: now it holds %s.", "锁是别人的，脚本却拿走了：锁里现在是 %s。", value)
		case o.After[probed] != o.Before[probed]:
			return sentence(exercise.ChecksNothing, "The lock is another's, and the script changes its lease.", "锁是别人的，脚本却改了它的租期。")
		case o.Reply == nil:
			return sentence(exercise.TakesForeign, "The lock is another's, and the answer is nil: that means granted.", "锁是别人的，返回的却是 nil，意思是拿到了。")
		case o.Reply == int64(5):
			return sentence(exercise.WrongUnit, "The lock is another's for 5000 ms, and the answer is 5: TTL counts seconds.", "锁还有 5000 毫秒，返回的却是 5：TTL 按秒算，要用 PTTL。")
		case o.Reply != int64(5000):
			return sentence(answerOf(parts), "The lock is another's for 5000 ms, and the answer is %v.", "锁还有 5000 毫秒，返回的却是 %v。", reply(o))
		}
		return nil
	})
}

// asksForever asks for a lock that has no lease: nobody must lend it one.
func asksForever(parts []string) lessons.Probe {
	return exercise.Probe(takeTry(parts, another, 1, 0), func(_ context.Context, o *exercise.Outcome) *lessons.Miss {
		switch {
		case o.Stopped() || o.Err != nil:
			return nil
		case o.After[probed] != o.Before[probed]:
			return sentence(exercise.ChecksNothing, "The lock is another's and has no lease, and the script changes it.", "锁是别人的，没有租期，脚本却改了它。")
		case o.Reply != int64(-1):
			return sentence(answerOf(parts), "The lock is another's and has no lease: PTTL says -1, the script says %v.", "锁是别人的，又没有租期：PTTL 是 -1，脚本返回的却是 %v。", reply(o))
		}
		return nil
	})
}
