package scene

import "flashlab/lessons"

// The steps that several variants share.

func setnxStep() lessons.Step {
	return lessons.Step{
		Go:   `"SETNX", key`,
		Java: `.setIfAbsent(key, "1"); // SETNX`,
		Say: lessons.Text{
			EN: "{actor} asks for the lock: {reply}. The key has no end of its own.",
			ZH: "{actor} 抢锁：{reply}。这个键自己不会过期。",
		},
	}
}

func setWithLease() lessons.Step {
	return lessons.Step{
		Go:   "s.Redis.SetNX(",
		Java: `.setIfAbsent(key, "1", 30, TimeUnit.SECONDS)`,
		Say: lessons.Text{
			EN: "{actor} asks for the lock and its 30 s in one command: {reply}.",
			ZH: "{actor} 用一条命令抢锁，带 30 秒过期：{reply}。",
		},
	}
}

func sleep() lessons.Step {
	return lessons.Step{
		Go:   "proc.Sleep(",
		Java: "Thread.sleep(",
		Say: lessons.Text{
			EN: "{actor} has waited and is about to try again.",
			ZH: "{actor} 等了一会儿，准备再试一次。",
		},
	}
}

func work() lessons.Step {
	return lessons.Step{
		Go:   "readStock",
		Java: "createVoucherOrder(voucherId)",
		Say: lessons.Text{
			EN: "{actor} works on the order inside the lock: {reply}.",
			ZH: "{actor} 在锁里处理订单：{reply}。",
		},
	}
}

func del() lessons.Step {
	return lessons.Step{
		Go:   "s.Redis.Del(",
		Java: "stringRedisTemplate.delete(key)",
		Say: lessons.Text{
			EN: "{actor} deletes the key: {reply}. The lock is free.",
			ZH: "{actor} 删掉键：{reply}，锁空出来了。",
		},
	}
}
