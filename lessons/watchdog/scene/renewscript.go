package scene

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/lua"
	"flashlab/sim/scenario"
)

// renewExercise is renew.lua, written by the learner: it renews a token lock in
// scenes in which the work is long, ends as a renewal is due, stands still or dies.
func renewExercise() lessons.Exercise {
	return lessons.Exercise{
		Name: "renew", Kind: lessons.FixIt,
		Title: lessons.Text{EN: "Write renew.lua", ZH: "写出 renew.lua"},
		Task: lessons.Text{
			EN: "KEYS[1] is the lock, ARGV[1] the token of whoever renews it, ARGV[2] the new lease " +
				"in milliseconds. Give the lock this lease if it still holds that token, and leave " +
				"it alone otherwise. Answer 1 renewed, 0 there is no lock any more, -1 it is " +
				"somebody else's.",
			ZH: "KEYS[1] 是锁，ARGV[1] 是续期者的令牌，ARGV[2] 是新租期，单位毫秒。锁里还是这个令牌才续，不是就别动。" +
				"续上了返回 1，锁已经没了返回 0，锁换了人返回 -1。",
		},
		Hints: []lessons.Text{
			{
				EN: "It is unlock.lua once more: whose lock is it? Only the last line is another.",
				ZH: "和 unlock.lua 是一个路子：先问锁是谁的，只有最后一行不同。",
			},
			{
				EN: "EXPIRE counts seconds, PEXPIRE milliseconds. Neither makes a key, SET does.",
				ZH: "EXPIRE 按秒，PEXPIRE 按毫秒。这两个都不会新建 key，SET 会。",
			},
			{
				EN: "Begin with:\nlocal token = redis.call('GET', KEYS[1])\nif not token then return 0 end\nif token ~= ARGV[1] then return -1 end",
				ZH: "开头这样写：\nlocal token = redis.call('GET', KEYS[1])\nif not token then return 0 end\nif token ~= ARGV[1] then return -1 end",
			},
		},
		Fix: &lessons.Fix{
			Form: lessons.Script, File: "renew.lua",
			Shipped: "-- KEYS[1]  the lock        ARGV[1]  the token   ARGV[2]  the new lease in ms\n" +
				"-- Answers   1 renewed   0 there is no lock   -1 somebody else has it\n" +
				"redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])\nreturn 1\n",
			Solution: lua.Sources()["renew"],
			Naive: "return redis.call('GET', KEYS[1])\n" +
				exercise.NextCall + "\n" +
				"if ARGV[3] == ARGV[1] then\n  return redis.call('PEXPIRE', KEYS[1], ARGV[2])\nend\nreturn 0\n",
			Judge: judgeRenew,
		},
		Learned: lessons.Text{
			EN: "A renewal is a write like a release: compare and PEXPIRE in one step. It keeps what " +
				"is there and makes nothing.",
			ZH: "续期和解锁一样是写操作：比较和 PEXPIRE 要在一步里。只延长已有的锁，不新建。",
		},
	}
}

func judgeRenew(text string) (*lessons.Bench, error) {
	parts, err := exercise.Parts(text)
	if err != nil {
		return nil, err
	}
	scene := func(name lessons.Text, sets string, v lessons.Variant, must ...string) lessons.Stage {
		v.Scenario = replaced(v.Scenario, "renew", parts, 12)
		return lessons.Stage{Name: name, Variant: v, Sets: sets, Must: must, Explain: func(light string) *lessons.Miss {
			return renewExplained(light, len(parts) > 1)
		}}
	}
	long := scene(lessons.Text{EN: "70 s of work", ZH: "活要干 70 秒"}, "worktime=70000", tokenRenewed())
	long.Reach = []lessons.Reach{{
		Name: "held after 60 s",
		Check: func(v *scenario.View) (bool, error) {
			return held(v).Value == "A1" && v.World().Kernel.Now >= time.Minute, nil
		},
		Miss: lessons.Miss{Mistake: exercise.NeverRenews, Sentence: lessons.Text{
			EN: "After 60 s of work nobody holds the lock any more: it has not been kept alive.",
			ZH: "活干到 60 秒，锁已经不在手里了：没有续住。",
		}},
	}}
	return &lessons.Bench{
		Probes: []lessons.Probe{renewsOwn(parts), renewsForeign(parts), renewsNone(text, parts)},
		Scenes: []lessons.Stage{
			scene(lessons.Text{EN: "a renewal is due as the work ends", ZH: "活干完时正好要续期"}, "", tokenRenewed()),
			scene(lessons.Text{EN: "the holder stands still for 22 s", ZH: "拿锁的停顿 22 秒"}, "", paused(), leaseKept,
				scenario.NoMisdeletionLight, scenario.LockReleasedLight, scenario.ProgressLight),
			long,
			scene(lessons.Text{EN: "the holder dies", ZH: "拿锁的宕机"}, "worktime=20000,crashes=1", tokenRenewed()),
		},
	}, nil
}

// renewExplained says what a broken light means in the scenes of renew.
func renewExplained(light string, twoCalls bool) *lessons.Miss {
	m := &lessons.Miss{}
	switch {
	case twoCalls && light != scenario.MutualExclusionLight && light != scenario.ProgressLight:
		m.Mistake, m.Sentence = exercise.TwoCalls, lessons.Text{
			EN: "Looking and renewing are two calls: between them the lock goes to another, and what is renewed then is not the lock that was looked at.",
			ZH: "查和续分成了两次调用：中间锁换了人或者没了，续的已经不是刚才查的那把。",
		}
	case light == leaseKept:
		m.Mistake, m.Sentence = exercise.ChecksNothing, lessons.Text{
			EN: "After a pause the script renews the lock of another: B asked for 5 s, and now it is 30 s.",
			ZH: "停顿之后脚本续了别人的锁：B 只要 5 秒，变成了 30 秒。",
		}
	case light == scenario.MutualExclusionLight:
		m.Mistake, m.Sentence = exercise.NeverRenews, lessons.Text{
			EN: "The lease runs out in the midst of the work, and a second request comes in.",
			ZH: "活没干完，租期先到了，第二个请求进来了。",
		}
	case light == scenario.LockReleasedLight, light == scenario.NoMisdeletionLight:
		m.Mistake, m.Sentence = exercise.Revives, lessons.Text{
			EN: "The renewal comes after the release and brings the lock back: nobody's, for 30 s.",
			ZH: "续期来得比解锁晚，把锁又写了回来：一把没有主人的锁，占 30 秒。",
		}
	case light == scenario.ProgressLight:
		m.Mistake, m.Sentence = exercise.WrongUnit, lessons.Text{
			EN: "The holder is dead, and its lock does not run out in any reasonable time.",
			ZH: "持有者宕机了，锁却迟迟不过期。",
		}
	default:
		return nil
	}
	return m
}

// replaced puts a learner's script in the place of one of the shop's. ticks bounds how
// often the clock moves, so that a counterexample without an end is not a long one.
func replaced(make func(scenario.Params) *scenario.Scenario, name string, parts []string, ticks int) func(scenario.Params) *scenario.Scenario {
	return lessons.Changed(make, func(s *scenario.Scenario) {
		s.EagerTicks = ticks
		s.World.Replace = map[string][]string{name: parts}
	})
}

// The probes use another lock than the scenes, so that a name written into a script
// shows: key is there too, and nobody's business.
const (
	probed = "lock:order:8"
	short  = 5 * time.Second
	asked  = 20_000 // ms
)

func sentence(mistake, en, zh string, args ...any) *lessons.Miss {
	return &lessons.Miss{Mistake: mistake, Sentence: lessons.Text{EN: fmt.Sprintf(en, args...), ZH: fmt.Sprintf(zh, args...)}}
}

func foreignKey() *lessons.Miss {
	return sentence(exercise.WrongKey, "The script changes a key that it was not given: use KEYS[1].", "脚本动了没有交给它的 key，要用 KEYS[1]。")
}

// answerOf names a wrong answer. Who acts in two calls has a worse problem, which the
// scenes will show.
func answerOf(parts []string) string {
	if len(parts) > 1 {
		return ""
	}
	return exercise.WrongAnswer
}

// renewTry renews once: in is the token in the lock, "" for none.
func renewTry(parts []string, in string) exercise.Try {
	return exercise.Try{
		Parts: parts, Keys: []string{probed}, Args: []any{"mine", asked},
		Before: func(ctx context.Context, rdb *redis.Client) error {
			if err := rdb.Set(ctx, key, "mine", time.Minute).Err(); err != nil || in == "" {
				return err
			}
			return rdb.Set(ctx, probed, in, short).Err()
		},
	}
}

// lease takes a value of an outcome apart; no time to live is -1.
func lease(held string) (value string, ms int64) {
	i := strings.LastIndex(held, ", ")
	if i < 0 || !strings.HasSuffix(held, " ms") {
		return held, -1
	}
	ms, err := strconv.ParseInt(strings.TrimSuffix(held[i+2:], " ms"), 10, 64)
	if err != nil {
		return held, -1
	}
	return held[:i], ms
}

// leaseMiss says what is wrong with the lease that a lock has got.
func leaseMiss(ms int64) *lessons.Miss {
	switch ms {
	case asked:
		return nil
	case -1:
		return sentence(exercise.NoLease, "The lock has no time to live any more: if its holder dies, it stays for ever.", "锁没有过期时间：拿锁的人一死，锁就永远占着。")
	case asked * 1000:
		return sentence(exercise.WrongUnit, "ARGV says %d ms, and the lock gets %d s: EXPIRE counts seconds.", "要的是 %d 毫秒，锁却有 %d 秒：EXPIRE 按秒算。", asked, asked)
	case asked / 1000:
		return sentence(exercise.WrongUnit, "ARGV says %d ms, and the lock gets %d ms: PEXPIRE counts milliseconds already.", "要的是 %d 毫秒，锁却只有 %d 毫秒：PEXPIRE 本来就按毫秒算。", asked, ms)
	}
	return sentence("", "The lock should have a lease of %d ms from now, and has %d ms.", "锁的租期应该从现在起 %d 毫秒，实际是 %d 毫秒。", asked, ms)
}

func renewsOwn(parts []string) lessons.Probe {
	t := renewTry(parts, "mine")
	good := func(o *exercise.Outcome) bool { return o.After[probed] == fmt.Sprintf("mine, %d ms", asked) }
	return exercise.Probe(t, func(ctx context.Context, o *exercise.Outcome) *lessons.Miss {
		value, ms := lease(o.After[probed])
		switch {
		case o.Stopped():
			return nil
		case o.Touched(probed):
			return foreignKey()
		case good(o) && o.Reply != int64(1) && o.Err == nil:
			return sentence(answerOf(parts), "The lock is renewed, but the answer is %v, not 1.", "锁续上了，返回的却是 %v，应该是 1。", reply(o))
		case good(o):
			return nil
		case t.Otherwise(ctx, []string{probed}, []any{asked, "mine"}, good):
			return sentence(exercise.SwappedArgs, "Token and lease are swapped: ARGV[1] is the token, ARGV[2] the lease.", "令牌和租期用反了：ARGV[1] 是令牌，ARGV[2] 是租期。")
		case t.Otherwise(ctx, []string{"mine"}, []any{probed, asked}, good):
			return sentence(exercise.SwappedArgs, "KEYS and ARGV are swapped: the lock is KEYS[1], the token ARGV[1].", "KEYS 和 ARGV 用反了：锁是 KEYS[1]，令牌是 ARGV[1]。")
		case o.Err != nil:
			return nil
		case o.After[probed] == "":
			return sentence(exercise.AlwaysDeletes, "The renewal deletes the holder's own lock.", "续期把自己的锁删掉了。")
		case value != "mine":
			return sentence("", "The renewal writes something else into the lock: %s.", "续期把锁里的值改成了 %s。", value)
		case ms == short.Milliseconds():
			return sentence(exercise.NeverRenews, "The lock is the caller's own, and its lease stays what it was.", "锁是自己的，租期却没有变。")
		}
		return leaseMiss(ms)
	})
}

func renewsForeign(parts []string) lessons.Probe {
	return exercise.Probe(renewTry(parts, "theirs"), func(_ context.Context, o *exercise.Outcome) *lessons.Miss {
		value, _ := lease(o.After[probed])
		switch {
		case o.Stopped():
			return nil
		case o.Touched(probed):
			return foreignKey()
		case value == "mine":
			return sentence(exercise.ChecksNothing, "The lock was another's; the script writes its own token over it.", "锁是别人的，脚本却写上了自己的令牌。")
		case o.After[probed] != o.Before[probed]:
			return sentence(exercise.ChecksNothing, "The script does not ask whose lock it is: it renews another's.", "脚本不问锁是谁的，把别人的锁也续了。")
		case o.Err == nil && o.Reply != int64(-1):
			return sentence(answerOf(parts), "The lock is another's, and the answer is %v, not -1.", "锁是别人的，返回的却是 %v，应该是 -1。", reply(o))
		}
		return nil
	})
}

// comparesNil finds a comparison with nil: a missing key is false.
var comparesNil = regexp.MustCompile(`[=~]=\s*nil\b`)

func renewsNone(text string, parts []string) lessons.Probe {
	return exercise.Probe(renewTry(parts, ""), func(_ context.Context, o *exercise.Outcome) *lessons.Miss {
		switch {
		case o.Stopped():
			return nil
		case o.Touched(probed):
			return foreignKey()
		case o.After[probed] != "":
			return sentence(exercise.Revives, "There was no lock any more, and the renewal makes one.", "锁已经没了，续期又造出来一把。")
		case o.Err == nil && o.Reply != int64(0) && comparesNil.MatchString(text):
			return sentence(exercise.MissingIsNil, "There is no lock, and the answer is %v: a missing key gives false, not nil.", "锁已经没了，返回的却是 %v：key 不存在得到的是 false，不是 nil。", reply(o))
		case o.Err == nil && o.Reply != int64(0):
			return sentence(answerOf(parts), "There is no lock, and the answer is %v, not 0.", "锁已经没了，返回的却是 %v，应该是 0。", reply(o))
		}
		return nil
	})
}

// reply renders an answer as Lua has it.
func reply(o *exercise.Outcome) any {
	if o.Reply == nil {
		return "nil"
	}
	return o.Reply
}
