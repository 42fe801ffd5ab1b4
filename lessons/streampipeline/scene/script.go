package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/shop"
	"flashlab/lessons/streampipeline"
)

// The variants whose script is wrong.

func halfDoneScript() lessons.Variant {
	return lessons.Variant{
		Name: "half-done-script",
		Title: lessons.Text{
			EN: "The script fails halfway",
			ZH: "脚本跑到一半报错",
		},
		Summary: lessons.Text{
			EN: "The script wants three arguments, the caller sends two. XADD fails when the unit " +
				"is deducted and the user marked.",
			ZH: "脚本要三个参数，调用方只传了两个。等到 XADD 报错，库存已经扣了，用户也标记了。",
		},
		Moral: lessons.Text{
			EN: "A script runs alone, but what it wrote before an error stays: Redis rolls nothing " +
				"back. The unit is gone without an order, and the next click is told that it was " +
				"the second. Look at all that can fail before the first write.",
			ZH: "脚本执行时没人插得进来，但报错之前写下的都还在，Redis 不会回滚。库存没了，单子也没有，再点一次还说每人限购一单。" +
				"会失败的，都要在第一次写之前查完。",
		},
		Params: params(sizes{buyers: 1, users: 1, consumers: 1}),
		Lights: lights(shop.Conservation),
		File:   "halfdonescript.go", Func: "(*HalfDoneScript).Buy (*HalfDoneScript).Consume", JavaFile: "HalfDoneScript.java",
		Steps: []lessons.Step{
			{
				Go:   "s.decide(ctx, halfDone, ",
				Java: "stringRedisTemplate.execute(SECKILL_SCRIPT",
				Say: lessons.Text{
					EN: "{actor} runs the script with two arguments: {reply}.",
					ZH: "{actor} 只带两个参数执行脚本：{reply}。",
				},
			},
			each(),
		},
		Scenario: setting{
			variant: "half-done-script", ticks: 2,
			code: func(s *streampipeline.Shop) seller { return &streampipeline.HalfDoneScript{Shop: s} },
		}.sale(),
	}
}

func duplicateCheckLast() lessons.Variant {
	return lessons.Variant{
		Name: "duplicate-check-last",
		Title: lessons.Text{
			EN: "Deduct first, ask for the user later",
			ZH: "先扣库存，后查重复",
		},
		Summary: lessons.Text{
			EN: "One script, but it deducts before it looks whether the user has bought. The same " +
				"user clicks twice.",
			ZH: "也是一段脚本，但先扣库存，再看用户买没买过。同一个用户点了两下。",
		},
		Moral: lessons.Text{
			EN: "The second click is refused, rightly, and a unit is gone all the same, in every " +
				"schedule: in one step does not mean right. One user with a hundred clicks empties " +
				"a stock of 100 and has one order. Ask everything first, then write.",
			ZH: "第二下拒绝得没错，库存却白扣了一件，什么顺序都一样：原子不等于正确。" +
				"库存 100，一个人点 100 下就空了，订单只有 1 张。先问完，再动手写。",
		},
		Params: params(sizes{buyers: 2, users: 1, consumers: 1}),
		Lights: lights(shop.Conservation),
		File:   "duplicatechecklast.go", Func: "(*DuplicateCheckLast).Buy (*DuplicateCheckLast).Consume", JavaFile: "DuplicateCheckLast.java",
		Steps: []lessons.Step{
			{
				Go:   "s.decide(ctx, checkLast, ",
				Java: "stringRedisTemplate.execute(SECKILL_SCRIPT",
				Say: lessons.Text{
					EN: "{actor} runs the script: {reply}. Also at 2 a unit is deducted.",
					ZH: "{actor} 执行脚本，返回 {reply}。返回 2 的时候，库存也扣了。",
				},
			},
			each(), book(), ack(),
		},
		Scenario: setting{
			variant: "duplicate-check-last", ticks: 2,
			code: func(s *streampipeline.Shop) seller { return &streampipeline.DuplicateCheckLast{Shop: s} },
		}.sale(),
	}
}
