package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/shop"
	"flashlab/lessons/streampipeline"
	"flashlab/sim/scenario"
)

// again ends the lesson, and the main line: one dial is turned.
func again() *lessons.Again {
	return &lessons.Again{
		Variant: "not-idempotent", Sets: "crashes=0,ticks=1", Light: shop.OnePerUser,
		Say: lessons.Text{
			EN: "The pipeline holds, whoever dies. Turn one dial: take the UNIQUE index away. Now nobody has to die: c1 is merely slow, c2 claims its order after 30 s, and both book it (crashes=0,ticks=1). Whatever delivers at least once does so, in Redis or elsewhere. The receiver has to make twice the same as once.",
			ZH: "pipeline 守住了，谁宕机都不怕。换一个条件：去掉唯一索引。这回谁都不用宕机，c1 只是慢了点，30 秒后 c2 认领，两边各写一单（crashes=0,ticks=1）。凡是至少投递一次的队列都这样，不只 Redis，得让接收的一方做到重复也只算一次。",
		},
	}
}

// The variants that differ in what comes again, and what does not.

func notIdempotent() lessons.Variant {
	return lessons.Variant{
		Name: "not-idempotent",
		Title: lessons.Text{
			EN: "A row for every delivery",
			ZH: "投递一次，写一行",
		},
		Summary: lessons.Text{
			EN: "Books first and acknowledges afterwards, as it should. But the INSERT takes " +
				"whatever comes, and the table has no UNIQUE index.",
			ZH: "先落库再 ACK，顺序没错。但 INSERT 来者不拒，表上也没有唯一索引。",
		},
		Moral: lessons.Text{
			EN: "c1 dies between COMMIT and XACK; after 30 s c2 claims the entry and books it " +
				"again: one person, two orders. No crash is needed, a slow c1 will do (ticks=1). " +
				"At least once means that the second time comes.",
			ZH: "c1 提交之后、ACK 之前宕机，30 秒后 c2 认领同一条消息，又写了一单：一人两单。" +
				"不宕机也会，c1 慢一点就够（ticks=1）。至少投递一次，意思是第二次早晚会来。",
		},
		Params: params(sizes{buyers: 1, users: 8, consumers: 2, crashes: 1}),
		Lights: lights(shop.OnePerUser, shop.Conservation),
		File:   "notidempotent.go", Func: "(*NotIdempotent).Buy (*NotIdempotent).Consume", JavaFile: "NotIdempotent.java",
		Steps: []lessons.Step{
			sell(), read("list = read(name)"), claim(),
			{
				Go:   "s.write(ctx, o.Voucher,",
				Java: "proxy.createVoucherOrder(",
				Say: lessons.Text{
					EN: "{actor} inserts a row and takes a unit, unasked, in one transaction: {reply}.",
					ZH: "{actor} 不问有没有，在一个事务里插一行、扣一件：{reply}。",
				},
			},
			ack(),
		},
		Scenario: setting{
			variant: "not-idempotent", repeats: true, ticks: 2,
			code: func(s *streampipeline.Shop) seller { return &streampipeline.NotIdempotent{Shop: s} },
		}.sale(),
	}
}

func pipeline() lessons.Variant {
	return lessons.Variant{
		Name: "pipeline",
		Title: lessons.Text{
			EN: "Book, then acknowledge; twice is once",
			ZH: "先落库后 ACK，重复无害",
		},
		Summary: lessons.Text{
			EN: "Books in one transaction with ON CONFLICT DO NOTHING; XACK after COMMIT, its " +
				"answer checked. What lies unacknowledged for 30 s is claimed.",
			ZH: "落库是一个事务，带 ON CONFLICT DO NOTHING；提交之后才 ACK，并检查返回值；30 秒没 ACK 的消息会被认领。",
		},
		Moral: lessons.Text{
			EN: "Wherever c1 dies, the entry is still pending; whoever claims it books the order, or " +
				"finds it booked. Commit before XACK, the unique index, XAUTOCLAIM: each closes one " +
				"gap. Leave one out and you have a neighbour of this variant.",
			ZH: "c1 宕在哪一步，消息都还挂在 PEL 里，谁认领谁接着办：没落库就落库，落过了就什么也不做。" +
				"先提交再 ACK、唯一索引、XAUTOCLAIM，各堵一个洞，少哪个会怎样，看旁边的写法。",
		},
		Params: params(sizes{buyers: 1, users: 8, consumers: 2, crashes: 1}),
		Lights: lights(),
		File:   "pipeline.go", Func: "(*Pipeline).Buy (*Pipeline).Consume", JavaFile: "Pipeline.java",
		Steps: []lessons.Step{sell(), read("opsForStream().read("), claim(), book(), ack()},
		Scenario: setting{
			variant: "pipeline", ticks: 2,
			code: func(s *streampipeline.Shop) seller { return &streampipeline.Pipeline{Shop: s} },
		}.sale(),
	}
}

func noReclaim() lessons.Variant {
	return lessons.Variant{
		Name: "no-reclaim",
		Title: lessons.Text{
			EN: "Nobody claims what is left lying",
			ZH: "没 ACK 的消息没人认领",
		},
		Summary: lessons.Text{
			EN: "Like pipeline, but without XAUTOCLAIM: a consumer waits for new orders and for " +
				"nothing else.",
			ZH: "和 pipeline 一样，只是没有 XAUTOCLAIM：消费者只等新消息，别的一概不管。",
		},
		Moral: lessons.Text{
			EN: "\"Unacknowledged entries come back by themselves\" is false: an entry stays with the " +
				"consumer that was given it. c1 is dead, c2 stands idle, the buyer waits for ever. " +
				"Somebody must ask: XAUTOCLAIM, or c1 when it is started again.",
			ZH: "没 ACK 的消息会自动重投，这话不对：发给谁，就一直挂在谁名下。c1 宕机了，c2 闲着，用户永远等下去。" +
				"得有人去要：要么 XAUTOCLAIM，要么 c1 重启后先读自己的 PEL。",
		},
		Params: params(sizes{buyers: 1, users: 8, consumers: 2, crashes: 1}),
		Lights: lights(shop.NoLostOrder, scenario.ProgressLight),
		File:   "noreclaim.go", Func: "(*NoReclaim).Buy (*NoReclaim).Consume", JavaFile: "NoReclaim.java",
		Steps: []lessons.Step{sell(), read("opsForStream().read("), book(), ack()},
		Scenario: setting{
			variant: "no-reclaim", ticks: 2,
			code: func(s *streampipeline.Shop) seller { return &streampipeline.NoReclaim{Shop: s} },
		}.sale(),
	}
}

func wrongAckKey() lessons.Variant {
	return lessons.Variant{
		Name: "wrong-ack-key",
		Title: lessons.Text{
			EN: "XACK under another name",
			ZH: "ACK 写错了 key",
		},
		Summary: lessons.Text{
			EN: "Books the order and acknowledges it, but on s1, a stream that does not exist. " +
				"XACK answers 0, and nobody looks.",
			ZH: "单子落库了，ACK 也发了，只是发给了不存在的 s1。XACK 返回 0，没人看。",
		},
		Moral: lessons.Text{
			EN: "On a missing stream XACK is no error: 0, nothing acknowledged. The entry is claimed " +
				"and booked again every 30 s, for ever, and only the index keeps that harmless. " +
				"Look at the answer: 1 is the only good one.",
			ZH: "stream 不存在，XACK 也不报错，只返回 0。消息一直挂着，每 30 秒被认领、落库一遍，没完没了，全靠唯一索引才没出事。" +
				"要看返回值，等于 1 才算 ACK 了。",
		},
		Params: params(sizes{buyers: 1, users: 8, consumers: 1}),
		Lights: lights(scenario.ProgressLight),
		File:   "wrongackkey.go", Func: "(*WrongAckKey).Buy (*WrongAckKey).Consume", JavaFile: "WrongAckKey.java",
		Steps: []lessons.Step{
			sell(), read("list = read(name)"), claim(), book(),
			{
				Go:   `s.Redis.XAck(ctx, "s1", `,
				Java: `.acknowledge("s1", `,
				Say: lessons.Text{
					EN: "{actor} acknowledges on s1: {reply}, and does not look.",
					ZH: "{actor} 往 s1 发 ACK，返回 {reply}，它没看。",
				},
			},
		},
		Scenario: setting{
			variant: "wrong-ack-key", ticks: 2,
			code: func(s *streampipeline.Shop) seller { return &streampipeline.WrongAckKey{Shop: s} },
		}.sale(),
	}
}
