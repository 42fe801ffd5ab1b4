package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/misdeletion"
	"flashlab/sim/scenario"
)

// bugVariants are what the exercises of bugs.go run: code in which something is
// wrong, and mends, not all of which mend.
func bugVariants() []lessons.Variant {
	return []lessons.Variant{bugToken(), bugClock(), clockMargin()}
}

func bugToken() lessons.Variant {
	return lessons.Variant{
		Name: "bug-token",
		Title: lessons.Text{
			EN: "The lock says for whom it is",
			ZH: "锁里写明是谁的单",
		},
		Summary: lessons.Text{
			EN: "The lock holds user and voucher; a script compares and deletes in one step. Lease 5 s.",
			ZH: "锁里存用户和券，解锁用脚本一步完成比较和删除。租期 5 秒。",
		},
		Moral: lessons.Text{
			EN: "It says for whom the lock is, not who holds it: two requests of one user write the same.",
			ZH: "写的是为谁加的锁，不是谁拿着锁：同一个用户的两个请求，写进去的一模一样。",
		},
		Params: params(), Lights: verdicts(breaks, holds, breaks),
		File: "bugtoken.go", Func: "(*Shop).BuyForUser",
		Steps: []lessons.Step{
			{Go: "s.Redis.SetNX(ctx, key", Say: acquire().Say},
			{Go: "SELECT stock FROM voucher", Say: work().Say},
			{Go: "lua.Unlock(ctx, s.Redis, key", Say: lessons.Text{
				EN: "{actor} lets the script compare and delete: {reply}.",
				ZH: "{actor} 让脚本比较并删除：{reply}。",
			}},
		},
		Scenario: clicks("bug-token", (*misdeletion.Shop).BuyForUser),
	}
}

// clock makes the scene in which time goes by: the clock may move on at any moment,
// as often as ticks says, to where the lease ends.
func clock(variant string, f buy) func(scenario.Params) *scenario.Scenario {
	return lessons.Changed(clicks(variant, f), func(s *scenario.Scenario) {
		s.Time = scenario.Lazy
	})
}

func clockParams() []scenario.Param {
	return []scenario.Param{
		scenario.Standard("buyers", 2),
		scenario.Standard("work", 1),
		scenario.Standard("ticks", 1),
	}
}

func bugClock() lessons.Variant {
	return lessons.Variant{
		Name: "bug-clock",
		Title: lessons.Text{
			EN: "Within the lease it is mine",
			ZH: "租期没到，锁就是我的",
		},
		Summary: lessons.Text{
			EN: "The value is 1, the lease 5 s. The key is deleted only if less than 5 s are over by the shop's clock.",
			ZH: "值是 1，租期 5 秒。解锁前看本机的钟，不到 5 秒才 DEL。",
		},
		Moral: lessons.Text{
			EN: "What the clock said is old by the time the DEL arrives: check, then act, once more.",
			ZH: "看钟的时候没到期，DEL 到的时候就难说了：又是先查再改。",
		},
		Params: clockParams(), Lights: verdicts(breaks, holds, breaks),
		File: "bugclock.go", Func: "(*Shop).BuyInTime",
		Steps: []lessons.Step{
			{Go: "s.Redis.SetNX(ctx, key", Say: acquire().Say},
			{Go: "SELECT stock FROM voucher", Say: work().Say},
			{Go: "s.Redis.Del(ctx, key)", Say: lessons.Text{
				EN: "{actor} has looked at its clock and sends the DEL: {reply}.",
				ZH: "{actor} 看过了钟，发出 DEL：{reply}。",
			}},
		},
		Scenario: clock("bug-clock", (*misdeletion.Shop).BuyInTime),
	}
}

func clockMargin() lessons.Variant {
	v := bugClock()
	v.Name = "clock-margin"
	v.Title = lessons.Text{EN: "A second to spare", ZH: "留一秒余量"}
	v.Summary = lessons.Text{
		EN: "The same code; the key is deleted only if less than 4 s are over.",
		ZH: "代码一样，不到 4 秒才 DEL。",
	}
	v.Moral = lessons.Text{
		EN: "A pause that fits into no second fits into none to spare either.",
		ZH: "停顿多久说不准，余量留多少都可能不够。",
	}
	v.File, v.Func = "bugclockmargin.go", "(*Shop).BuyInGoodTime"
	v.Scenario = clock("clock-margin", (*misdeletion.Shop).BuyInGoodTime)
	return v
}
