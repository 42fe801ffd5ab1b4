package scene

import (
	"flashlab/lessons"
	"flashlab/sim/scenario"
)

// breakBetween is the crash that no test hits: between SETNX and EXPIRE.
func breakBetween() lessons.Exercise {
	return lessons.Exercise{
		Name: "break-setnx-then-expire", Kind: lessons.BreakIt,
		Title: lessons.Text{
			EN: "Lock a user out for good",
			ZH: "把一个用户永远锁在外面",
		},
		Task: lessons.Text{
			EN: "SETNX takes the lock, EXPIRE gives it 30 s. You decide who takes the next step, and " +
				"once you may kill node n1. Find the moment after which nobody gets the lock any more.",
			ZH: "SETNX 拿锁，EXPIRE 设 30 秒过期。下一步谁走由你定，还可以让节点 n1 宕机一次。" +
				"找出那个时机：从那以后，谁也拿不到锁。",
		},
		Hints: []lessons.Text{
			{EN: "A lock with an expiry ends by itself. When does this one not have it yet?", ZH: "设好过期的锁会自己消失。它什么时候还没设上？"},
			{EN: "Let request 1 take one step, and kill its node then.", ZH: "让第一个请求只走一步，就让它的节点宕机。"},
		},
		Break: &lessons.Break{Variant: "setnx-then-expire", Light: scenario.ProgressLight},
		Cause: &lessons.Question{
			Name: "cause-setnx-then-expire", Variant: "setnx-then-expire",
			Ask: lessons.Text{EN: "Why does nobody get the lock any more?", ZH: "为什么谁也拿不到锁了？"},
			Options: []lessons.Option{
				{
					Name:  "crash",
					Text:  lessons.Text{EN: "The holder died before EXPIRE: the key never ends", ZH: "还没 EXPIRE 就宕机了，键永不过期"},
					Claim: lessons.Needs(scenario.ProgressLight, "crashes=0"),
				},
				{
					Name:  "race",
					Text:  lessons.Text{EN: "Both ran SETNX at once, and both got it", ZH: "两个人同时 SETNX，都拿到了锁"},
					Claim: lessons.Breaks(scenario.MutualExclusionLight),
				},
				{
					Name:  "any-crash",
					Text:  lessons.Text{EN: "A dead holder's lock stays, with or without EXPIRE", ZH: "持有者一宕机锁就放不掉，设没设过期都一样"},
					Claim: func(c *lessons.Case) bool { return c.As("set-nx-px").Breaks(scenario.ProgressLight) },
				},
			},
			Because: lessons.Text{
				EN: "With one command, SET NX EX, the same crash costs the next request 30 s and no more. Only the gap between two commands makes it for ever.",
				ZH: "换成一条命令 SET NX EX，同样宕机，下一个最多等 30 秒。只有两条命令之间的空档，才会变成永远。",
			},
		},
		Learned: lessons.Text{
			EN: "What belongs together must be one command. The window is small, and what falls into it stays for ever.",
			ZH: "该一起生效的，必须是一条命令。窗口再小，掉进去就再也出不来。",
		},
	}
}

// breakUnheld needs no fault at all: only a release that does not ask.
func breakUnheld() lessons.Exercise {
	return lessons.Exercise{
		Name: "break-unlock-unheld", Kind: lessons.BreakIt,
		Title: lessons.Text{
			EN: "Let a third one walk in",
			ZH: "让第三个人闯进来",
		},
		Task: lessons.Text{
			EN: "Three clicks of one user. The release stands in finally, and also runs for who was refused. Nobody " +
				"crashes, no lease runs out. Find an order of steps in which two are at work at the same time.",
			ZH: "同一个用户连点三下。放锁写在 finally 里，没抢到锁的也会执行。没人宕机，锁也没过期。" +
				"找出一种走法，让两个请求同时在干活。",
		},
		Hints: []lessons.Text{
			{EN: "A request that is refused still does something before it goes.", ZH: "被拒绝的请求，走之前还会做一件事。"},
			{EN: "One works, one is refused and leaves, one comes after that.", ZH: "一个在干活，一个被拒绝后走人，再来一个。"},
		},
		Break: &lessons.Break{Variant: "unlock-unheld", Sets: "buyers=3", Light: scenario.MutualExclusionLight},
		Cause: &lessons.Question{
			Name: "cause-unlock-unheld", Variant: "unlock-unheld", Sets: "buyers=3",
			Ask: lessons.Text{EN: "How could two be at work at the same time?", ZH: "为什么两个人能同时干活？"},
			Options: []lessons.Option{
				{
					Name:  "nx",
					Text:  lessons.Text{EN: "Two sent SET NX at once, and both got OK", ZH: "两个人同时 SET NX，都返回 OK"},
					Claim: func(c *lessons.Case) bool { return c.With("buyers=2").Breaks(scenario.MutualExclusionLight) },
				},
				{
					Name: "refused",
					Text: lessons.Text{EN: "Who was refused deleted the lock of the one at work", ZH: "没抢到锁的人，删了正在干活的人的锁"},
					Claim: func(c *lessons.Case) bool {
						return c.Breaks(scenario.NoMisdeletionLight) && c.As("set-nx-px").Holds(scenario.NoMisdeletionLight)
					},
				},
				{
					Name:  "lease",
					Text:  lessons.Text{EN: "The lease of the first one ran out", ZH: "第一个人的锁过期了"},
					Claim: lessons.Needs(scenario.MutualExclusionLight, "buyers=3,expiries=0"),
				},
			},
			Because: lessons.Text{
				EN: "With two clicks it only deletes a lock, and nobody is there to profit. The third one finds the lock free, in 36 of 336 schedules.",
				ZH: "只点两下，锁被误删也没人趁虚而入。第三下来了，一看锁空着：336 种走法里有 36 种。",
			},
		},
		Learned: lessons.Text{
			EN: "Release only what you have got: the release stands behind the check, never in front of it.",
			ZH: "只放自己拿到的锁：放锁写在判断之后，不能写在前面。",
		},
	}
}

// predictions are asked before anything runs.
func predictions() []lessons.Question {
	return []lessons.Question{
		{
			Name: "setnx-finally", Variant: "unlock-unheld", Sets: "buyers=3",
			Ask: lessons.Text{
				EN: "The DEL stands in finally, and also runs for a request that did not get the lock. Three clicks, nobody crashes, no lease runs out. What can happen?",
				ZH: "DEL 写在 finally 里，没抢到锁的请求也会执行。连点三下，没人宕机，锁也没过期。会怎样？",
			},
			Options: []lessons.Option{
				{
					Name:  "harmless",
					Text:  lessons.Text{EN: "Nothing: who has no lock deletes nothing", ZH: "没事：没锁的人删不掉什么"},
					Claim: lessons.Holds(scenario.NoMisdeletionLight),
				},
				{
					Name:  "deleted",
					Text:  lessons.Text{EN: "A holder's lock is deleted, but never are two at work", ZH: "会误删别人的锁，但不会有两个人同时干活"},
					Claim: lessons.And(lessons.Breaks(scenario.NoMisdeletionLight), lessons.Holds(scenario.MutualExclusionLight)),
				},
				{
					Name:  "two",
					Text:  lessons.Text{EN: "A lock is deleted, and then two are at work at once", ZH: "误删之后，还会有两个人同时干活"},
					Claim: lessons.And(lessons.Breaks(scenario.NoMisdeletionLight), lessons.Breaks(scenario.MutualExclusionLight)),
				},
			},
			Because: lessons.Text{
				EN: "DEL does not ask whose key it is. The refused click deletes the lock of the one at work, and the third click finds it free.",
				ZH: "DEL 不问键是谁的。被拒绝的那次点击删掉了正在干活的人的锁，第三次点击一看，锁空着。",
			},
		},
		{
			Name: "setnx-error-path", Variant: "leaked-on-error",
			Ask: lessons.Text{
				EN: "The lock has a lease of 30 s. DEL is the last line, and the first request returns with an error before it. The second one waits. What comes of it?",
				ZH: "锁设了 30 秒过期。DEL 写在最后一行，第一个请求中途报错返回，没走到那里。第二个在等。结果怎样？",
			},
			Options: []lessons.Option{
				{
					Name:  "lease",
					Text:  lessons.Text{EN: "All is well: such cases are what the lease is for", ZH: "没问题：设过期时间就是防这个的"},
					Claim: lessons.And(lessons.Holds(scenario.LockReleasedLight), lessons.Holds(scenario.ProgressLight)),
				},
				{
					Name:  "left",
					Text:  lessons.Text{EN: "It gets in, after waiting for a lock that nobody needs", ZH: "进得去，但要白等一把没人用的锁"},
					Claim: lessons.And(lessons.Breaks(scenario.LockReleasedLight), lessons.Holds(scenario.ProgressLight)),
				},
				{
					Name:  "never",
					Text:  lessons.Text{EN: "It never gets in: nobody is left to delete the lock", ZH: "永远进不去：没人来删这把锁"},
					Claim: lessons.Breaks(scenario.ProgressLight),
				},
			},
			Because: lessons.Text{
				EN: "The lease is for the dead. Here everybody lives, and each error costs the user up to 30 s: release in defer or finally, right behind the acquire.",
				ZH: "过期时间是给宕机的进程准备的。这里谁也没宕机，却每错一次就让用户白等最多 30 秒。拿到锁，紧接着就写 defer 或 finally。",
			},
		},
	}
}

// recall are the cards of this lesson.
func recall() []lessons.Recall {
	return []lessons.Recall{
		{
			Name:    "recall-set-nx-px",
			Front:   lessons.Text{EN: "Why SET key v NX PX and not SETNX, then EXPIRE?", ZH: "为什么用 SET key v NX PX，不用 SETNX 再 EXPIRE？"},
			Back:    lessons.Text{EN: "A crash between the two leaves a key with TTL -1: locked for ever. In one command there is no between.", ZH: "两条命令之间宕机，会留下 TTL 为 -1 的键，永远锁死。一条命令就没有中间。"},
			Variant: "setnx-then-expire", Claim: func(c *lessons.Case) bool {
				return lessons.Needs(scenario.ProgressLight, "crashes=0")(c) && c.As("set-nx-px").Holds(scenario.ProgressLight)
			},
		},
		{
			Name:    "recall-release-what-you-have",
			Front:   lessons.Text{EN: "Where does the release belong: before or after the check that you got the lock?", ZH: "放锁的 defer（finally）该写在哪，判断拿没拿到锁之前还是之后？"},
			Back:    lessons.Text{EN: "After it, and right behind it. Before it, a refused request deletes somebody else's lock.", ZH: "之后，而且紧挨着。写在之前，没抢到的请求会误删别人的锁。"},
			Variant: "unlock-unheld", Claim: lessons.Breaks(scenario.NoMisdeletionLight),
		},
	}
}

// exercises are what is to be done in this lesson.
func exercises() []lessons.Exercise {
	return []lessons.Exercise{breakBetween(), breakUnheld(), leaseExercise(), limiterExercise()}
}
