package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/setnx"
	store "flashlab/store/shop"
)

// The variants that release at the wrong place. They need no fault.

func leakedOnError() lessons.Variant {
	return lessons.Variant{
		Name: "leaked-on-error",
		Title: lessons.Text{
			EN: "An error path keeps the lock",
			ZH: "出错返回，锁忘了放",
		},
		Summary: lessons.Text{
			EN: "DEL is the last line of the function. The first request asks for a voucher " +
				"that does not exist and returns before it.",
			ZH: "DEL 写在函数最后一行。第一个请求要的券不存在，中途就带着错误返回了。",
		},
		Moral: lessons.Text{
			EN: "Nobody has died, and the lock is held by nobody until its lease is over: each " +
				"such error costs the user up to 30 seconds. Write the release right behind the " +
				"acquire, with defer or finally, so that every return passes it.",
			ZH: "谁也没宕机，锁却没人拿着，只能干等过期：每错一次，这个用户最多要等 30 秒。" +
				"拿到锁，紧接着就写 defer 或 finally 放锁，这样从哪里返回都会经过它。",
		},
		Params: params(forEver, 0), Lights: verdicts(holds, holds, breaks),
		File: "leakedonerror.go", Func: "(*Shop).LeakedOnError", JavaFile: "LeakedOnError.java",
		Steps:    []lessons.Step{setWithLease(), sleep(), work(), del()},
		Scenario: requests("leaked-on-error", missing, (*setnx.Shop).LeakedOnError),
	}
}

func unlockUnheld() lessons.Variant {
	return lessons.Variant{
		Name: "unlock-unheld",
		Title: lessons.Text{
			EN: "Unlock without having the lock",
			ZH: "没抢到锁，也去放锁",
		},
		Summary: lessons.Text{
			EN: "The deferred DEL stands before the acquire, so it also runs for a request " +
				"that was refused. Nobody waits, nobody crashes.",
			ZH: "defer 写在了加锁前面，被拒绝的请求返回时也会执行 DEL。没人等待，也没人宕机。",
		},
		Moral: lessons.Text{
			EN: "The refused request deletes the lock of the one that is at work. With buyers=3 a " +
				"third walks in beside it, though no lease has run out. Release only what you " +
				"have got: the deferred DEL belongs behind the check.",
			ZH: "被拒绝的请求把别人正拿着的锁删了。buyers=3 时，第三个请求就这么闯了进来，" +
				"而谁的锁都没到期。只放自己拿到的锁：defer 要写在判断之后。",
		},
		Params: params(0, 0), Lights: verdicts(breaks, holds, holds),
		File: "unlockunheld.go", Func: "(*Shop).UnlockUnheld", JavaFile: "UnlockUnheld.java",
		Steps: []lessons.Step{
			setWithLease(), sleep(), work(),
			{
				Go:   "s.Redis.Del(",
				Java: "stringRedisTemplate.delete(key)",
				Say: lessons.Text{
					EN: "{actor} deletes the key, whoever's it is: {reply}.",
					ZH: "{actor} 删掉键，不管是谁的：{reply}。",
				},
			},
		},
		Scenario: requests("unlock-unheld", store.Voucher, (*setnx.Shop).UnlockUnheld),
	}
}
