package scene

import (
	"flashlab/lessons"
	"flashlab/sim/scenario"
)

// bugs are exercises in which code is read first. The numbers are those of the
// faults from practice.
func bugs() []lessons.Exercise {
	return []lessons.Exercise{findSeconds(), findGiveUp(), findOwner()}
}

// findSeconds is fault 29: less than a second, cut off.
func findSeconds() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-seconds", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: 600 milliseconds", ZH: "找错：600 毫秒"},
		Task: lessons.Text{
			EN: "An order takes 1 s. Its lock has a lease of 600 ms, and what is given to " +
				"kept renews it every 200 ms. A second request tries to get in every 600 ms. Read the " +
				"code: is the first one alone?",
			ZH: "下一单要 1 秒，锁的租期是 600 毫秒，交给 kept 的函数每 200 毫秒续一次。" +
				"第二个请求每 600 毫秒来抢一次。读一读代码：第一个请求能独占到底吗？",
		},
		Hints: []lessons.Text{
			{EN: "What is s.Lease.Seconds(), and what is left of it as an int?", ZH: "s.Lease.Seconds() 是多少？转成 int 还剩多少？"},
			{EN: "What does Redis do with a key that is to expire in 0 seconds?", ZH: "EXPIRE 设成 0 秒，Redis 会怎么处理这个键？"},
		},
		Code: &lessons.Snippet{File: "bugseconds.go", Func: "(*Shop).RenewedByExpire", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-seconds", Variant: "bug-seconds",
			Ask: lessons.Text{EN: "What does the first renewal do?", ZH: "第一次续期之后会怎样？"},
			Options: []lessons.Option{
				{Name: "renewed", Text: lessons.Text{EN: "It makes the lease 600 ms again: A is alone", ZH: "租期续满 600 毫秒，A 一直独占"}, Claim: lessons.Holds(exclusion)},
				{
					Name: "deleted", Text: lessons.Text{EN: "It deletes the lock, and B gets in; 1200 ms would do", ZH: "把锁删了，B 进来；租期 1200 毫秒就没事"},
					Claim: lessons.Needs(exclusion, "lease=1200"),
				},
				{Name: "long", Text: lessons.Text{EN: "The lock stays for 600 s, and B never gets in", ZH: "锁变成 600 秒，B 进不来"}, Claim: lessons.Breaks(scenario.ProgressLight)},
			},
			Because: lessons.Text{
				EN: "int(0.6) is 0, and EXPIRE with 0 or less deletes. go-redis's Expire would have made it 1 s and warned; Do sends what it is given.",
				ZH: "int(0.6) 是 0，EXPIRE 设 0 或负数就是删除。go-redis 的 Expire 会改成 1 秒并警告，Do 是给什么发什么。",
			},
		},
		Break: &lessons.Break{Variant: "bug-seconds", Light: exclusion},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-seconds",
					Text: lessons.Text{EN: "Leave it: it is renewed three times a lease", ZH: "不用改：一个租期续三次，够了"},
					Code: "seconds := int(s.Lease.Seconds())\ns.Redis.Do(ctx, \"EXPIRE\", key, seconds)",
				},
				{
					Name: "fraction", Variant: "seconds-fraction",
					Text: lessons.Text{EN: "Do not cut it off: EXPIRE key 0.6", ZH: "不取整：EXPIRE key 0.6"},
					Code: "seconds := s.Lease.Seconds()\ns.Redis.Do(ctx, \"EXPIRE\", key, seconds)",
				},
				{
					Name: "millis", Variant: "seconds-millis",
					Text: lessons.Text{EN: "In milliseconds: a script that compares, then PEXPIRE", ZH: "用毫秒：脚本先比较，再 PEXPIRE"},
					Code: "lua.Renew(ctx, s.Redis, key, token, s.Lease)",
				},
			},
			Shipped: "leave", Solution: "millis", Naive: "fraction",
		},
		Learned: lessons.Text{
			EN: "Leases travel in milliseconds, and 0 is refused before it is sent. A renewal that rounds down to nothing is a release.",
			ZH: "租期一律用毫秒传，发之前先拦住 0。续期续成了 0，就等于解锁。",
		},
	}
}

// findGiveUp is fault 30: the renewal ends at the first error that would pass.
func findGiveUp() lessons.Exercise {
	must := []string{scenario.MutualExclusionLight, scenario.NoMisdeletionLight, scenario.ProgressLight}
	return lessons.Exercise{
		Name: "bug-give-up", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: one lost answer", ZH: "找错：丢了一次返回"},
		Task: lessons.Text{
			EN: "Lease 30 s, renewed every 10 s, 70 s of work. Once you may lose the answer to a command: " +
				"Redis has done it, and its caller sees an error. Two requests on two nodes. Read the code: " +
				"can both be at work?",
			ZH: "租期 30 秒，每 10 秒续一次，活要干 70 秒。你可以弄丢一次命令的返回：" +
				"Redis 已经执行了，调用方看到的是报错。两个节点，两个请求。读一读代码：会不会同时干活？",
		},
		Hints: []lessons.Text{
			{EN: "What does the watchdog do with an error, and what does the work?", ZH: "看门狗遇到报错怎么办？干活的那边又知不知道？"},
			{EN: "Lose the answer to the first renewal, and let time go by.", ZH: "把第一次续期的返回弄丢，然后让时间走。"},
		},
		Code: &lessons.Snippet{File: "buggiveup.go", Func: "(*Shop).Attended", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-give-up", Variant: "bug-give-up",
			Ask: lessons.Text{EN: "The answer to one renewal is lost. What comes of it?", ZH: "有一次续期的返回丢了，会怎样？"},
			Options: []lessons.Option{
				{Name: "nothing", Text: lessons.Text{EN: "Nothing: Redis has renewed the lock", ZH: "没事：Redis 那边已经续上了"}, Claim: lessons.Holds(exclusion)},
				{Name: "two", Text: lessons.Text{EN: "Nobody renews any more, and B gets in beside A", ZH: "从此没人续期，A 还在干活，B 就进来了"}, Claim: lessons.Needs(exclusion, "losses=0")},
				{Name: "stuck", Text: lessons.Text{EN: "The lock is never freed, and B waits for ever", ZH: "锁再也放不掉，B 永远等下去"}, Claim: lessons.Breaks(scenario.ProgressLight)},
			},
			Because: lessons.Text{
				EN: "The loop returns on any error, and nobody tells the work. 30 s after its last renewal the lock is free, and A goes on.",
				ZH: "循环遇到错误就返回，也没通知干活的。最后一次续期过 30 秒，锁就没了，A 还在干。",
			},
		},
		Break: &lessons.Break{Variant: "bug-give-up", Light: exclusion},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-give-up", Must: must,
					Text: lessons.Text{EN: "Leave it: after an error the lock may be gone", ZH: "不用改：报错了，锁可能已经没了"},
					Code: "if err != nil || is != lua.Done {\n\treturn\n}",
				},
				{
					Name: "often", Variant: "give-up-often", Must: must,
					Text: lessons.Text{EN: "Renew twice as often, every 5 s", ZH: "续得勤一点，每 5 秒一次"},
					Code: "for proc.Sleep(ctx, Lease/6) == nil {",
				},
				{
					Name: "again", Variant: "give-up-never", Must: must,
					Text: lessons.Text{EN: "After an error try again in 10 s; at 0 or -1 cancel the work", ZH: "报错就 10 秒后再续，返回 0 或 -1 才取消业务"},
					Code: "if !s.renew(ctx, key, me) { // only 0 and -1 say no\n\tend()\n}",
				},
			},
			Shipped: "leave", Solution: "again", Naive: "often",
		},
		Learned: lessons.Text{
			EN: "An error says nothing about the lock. Renew until the lease has really run out, and when the lock is lost, tell the work.",
			ZH: "报错说明不了锁在不在。租期没真正到点就接着续；锁真丢了，要告诉干活的。",
		},
	}
}

// findOwner is fault 41: an owner that is not this request.
func findOwner() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-owner", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: the owner", ZH: "找错：锁的持有者"},
		Task: lessons.Text{
			EN: "A re-entrant lock. Its owner is the node and the user, so that whatever an order calls " +
				"can take it once more. User 7 clicks twice, and both clicks come to node n1. Read the " +
				"code: who is let in?",
			ZH: "可重入锁，持有者是节点加用户，这样下单过程里再加一次锁也进得去。" +
				"用户 7 连点两下，都到了 n1。读一读代码：放进去的是谁？",
		},
		Hints: []lessons.Text{
			{EN: "By what does the lock tell a nested call from another request?", ZH: "锁凭什么分辨：这是重入，还是另一个请求？"},
			{EN: "Write down the owner of click 1, and that of click 2.", ZH: "把两次点击的持有者都写出来，比一比。"},
		},
		Code: &lessons.Snippet{File: "bugowner.go", Func: "(*Shop).Confirm", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-owner", Variant: "bug-owner",
			Ask: lessons.Text{EN: "Click 1 is at work, click 2 asks for the lock. What happens?", ZH: "第一次点击在干活，第二次来拿锁。会怎样？"},
			Options: []lessons.Option{
				{Name: "waits", Text: lessons.Text{EN: "It waits: the lock is held", ZH: "等着：锁被占着"}, Claim: lessons.Holds(exclusion)},
				{Name: "in", Text: lessons.Text{EN: "It is let in at once, as a nested call", ZH: "当成重入，马上放进去"}, Claim: lessons.And(lessons.Breaks(exclusion), lessons.Holds(scenario.ProgressLight))},
				{Name: "stuck", Text: lessons.Text{EN: "It waits for itself, for ever", ZH: "自己等自己，永远等下去"}, Claim: lessons.Breaks(scenario.ProgressLight)},
			},
			Because: lessons.Text{
				EN: "n1:7 is in the hash, n1:7 asks: the count becomes 2. Redisson's UUID:threadId has the same trouble with pooled threads and coroutines.",
				ZH: "哈希里是 n1:7，来的也是 n1:7，次数加到 2。Redisson 的 UUID:线程号，碰上线程池复用或者协程，也是这个毛病。",
			},
		},
		Break: &lessons.Break{Variant: "bug-owner", Light: exclusion},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-owner",
					Text: lessons.Text{EN: "Leave it: a user cannot disturb himself", ZH: "不用改：同一个用户，自己不会妨碍自己"},
					Code: "me := lua.Owner{ID: s.Node, N: user}",
				},
				{
					Name: "voucher", Variant: "owner-voucher",
					Text: lessons.Text{EN: "Put the voucher into the owner as well", ZH: "持有者里再加上券"},
					Code: "me := lua.Owner{ID: s.Node, N: user<<32 | voucher}",
				},
				{
					Name: "request", Variant: "owner-request",
					Text: lessons.Text{EN: "A number for each request, handed on to what it calls", ZH: "每个请求领一个号，往下调用时一路带着"},
					Code: "me := lua.Owner{ID: s.Node, N: proc.Number(ctx)}",
				},
			},
			Shipped: "leave", Solution: "request", Naive: "voucher",
		},
		Learned: lessons.Text{
			EN: "The owner of a lock is one request. Not a user, not a thread, not a node: all of them serve two at once.",
			ZH: "锁的持有者是一个请求，不是用户，不是线程，也不是节点：它们都可能同时对应两个请求。",
		},
	}
}
