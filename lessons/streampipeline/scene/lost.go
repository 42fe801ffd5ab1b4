package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/shop"
	"flashlab/lessons/streampipeline"
)

// The variants that lose orders.

func memoryQueue() lessons.Variant {
	return lessons.Variant{
		Name: "memory-queue",
		Title: lessons.Text{
			EN: "Orders wait in memory",
			ZH: "订单放进内存队列",
		},
		Summary: lessons.Text{
			EN: "A script decides, the order goes into a queue of this process, and a worker " +
				"books what comes out. Buyers and worker share the node n1.",
			ZH: "脚本判断资格，订单放进本进程的阻塞队列，后台线程取出来落库。用户请求和后台线程都在 n1 上。",
		},
		Moral: lessons.Text{
			EN: "The yes has been said, and the only trace of the order is in memory: the process " +
				"dies, and order and unit are gone. Two steps are enough, a yes and a crash. Keep " +
				"what you promise where no crash reaches, in the same step as the promise.",
			ZH: "话已经说出去了，订单却只在内存里：进程一死，订单没了，库存也没了。只要两步：返回成功，宕机。" +
				"承诺和订单要在同一步里，写到宕机够不着的地方。",
		},
		Params: params(sizes{buyers: 1, users: 8, consumers: 1, crashes: 1}),
		Lights: lights(shop.Conservation, shop.NoLostOrder),
		File:   "memoryqueue.go", Func: "(*MemoryQueue).Buy (*MemoryQueue).Consume", JavaFile: "MemoryQueue.java",
		Steps: []lessons.Step{
			{
				Go:   "s.decide(ctx, memoryQueue, voucher, user)",
				Java: "stringRedisTemplate.execute(SECKILL_SCRIPT",
				Say: lessons.Text{
					EN: "{actor} runs the script: {reply}. At 0 the unit is taken and the user marked.",
					ZH: "{actor} 执行脚本，返回 {reply}。返回 0 就是库存扣了，用户也标记了。",
				},
			},
			{
				Go:   "s.Queue.Put(",
				Java: "orderTasks.add(",
				Say: lessons.Text{
					EN: "{actor} puts the order into the memory of its node, and is done.",
					ZH: "{actor} 把订单放进本机内存，请求到此结束。",
				},
			},
			{
				Go:   "s.Queue.Take(ctx)",
				Java: "orderTasks.take()",
				Say: lessons.Text{
					EN: "{actor} takes the next order out of memory: {reply}.",
					ZH: "{actor} 从内存队列取出订单：{reply}。",
				},
			},
			book(),
		},
		Scenario: setting{
			variant: "memory-queue", memory: true, ticks: 2,
			code: func(s *streampipeline.Shop) seller { return &streampipeline.MemoryQueue{Shop: s} },
		}.sale(),
	}
}

func ackBeforeCommit() lessons.Variant {
	return lessons.Variant{
		Name: "ack-before-commit",
		Title: lessons.Text{
			EN: "Acknowledge first, book afterwards",
			ZH: "先 ACK，再落库",
		},
		Summary: lessons.Text{
			EN: "Reads an order, acknowledges it, then books it: nothing can come twice. " +
				"All else is as in pipeline.",
			ZH: "从 Stream 读到订单就先 ACK，再落库，图的是不会重复投递。其余和 pipeline 一样。",
		},
		Moral: lessons.Text{
			EN: "After the XACK nobody owes the order any more. If c1 dies before its COMMIT, c2 " +
				"finds nothing to claim: the buyer has a yes and will never have an order. Deliver " +
				"at least once, and make the second time harmless.",
			ZH: "XACK 之后，这张单子就没人欠了。c1 在提交之前宕机，c2 什么也认领不到：用户拿着一句成功，永远等不到订单。" +
				"宁可重复投递，再让重复的那次不起作用。",
		},
		Params: params(sizes{buyers: 1, users: 8, consumers: 2, crashes: 1}),
		Lights: lights(shop.Conservation, shop.NoLostOrder),
		File:   "ackbeforecommit.go", Func: "(*AckBeforeCommit).Buy (*AckBeforeCommit).Consume", JavaFile: "AckBeforeCommit.java",
		Steps: []lessons.Step{
			sell(), read("list = read(name)"), claim(),
			{
				Go:   "s.ack(ctx, o)",
				Java: "opsForStream().acknowledge(",
				Say: lessons.Text{
					EN: "{actor} acknowledges: {reply}. Nothing has been booked yet.",
					ZH: "{actor} 先发 ACK，返回 {reply}，这时什么都还没落库。",
				},
			},
			book(),
		},
		Scenario: setting{
			variant: "ack-before-commit", ticks: 2,
			code: func(s *streampipeline.Shop) seller { return &streampipeline.AckBeforeCommit{Shop: s} },
		}.sale(),
	}
}

func ackThoughSkipped() lessons.Variant {
	return lessons.Variant{
		Name: "ack-though-skipped",
		Title: lessons.Text{
			EN: "Skipped, and acknowledged",
			ZH: "活没干，ACK 照发",
		},
		Summary: lessons.Text{
			EN: "Books under the user's lock; if somebody else has it, nothing is done and no " +
				"error comes back. The consumer takes that for success.",
			ZH: "落库前先抢用户锁，抢不到就直接返回，也不报错。消费者以为办完了，照样 ACK。",
		},
		Moral: lessons.Text{
			EN: "\"This user is being served\" does not mean that this order is being booked: here a " +
				"job that only counts had the lock. Acknowledge what was done, not what raised no " +
				"error. Skipped is a failure: the entry stays pending and comes again.",
			ZH: "这个用户有人在处理，不等于这张单子有人在处理：这里拿着锁的只是在查订单数。" +
				"ACK 看的是事办成没有，不是报没报错。没办就算失败，消息留在 PEL 里，等下一轮。",
		},
		Params: params(sizes{buyers: 1, users: 8, consumers: 1}),
		Lights: lights(shop.Conservation, shop.NoLostOrder),
		File:   "ackthoughskipped.go", JavaFile: "AckThoughSkipped.java",
		Func: "(*AckThoughSkipped).Buy (*AckThoughSkipped).Consume (*AckThoughSkipped).Statement",
		Steps: []lessons.Step{
			sell(), each(),
			{
				Go:   "s.locked(ctx, o.User, ",
				Java: "tryLock(order.getUserId())",
				Say: lessons.Text{
					EN: "{actor} tries the user's lock, or gives it back: {reply}.",
					ZH: "{actor} 抢用户锁，或者还锁：{reply}。",
				},
			},
			book(),
			{
				Go:   "s.ack(ctx, o)",
				Java: "acknowledge(record)",
				Say: lessons.Text{
					EN: "{actor} acknowledges: {reply}. Whether anything was booked it has not asked.",
					ZH: "{actor} 发 ACK，返回 {reply}。落没落库，它没问。",
				},
			},
			{
				Go:   "s.locked(ctx, user, ",
				Java: "statement(userId)",
				Say: lessons.Text{
					EN: "{actor} takes the lock of user 1 for a job of its own, or gives it back: {reply}.",
					ZH: "{actor} 为了别的事拿用户 1 的锁，或者还锁：{reply}。",
				},
			},
			{
				Go:   "s.count(ctx, user)",
				Java: "orderCount(userId)",
				Say: lessons.Text{
					EN: "{actor} counts the user's orders under the lock: {reply}.",
					ZH: "{actor} 拿着锁数这个用户的订单：{reply}。",
				},
			},
		},
		Scenario: setting{
			variant: "ack-though-skipped", rival: true, ticks: 2,
			code: func(s *streampipeline.Shop) seller { return &streampipeline.AckThoughSkipped{Shop: s} },
		}.sale(),
	}
}
