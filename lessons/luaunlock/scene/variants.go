package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/luaunlock"
)

func acquire() lessons.Step {
	return lessons.Step{
		Go:   "s.Redis.SetNX(ctx, key",
		Java: `.setIfAbsent("lock:" + name`,
		Say: lessons.Text{
			EN: "{actor} asks for the lock with its own token: {reply}. OK lets it in, (nil) sends it away.",
			ZH: "{actor} 带着自己的唯一值抢锁，返回 {reply}：OK 是抢到了，(nil) 是没抢到。",
		},
	}
}

func work() lessons.Step {
	return lessons.Step{
		Go:   "SELECT stock FROM voucher",
		Java: "seckillVoucherService.getById(voucherId)",
		Say: lessons.Text{
			EN: "{actor} works on the order and reads {reply}. The lease goes on ticking meanwhile.",
			ZH: "{actor} 在办订单，查到 {reply}。活没干完，租期照样在走。",
		},
	}
}

func unlock() lessons.Step {
	return lessons.Step{
		Go:   "lua.Unlock(ctx, s.Redis, key, token)",
		Java: "stringRedisTemplate.execute(UNLOCK_SCRIPT",
		Say: lessons.Text{
			EN: "{actor} compares and deletes in one step: {reply}. 1 is deleted, 0 expired, -1 taken by another.",
			ZH: "{actor} 一步完成比较和删除：{reply}。1 是删了，0 是过期了，-1 是锁换人了。",
		},
	}
}

func script() lessons.Variant {
	return lessons.Variant{
		Name: "lua",
		Title: lessons.Text{
			EN: "A token and a script",
			ZH: "唯一值加 Lua 脚本",
		},
		Summary: lessons.Text{
			EN: "A token for each acquisition, a lease of 5 s, and a script that compares and " +
				"deletes. What it answers is not thrown away.",
			ZH: "每次加锁生成一个唯一值，租期 5 秒，解锁用脚本比较并删除。脚本的返回值也要看。",
		},
		Moral: lessons.Text{
			EN: "No lock is deleted by a stranger, in any of the 44 interleavings. In 12 of them " +
				"two are inside together: the work outlived its lease, and a release comes too late " +
				"for that. It can only say so, and then the work must not count as protected.",
			ZH: "44 种走法里，没有一种误删。但有 12 种两个人同时在里面：活干得比租期久，等到解锁，什么都晚了。" +
				"解锁能做的只是如实报告锁丢了，那么这次的活就不能算有锁保护。",
		},
		Params: params(0), Lights: verdicts(breaks),
		File: "lua.go", Func: "(*Shop).Lua", JavaFile: "Lua.java",
		Steps:    []lessons.Step{acquire(), work(), unlock()},
		Scenario: clicks("lua", luaunlock.Lease, (*luaunlock.Shop).Lua),
	}
}

func delex() lessons.Variant {
	return lessons.Variant{
		Name: "delex",
		Title: lessons.Text{
			EN: "One command: DELEX",
			ZH: "一条命令搞定：DELEX",
		},
		Summary: lessons.Text{
			EN: "DELEX key IFEQ token, from Redis 8.4 on, does what the script does. The shop asks " +
				"for the server's version once; an older one gets the script.",
			ZH: "Redis 8.4 起有 DELEX key IFEQ 值，作用和脚本一样。启动时问一次服务器版本，旧版就用脚本。",
		},
		Moral: lessons.Text{
			EN: "The same verdicts as with the script, in one command that nobody has to load. It " +
				"tells less: its 0 is expired or taken, and does not say which. The work that " +
				"outlives its lease is as unprotected as before.",
			ZH: "结论和脚本一模一样，而且是一条现成的命令，不用先加载脚本。只是返回值少一种：" +
				"0 可能是过期，也可能是换人，分不出来。活干得比租期久，照样没有保护。",
		},
		Params: params(0), Lights: verdicts(breaks),
		File: "delex.go", Func: "(*Shop).Delex", JavaFile: "Delex.java",
		Steps: []lessons.Step{
			acquire(),
			work(),
			{
				Go:   "s.Unlock(ctx, s.Redis, key, token)",
				Java: "connection.execute(",
				Say: lessons.Text{
					EN: "{actor} deletes the lock if it holds its token: {reply}. 1 is deleted; else it was lost.",
					ZH: "{actor} 核对唯一值，是自己的才删：{reply}。1 是删了，不是 1 就是锁丢了。",
				},
			},
		},
		Scenario: clicks("delex", luaunlock.Lease, (*luaunlock.Shop).Delex),
	}
}

func longLease() lessons.Variant {
	return lessons.Variant{
		Name: "lua-long-lease",
		Title: lessons.Text{
			EN: "A lease longer than the work",
			ZH: "租期比业务时间长",
		},
		Summary: lessons.Text{
			EN: "The same code with a lease of 30 s, longer than any work here: it runs out only " +
				"when its holder is dead. One node can crash.",
			ZH: "代码一样，租期 30 秒，这里的业务都用不满：只有持有者宕机，锁才会过期。有一个节点会宕机。",
		},
		Moral: lessons.Text{
			EN: "All lights hold in all 19 interleavings, crash or not. The price shows after the " +
				"crash: a dead holder's lock stays, and the next one waits for the whole lease. And " +
				"\"longer than the work\" is an assumption that a long pause ends.",
			ZH: "19 种走法，宕不宕机，灯都是绿的。代价在宕机之后：持有者没了锁还在，后来的要等满整个租期。" +
				"而且租期比业务时间长只是假设，停顿够久就不成立了。",
		},
		Params: params(1), Lights: verdicts(holds),
		File: "lualonglease.go", Func: "(*Shop).LuaLongLease", JavaFile: "LuaLongLease.java",
		Steps:    []lessons.Step{acquire(), work(), unlock()},
		Scenario: clicks("lua-long-lease", luaunlock.LongLease, (*luaunlock.Shop).LuaLongLease),
	}
}
