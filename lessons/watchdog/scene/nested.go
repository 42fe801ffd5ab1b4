package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/watchdog"
	"flashlab/sim/scenario"
)

// The variants that take a lock twice in one call chain, and the one whose renewal
// comes too late.

func reentrant() lessons.Variant {
	return lessons.Variant{
		Name: "reentrant",
		Title: lessons.Text{
			EN: "The holder takes it once more",
			ZH: "可重入：同一个持有者再拿一次",
		},
		Summary: lessons.Text{
			EN: "Under the lock it calls something that locks as well. The hash keeps the owner and " +
				"a count: 1, 2, 1, gone.",
			ZH: "锁里又调了一个要加锁的方法。哈希里存着持有者和次数：1，2，1，然后删掉。",
		},
		Moral: lessons.Text{
			EN: "The owner is the same, so the second lock is granted at once and counted; only the " +
				"last release frees it. An owner is one request. A pooled worker as owner would " +
				"get in by itself if its last task had forgotten to unlock.",
			ZH: "持有者相同，第二次加锁马上成功，次数加一，最后一次解锁才真正放开。持有者要一个请求一个。" +
				"拿线程当持有者，上一个任务忘了解锁，下一个任务就会直接进去。",
		},
		Params: params(2, 1, 0), Lights: lights(),
		File: "reentrant.go", Func: "(*Shop).Reentrant", JavaFile: "Reentrant.java",
		Steps: []lessons.Step{
			lock("// outer", "thread id> = 1"),
			keep("renews all holds"),
			lock("// inner", "the hash says 2"),
			order("s.order(ctx, voucher)", "callPaymentProvider(voucherId)"),
			unlock("defer func() { s.release(ctx, key, me, &err) }()", "1 is left"),
			order("s.read(held, voucher)", "Result.ok("),
			unlock("// the last one frees it", "0: the key is deleted"),
		},
		Scenario: orders("reentrant", (*watchdog.Shop).Reentrant, set{}),
	}
}

func nestedNonReentrant() lessons.Variant {
	return lessons.Variant{
		Name: "nested-non-reentrant",
		Title: lessons.Text{
			EN: "The same calls on a token lock",
			ZH: "不可重入的锁，拿两次",
		},
		Summary: lessons.Text{
			EN: "The token lock of lesson 5, with renewal, taken twice by one call chain. The inner " +
				"call tries again every 10 s.",
			ZH: "第 5 课的令牌锁，加上续期，在一条调用链里拿两次，里层每 10 秒重试一次。",
		},
		Moral: lessons.Text{
			EN: "It waits for itself: only its caller could release what the inner call wants, and " +
				"the watchdog keeps it from running out. Without renewal the inner call gets in " +
				"after 30 s, which looks like a slow request.",
			ZH: "自己等自己：里层要的锁只有外层能放，外层在等里层，看门狗又不让锁过期。" +
				"要是没有续期，30 秒后里层就进去了，看上去只是一个慢请求。",
		},
		Params: params(1, 0, 1000), Lights: lights(scenario.ProgressLight),
		File: "nestednonreentrant.go", Func: "(*Shop).NestedNonReentrant", JavaFile: "NestedNonReentrant.java",
		Steps: []lessons.Step{
			lockToken("s.acquireToken(ctx, key, mine)", "with a token of its own"),
			{
				Go: "proc.Sleep(ctx, Lease/3)", Java: "The keeper sleeps for 10 s",
				Say: wake("").Say,
			},
			{
				Go: "lua.Renew(ctx, s.Redis, key, mine, Lease)", Java: "compares the token and sets 30 s again",
				Say: renew("").Say,
			},
			lockToken("s.acquireToken(held, key, inner)", "another object, another token"),
		},
		Scenario: orders("nested-non-reentrant", (*watchdog.Shop).NestedNonReentrant, set{ticks: 6}),
	}
}

func innerLeaseTruncates() lessons.Variant {
	return lessons.Variant{
		Name: "inner-lease-truncates",
		Title: lessons.Text{
			EN: "An inner lease cuts the outer one",
			ZH: "里层的租期截断外层",
		},
		Summary: lessons.Text{
			EN: "The outer lock is renewed. What it calls locks for 5 s of its own, and works for 8 s.",
			ZH: "外层由看门狗续期。里面的方法另外加锁 5 秒，却要干 8 秒。",
		},
		Moral: lessons.Text{
			EN: "All holds share one key, and a key has one lease: the inner lock cuts it from 30 s " +
				"to 5 s, and the watchdog comes only at 10 s. By then B is in. An inner lock " +
				"should name no lease, or never shorten one.",
			ZH: "几层锁共用一个键，键只有一个过期时间：里层把 30 秒截成了 5 秒，看门狗第 10 秒才来，B 早就进来了。" +
				"里层加锁不要写租期，至少不能往短里改。",
		},
		Params: params(2, 0, 8000, scenario.Standard("lease", 5000)),
		Lights: lights(scenario.MutualExclusionLight),
		File:   "truncated.go", Func: "(*Shop).Truncated", JavaFile: "Truncated.java",
		Steps: []lessons.Step{
			lock("s.acquire(ctx, key, me, Lease)", "30 s, and a watchdog"),
			keep("renews, every 10 s"),
			lock("s.acquire(ctx, key, me, s.Lease)", "pexpire to 5 s"),
			order("s.order(ctx, voucher)", "callPaymentProvider(voucherId)"),
			unlock("defer func() { s.release(ctx, key, me, &err) }()", "the inner hold"),
			order("s.read(held, voucher)", "Result.ok("),
			unlock("// the last one frees it", "the last hold"),
		},
		Scenario: orders("inner-lease-truncates", (*watchdog.Shop).Truncated, set{}),
	}
}

func renewalOutlivesUnlock() lessons.Variant {
	return lessons.Variant{
		Name: "renewal-outlives-unlock",
		Title: lessons.Text{
			EN: "A renewal comes after the release",
			ZH: "解锁之后又来一次续期",
		},
		Summary: lessons.Text{
			EN: "A token lock, renewed by SET key token with a new lease. The work ends in the very " +
				"moment in which a renewal is due.",
			ZH: "令牌锁，续期用的是 SET key token 加新的过期时间。活干完的那一刻，正好该续期。",
		},
		Moral: lessons.Text{
			EN: "The release deletes the key and the late SET brings it back: nobody's lock, for " +
				"30 s, or the next holder's is overwritten. A renewal by script compares first; " +
				"it finds no lock of its own and revives nothing.",
			ZH: "解锁删掉了键，迟到的 SET 又写了回来：一把没有主人的锁占着 30 秒，或者盖掉下一个人的锁。" +
				"用脚本续期会先比较，不是自己的锁就不动，也就救不活。",
		},
		Params: params(2, 0, 10_000), Lights: lights(scenario.LockReleasedLight),
		File: "renewaloutlives.go", Func: "(*Shop).RenewalOutlives", JavaFile: "RenewalOutlives.java",
		Steps: []lessons.Step{
			lockToken("s.acquireToken(ctx, key, token)", "setIfAbsent, every 10 s"),
			{
				Go: "proc.Sleep(ctx, Lease/3)", Java: "10, 10, TimeUnit.SECONDS",
				Say: lessons.Text{
					EN: "{actor}, the renewal, wakes: 10 s are over, or the work is.",
					ZH: "续期任务 {actor} 醒了：过了 10 秒，或者活已经干完。",
				},
			},
			{
				Go: "s.Redis.Set(sent, key, token, Lease)", Java: ".set(key, token, 30, TimeUnit.SECONDS)",
				Say: lessons.Text{
					EN: "{actor} sets the key for 30 s without looking whose it is: {reply}.",
					ZH: "{actor} 不看锁是谁的，直接写键，30 秒：{reply}。",
				},
			},
			order("s.order(held, voucher)", "createVoucherOrder(voucherId)"),
			unlockToken("s.releaseToken(ctx, key, token, &err)", "unlock(key, token); // unlock.lua"),
		},
		Scenario: orders("renewal-outlives-unlock", (*watchdog.Shop).RenewalOutlives, set{}),
	}
}
