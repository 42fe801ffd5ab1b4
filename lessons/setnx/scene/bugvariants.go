package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/setnx"
	store "flashlab/store/shop"
)

// bugVariants are what the exercises of bugs.go run: code in which something is
// wrong, and mends, not all of which mend.
func bugVariants() []lessons.Variant {
	return []lessons.Variant{
		bugTryLock(),
		bugCancelled(), cancelledRetry(), cancelledDetached(),
		bugExpire(),
	}
}

func bugTryLock() lessons.Variant {
	return lessons.Variant{
		Name: "bug-trylock",
		Title: lessons.Text{
			EN: "Wait, work, give back",
			ZH: "等锁，干活，放锁",
		},
		Summary: lessons.Text{
			EN: "tryLock waits as long as it is told, here not at all; then comes the order, and a deferred DEL.",
			ZH: "tryLock 按给的时间等锁，这里是 0；然后处理订单，最后在 defer 里 DEL。",
		},
		Moral: lessons.Text{
			EN: "Nobody has looked whether the lock was got. Who has not got it works all the same, and deletes another's.",
			ZH: "拿没拿到锁，没人看。没拿到的也照样干活，完了还把别人的锁删了。",
		},
		Params: params(0, 0), Lights: verdicts(breaks, holds, holds),
		File: "bugtrylock.go", Func: "(*Shop).Checkout (*Shop).tryLock",
		Steps: []lessons.Step{
			{Go: "s.Redis.SetNX(", Say: setWithLease().Say},
			{Go: "proc.Sleep(", Say: sleep().Say},
			{Go: "readStock", Say: lessons.Text{
				EN: "{actor} works on the order: {reply}.",
				ZH: "{actor} 处理订单：{reply}。",
			}},
			{Go: "s.Redis.Del(", Say: deletes()},
		},
		Scenario: requests("bug-trylock", store.Voucher, (*setnx.Shop).Checkout),
	}
}

func deletes() lessons.Text {
	return lessons.Text{
		EN: "{actor} sends the DEL: {reply}.",
		ZH: "{actor} 发出 DEL：{reply}。",
	}
}

func bugCancelled() lessons.Variant {
	p := params(0, 0)
	for i := range p {
		if p[i].Name == "work" {
			p[i].Default = 3
		}
	}
	return lessons.Variant{
		Name: "bug-cancelled",
		Title: lessons.Text{
			EN: "Two seconds, no longer",
			ZH: "最多让用户等 2 秒",
		},
		Summary: lessons.Text{
			EN: "The request ends after 2 s; the payment takes 3 s. The lock of 30 s is deleted in a deferred call.",
			ZH: "请求限时 2 秒，支付要 3 秒。锁的租期 30 秒，在 defer 里删除。",
		},
		Moral: lessons.Text{
			EN: "The deferred call runs, but its context is over, so the DEL is never sent.",
			ZH: "defer 是执行了，可它用的 ctx 已经结束，DEL 根本没发出去。",
		},
		Params: p, Lights: verdicts(holds, holds, breaks),
		File: "bugcancelled.go", Func: "(*Shop).Pay",
		Steps: []lessons.Step{
			{Go: "s.Redis.SetNX(", Say: setWithLease().Say},
			{Go: "proc.Sleep(", Say: lessons.Text{
				EN: "{actor} has asked the payment provider and waited.",
				ZH: "{actor} 问了支付平台，等了一会儿。",
			}},
			{Go: "s.Redis.Del(", Say: deletes()},
		},
		Scenario: requests("bug-cancelled", store.Voucher, (*setnx.Shop).Pay),
	}
}

func cancelledRetry() lessons.Variant {
	v := bugCancelled()
	v.Name = "cancelled-retry"
	v.Title = lessons.Text{EN: "Try the DEL three times", ZH: "DEL 失败就重试"}
	v.Summary = lessons.Text{
		EN: "The same code; a DEL that fails is tried up to three times.",
		ZH: "代码一样，DEL 失败就重试，最多三次。",
	}
	v.Moral = lessons.Text{
		EN: "Three tries under a context that is over are three refusals.",
		ZH: "ctx 已经结束，试三次就是失败三次。",
	}
	v.File, v.Func = "bugcancelledretry.go", "(*Shop).PayRetry"
	v.Scenario = requests("cancelled-retry", store.Voucher, (*setnx.Shop).PayRetry)
	return v
}

func cancelledDetached() lessons.Variant {
	v := bugCancelled()
	v.Name = "cancelled-detached"
	v.Title = lessons.Text{EN: "A DEL that nothing cancels", ZH: "放锁不受取消影响"}
	v.Summary = lessons.Text{
		EN: "The same code; the DEL goes out under context.WithoutCancel.",
		ZH: "代码一样，DEL 用的是 context.WithoutCancel。",
	}
	v.Moral = lessons.Text{
		EN: "The request is over, the lock is not: the release has a life of its own.",
		ZH: "请求结束了，锁还在：放锁不能跟着请求一起取消。",
	}
	v.Lights = verdicts(holds, holds, holds)
	v.File, v.Func = "bugcancelleddetached.go", "(*Shop).PayDetached"
	v.Scenario = requests("cancelled-detached", store.Voucher, (*setnx.Shop).PayDetached)
	return v
}

func bugExpire() lessons.Variant {
	return lessons.Variant{
		Name: "bug-expire",
		Title: lessons.Text{
			EN: "Heal old locks in passing",
			ZH: "顺手给老锁补上过期时间",
		},
		Summary: lessons.Text{
			EN: "SET NX with 30 s; whoever does not get the lock sets its 30 s anew and waits. Node n1 may crash once.",
			ZH: "SET NX 带 30 秒；没抢到的给锁重新设上 30 秒，再等。节点 n1 可能宕机一次。",
		},
		Moral: lessons.Text{
			EN: "The waiting request keeps the lock of the dead alive, every 10 s, for ever.",
			ZH: "等锁的请求每 10 秒就给这把没主的锁续一次，永远等不到它过期。",
		},
		Params: params(forEver, 1), Lights: verdicts(holds, breaks, holds),
		File: "bugexpire.go", Func: "(*Shop).Reserve",
		Steps: []lessons.Step{
			{Go: "s.Redis.SetNX(", Say: setWithLease().Say},
			{Go: "s.Redis.Expire(", Say: lessons.Text{
				EN: "{actor} has not got the lock and sets its 30 s anew: {reply}.",
				ZH: "{actor} 没抢到锁，给它重新设上 30 秒：{reply}。",
			}},
			{Go: "proc.Sleep(", Say: sleep().Say},
			{Go: "readStock", Say: work().Say},
			{Go: "s.Redis.Del(", Say: deletes()},
		},
		Scenario: requests("bug-expire", store.Voucher, (*setnx.Shop).Reserve),
	}
}
