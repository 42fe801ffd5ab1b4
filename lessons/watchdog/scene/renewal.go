package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/watchdog"
	"flashlab/sim/scenario"
)

// The variants that ask whether the lease is renewed.

func fixedLease() lessons.Variant {
	return lessons.Variant{
		Name: "fixed-lease",
		Title: lessons.Text{
			EN: "A lease that was long enough once",
			ZH: "租期写死 5 秒",
		},
		Summary: lessons.Text{
			EN: "Locks for 5 s, which somebody once found long enough. The payment takes 8 s today, " +
				"and nobody renews.",
			ZH: "加锁 5 秒，当初觉得够用。今天支付要 8 秒，没有人续期。",
		},
		Moral: lessons.Text{
			EN: "After 5 s the lock is free and the second request is let in, in every schedule: " +
				"no bad luck is needed. A longer lease only moves the limit, and makes a crash " +
				"cost more. The lease has to follow the work.",
			ZH: "到第 5 秒锁就没了，第二个请求放了进来，每一种走法都这样，用不着运气差。" +
				"把租期调长只是挪了界线，宕机时还要多等。应该让租期跟着活走。",
		},
		Params: params(2, 0, 8000, scenario.Standard("lease", 5000)),
		Lights: lights(scenario.MutualExclusionLight),
		File:   "fixedlease.go", Func: "(*Shop).FixedLease", JavaFile: "FixedLease.java",
		Steps: []lessons.Step{
			lock("s.acquire(ctx, key, me, s.Lease)", "lock.lock(5, TimeUnit.SECONDS)"),
			order("s.order(ctx, voucher)", "createVoucherOrder(voucherId)"),
			unlock("s.release(ctx, key, me, &err)", "lock.unlock()"),
		},
		Scenario: orders("fixed-lease", (*watchdog.Shop).FixedLease, set{}),
	}
}

// keptAlive is a variant that runs the code of renewed under some fault.
func keptAlive(v lessons.Variant, x set) lessons.Variant {
	v.File, v.Func, v.JavaFile = "renewed.go", "(*Shop).Renewed", "Renewed.java"
	v.Steps = []lessons.Step{
		lock("s.acquire(ctx, key, me, Lease)", "lock.lock();"),
		wake("every lockWatchdogTimeout / 3"),
		renew("pexpire to 30 s again"),
		order("s.order(held, voucher)", "createVoucherOrder(voucherId)"),
		unlock("s.release(ctx, key, me, &err)", "lock.unlock()"),
	}
	v.Scenario = orders(v.Name, (*watchdog.Shop).Renewed, x)
	return v
}

func renewed() lessons.Variant {
	return keptAlive(lessons.Variant{
		Name: "renewed",
		Title: lessons.Text{
			EN: "A watchdog renews the lease",
			ZH: "看门狗自动续期",
		},
		Summary: lessons.Text{
			EN: "No lease is named: 30 s, made 30 s again every 10 s while the 70 s of work go on. " +
				"Losing the lock cancels the work.",
			ZH: "不写租期：先给 30 秒，没做完就每 10 秒续满一次，业务要做 70 秒。锁丢了，业务也取消。",
		},
		Moral: lessons.Text{
			EN: "70 s of work under a lease of 30 s, and nobody else comes in. With ticks=8 the " +
				"clock may run on at any moment, and none of 16,520 schedules breaks. All of it " +
				"rests on one thing: a due renewal is never 20 s late, see pause.",
			ZH: "租期 30 秒，活干了 70 秒，别人进不来。设 ticks=8，时钟随时可能往前走，16520 种走法也没有一种出错。" +
				"靠的只有一条：到点的续期不会拖到 20 秒，见 pause。",
		},
		Params: params(2, 0, 70_000), Lights: lights(),
	}, set{})
}

func explicitLease() lessons.Variant {
	// A lease of 0 stands for the call without one.
	lease := scenario.Standard("lease", 5000)
	lease.Min = 0
	return lessons.Variant{
		Name: "explicit-lease-no-watchdog",
		Title: lessons.Text{
			EN: "Naming a lease switches the watchdog off",
			ZH: "写了租期，就没有看门狗",
		},
		Summary: lessons.Text{
			EN: "Asks for a lease of 5 s, in case the node dies, and expects the watchdog to renew " +
				"it. The payment takes 8 s.",
			ZH: "怕宕机，写了租期 5 秒，还指望看门狗来续。支付要 8 秒。",
		},
		Moral: lessons.Text{
			EN: "The best-known misconception about Redisson: with a lease of one's own nobody " +
				"renews, and the lock is gone after 5 s. Only a call without a lease starts the " +
				"watchdog. Set lease=0, and this same code holds.",
			ZH: "Redisson 最常见的误解：自己写了 leaseTime，就没人续期，5 秒一到锁就没了。" +
				"只有不写租期，看门狗才会启动。设 lease=0，同一段代码就不出错。",
		},
		Params: params(2, 0, 8000, lease),
		Lights: lights(scenario.MutualExclusionLight),
		File:   "explicitlease.go", Func: "(*Shop).ExplicitLease", JavaFile: "ExplicitLease.java",
		Steps: []lessons.Step{
			lock("s.acquire(ctx, key, me, cmp.Or(s.Lease, Lease))", "lock.lock(leaseTime, TimeUnit.SECONDS)"),
			wake("every lockWatchdogTimeout / 3"),
			renew("pexpire to 30 s again"),
			order("s.order(held, voucher)", "createVoucherOrder(voucherId)"),
			unlock("s.release(ctx, key, me, &err)", "lock.unlock()"),
		},
		Scenario: orders("explicit-lease-no-watchdog", (*watchdog.Shop).ExplicitLease, set{}),
	}
}

func crash() lessons.Variant {
	return keptAlive(lessons.Variant{
		Name: "crash",
		Title: lessons.Text{
			EN: "The holder's node dies",
			ZH: "拿着锁的节点宕机",
		},
		Summary: lessons.Text{
			EN: "The code of renewed. Node n1 dies at some moment, and its watchdog dies with it.",
			ZH: "代码同 renewed。n1 在某一刻宕机，看门狗跟着一起没了。",
		},
		Moral: lessons.Text{
			EN: "The watchdog lives in the holder's process, so it cannot outlive it: at most one " +
				"lease later, 30 s, the lock is free. That is why a short lease is renewed again " +
				"and again, instead of a long one given at once.",
			ZH: "看门狗就在持有者的进程里，进程没了它也没了，最多再过一个租期，30 秒，锁就空出来。" +
				"所以是短租期一次次地续，而不是一上来就给个长的。",
		},
		Params: params(2, 0, 40_000, scenario.Standard("crashes", 1)), Lights: lights(),
	}, set{})
}

func pause() lessons.Variant {
	return keptAlive(lessons.Variant{
		Name: "pause",
		Title: lessons.Text{
			EN: "The whole process stands still",
			ZH: "整个进程停住了",
		},
		Summary: lessons.Text{
			EN: "The code of renewed. Node n1 stands still for 40 s, in a long collection or a frozen " +
				"container, and goes on.",
			ZH: "代码同 renewed。n1 停住 40 秒再接着跑，就像长时间 GC，或者容器被冻结。",
		},
		Moral: lessons.Text{
			EN: "Nobody renews, B comes in, and A wakes up believing. Safe is less than lease minus " +
				"interval, 30 - 10 s: a pause may begin just before a renewal, so 15 s hold and " +
				"20 s break. Beyond that no lock helps, only a store that rejects A: fencing.",
			ZH: "停着没人续期，B 进来了，A 醒来还以为锁在手里。安全的停顿要短于租期减去续期间隔，30 - 10 秒：" +
				"停顿可能正好在续期前开始，所以 15 秒没事，20 秒出错。再长，锁就帮不上了，要靠 fencing。",
		},
		Params: params(2, 0, 40_000, scenario.Standard("pauses", 1), scenario.Standard("pause", 40_000)),
		Lights: lights(scenario.MutualExclusionLight),
	}, set{})
}
