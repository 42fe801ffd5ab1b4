package scene

import (
	"flashlab/lessons"
	"flashlab/sim/scenario"
)

// bugs are exercises in which code is read first. The numbers are those of the
// faults from practice.
func bugs() []lessons.Exercise {
	return []lessons.Exercise{findTryLock(), findCancelled(), findExpire()}
}

// findTryLock is fault 21: the answer of tryLock is thrown away.
func findTryLock() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-trylock", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: tryLock", ZH: "找错：tryLock"},
		Task: lessons.Text{
			EN: "Two requests of user 7 come to two nodes. tryLock tries for as long as it is told, " +
				"here not at all, and the lock is given back in a deferred call. Nobody crashes, and no " +
				"lease runs out. Read the code: what becomes of the lock?",
			ZH: "用户 7 的两个请求到了两个节点。tryLock 按给的时间等锁，这里是 0，放锁写在 defer 里。" +
				"没人宕机，锁也没过期。读一读代码：锁会怎样？",
		},
		Hints: []lessons.Text{
			{EN: "tryLock has an answer. Who asks for it?", ZH: "tryLock 是有返回值的，谁看了？"},
			{EN: "Let request 1 take the lock and stop; then let request 2 run to its end.", ZH: "让第一个请求拿到锁就停下，再让第二个请求一路走完。"},
		},
		Code: &lessons.Snippet{File: "bugtrylock.go", Func: "(*Shop).Checkout (*Shop).tryLock", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-trylock", Variant: "bug-trylock",
			Ask: lessons.Text{EN: "What becomes of request 1's lock while it works?", ZH: "第一个请求正在干活，它的锁会怎样？"},
			Options: []lessons.Option{
				{Name: "safe", Text: lessons.Text{EN: "It stays: request 2 has not got it, and goes away", ZH: "还在：第二个没抢到，就走了"}, Claim: lessons.Holds(scenario.NoMisdeletionLight)},
				{
					Name: "deleted", Text: lessons.Text{EN: "Request 2 works without a lock, and then deletes it", ZH: "第二个没锁也干活，干完把它删了"},
					Claim: lessons.And(lessons.Sometimes(scenario.NoMisdeletionLight), lessons.Holds(scenario.LockReleasedLight)),
				},
				{Name: "left", Text: lessons.Text{EN: "Nobody deletes it: it stays for 30 s", ZH: "没人删，要占满 30 秒"}, Claim: lessons.Breaks(scenario.LockReleasedLight)},
			},
			Because: lessons.Text{
				EN: "false is no error: the code goes on, with work and DEL. Redisson would throw IllegalMonitorStateException there; a bare DEL says nothing.",
				ZH: "返回 false 不是报错，代码接着往下走，干活，DEL。换成 Redisson，unlock 会抛 IllegalMonitorStateException，裸 DEL 一声不吭。",
			},
		},
		Break: &lessons.Break{Variant: "bug-trylock", Light: scenario.NoMisdeletionLight},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-trylock",
					Text: lessons.Text{EN: "Leave it: who waits long enough gets the lock", ZH: "不用改：等够了总能拿到"},
					Code: "s.tryLock(ctx, key, o.Wait)\ndefer func() { s.Redis.Del(ctx, key) }()",
				},
				{
					Name: "late", Variant: "unlock-unheld",
					Text: lessons.Text{EN: "Defer the DEL, then look at the answer and return", ZH: "先写 defer，再看返回值，没拿到就返回"},
					Code: "defer func() { s.Redis.Del(ctx, key) }()\nif !got {\n\treturn ErrBusy\n}",
				},
				{
					Name: "early", Variant: "set-nx-px",
					Text: lessons.Text{EN: "Look at the answer and return; only then defer the DEL", ZH: "先看返回值，没拿到就返回，后面才写 defer"},
					Code: "if !got {\n\treturn ErrBusy\n}\ndefer func() { s.Redis.Del(ctx, key) }()",
				},
			},
			Shipped: "leave", Solution: "early", Naive: "late",
		},
		Learned: lessons.Text{
			EN: "tryLock asks a question. Whoever does not hear the answer has no lock to work under, and none to give back.",
			ZH: "tryLock 是在问。不听回答的人，干活没有锁，放的也不是自己的锁。",
		},
	}
}

// findCancelled is fault 27: the release runs under the request's own context.
func findCancelled() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-cancelled", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: two seconds", ZH: "找错：限时 2 秒"},
		Task: lessons.Text{
			EN: "No client waits longer than 2 s, and the payment provider needs 3 s today. The lock " +
				"has a lease of 30 s and is deleted in a deferred call, in whatever way the request " +
				"ends. Read the code: what becomes of the lock?",
			ZH: "接口限时 2 秒，今天支付平台要 3 秒才有结果。锁的租期 30 秒，" +
				"删锁写在 defer 里，不管怎么结束都会执行。读一读代码：锁会怎样？",
		},
		Hints: []lessons.Text{
			{EN: "The deferred call runs. What does it hand to Redis?", ZH: "defer 一定会执行。可它交给 Redis 的是什么？"},
			{EN: "Look at which ctx the DEL is given, and when that one ends.", ZH: "看 DEL 用的是哪个 ctx，它什么时候结束。"},
		},
		Code: &lessons.Snippet{File: "bugcancelled.go", Func: "(*Shop).Pay", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-cancelled", Variant: "bug-cancelled",
			Ask: lessons.Text{EN: "The 2 s are over in the midst of the payment. And the lock?", ZH: "支付到一半，2 秒到了。锁呢？"},
			Options: []lessons.Option{
				{Name: "freed", Text: lessons.Text{EN: "Deleted: a deferred call runs in any case", ZH: "删了：defer 怎么都会执行"}, Claim: lessons.Holds(scenario.LockReleasedLight)},
				{
					Name: "stays", Text: lessons.Text{EN: "It stays till the lease ends; with 1 s of payment it goes", ZH: "一直占到过期；支付只要 1 秒就没事"},
					Claim: lessons.And(lessons.Needs(scenario.LockReleasedLight, "work=1"), lessons.Holds(scenario.ProgressLight)),
				},
				{Name: "ever", Text: lessons.Text{EN: "It stays for ever: nobody is left to delete it", ZH: "永远占着：没人来删了"}, Claim: lessons.Breaks(scenario.ProgressLight)},
			},
			Because: lessons.Text{
				EN: "The DEL is given the very context that has ended, and go-redis sends nothing. Nobody sees the error: the user is locked out for up to 28 s.",
				ZH: "DEL 用的正是那个已经结束的 ctx，go-redis 连命令都不发，错误也没人看。用户要白等最多 28 秒。",
			},
		},
		Break: &lessons.Break{Variant: "bug-cancelled", Light: scenario.LockReleasedLight},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-cancelled",
					Text: lessons.Text{EN: "Leave it: defer is what releases are made with", ZH: "不用改：放锁就该写在 defer 里"},
					Code: "defer func() { s.Redis.Del(ctx, key) }()",
				},
				{
					Name: "retry", Variant: "cancelled-retry",
					Text: lessons.Text{EN: "Try a DEL that fails up to three times", ZH: "DEL 失败就重试，最多三次"},
					Code: "for range 3 {\n\tif s.Redis.Del(ctx, key).Err() == nil {\n\t\treturn\n\t}\n}",
				},
				{
					Name: "detached", Variant: "cancelled-detached",
					Text: lessons.Text{EN: "DEL under context.WithoutCancel(ctx)", ZH: "DEL 改用 context.WithoutCancel(ctx)"},
					Code: "s.Redis.Del(context.WithoutCancel(ctx), key)",
				},
			},
			Shipped: "leave", Solution: "detached", Naive: "retry",
		},
		Learned: lessons.Text{
			EN: "A release has to go out just when the request was given up. Detach it from the request, with a time limit of its own.",
			ZH: "请求被放弃的时候，恰恰最需要放锁。放锁不能用请求的 ctx，要另给一个超时。",
		},
	}
}

// findExpire is fault 97 in the form of a lock, born from the repair of fault 16:
// what is refused prolongs what refuses it.
func findExpire() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-expire", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: healing old locks", ZH: "找错：补过期时间"},
		Task: lessons.Text{
			EN: "An older version left locks without an end. So whoever does not get a lock gives it " +
				"30 s, waits, and tries again. Node n1 may crash once while request 2 waits. Read the " +
				"code: when does request 2 get in?",
			ZH: "老版本留下过一些没有过期时间的锁。所以现在没抢到锁的人，会顺手给它设上 30 秒，等一等再抢。" +
				"第二个请求等锁的时候，n1 可能宕机一次。读一读代码：它什么时候能进去？",
		},
		Hints: []lessons.Text{
			{EN: "What has to happen for the lock of a dead holder to go?", ZH: "持有者宕机了，锁要怎样才会消失？"},
			{EN: "Kill n1 while it holds the lock, and look at the TTL each time request 2 has tried.", ZH: "n1 拿着锁的时候让它宕机，再看第二个请求每试一次之后的 TTL。"},
		},
		Code: &lessons.Snippet{File: "bugexpire.go", Func: "(*Shop).Reserve", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-expire", Variant: "bug-expire",
			Ask: lessons.Text{EN: "n1 dies with the lock. When does request 2 get in?", ZH: "n1 拿着锁宕机了。第二个请求什么时候能进去？"},
			Options: []lessons.Option{
				{Name: "lease", Text: lessons.Text{EN: "After 30 s at most: the lease of the dead runs out", ZH: "最多 30 秒：宕机留下的锁会过期"}, Claim: lessons.Holds(scenario.ProgressLight)},
				{Name: "never", Text: lessons.Text{EN: "Never: it keeps the lock alive itself", ZH: "永远进不去：锁就是它自己续着的"}, Claim: lessons.Needs(scenario.ProgressLight, "crashes=0")},
				{Name: "both", Text: lessons.Text{EN: "Too early, while request 1 is still at work", ZH: "进得太早，第一个还在干活"}, Claim: lessons.Breaks(scenario.MutualExclusionLight)},
			},
			Because: lessons.Text{
				EN: "It tries every 10 s, and each time it makes the lease 30 s again. The more patience, the longer the lock stays.",
				ZH: "它每 10 秒抢一次，每次都把租期改回 30 秒。等得越勤快，锁越不会过期。",
			},
		},
		Break: &lessons.Break{Variant: "bug-expire", Light: scenario.ProgressLight},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-expire",
					Text: lessons.Text{EN: "Leave it: better an end too often than none", ZH: "不用改：多设几次总比没有强"},
					Code: "s.Redis.Expire(ctx, key, Lease) // not got",
				},
				{
					Name: "mine", Variant: "setnx-then-expire",
					Text: lessons.Text{EN: "SETNX; EXPIRE only by whoever has got the lock", ZH: "SETNX，抢到的人自己 EXPIRE"},
					Code: "SETNX key 1\nEXPIRE key 30 // got",
				},
				{
					Name: "once", Variant: "set-nx-px",
					Text: lessons.Text{EN: "SET NX with its lease; nobody else touches the TTL", ZH: "SET NX 带过期时间，别人都不碰 TTL"},
					Code: "SET key 1 NX PX 30000",
				},
			},
			Shipped: "leave", Solution: "once", Naive: "mine",
		},
		Learned: lessons.Text{
			EN: "The time to live belongs to whoever took the lock. Old locks without one are found by a scan for TTL -1, not by those who wait.",
			ZH: "过期时间只归拿锁的人管。没有过期时间的老锁，靠扫描 TTL 为 -1 的键去清，不靠等锁的人。",
		},
	}
}
