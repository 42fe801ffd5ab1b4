package scene

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"time"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/lua"
	"flashlab/sim/scenario"
)

// limiterExercise is limiter.lua, written by the learner: it runs in the place of
// the shop's own script.
func limiterExercise() lessons.Exercise {
	return lessons.Exercise{
		Name: "limiter", Kind: lessons.FixIt,
		Title: lessons.Text{
			EN: "Write limiter.lua",
			ZH: "写出 limiter.lua",
		},
		Task: lessons.Text{
			EN: "A user may send so many orders in a window of time, no more. KEYS[1] is the " +
				"counter, ARGV[1] the limit, ARGV[2] the window in milliseconds. Answer 1 if a call " +
				"may pass, 0 if it is refused. The window begins with its first call and ends on " +
				"time, whoever crashes and however often the user knocks in between.",
			ZH: "一个用户在一段时间里最多放行几单。KEYS[1] 是计数器，ARGV[1] 是上限，ARGV[2] 是窗口长度，单位毫秒。" +
				"放行返回 1，拒绝返回 0。窗口从第一次请求算起，到点必须结束：不管谁宕机，也不管中间又来敲了几次。",
		},
		Hints: []lessons.Text{
			{
				EN: "It is the lock without a lease once more: what happens to the counter if you die right after counting?",
				ZH: "和没有过期时间的锁是一回事：刚计完数就宕机，计数器会怎样？",
			},
			{
				EN: "INCR answers the new number. 1 means that you are the first: only then does the window begin.",
				ZH: "INCR 返回加完之后的数。是 1 就说明你是第一个，只有这时才开窗口。",
			},
			{
				EN: "Both in one script:\nlocal n = redis.call('INCR', KEYS[1])\nif n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end",
				ZH: "两步放进同一个脚本：\nlocal n = redis.call('INCR', KEYS[1])\nif n == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end",
			},
		},
		Fix: &lessons.Fix{
			Form: lessons.Script, File: "limiter.lua",
			Shipped: "-- KEYS[1]  the counter     ARGV[1]  the limit   ARGV[2]  the window in ms\n" +
				"-- Answers   1 may pass   0 refused\n" +
				"redis.call('INCR', KEYS[1])\nreturn 1\n",
			Solution: lua.Sources()["limiter"],
			Naive: "return redis.call('INCR', KEYS[1])\n" +
				exercise.NextCall + "\n" +
				"local n = tonumber(ARGV[3])\n" +
				"if n == 1 then\n  redis.call('PEXPIRE', KEYS[1], ARGV[2])\nend\n" +
				"if n > tonumber(ARGV[1]) then\n  return 0\nend\nreturn 1\n",
			Judge: judgeLimiter,
		},
		Learned: lessons.Text{
			EN: "What counts and what ends the count belong into one step, like a lock and its lease. And " +
				"nothing that refuses may be prolonged by those whom it refuses.",
			ZH: "计数和到期要放在同一步，跟锁和它的过期时间一样。还有，被拒绝的人再怎么敲，也不能把拦他的时间往后拖。",
		},
	}
}

func judgeLimiter(text string) (*lessons.Bench, error) {
	parts, err := exercise.Parts(text)
	if err != nil {
		return nil, err
	}
	explain := func(light string) *lessons.Miss {
		switch {
		case light == scenario.ProgressLight && len(parts) > 1:
			return &lessons.Miss{Mistake: exercise.TwoCalls, Sentence: lessons.Text{
				EN: "Counting and the end of the window are two calls: who dies between them leaves a counter that refuses this user for ever.",
				ZH: "计数和设过期分成了两次调用：在中间宕机，计数器就永远留在那里，这个用户从此一直被拒绝。",
			}}
		case light == scenario.ProgressLight:
			return &lessons.Miss{Mistake: exercise.NoLease, Sentence: lessons.Text{
				EN: "A request that waits is refused for ever.",
				ZH: "等着的请求永远被拒绝。",
			}}
		case light == withinLimit && len(parts) > 1:
			return &lessons.Miss{Mistake: exercise.TwoCalls, Sentence: lessons.Text{
				EN: "Looking and counting are two calls: two requests look before either counts, and both pass.",
				ZH: "查和计数分成了两次调用：两个请求都先查，谁也没来得及计数，就都放行了。",
			}}
		case light == withinLimit:
			return &lessons.Miss{Mistake: exercise.OffByOne, Sentence: lessons.Text{
				EN: "More requests pass at once than may.",
				ZH: "同时放行的请求超过了上限。",
			}}
		}
		return nil
	}
	scene := func(name lessons.Text, sets string, everybody int) lessons.Stage {
		v := limited()
		v.Scenario = lessons.Changed(v.Scenario, func(s *scenario.Scenario) {
			s.World.Replace = map[string][]string{"limiter": parts}
		})
		return lessons.Stage{
			Name: name, Variant: v, Sets: sets, Explain: explain,
			Reach: []lessons.Reach{{
				Name:  "as many as may",
				Check: func(v *scenario.View) (bool, error) { return atWork(v) == everybody, nil },
				Miss: lessons.Miss{Mistake: exercise.Trivial, Sentence: lessons.Text{
					EN: "Fewer requests pass in a window than may.",
					ZH: "一个窗口里放行的请求，比上限还少。",
				}},
			}},
		}
	}
	return &lessons.Bench{
		Probes: []lessons.Probe{passes(parts), ends(parts, text), prolonged(parts)},
		Scenes: []lessons.Stage{scene(lessons.Text{EN: "limit 1, two requests", ZH: "限 1 次，两个请求"}, "", 1), scene(lessons.Text{EN: "limit 2, three requests", ZH: "限 2 次，三个请求"}, "buyers=3", 2)},
	}, nil
}

const (
	counter  = "limit:order:7"
	stranger = "limit:order:8"
	windowMS = 30_000
)

// knock calls the script with limit 3, on a session where another counter stands. It
// returns a miss if the call fails or touches another key.
func knock(ctx context.Context, s *exercise.Session, parts []string) (*exercise.Outcome, *lessons.Miss, error) {
	o, err := s.Call(ctx, parts, []string{counter}, 3, windowMS)
	if err != nil {
		return nil, nil, err
	}
	if o.Err != nil {
		m := exercise.Failure(o.Err)
		m.Shown = o.Shown()
		return o, m, nil
	}
	changed := o.Changed()
	if i := slices.IndexFunc(changed, func(k string) bool { return k != counter }); i >= 0 {
		return o, &lessons.Miss{
			Mistake: exercise.WrongKey, Shown: o.Shown(),
			Sentence: lessons.Text{
				EN: fmt.Sprintf("The script touches the key %q, which it was not given.", changed[i]),
				ZH: fmt.Sprintf("脚本动了 %q 这个 key，没有人把它交给脚本。", changed[i]),
			},
		}, nil
	}
	return o, nil, nil
}

// limiterProbe runs f on an engine on which somebody else has a counter.
func limiterProbe(f func(ctx context.Context, s *exercise.Session) (*lessons.Miss, error)) lessons.Probe {
	return func(ctx context.Context) (*lessons.Miss, error) {
		s, err := exercise.NewSession()
		if err != nil {
			return nil, err
		}
		defer s.Close()
		if err := s.Redis().Set(ctx, stranger, 1, time.Hour).Err(); err != nil {
			return nil, fmt.Errorf("trying the limiter: %w", err)
		}
		return f(ctx, s)
	}
}

func limiterMiss(mistake string, o *exercise.Outcome, en, zh string) *lessons.Miss {
	return &lessons.Miss{Mistake: mistake, Sentence: lessons.Text{EN: en, ZH: zh}, Shown: o.Shown()}
}

// passes calls five times with limit 3: three may pass.
func passes(parts []string) lessons.Probe {
	return limiterProbe(func(ctx context.Context, s *exercise.Session) (*lessons.Miss, error) {
		var o *exercise.Outcome
		yes, first := 0, false
		for i := range 5 {
			var m *lessons.Miss
			var err error
			if o, m, err = knock(ctx, s, parts); m != nil || err != nil {
				return m, err
			}
			switch o.Reply {
			case int64(1):
				yes++
				first = first || i == 0
			case int64(0):
			default:
				if o.Reply == nil {
					return limiterMiss(exercise.WrongAnswer, o,
						"The script answers nothing; 1 or 0 is expected.", "脚本什么也没返回，应该返回 1 或 0。"), nil
				}
				return limiterMiss(exercise.WrongAnswer, o,
					fmt.Sprintf("The script answers %v; 1 or 0 is expected.", o.Reply),
					fmt.Sprintf("应该返回 1 或 0，脚本却返回了 %v。", o.Reply)), nil
			}
		}
		ttl := s.Redis().PTTL(ctx, counter).Val()
		switch {
		case yes == 5 && ttl > 0 && ttl <= 3*time.Millisecond:
			return limiterMiss(exercise.SwappedArgs, o,
				"The limit is taken for the window, 3 ms, and the window for the limit: ARGV[1] and ARGV[2] are swapped.",
				"把上限当成了窗口（3 毫秒），把窗口当成了上限：ARGV[1] 和 ARGV[2] 用反了。"), nil
		case yes == 5:
			return limiterMiss(exercise.AllowsAll, o,
				"With limit 3 all of five calls pass: nothing is ever refused.",
				"上限是 3，连来 5 次都放行了：谁也没拦住。"), nil
		case yes == 0:
			return limiterMiss(exercise.Trivial, o,
				"With limit 3 not even the first call passes.",
				"上限是 3，第一次就被拒绝了。"), nil
		case yes > 3:
			return limiterMiss(exercise.OffByOne, o,
				fmt.Sprintf("With limit 3 there are %d calls that pass: the comparison is off by one.", yes),
				fmt.Sprintf("上限是 3，却放行了 %d 次：比较差了一个。", yes)), nil
		case yes < 3 && first:
			return limiterMiss(exercise.OffByOne, o,
				fmt.Sprintf("With limit 3 only %d may pass: the comparison refuses too early.", yes),
				fmt.Sprintf("上限是 3，却只放行了 %d 次：拦早了。", yes)), nil
		case yes < 3 || !first:
			return limiterMiss(exercise.OffByOne, o,
				"The first call is refused, though nobody has come before it.",
				"第一次就拒绝，之前明明谁也没来过。"), nil
		}
		return nil, nil
	})
}

// nilTest finds a comparison with nil, which a missing key never passes.
var nilTest = regexp.MustCompile(`[=~]=\s*nil\b`)

// ends looks at the end of the window after the first call.
func ends(parts []string, text string) lessons.Probe {
	return limiterProbe(func(ctx context.Context, s *exercise.Session) (*lessons.Miss, error) {
		o, m, err := knock(ctx, s, parts)
		if m != nil || err != nil {
			return m, err
		}
		ttl, err := s.Redis().PTTL(ctx, counter).Result()
		if err != nil {
			return nil, fmt.Errorf("looking at the window: %w", err)
		}
		switch ms := ttl.Milliseconds(); {
		case ttl == -2 || ms == windowMS:
			return nil, nil // no counter of its own: other probes tell
		case ttl < 0 && nilTest.MatchString(text):
			return limiterMiss(exercise.MissingIsNil, o,
				"After the first call the counter has no end: the test for nil never holds, because a missing key is false.",
				"第一次之后计数器没有过期时间：判断 nil 永远不成立，因为 key 不存在返回的是 false。"), nil
		case ttl < 0:
			return limiterMiss(exercise.NoLease, o,
				"After the first call the counter has no time to live: once full, it refuses for ever.",
				"第一次之后计数器没有过期时间：一旦数满，就永远拒绝。"), nil
		case ms == windowMS*1000:
			return limiterMiss(exercise.WrongUnit, o,
				"The window lasts 30,000 seconds: ARGV[2] is in milliseconds, EXPIRE and EX take seconds.",
				"窗口成了 30000 秒：ARGV[2] 是毫秒，EXPIRE 和 EX 要的是秒。"), nil
		default:
			return limiterMiss(exercise.WrongUnit, o,
				fmt.Sprintf("The window lasts %d ms, not %d.", ms, windowMS),
				fmt.Sprintf("窗口是 %d 毫秒，应该是 %d 毫秒。", ms, windowMS)), nil
		}
	})
}

// prolonged knocks every ten seconds: the window must end after thirty, and a full
// one must not be ended early either.
func prolonged(parts []string) lessons.Probe {
	return limiterProbe(func(ctx context.Context, s *exercise.Session) (*lessons.Miss, error) {
		for i := range 6 {
			s.Pass(time.Second)
			if i >= 3 {
				s.Pass(7 * time.Second) // past the limit the calls come at 11, 19 and 27 s
			}
			o, m, err := knock(ctx, s, parts)
			if m != nil || err != nil {
				return m, err
			}
			left := s.Redis().PTTL(ctx, counter).Val()
			begun := time.Second
			now := time.Duration(i+1) * time.Second
			if i >= 3 {
				now += time.Duration(i-2) * 7 * time.Second
			}
			if want := begun + windowMS*time.Millisecond - now; left > want {
				if o.Reply == int64(0) {
					return limiterMiss(exercise.Refreshes, o,
						"A refused call prolongs the window: who keeps knocking is refused for ever.",
						"被拒绝的请求又把窗口往后拖：一直敲的人，永远进不来。"), nil
				}
				return limiterMiss(exercise.Refreshes, o,
					"Every call that passes begins the window anew: who comes steadily never sees it end.",
					"每放行一次，窗口就重新算起：来得均匀的人，永远等不到窗口结束。"), nil
			}
		}
		s.Pass(10 * time.Second)
		o, m, err := knock(ctx, s, parts)
		if m != nil || err != nil {
			return m, err
		}
		if o.Reply != int64(1) {
			return limiterMiss(exercise.Refreshes, o,
				"The window is over, and the call is refused all the same.",
				"窗口已经结束，请求还是被拒绝。"), nil
		}
		return nil, nil
	})
}
