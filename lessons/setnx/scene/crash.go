package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/setnx"
	store "flashlab/store/shop"
)

// The variants in which the holder's node may crash.

func noTTL() lessons.Variant {
	return lessons.Variant{
		Name: "no-ttl",
		Title: lessons.Text{
			EN: "SETNX and DEL, no time to live",
			ZH: "SETNX 加锁，DEL 放锁",
		},
		Summary: lessons.Text{
			EN: "SETNX takes the lock, a deferred DEL frees it. The key has no time to live, " +
				"and node n1 may crash once.",
			ZH: "SETNX 加锁，defer 里 DEL 放锁，键没有过期时间。节点 n1 可能宕机一次。",
		},
		Moral: lessons.Text{
			EN: "A dead process runs no deferred code. What is left is a key with TTL -1 and no " +
				"holder: user 7 can order nothing until somebody deletes it by hand. A lock " +
				"outside the process needs an end that does not depend on the process.",
			ZH: "进程死了，defer 和 finally 都不会执行，只留下一个 TTL 为 -1 又没有主人的键。" +
				"没人手工去删，用户 7 就再也下不了单。锁放在进程外面，就不能指望进程来收尾。",
		},
		Params: params(forEver, 1), Lights: verdicts(holds, breaks, breaks),
		File: "nottl.go", Func: "(*Shop).NoTTL", JavaFile: "NoTtl.java",
		Steps:    []lessons.Step{setnxStep(), sleep(), work(), del()},
		Scenario: requests("no-ttl", store.Voucher, (*setnx.Shop).NoTTL),
	}
}

func setnxThenExpire() lessons.Variant {
	return lessons.Variant{
		Name: "setnx-then-expire",
		Title: lessons.Text{
			EN: "SETNX, then EXPIRE",
			ZH: "先 SETNX，再 EXPIRE",
		},
		Summary: lessons.Text{
			EN: "SETNX takes the lock, EXPIRE gives it 30 seconds: two commands. Node n1 may " +
				"crash once.",
			ZH: "SETNX 拿到锁，再用 EXPIRE 设 30 秒过期，一共两条命令。节点 n1 可能宕机一次。",
		},
		Moral: lessons.Text{
			EN: "Between the two commands the lock has no end. The window is small, 3 of 25 " +
				"schedules, and no test will hit it; one crash there locks user 7 out for good. " +
				"What belongs together must be one command.",
			ZH: "两条命令之间，锁没有过期时间。窗口很小，25 种走法里只有 3 种，测试碰不上；" +
				"可真在这里宕机一次，用户 7 就被永远锁在外面。该一起生效的，必须是一条命令。",
		},
		Params: params(forEver, 1), Lights: verdicts(holds, breaks, breaks),
		File: "setnxthenexpire.go", Func: "(*Shop).SetnxThenExpire", JavaFile: "SetnxThenExpire.java",
		Steps: []lessons.Step{
			setnxStep(),
			{
				Go:   "s.Redis.Expire(",
				Java: "stringRedisTemplate.expire(key",
				Say: lessons.Text{
					EN: "{actor} gives the lock 30 s: {reply}. Only from here on does it end by itself.",
					ZH: "{actor} 给锁设上 30 秒：{reply}。到这一步，锁才会自己过期。",
				},
			},
			sleep(), work(), del(),
		},
		Scenario: requests("setnx-then-expire", store.Voucher, (*setnx.Shop).SetnxThenExpire),
	}
}

func setNXPX() lessons.Variant {
	return lessons.Variant{
		Name: "set-nx-px",
		Title: lessons.Text{
			EN: "SET NX with a lease: one command",
			ZH: "SET NX 带过期：一条命令",
		},
		Summary: lessons.Text{
			EN: "SET key 1 EX 30 NX: the key and its end in one command (PX is the same in " +
				"milliseconds). Node n1 may crash once.",
			ZH: "SET key 1 EX 30 NX，设键和过期是同一条命令（PX 单位是毫秒）。节点 n1 可能宕机一次。",
		},
		Moral: lessons.Text{
			EN: "A crash now costs the next request the rest of the lease, and no more. The " +
				"price is a new question: what if the lease ends while its holder is still at " +
				"work? Set expiries=1, or go on to the next lesson.",
			ZH: "宕机的代价，最多是下一个人等到锁到期。但新问题也来了：" +
				"活还没干完，锁先到期了怎么办？把 expiries 设成 1 看看，下一课就讲它。",
		},
		Params: params(forEver, 1), Lights: verdicts(holds, holds, holds),
		File: "setnxpx.go", Func: "(*Shop).SetNXPX", JavaFile: "SetNxPx.java",
		Steps:    []lessons.Step{setWithLease(), sleep(), work(), del()},
		Scenario: requests("set-nx-px", store.Voucher, (*setnx.Shop).SetNXPX),
	}
}
