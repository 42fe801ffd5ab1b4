package scene

import "flashlab/lessons"

// The steps that several variants share. Where they stand in the two files differs.

func lock(golang, java string) lessons.Step {
	return lessons.Step{Go: golang, Java: java, Say: lessons.Text{
		EN: "{actor} asks for the lock; while somebody has it, it waits as long as the answer says.",
		ZH: "{actor} 来拿锁；锁在别人手里，返回的是还剩多少毫秒，就等这么久。",
	}}
}

func lockToken(golang, java string) lessons.Step {
	return lessons.Step{Go: golang, Java: java, Say: lessons.Text{
		EN: "{actor} tries to set the lock with its token, and again every 10 s.",
		ZH: "{actor} 用自己的令牌抢锁，抢不到就每 10 秒再试一次。",
	}}
}

func wake(java string) lessons.Step {
	return lessons.Step{Go: "proc.Sleep(ctx, Lease/3)", Java: java, Say: lessons.Text{
		EN: "{actor}, the watchdog, wakes: a third of the lease is over, or the work is.",
		ZH: "看门狗 {actor} 醒了：租期过了三分之一，或者活已经干完。",
	}}
}

func renew(java string) lessons.Step {
	return lessons.Step{Go: "s.renew(ctx, key, me)", Java: java, Say: lessons.Text{
		EN: "{actor}, the watchdog, asks for 30 s again: {reply}. 1 is granted, 0 gone, -1 another's.",
		ZH: "看门狗 {actor} 要把锁续满 30 秒：{reply}。1 是续上了，0 是锁没了，-1 是锁换人了。",
	}}
}

// keep is sleeping and renewing on one line.
func keep(java string) lessons.Step {
	return lessons.Step{Go: "s.keep(ctx, key, me, end)", Java: java, Say: lessons.Text{
		EN: "{actor}, the watchdog, sleeps for 10 s and makes the lease 30 s again, by turns.",
		ZH: "看门狗 {actor} 睡 10 秒，把租期续满 30 秒，再睡，再续。",
	}}
}

func order(golang, java string) lessons.Step {
	return lessons.Step{Go: golang, Java: java, Say: lessons.Text{
		EN: "{actor} makes the order under the lock, the part that takes its time.",
		ZH: "{actor} 拿着锁下单，时间都花在这里。",
	}}
}

func unlock(golang, java string) lessons.Step {
	return lessons.Step{Go: golang, Java: java, Say: lessons.Text{
		EN: "{actor} gives one hold back: {reply}. 1 is freed, 2 still held, 0 expired, -1 another's.",
		ZH: "{actor} 解一层锁：{reply}。1 是放开了，2 是还有几层，0 是过期了，-1 是锁换人了。",
	}}
}

func unlockToken(golang, java string) lessons.Step {
	return lessons.Step{Go: golang, Java: java, Say: lessons.Text{
		EN: "{actor} compares and deletes: {reply}. 1 is freed, 0 expired, -1 another's.",
		ZH: "{actor} 比较之后删除：{reply}。1 是放开了，0 是过期了，-1 是锁换人了。",
	}}
}
