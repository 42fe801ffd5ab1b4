package scene

import "flashlab/lessons"

// The steps that several variants share.

func acquire() lessons.Step {
	return lessons.Step{
		Go:   "s.Redis.SetNX(ctx, key",
		Java: `.setIfAbsent("lock:" + name`,
		Say: lessons.Text{
			EN: "{actor} asks for the lock: {reply}. OK lets it in, (nil) sends it away.",
			ZH: "{actor} 抢锁，返回 {reply}：OK 是抢到了，(nil) 是没抢到。",
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
