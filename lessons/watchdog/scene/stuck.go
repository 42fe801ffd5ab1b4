package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/watchdog"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
)

// The variants in which A's work never ends: its payment takes an hour, and an hour
// is "for ever" here.

// neverAnswered is what the screen says of it.
func neverAnswered() []trace.Phrase {
	return []trace.Phrase{trace.Say("note.never-answered", "the payment of {actor} is never answered", "actor", "A")}
}

func stuckParams() []scenario.Param { return params(2, 1, 3_600_000) }

func hungWorker() lessons.Variant {
	return keptAlive(lessons.Variant{
		Name: "hung-worker",
		Title: lessons.Text{
			EN: "The work hangs, the watchdog does not",
			ZH: "业务卡住了，看门狗没有",
		},
		Summary: lessons.Text{
			EN: "The code of renewed. The payment provider never answers A; the process lives, and " +
				"so does the watchdog.",
			ZH: "代码同 renewed。A 调支付一直没有返回，进程还在跑，看门狗也就还在续。",
		},
		Moral: lessons.Text{
			EN: "A watchdog knows that the process lives, not that the work goes on. The lock gets " +
				"its 30 s again every 10 s, and B waits for ever. One call without a timeout is " +
				"enough for that; max-hold tries to mend it.",
			ZH: "看门狗只知道进程还在跑，不知道业务有没有进展。锁每 10 秒续满 30 秒，B 永远等不到。" +
				"一个没设超时的调用就足够了，max-hold 试着补救。",
		},
		Params: stuckParams(), Lights: lights(scenario.ProgressLight),
	}, set{stuck: true, ticks: 6, notes: neverAnswered()})
}

func maxHold() lessons.Variant {
	return lessons.Variant{
		Name: "max-hold",
		Title: lessons.Text{
			EN: "Renew three times at most",
			ZH: "最多续三次",
		},
		Summary: lessons.Text{
			EN: "The watchdog renews three times and then lets the lease run out, however far the work is.",
			ZH: "看门狗只续三次，之后任由锁过期，不管活干到哪里。",
		},
		Moral: lessons.Text{
			EN: "B gets in at last: progress is mended. But nobody has told A, which is in the " +
				"section still, so mutual-exclusion breaks instead. The exchange pays only if " +
				"A is stopped before its lock goes.",
			ZH: "B 总算进来了，progress 修好了。可没人告诉 A，A 还在锁里，变红的换成了 mutual-exclusion。" +
				"要在锁没之前先让 A 停下，这笔交换才划算。",
		},
		Params: stuckParams(), Lights: lights(scenario.MutualExclusionLight),
		File: "maxhold.go", Func: "(*Shop).MaximumHold", JavaFile: "MaximumHold.java",
		Steps: []lessons.Step{
			lock("s.acquire(ctx, key, me, Lease)", "lock.lock(30, TimeUnit.SECONDS)"),
			wake("}, 10, 10, TimeUnit.SECONDS);"),
			renew("renew(lock); // hexists and pexpire"),
			order("s.order(held, voucher)", "createVoucherOrder(voucherId)"),
			unlock("s.release(ctx, key, me, &err)", "lock.unlock()"),
		},
		Scenario: orders("max-hold", (*watchdog.Shop).MaximumHold,
			set{stuck: true, ticks: 12, notes: neverAnswered()}),
	}
}

func maxHoldCancels() lessons.Variant {
	return lessons.Variant{
		Name: "max-hold-cancels",
		Title: lessons.Text{
			EN: "Renew three times, then cancel the work",
			ZH: "续三次，再取消业务",
		},
		Summary: lessons.Text{
			EN: "The watchdog renews three times. With the last one it cancels the work, which has a " +
				"whole lease left to end.",
			ZH: "看门狗续三次，最后一次的同时取消业务，还留着整整一个租期让它收尾。",
		},
		Moral: lessons.Text{
			EN: "The stuck call ends with its context, A gives the lock back after 30 s, B goes on, " +
				"and no light is red. It works as far as the work listens: a call that ignores " +
				"its context stays, and what has been sent has been sent.",
			ZH: "卡住的调用随上下文一起结束，A 在第 30 秒解锁，B 接着进，灯一盏都没红。" +
				"前提是业务肯听：不理会取消的调用照样占着，已经发出去的请求也收不回来。",
		},
		Params: stuckParams(), Lights: lights(),
		File: "maxholdcancels.go", Func: "(*Shop).HoldAndCancel", JavaFile: "HoldAndCancel.java",
		Steps: []lessons.Step{
			lock("s.acquire(ctx, key, me, Lease)", "lock.lock(30, TimeUnit.SECONDS)"),
			wake("}, 10, 10, TimeUnit.SECONDS);"),
			renew("!renew(lock)"),
			order("s.order(held, voucher)", "createVoucherOrder(voucherId)"),
			unlock("s.release(ctx, key, me, &err)", "lock.unlock()"),
		},
		Scenario: orders("max-hold-cancels", (*watchdog.Shop).HoldAndCancel,
			set{stuck: true, ticks: 12, notes: neverAnswered()}),
	}
}
