package scene

import (
	"flashlab/lessons"
	"flashlab/sim/scenario"
)

const exclusion = scenario.MutualExclusionLight

// with makes a claim at other sizes.
func with(sets string, claim lessons.Claim) lessons.Claim {
	return func(c *lessons.Case) bool { return claim(c.With(sets)) }
}

// predictions are asked before anything runs.
func predictions() []lessons.Question {
	return []lessons.Question{
		{
			Name: "watchdog-explicit-lease", Variant: "explicit-lease-no-watchdog",
			Ask: lessons.Text{
				EN: "The shop takes Redisson's lock with leaseTime 5 s, in case the node dies. The work takes 8 s, and there is a watchdog in the library. What happens?",
				ZH: "怕宕机，加锁时写了 leaseTime 5 秒。活要干 8 秒，Redisson 自带看门狗。结果会怎样？",
			},
			Options: []lessons.Option{
				{Name: "renewed", Text: lessons.Text{EN: "Nothing: the watchdog renews the 5 s until the work is over", ZH: "没事：看门狗会把 5 秒一直续到干完"}, Claim: lessons.Holds(exclusion)},
				{Name: "race", Text: lessons.Text{EN: "Now and then two are in: it depends on who steps when", ZH: "偶尔会进来两个人，看谁先谁后"}, Claim: lessons.Sometimes(exclusion)},
				{Name: "always", Text: lessons.Text{EN: "Two are in, every time: nobody renews that lease", ZH: "每次都会进来两个人：这个租期没人续"}, Claim: lessons.Always(exclusion)},
			},
			Because: lessons.Text{
				EN: "Whoever names a lease gets no watchdog: the library takes the 5 s at their word. With lease=0, that is without one, the same code holds.",
				ZH: "自己写了租期，看门狗就不启动：说 5 秒就是 5 秒。不写租期（lease=0），同一段代码就没事。",
			},
		},
		{
			Name: "watchdog-pause", Variant: "pause",
			Ask: lessons.Text{
				EN: "Lease 30 s, renewed every 10 s. Once the whole process stands still, as in a long collection. How long a pause may let a second one in?",
				ZH: "租期 30 秒，每 10 秒续一次。进程整个停顿一次，比如长时间 GC。停多久，就可能进来第二个人？",
			},
			Options: []lessons.Option{
				{Name: "15", Text: lessons.Text{EN: "15 s: one renewal is missed", ZH: "15 秒：漏了一次续期"}, Claim: with("pause=15000", lessons.Breaks(exclusion))},
				{Name: "20", Text: lessons.Text{EN: "15 s do no harm, 20 s can", ZH: "15 秒没事，20 秒就可能"}, Claim: lessons.And(with("pause=15000", lessons.Holds(exclusion)), with("pause=20000", lessons.Breaks(exclusion)))},
				{Name: "30", Text: lessons.Text{EN: "20 s do no harm: it takes the whole lease of 30 s", ZH: "20 秒也没事：要停满整个租期 30 秒"}, Claim: lessons.And(with("pause=20000", lessons.Holds(exclusion)), lessons.Breaks(exclusion))},
			},
			Because: lessons.Text{
				EN: "A pause may begin in the moment before a renewal: 10 s of the lease are gone already, and 20 s are left. Safe is less than lease minus interval, not the lease.",
				ZH: "停顿可能正好在续期前一刻开始：租期已经用掉 10 秒，只剩 20 秒。安全的停顿要短于租期减续期间隔，不是整个租期。",
			},
		},
	}
}

func exercises() []lessons.Exercise {
	return []lessons.Exercise{breakPause(), breakLateRenewal(), renewExercise(), reentrantExercise()}
}

func breakPause() lessons.Exercise {
	return lessons.Exercise{
		Name: "break-watchdog", Kind: lessons.BreakIt,
		Title: lessons.Text{EN: "Get past the watchdog", ZH: "骗过看门狗"},
		Task: lessons.Text{
			EN: "The lease is 30 s, the watchdog renews it every 10 s, and the work takes 40 s. You " +
				"may stop node n1 once, for 20 s: less than a lease. Find the moment in which that " +
				"lets both requests in.",
			ZH: "租期 30 秒，看门狗每 10 秒续一次，活要干 40 秒。你可以让 n1 停顿一次，只有 20 秒，比租期短。" +
				"找出停在哪一刻，两个请求就会同时进去。",
		},
		Hints: []lessons.Text{
			{EN: "How much of the lease is left when it is at its least?", ZH: "租期什么时候剩得最少？剩多少？"},
			{EN: "Let the clock go on to the moment in which a renewal is due, and stop n1 before it is sent.", ZH: "让时钟走到该续期的那一刻，趁续期还没发出去，停住 n1。"},
		},
		Break: &lessons.Break{Variant: "pause", Sets: "pause=20000", Light: exclusion},
		Cause: &lessons.Question{
			Name: "cause-watchdog", Variant: "pause", Sets: "pause=20000",
			Ask: lessons.Text{EN: "Why could both of them get in?", ZH: "为什么两个人都进去了？"},
			Options: []lessons.Option{
				{
					Name: "late", Text: lessons.Text{EN: "The renewal came 20 s late; without the pause, or with 15 s, it holds", ZH: "续期晚了 20 秒；不停顿，或者只停 15 秒，就没事"},
					Claim: lessons.And(lessons.Needs(exclusion, "pause=20000,pauses=0"), with("pause=15000", lessons.Holds(exclusion))),
				},
				{Name: "short", Text: lessons.Text{EN: "30 s of lease are too short for 40 s of work, pause or not", ZH: "租期 30 秒，活要 40 秒，不停顿也会出事"}, Claim: with("pause=20000,pauses=0", lessons.Breaks(exclusion))},
				{Name: "deleted", Text: lessons.Text{EN: "B deleted the lock of A", ZH: "B 把 A 的锁删了"}, Claim: lessons.Breaks(scenario.NoMisdeletionLight)},
			},
			Because: lessons.Text{
				EN: "The watchdog stands still with its process. What is left of the lease goes on running, at its least 20 s.",
				ZH: "看门狗跟着进程一起停，租期却照样在走，最少的时候只剩 20 秒。",
			},
		},
		Learned: lessons.Text{
			EN: "A lock by lease is safe as long as a renewal is never late by lease minus interval. No watchdog can promise that; a store that compares tokens can do without.",
			ZH: "靠租期的锁，续期不能晚过租期减续期间隔。哪个看门狗也保证不了，能兜底的是会比较令牌的存储。",
		},
	}
}

func breakLateRenewal() lessons.Exercise {
	return lessons.Exercise{
		Name: "break-late-renewal", Kind: lessons.BreakIt,
		Title: lessons.Text{EN: "Bring a lock back from the dead", ZH: "让锁死而复生"},
		Task: lessons.Text{
			EN: "One request renews its token lock by SET key token PX 30000. The work ends in the " +
				"very moment in which a renewal is due. Find an order of steps after which the " +
				"lock is there though nobody holds it.",
			ZH: "一个请求用 SET key 令牌 PX 30000 给自己的锁续期，活干完的那一刻正好该续期。" +
				"找出一种走法，让锁最后还在，却没有人拿着。",
		},
		Hints: []lessons.Text{
			{EN: "SET does not ask whether the key is there.", ZH: "SET 不问 key 还在不在。"},
			{EN: "Let the renewal wake up first, then release, and only then send the SET.", ZH: "先让续期任务醒来，再解锁，最后才让 SET 发出去。"},
		},
		Break: &lessons.Break{Variant: "renewal-outlives-unlock", Sets: "buyers=1", Light: scenario.LockReleasedLight},
		Cause: &lessons.Question{
			Name: "cause-late-renewal", Variant: "renewal-outlives-unlock", Sets: "buyers=1",
			Ask: lessons.Text{EN: "Why is the lock there again?", ZH: "锁为什么又出现了？"},
			Options: []lessons.Option{
				{
					Name: "set", Text: lessons.Text{EN: "SET makes the key anew; a renewal that compares holds here", ZH: "SET 又建了一次；换成先比较再续的脚本就没事"},
					Claim: func(c *lessons.Case) bool {
						d := c.As("token-renewed").With("buyers=1")
						return c.Breaks(scenario.LockReleasedLight) && d.Holds(scenario.LockReleasedLight)
					},
				},
				{Name: "skipped", Text: lessons.Text{EN: "The release fails in every schedule", ZH: "不管什么顺序，解锁都没成功"}, Claim: lessons.Always(scenario.LockReleasedLight)},
				{Name: "two", Text: lessons.Text{EN: "A second request got in and left its own lock behind", ZH: "第二个请求进来过，留下了它的锁"}, Claim: lessons.Breaks(exclusion)},
			},
			Because: lessons.Text{
				EN: "The renewal was on its way when the release came. A script that finds no lock of its own does nothing.",
				ZH: "解锁的时候，续期已经在路上了。换成脚本，发现锁不是自己的，就什么也不做。",
			},
		},
		Learned: lessons.Text{
			EN: "A renewal must keep what is there and make nothing: compare and PEXPIRE in one step.",
			ZH: "续期只能延长已有的锁，不能新建：比较和 PEXPIRE 放在一步里。",
		},
	}
}

// recall are the cards of this lesson.
func recall() []lessons.Recall {
	return []lessons.Recall{
		{
			Name:    "recall-explicit-lease",
			Front:   lessons.Text{EN: "lock.lock(5, SECONDS), and the work takes 8 s. Who renews?", ZH: "lock.lock(5, SECONDS)，活要干 8 秒，谁来续期？"},
			Back:    lessons.Text{EN: "Nobody. Who names a lease has no watchdog, and after 5 s the next one is in. Name none, and it is renewed.", ZH: "没人续。写了 leaseTime 就没有看门狗，5 秒一到别人就进来。不写租期才会续。"},
			Variant: "explicit-lease-no-watchdog",
			Claim:   lessons.And(lessons.Always(exclusion), with("lease=0", lessons.Holds(exclusion))),
		},
		{
			Name:    "recall-safe-pause",
			Front:   lessons.Text{EN: "Lease 30 s, renewed every 10 s. How long may the process stand still?", ZH: "租期 30 秒，每 10 秒续一次，进程最多能停多久？"},
			Back:    lessons.Text{EN: "Less than 20 s: lease minus interval. A pause may begin just before a renewal.", ZH: "不到 20 秒：租期减续期间隔，因为停顿可能正好在续期前开始。"},
			Variant: "pause",
			Claim: lessons.And(with("pause=15000", lessons.Holds(exclusion)), with("pause=19999", lessons.Holds(exclusion)),
				with("pause=20000", lessons.Breaks(exclusion))),
		},
	}
}
