package scene

import (
	"flashlab/lessons"
	"flashlab/sim/scenario"
)

// predictions are asked before anything runs.
func predictions() []lessons.Question {
	return []lessons.Question{
		{
			Name: "lua-unlock-what-is-left", Variant: "lua",
			Ask: lessons.Text{
				EN: "Every acquisition has its own token, and a script compares and deletes in one step. The work may take longer than the lease of 5 s. What can still go wrong?",
				ZH: "每次加锁都有自己的唯一值，脚本一步完成比较和删除。业务可能比 5 秒的租期久。还会出什么错？",
			},
			Options: []lessons.Option{
				{
					Name:  "nothing",
					Text:  lessons.Text{EN: "Nothing any more: this is the lock as it should be", ZH: "不会了：锁写到这样就对了"},
					Claim: lessons.And(lessons.Holds(scenario.NoMisdeletionLight), lessons.Holds(scenario.MutualExclusionLight)),
				},
				{
					Name:  "deleted",
					Text:  lessons.Text{EN: "A late release may still delete the other one's lock", ZH: "解锁晚了，还是可能误删别人的锁"},
					Claim: lessons.Breaks(scenario.NoMisdeletionLight),
				},
				{
					Name:  "two",
					Text:  lessons.Text{EN: "No lock is misdeleted, but two may work at the same time", ZH: "不会误删，但两个人可能同时干活"},
					Claim: lessons.And(lessons.Holds(scenario.NoMisdeletionLight), lessons.Breaks(scenario.MutualExclusionLight)),
				},
			},
			Because: lessons.Text{
				EN: "The release comes after the work. Whatever it does, it cannot undo that somebody else came in while the work went on.",
				ZH: "解锁在干活之后。它再怎么写，也改变不了干活的时候别人已经进来了。",
			},
		},
		{
			Name: "lua-unlock-delex", Variant: "delex",
			Ask: lessons.Text{
				EN: "Redis 8.4 has DELEX key IFEQ token: compare and delete as one command, no script. Against the script, in how many schedules are two at work at once?",
				ZH: "Redis 8.4 有了 DELEX key IFEQ 值，一条命令完成比较和删除，不用脚本。和脚本比，两个人同时干活的走法有多少？",
			},
			Options: []lessons.Option{
				{
					Name:  "none",
					Text:  lessons.Text{EN: "In none: a command of the server itself is safe", ZH: "没有了：服务器自带的命令是安全的"},
					Claim: lessons.Holds(scenario.MutualExclusionLight),
				},
				{
					Name:  "equal",
					Text:  lessons.Text{EN: "In exactly as many", ZH: "一样多"},
					Claim: func(c *lessons.Case) bool { return againstScript(c) == 0 },
				},
				{
					Name:  "fewer",
					Text:  lessons.Text{EN: "In fewer: it takes one round trip less", ZH: "少一些：往返少了一次"},
					Claim: func(c *lessons.Case) bool { return againstScript(c) < 0 && c.Breaks(scenario.MutualExclusionLight) },
				},
			},
			Because: lessons.Text{
				EN: "A script is one step already, and so is DELEX: the same lock, the same holes. What is missing is not in the release.",
				ZH: "脚本本来就是一步，DELEX 也是一步：锁还是那把锁，漏洞也还是那个漏洞。缺的东西不在解锁里。",
			},
		},
	}
}

// againstScript compares in how many schedules two are inside, with what the script
// gives.
func againstScript(c *lessons.Case) int {
	a, _ := c.Light(scenario.MutualExclusionLight)
	b, _ := c.As("lua").Light(scenario.MutualExclusionLight)
	if a.Violating == nil || b.Violating == nil {
		return 1
	}
	return a.Violating.Cmp(b.Violating)
}

func exercises() []lessons.Exercise {
	return []lessons.Exercise{unlockExercise(), breakLua()}
}

func breakLua() lessons.Exercise {
	return lessons.Exercise{
		Name: "break-lua-unlock", Kind: lessons.BreakIt,
		Title: lessons.Text{
			EN: "Two inside, and no lock misdeleted",
			ZH: "没有误删，还是进来两个",
		},
		Task: lessons.Text{
			EN: "This release is right: it deletes its own lock and no other. You decide who steps, and once you may " +
				"let the lease run out. Find an order in which two requests are at work at the same time.",
			ZH: "这里的解锁没有错，只删自己的锁。下一步谁走由你定，还可以让租期到点一次。" +
				"找出一种走法，让两个请求同时在干活。",
		},
		Hints: []lessons.Text{
			{EN: "Nobody has to release anything for that.", ZH: "这件事跟解锁没关系，谁都不用解锁。"},
			{EN: "What becomes of A's lock while A is still at work?", ZH: "A 还在干活的时候，A 的锁会怎样？"},
		},
		Break: &lessons.Break{Variant: "lua", Light: scenario.MutualExclusionLight},
		Cause: &lessons.Question{
			Name: "cause-lua-unlock", Variant: "lua",
			Ask: lessons.Text{EN: "Why were two inside?", ZH: "为什么两个人同时在里面？"},
			Options: []lessons.Option{
				{
					Name:  "deleted",
					Text:  lessons.Text{EN: "A release has deleted a lock that was not its own", ZH: "有人解锁时误删了别人的锁"},
					Claim: lessons.Breaks(scenario.NoMisdeletionLight),
				},
				{
					Name:  "set",
					Text:  lessons.Text{EN: "SET NX has let in two at the same time", ZH: "SET NX 同时放进来两个"},
					Claim: func(c *lessons.Case) bool { return c.With("expiries=0").Breaks(scenario.MutualExclusionLight) },
				},
				{
					Name:  "lease",
					Text:  lessons.Text{EN: "The lease ended while its holder was still at work", ZH: "活还没干完，租期先到了"},
					Claim: lessons.Needs(scenario.MutualExclusionLight, "expiries=0"),
				},
			},
			Because: lessons.Text{
				EN: "With a lease that no work outlives it holds in every schedule, dead holders included: see lua-long-lease. Renewing it is the next lesson.",
				ZH: "租期比业务时间长，就不会有两个人同时在里面，宕机也一样，看 lua-long-lease。给租期续命，是下一课的看门狗。",
			},
		},
		Learned: lessons.Text{
			EN: "A right release is only half a lock. The other half is that the lease lasts as long as the work.",
			ZH: "解锁写对了，只是半把锁。另外半把，是租期要撑到活干完。",
		},
	}
}

// recall are the cards of this lesson.
func recall() []lessons.Recall {
	return []lessons.Recall{
		{
			Name:    "recall-lua-unlock",
			Front:   lessons.Text{EN: "Token and Lua release: what do they prevent, and what not?", ZH: "唯一值加 Lua 解锁，防住了什么，防不住什么？"},
			Back:    lessons.Text{EN: "Misdeletion, yes. Not two at work at once, when the work outlives the lease.", ZH: "防住了误删。防不住业务比租期久，两个人同时在里面。"},
			Variant: "lua", Claim: lessons.And(lessons.Holds(scenario.NoMisdeletionLight), lessons.Breaks(scenario.MutualExclusionLight)),
		},
		{
			Name:    "recall-long-lease",
			Front:   lessons.Text{EN: "A lease longer than any work keeps two apart. What is the price?", ZH: "租期设得比业务时间长，就不会有两个人同时在里面。代价是什么？"},
			Back:    lessons.Text{EN: "After a crash everybody waits for the whole lease. And \"longer than any work\" is a hope, not a rule.", ZH: "一宕机，后面的人要等满整个租期。而且业务一定比租期短，只是希望，没人能保证。"},
			Variant: "lua-long-lease", Claim: lessons.And(lessons.Holds(scenario.MutualExclusionLight), lessons.Holds(scenario.ProgressLight)),
		},
	}
}
