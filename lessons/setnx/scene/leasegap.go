package scene

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/sim"
	"flashlab/sim/scenario"
)

// setFrame is what stands before the gap: the lock and its value.
const setFrame = "SET " + key + " 1 "

// leaseExercise fills in the arguments of SET: they are sent in the place of those
// in SetNXPX.
func leaseExercise() lessons.Exercise {
	return lessons.Exercise{
		Name: "set-the-lease", Kind: lessons.FixIt,
		Title: lessons.Text{
			EN: "Take the lock in one command",
			ZH: "一条命令把锁加好",
		},
		Task: lessons.Text{
			EN: "This command takes the lock, and the answer OK means taken. An order takes up to " +
				"10 s. If its process dies, the next request must get in within a minute. Fill in " +
				"the options of SET.",
			ZH: "这条命令负责加锁，返回 OK 就是拿到了。一单最多要办 10 秒。" +
				"办到一半进程死了，下一个请求一分钟之内必须进得来。把 SET 的选项填上。",
		},
		Hints: []lessons.Text{
			{
				EN: "Two things are missing: what refuses the second one, and what ends the lock without you.",
				ZH: "缺两样东西：一样挡住后来的人，一样在你不在的时候让锁自己消失。",
			},
			{
				EN: "NX or XX: which of them sets a key that is not there yet?",
				ZH: "NX 和 XX，哪个是键不存在才设？",
			},
			{
				EN: "EX takes seconds, PX milliseconds. Between 10 s and a minute is right.",
				ZH: "EX 的单位是秒，PX 是毫秒。10 秒到一分钟之间都行。",
			},
		},
		Fix: &lessons.Fix{
			Form: lessons.Gap, File: "set.txt",
			Frame:   setFrame + lessons.Blank,
			Shipped: "NX", Solution: "NX PX 30000", Naive: "NX EX 30000",
			Judge: judgeLease,
		},
		Learned: lessons.Text{
			EN: "NX keeps the others out, PX lets the key end without you, and both stand in one command. " +
				"Write the unit down: 30000 is half a minute or eight hours.",
			ZH: "NX 挡住别人，PX 让键自己到期，两样在同一条命令里。单位一定看清：同样是 30000，可能是半分钟，也可能是八个小时。",
		},
	}
}

// setOptions reads what was filled in: options of SET and numbers, nothing else.
func setOptions(text string) ([]any, error) {
	var out []any
	for _, word := range strings.Fields(strings.TrimPrefix(text, strings.TrimSpace(setFrame))) {
		switch w := strings.ToUpper(word); w {
		case "NX", "XX", "EX", "PX", "KEEPTTL":
			out = append(out, w)
			continue
		}
		if strings.Trim(word, "0123456789") != "" {
			return nil, &lessons.Miss{Mistake: exercise.Forbidden, Sentence: lessons.Text{
				EN: fmt.Sprintf("%q cannot stand here: use NX, XX, EX, PX, KEEPTTL and whole numbers.", word),
				ZH: fmt.Sprintf("这里不能用 %q，只能用 NX、XX、EX、PX、KEEPTTL 和整数。", word),
			}}
		}
		if n, err := strconv.ParseInt(word, 10, 64); err != nil || n > 1_000_000_000_000 {
			return nil, &lessons.Miss{Mistake: exercise.LongLease, Sentence: lessons.Text{
				EN: fmt.Sprintf("%s is more than any lock lasts.", word),
				ZH: fmt.Sprintf("%s 太大了，没有锁要留这么久。", word),
			}}
		}
		if n := len(out); n == 0 || out[n-1] != "EX" && out[n-1] != "PX" {
			return nil, &lessons.Miss{Mistake: exercise.Fails, Sentence: lessons.Text{
				EN: fmt.Sprintf("%s stands alone: EX or PX in front of it says of what.", word),
				ZH: fmt.Sprintf("%s 前面少了 EX 或 PX，不知道是什么单位。", word),
			}}
		}
		out = append(out, word)
	}
	return out, nil
}

func judgeLease(text string) (*lessons.Bench, error) {
	options, err := setOptions(text)
	if err != nil {
		return nil, err
	}
	command := append([]any{"set", key, "1"}, options...)
	scene := func(name lessons.Text, sets string, r lessons.Reach) lessons.Stage {
		v := setNXPX()
		v.Scenario = lessons.Changed(v.Scenario, func(s *scenario.Scenario) {
			s.World.Rewrite = func(args []any) []any {
				if len(args) > 1 && args[0] == "set" && args[1] == key {
					return command
				}
				return nil
			}
			// Who takes the lock with a SET that asks nobody is seen at work.
			s.Lights[s.Light(scenario.MutualExclusionLight)].Check = func(v *scenario.View) (bool, error) {
				return atWork(v) <= 1, nil
			}
		})
		return lessons.Stage{Name: name, Variant: v, Sets: sets, Reach: []lessons.Reach{r}}
	}
	return &lessons.Bench{
		Probes: []lessons.Probe{leaseProbe(options)},
		Scenes: []lessons.Stage{
			scene(lessons.Text{EN: "one crash, two requests", ZH: "一次宕机，两个请求"}, "", lessons.Reach{
				Name: "the next one gets in after a crash", Check: getsInAfterCrash,
				Miss: lessons.Miss{Mistake: exercise.Trivial, Sentence: lessons.Text{
					EN: "After a crash nobody gets in any more.",
					ZH: "宕机之后，谁也进不来了。",
				}},
			}),
			scene(lessons.Text{EN: "three requests", ZH: "三个请求"}, "buyers=3,crashes=0", lessons.Reach{
				Name: "work", Check: func(v *scenario.View) (bool, error) { return atWork(v) > 0, nil },
				Miss: lessons.Miss{Mistake: exercise.Trivial, Sentence: lessons.Text{
					EN: "Nobody ever gets the lock.",
					ZH: "谁也拿不到锁。",
				}},
			}),
		},
	}, nil
}

// getsInAfterCrash reports whether the second request is at work and the first one
// has died.
func getsInAfterCrash(v *scenario.View) (bool, error) {
	a, b := v.Actor(0), v.Actor(1)
	return a != nil && b != nil && a.State() == sim.Dead && b.State() == sim.Parked && b.Op.Kind == sim.KindSQL, nil
}

// leaseProbe takes the lock twice and looks how long it lasts.
func leaseProbe(options []any) lessons.Probe {
	return func(ctx context.Context) (*lessons.Miss, error) {
		s, err := exercise.NewSession()
		if err != nil {
			return nil, err
		}
		defer s.Close()
		command := append([]any{"SET", key, "1"}, options...)
		first, err := s.Do(ctx, command...)
		if err != nil {
			return nil, err
		}
		say := func(o *exercise.Outcome, mistake, en, zh string) (*lessons.Miss, error) {
			return &lessons.Miss{Mistake: mistake, Sentence: lessons.Text{EN: en, ZH: zh}, Shown: o.Shown()}, nil
		}
		switch {
		case first.Err != nil:
			what := strings.TrimPrefix(first.Err.Error(), "ERR ")
			return say(first, exercise.Fails,
				fmt.Sprintf("Redis does not take this command: %s.", what),
				fmt.Sprintf("Redis 不认这条命令：%s。", what))
		case first.Reply == nil:
			return say(first, exercise.Trivial,
				"The lock is free and nobody gets it: XX sets only what is there already.",
				"锁明明空着，谁也拿不到：XX 是键存在才设。")
		}
		ttl, err := s.Redis().PTTL(ctx, key).Result()
		if err != nil {
			return nil, fmt.Errorf("looking at the lease: %w", err)
		}
		second, err := s.Do(ctx, command...)
		if err != nil {
			return nil, err
		}
		if second.Reply == nil && ttl < 0 && slices.Contains(options, any("KEEPTTL")) {
			return say(first, exercise.NoLease,
				"KEEPTTL keeps the time to live of a key that is there; a new key has none.",
				"KEEPTTL 是保留旧键的过期时间，新建的键本来就没有。")
		}
		return leaseMiss(first, second, ttl), nil
	}
}

// leaseMiss tells what is wrong with a lock that was taken, and asked for a second
// time at once.
func leaseMiss(first, second *exercise.Outcome, ttl time.Duration) *lessons.Miss {
	say := func(o *exercise.Outcome, mistake, en, zh string) *lessons.Miss {
		return &lessons.Miss{Mistake: mistake, Sentence: lessons.Text{EN: en, ZH: zh}, Shown: o.Shown()}
	}
	const tenSeconds, minute = 10 * time.Second, time.Minute
	switch {
	case second.Reply != nil && ttl < 0:
		return say(second, exercise.TakesForeign,
			"A second SET gets OK as well, and the key has no end: nothing keeps others out, nothing ends the lock.",
			"再 SET 一次还是 OK，键也没有过期时间：既没挡住别人，锁也不会自己消失。")
	case second.Reply != nil:
		return say(second, exercise.TakesForeign,
			"Somebody has the lock, and a second SET gets OK as well: without NX it overwrites whatever is there.",
			"锁已经被人拿着，再 SET 一次还是 OK：没有 NX，谁的都会被覆盖。")
	case ttl < 0:
		return say(first, exercise.NoLease,
			"The key has no time to live: if its holder dies, nobody gets in any more.",
			"键没有过期时间：拿锁的人一死，谁也进不来了。")
	case ttl >= 1000*tenSeconds && ttl <= 1000*minute:
		return say(first, exercise.WrongUnit,
			fmt.Sprintf("EX takes seconds: this lock lasts %s hours, and after a crash everybody waits that long.", hours(ttl)),
			fmt.Sprintf("EX 的单位是秒：这把锁要 %s 小时才过期，宕机之后所有人都得干等。", hours(ttl)))
	case ttl >= tenSeconds/1000 && ttl <= minute/1000:
		return say(first, exercise.WrongUnit,
			fmt.Sprintf("PX takes milliseconds: this lock lasts %d ms, and the order takes 10 s.", ttl.Milliseconds()),
			fmt.Sprintf("PX 的单位是毫秒：这把锁只有 %d 毫秒，而一单要办 10 秒。", ttl.Milliseconds()))
	case ttl < tenSeconds:
		return say(first, exercise.ShortLease,
			fmt.Sprintf("The lock ends after %d ms, in the midst of an order that takes 10 s: two are inside.", ttl.Milliseconds()),
			fmt.Sprintf("锁 %d 毫秒就到期，而一单要办 10 秒：办到一半，里面就有两个人了。", ttl.Milliseconds()))
	case ttl > minute:
		return say(first, exercise.LongLease,
			fmt.Sprintf("After a crash the next one waits %d s, and may wait 60.", int(ttl.Seconds())),
			fmt.Sprintf("宕机之后，下一个要等 %d 秒，最多只能等 60 秒。", int(ttl.Seconds())))
	}
	return nil
}

// hours writes a duration in hours, with one digit behind the point.
func hours(d time.Duration) string { return strconv.FormatFloat(d.Hours(), 'f', 1, 64) }
