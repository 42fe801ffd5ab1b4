package scene

import (
	"context"

	"flashlab/lessons"
	"flashlab/lessons/watchdog"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

// bugVariants are what the exercises of bugs.go run: code in which something is
// wrong, and mends, not all of which mend.
func bugVariants() []lessons.Variant {
	return []lessons.Variant{
		bugSeconds(), secondsFraction(), secondsMillis(),
		bugGiveUp(), giveUpOften(), giveUpNever(),
		bugOwner(), ownerVoucher(), ownerRequest(),
	}
}

// wakes is the step of a watchdog that sleeps.
func wakes(golang string) lessons.Step {
	return lessons.Step{Go: golang, Say: lessons.Text{
		EN: "{actor}, the watchdog, wakes: it is time to renew, or the work is over.",
		ZH: "看门狗 {actor} 醒了：到了续期的时候，或者活已经干完。",
	}}
}

func bugSeconds() lessons.Variant {
	return lessons.Variant{
		Name: "bug-seconds",
		Title: lessons.Text{
			EN: "A lease of 600 ms, renewed",
			ZH: "租期 600 毫秒，不断续期",
		},
		Summary: lessons.Text{
			EN: "A token lock for 600 ms, renewed every 200 ms while 1 s of work goes on. Others try every 600 ms.",
			ZH: "令牌锁，租期 600 毫秒，每 200 毫秒续一次，活要干 1 秒。别人每 600 毫秒试一次。",
		},
		Moral: lessons.Text{
			EN: "600 ms are 0 whole seconds, and EXPIRE with 0 deletes the lock. The renewal frees what it should keep.",
			ZH: "600 毫秒取整是 0 秒，EXPIRE 设 0 就是删除。续期反倒把锁删了。",
		},
		Params: params(2, 0, 1000, scenario.Standard("lease", 600)),
		Lights: lights(scenario.MutualExclusionLight, scenario.NoMisdeletionLight),
		File:   "bugseconds.go", Func: "(*Shop).RenewedByExpire",
		Steps: []lessons.Step{
			wakes("proc.Sleep(ctx, s.Lease/3)"),
			{Go: `s.Redis.Do(ctx, "EXPIRE", key, seconds)`, Say: lessons.Text{
				EN: "{actor}, the watchdog, sets the lease anew: {reply}.",
				ZH: "看门狗 {actor} 重设过期时间：{reply}。",
			}},
			{Go: "return s.kept(ctx, user, voucher,", Say: lessons.Text{
				EN: "{actor} takes a step with its lock or its order: {reply}.",
				ZH: "{actor} 拿锁、下单、解锁，走了一步：{reply}。",
			}},
		},
		Scenario: orders("bug-seconds", (*watchdog.Shop).RenewedByExpire, set{}),
	}
}

func secondsFraction() lessons.Variant {
	v := bugSeconds()
	v.Name = "seconds-fraction"
	v.Title = lessons.Text{EN: "Seconds with a fraction", ZH: "秒数带小数"}
	v.Summary = lessons.Text{
		EN: "The same lock; EXPIRE is sent with 0.6.",
		ZH: "锁一样，EXPIRE 的参数是 0.6。",
	}
	v.Moral = lessons.Text{
		EN: "EXPIRE takes whole numbers: an error, nothing is renewed, and the lease runs out.",
		ZH: "EXPIRE 只收整数：报错，没续上，租期照样到点。",
	}
	v.Lights = lights(scenario.MutualExclusionLight)
	v.File, v.Func = "bugsecondsfloat.go", "(*Shop).RenewedByFraction"
	v.Scenario = orders("seconds-fraction", (*watchdog.Shop).RenewedByFraction, set{})
	return v
}

func secondsMillis() lessons.Variant {
	v := bugSeconds()
	v.Name = "seconds-millis"
	v.Title = lessons.Text{EN: "The lease in milliseconds", ZH: "租期用毫秒"}
	v.Summary = lessons.Text{
		EN: "The same lock; a script compares the token and sets the lease in milliseconds.",
		ZH: "锁一样，由脚本比较令牌，用毫秒重设租期。",
	}
	v.Moral = lessons.Text{
		EN: "600 stays 600, as long as the work goes on.",
		ZH: "600 就是 600，活没干完就一直续着。",
	}
	v.Lights = lights()
	v.File, v.Func = "bugsecondsscript.go", "(*Shop).RenewedInMillis"
	v.Steps = []lessons.Step{
		v.Steps[0],
		{Go: "lua.Renew(ctx, s.Redis, key, token, s.Lease)", Say: renew("").Say},
		v.Steps[2],
	}
	v.Scenario = orders("seconds-millis", (*watchdog.Shop).RenewedInMillis, set{})
	return v
}

// attended are the steps of the code that keeps a re-entrant lock alive.
func attended(sleep, renewal string) []lessons.Step {
	return []lessons.Step{
		lock("s.acquire(ctx, key, me, Lease)", ""),
		wakes(sleep),
		{Go: renewal, Say: renew("").Say},
		order("s.order(held, voucher)", ""),
		unlock("s.release(ctx, key, me, &err)", ""),
	}
}

func bugGiveUp() lessons.Variant {
	return lessons.Variant{
		Name: "bug-give-up",
		Title: lessons.Text{
			EN: "Renewed as long as there is a lock",
			ZH: "锁还在，就接着续",
		},
		Summary: lessons.Text{
			EN: "Lease 30 s, renewed every 10 s, 70 s of work. Once, the answer to a command may get lost.",
			ZH: "租期 30 秒，每 10 秒续一次，活要干 70 秒。有一次命令的返回可能丢失。",
		},
		Moral: lessons.Text{
			EN: "An error is no answer. The watchdog goes home over one lost reply, and the work goes on without it.",
			ZH: "报错不等于锁没了。丢了一次返回，看门狗就收工了，活却还在干。",
		},
		Params: params(2, 0, 70_000, scenario.Standard("losses", 1)),
		Lights: lights(scenario.MutualExclusionLight, scenario.LockReleasedLight),
		File:   "buggiveup.go", Func: "(*Shop).Attended",
		Steps:    attended("proc.Sleep(ctx, Lease/3)", "lua.RenewReentrant("),
		Scenario: orders("bug-give-up", (*watchdog.Shop).Attended, set{}),
	}
}

func giveUpOften() lessons.Variant {
	v := bugGiveUp()
	v.Name = "give-up-often"
	v.Title = lessons.Text{EN: "Twice as many renewals", ZH: "续得更勤"}
	v.Summary = lessons.Text{
		EN: "The same watchdog, which renews every 5 s.",
		ZH: "看门狗一样，改成每 5 秒续一次。",
	}
	v.Moral = lessons.Text{
		EN: "It goes home over the first error all the same, only sooner.",
		ZH: "遇到第一个错误照样收工，只是更早。",
	}
	v.File, v.Func = "buggiveupoften.go", "(*Shop).AttendedOften"
	v.Steps = attended("proc.Sleep(ctx, Lease/6)", "lua.RenewReentrant(")
	v.Scenario = orders("give-up-often", (*watchdog.Shop).AttendedOften, set{})
	return v
}

func giveUpNever() lessons.Variant {
	v := bugGiveUp()
	v.Name = "give-up-never"
	v.Title = lessons.Text{EN: "Try again at the next turn", ZH: "出错了下一轮再续"}
	v.Summary = lessons.Text{
		EN: "The code of renewed: after an error it tries again; at 0 or -1 it cancels the work.",
		ZH: "代码同 renewed：报错就下一轮再续；返回 0 或 -1 才取消业务。",
	}
	v.Moral = lessons.Text{
		EN: "Two renewals are to spare in every lease, and they are there to be used.",
		ZH: "一个租期里有两次富余的续期，就是留给这种时候的。",
	}
	v.Lights = lights(scenario.LockReleasedLight)
	v.File, v.Func = "renewed.go", "(*Shop).Renewed"
	v.Steps = attended("proc.Sleep(ctx, Lease/3)", "s.renew(ctx, key, me)")
	v.Scenario = orders("give-up-never", (*watchdog.Shop).Renewed, set{})
	return v
}

// together makes the scene in which all requests come to one node.
func together(variant string, f buy) func(scenario.Params) *scenario.Scenario {
	return lessons.Changed(orders(variant, f, set{}), func(s *scenario.Scenario) {
		s.Actors = func(w *world.World) []scenario.Actor {
			node := &watchdog.Shop{
				Node: "n1", Redis: w.Redis, DB: w.DB,
				Work: s.Params.Get("work"), Takes: milliseconds(s.Params, "worktime"),
			}
			var out []scenario.Actor
			for i := range s.Params.Get("buyers") {
				out = append(out, scenario.Actor{
					Name: trace.Say("actor.request", "request {n}", "n", i+1), Node: node.Node,
					Body: func(ctx context.Context) error { return f(node, ctx, user, store.Voucher) },
				})
			}
			return out
		}
	})
}

func bugOwner() lessons.Variant {
	return lessons.Variant{
		Name: "bug-owner",
		Title: lessons.Text{
			EN: "A re-entrant lock for a user",
			ZH: "按用户加可重入锁",
		},
		Summary: lessons.Text{
			EN: "A re-entrant lock; its owner is the node and the user. Two clicks of user 7 come to node n1.",
			ZH: "可重入锁，持有者是节点加用户。用户 7 连点两下，都到了 n1。",
		},
		Moral: lessons.Text{
			EN: "Both clicks are one owner, so the second is let in as if it were a nested call of the first.",
			ZH: "两次点击成了同一个持有者，第二次就像是第一次的重入，直接放行。",
		},
		Params: params(2, 1, 0),
		Lights: lights(scenario.MutualExclusionLight, scenario.NoMisdeletionLight, scenario.LockReleasedLight),
		File:   "bugowner.go", Func: "(*Shop).Confirm",
		Steps: []lessons.Step{
			lock("s.acquire(ctx, key, me, Lease)", ""),
			order("s.order(ctx, voucher)", ""),
			unlock("s.release(ctx, key, me, &err)", ""),
		},
		Scenario: together("bug-owner", (*watchdog.Shop).Confirm),
	}
}

func ownerVoucher() lessons.Variant {
	v := bugOwner()
	v.Name = "owner-voucher"
	v.Title = lessons.Text{EN: "The voucher as well", ZH: "持有者里加上券"}
	v.Summary = lessons.Text{
		EN: "The same lock; its owner is the node, the user and the voucher.",
		ZH: "锁一样，持有者是节点、用户加券。",
	}
	v.Moral = lessons.Text{
		EN: "Both clicks are for the same voucher: one owner, as before.",
		ZH: "两次点击买的是同一张券，还是同一个持有者。",
	}
	v.File, v.Func = "bugownervoucher.go", "(*Shop).ConfirmVoucher"
	v.Scenario = together("owner-voucher", (*watchdog.Shop).ConfirmVoucher)
	return v
}

func ownerRequest() lessons.Variant {
	v := bugOwner()
	v.Name = "owner-request"
	v.Title = lessons.Text{EN: "An owner per request", ZH: "一个请求一个持有者"}
	v.Summary = lessons.Text{
		EN: "The same lock; each request draws a number and is its own owner.",
		ZH: "锁一样，每个请求领一个号，各是各的持有者。",
	}
	v.Moral = lessons.Text{
		EN: "Re-entry is for one chain of calls. Whoever is in another chain waits.",
		ZH: "可重入是给一条调用链用的，不在这条链上的都得等。",
	}
	v.Lights = lights()
	v.File, v.Func = "bugownerrequest.go", "(*Shop).ConfirmOnce"
	v.Scenario = together("owner-request", (*watchdog.Shop).ConfirmOnce)
	return v
}
