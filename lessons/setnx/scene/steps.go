package scene

import "flashlab/lessons"

// The steps that several variants share.

func setnxStep() lessons.Step {
	return lessons.Step{
		Go:   `"SETNX", key`,
		Java: `.setIfAbsent(key, "1"); // SETNX`,
		Say: lessons.Text{
			EN: "{actor} sets the key if it is not there: {reply}. It will stay until it is deleted.",
			ZH: "键不存在 {actor} 才设得上：{reply}。设上之后，没人删就一直在。",
		},
	}
}

func setWithLease() lessons.Step {
	return lessons.Step{
		Go:   "s.Redis.SetNX(",
		Java: `.setIfAbsent(key, "1", 30, TimeUnit.SECONDS)`,
		Say: lessons.Text{
			EN: "{actor} sets the key and its 30 s, if it is not there: {reply}.",
			ZH: "键不存在 {actor} 才设得上，连同 30 秒的过期时间：{reply}。",
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
