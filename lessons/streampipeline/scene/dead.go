package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/shop"
	"flashlab/lessons/streampipeline"
	"flashlab/sim/scenario"
)

// The variants that meet an order which cannot be booked.

func poison() lessons.Variant {
	return lessons.Variant{
		Name: "poison",
		Title: lessons.Text{
			EN: "An order that can never be booked",
			ZH: "一张永远落不了库的单子",
		},
		Summary: lessons.Text{
			EN: "Finishes its own pending orders before it reads new ones, and tries each until " +
				"it works. For the database there is no user 1: that order never will.",
			ZH: "先办自己名下没 ACK 的单子，一直试到成功，再读新的。数据库里没有用户 1，他那张永远成功不了。",
		},
		Moral: lessons.Text{
			EN: "User 2 did nothing wrong and waits for ever behind user 1. To try again helps " +
				"against what passes, not against what stays, and at first both look the same. Count " +
				"the tries: the group does, in XPENDING's delivery count.",
			ZH: "用户 2 什么也没做错，却永远排在用户 1 后面。重试能对付一时的故障，对付不了永远的错误，而第一次看上去都一样。" +
				"所以要数次数，消费组已经替你数了：XPENDING 里的投递次数。",
		},
		Params: params(sizes{buyers: 2, users: 8, consumers: 1}),
		Lights: lights(shop.NoLostOrder, scenario.ProgressLight),
		File:   "poison.go", Func: "(*Poison).Buy (*Poison).Consume", JavaFile: "Poison.java",
		Steps: []lessons.Step{sell(), pending(), read("list = read(name)"), claim(), book(), ack(), sleep()},
		Scenario: setting{
			variant: "poison", poisoned: true, ticks: 4,
			code: func(s *streampipeline.Shop) seller { return &streampipeline.Poison{Shop: s} },
		}.sale(),
	}
}

func deadLetter() lessons.Variant {
	return lessons.Variant{
		Name: "dead-letter",
		Title: lessons.Text{
			EN: "After the fourth try: dead letter",
			ZH: "四次不成，进死信",
		},
		Summary: lessons.Text{
			EN: "Like poison, but what fails at its fourth delivery becomes a dead letter: one " +
				"script moves it, returns unit and mark, and acknowledges.",
			ZH: "和 poison 一样，只是第 4 次投递还失败就进死信：一段脚本转移消息，退回库存和用户标记，并且 ACK。",
		},
		Moral: lessons.Text{
			EN: "The road is free and the unit on sale again. The script first asks whether the " +
				"entry is still pending, so that two consumers who give up together return one " +
				"unit. And somebody has to read the dead letters.",
			ZH: "路通了，库存退回去接着卖。脚本先看消息还在不在 PEL 里，两个消费者一起放弃，也只退一件。" +
				"死信还得有人看，不然只是换个地方丢单。",
		},
		Params: params(sizes{buyers: 2, users: 8, consumers: 1}),
		Lights: lights(),
		File:   "deadletter.go", Func: "(*DeadLetter).Buy (*DeadLetter).Consume", JavaFile: "DeadLetter.java",
		Steps: []lessons.Step{
			sell(), pending(), read("list = read(name)"), claim(), book(), ack(), sleep(),
			{
				Go:   "s.bury(ctx, o)",
				Java: "bury(record)",
				Say: lessons.Text{
					EN: "{actor} asks to give the order up: {reply} (4 too early, 1 given up, unit returned).",
					ZH: "{actor} 请求放弃这张单：{reply}（4 还没到次数，1 已进死信并退库存）。",
				},
			},
		},
		Scenario: setting{
			variant: "dead-letter", poisoned: true, ticks: 4,
			code: func(s *streampipeline.Shop) seller { return &streampipeline.DeadLetter{Shop: s} },
		}.sale(),
	}
}
