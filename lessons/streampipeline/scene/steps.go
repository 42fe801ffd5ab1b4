package scene

import "flashlab/lessons"

// The steps that several variants share.

func sell() lessons.Step {
	return lessons.Step{
		Go:   "s.sell(ctx, user, voucher, id)",
		Java: "stringRedisTemplate.execute(SECKILL_SCRIPT",
		Say: lessons.Text{
			EN: "{actor} runs the script: {reply} (0 yes, 1 sold out, 2 bought before).",
			ZH: "{actor} 执行脚本，返回 {reply}（0 成功，1 售罄，2 重复下单）。",
		},
	}
}

func read(java string) lessons.Step {
	return lessons.Step{
		Go:   "s.read(ctx, consumer)",
		Java: java,
		Say: lessons.Text{
			EN: "{actor} has waited for a new order: {reply}.",
			ZH: "{actor} 等新订单，等到 {reply}。",
		},
	}
}

func claim() lessons.Step {
	return lessons.Step{
		Go:   "s.claim(ctx, consumer)",
		Java: "list = claim(name)",
		Say: lessons.Text{
			EN: "{actor} asks for what others have left lying for 30 s: {reply}.",
			ZH: "{actor} 认领别人放了 30 秒没 ACK 的消息：{reply}。",
		},
	}
}

func pending() lessons.Step {
	return lessons.Step{
		Go:   "s.pending(ctx, consumer)",
		Java: "list = pending(name)",
		Say: lessons.Text{
			EN: "{actor} looks at its own unfinished orders first: {reply}.",
			ZH: "{actor} 先看自己名下没 ACK 的消息：{reply}。",
		},
	}
}

// each is the loop around any way of handling an order.
func each() lessons.Step {
	return lessons.Step{
		Go:   "s.each(ctx, ",
		Java: "readOrClaim(name)",
		Say: lessons.Text{
			EN: "{actor} waits for an order, or claims what was left lying: {reply}.",
			ZH: "{actor} 等新订单，等不到就认领没人管的：{reply}。",
		},
	}
}

func book() lessons.Step {
	return lessons.Step{
		Go:   "s.book(ctx, o)",
		Java: "proxy.createVoucherOrder(",
		Say: lessons.Text{
			EN: "{actor} books order and unit in one transaction: {reply}.",
			ZH: "{actor} 在一个事务里写订单、扣库存：{reply}。",
		},
	}
}

func ack() lessons.Step {
	return lessons.Step{
		Go:   "s.ack(ctx, o)",
		Java: "acknowledge(record)",
		Say: lessons.Text{
			EN: "{actor} acknowledges, and looks at the answer: {reply}.",
			ZH: "{actor} 发 ACK，并检查返回值：{reply}。",
		},
	}
}

func sleep() lessons.Step {
	return lessons.Step{
		Go:   "proc.Sleep(ctx, 5*time.Second)",
		Java: "Thread.sleep(5000)",
		Say: lessons.Text{
			EN: "{actor} has rested for 5 s and tries again.",
			ZH: "{actor} 歇了 5 秒，再来一遍。",
		},
	}
}
