package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/shop"
	"flashlab/sim/scenario"
)

// bugs are exercises in which code is read first. The numbers are those of the
// faults from practice.
func bugs() []lessons.Exercise {
	return []lessons.Exercise{findMulti(), findResume(), findGroup(), findMinIdle(), findSwallowed(), findParked()}
}

// findMulti is fault 8: the decision is several commands.
func findMulti() lessons.Exercise {
	const one = "buyers=2,stock=1,consumers=1,crashes=0"
	return lessons.Exercise{
		Name: "bug-multi", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: MULTI", ZH: "找错：MULTI"},
		Task: lessons.Text{
			EN: "Two users, one unit. No script here: Redis is asked, and then the writes go out as one " +
				"transaction, MULTI and EXEC, all or nothing. Read the code: what can become of the stock " +
				"in Redis?",
			ZH: "两个用户，一件库存。这里不用脚本：先查 Redis，再把几条写放进事务，MULTI、EXEC，一起执行。" +
				"读一读代码：Redis 里的库存会变成什么样？",
		},
		Hints: []lessons.Text{
			{EN: "MULTI makes one step of the writes. And of the questions?", ZH: "MULTI 把写并成了一步。那查呢？"},
			{EN: "Let both read the stock before either of them sends MULTI.", ZH: "让两个人都查完库存，再让其中一个发 MULTI。"},
		},
		Code: &lessons.Snippet{File: "bugmulti.go", Func: "(*Transacted).Buy", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-multi", Variant: "bug-multi",
			Ask: lessons.Text{EN: "What can become of the last unit?", ZH: "最后这一件会怎样？"},
			Options: []lessons.Option{
				{Name: "safe", Text: lessons.Text{EN: "One gets it: between MULTI and EXEC nobody comes in", ZH: "只卖给一个人：MULTI 和 EXEC 之间没人插得进来"}, Claim: lessons.Holds(shop.StockNotNegative)},
				{
					Name: "minus", Text: lessons.Text{EN: "Both get a yes, and the stock in Redis is -1", ZH: "两个人都成功，Redis 库存变成 -1"},
					Claim: lessons.And(lessons.Sometimes(shop.StockNotNegative), lessons.Holds(shop.NoOversell)),
				},
				{Name: "booked", Text: lessons.Text{EN: "Two orders for it come into the database", ZH: "数据库里为它写了两张订单"}, Claim: lessons.Breaks(shop.NoOversell)},
			},
			Because: lessons.Text{
				EN: "Both read 1 and both send their MULTI. The database's stock > 0 stops the second order: its entry fails for ever, behind a yes.",
				ZH: "两个人都查到 1，都发了 MULTI。第二张单被数据库的 stock > 0 拦住：用户拿着成功，消息永远落不了库。",
			},
		},
		Break: &lessons.Break{Variant: "bug-multi", Light: shop.StockNotNegative},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-multi",
					Text: lessons.Text{EN: "Leave it: a transaction is all or nothing", ZH: "不用改：事务要么全做，要么全不做"},
					Code: "GET; MULTI; DECR; SADD; XADD; EXEC",
				},
				{
					Name: "decr", Variant: "multi-decr",
					Text: lessons.Text{EN: "DECR first; below 0, INCR and refuse", ZH: "先 DECR，减成负数就 INCR 还回去，再拒绝"},
					Code: "if err != nil || left < 0 {\n\ts.Redis.Incr(ctx, k.Stock)\n\treturn cmp.Or(err, ErrSoldOut)\n}",
				},
				{
					Name: "script", Variant: "pipeline", Sets: one,
					Text: lessons.Text{EN: "A script: ask and write in one step", ZH: "用脚本：查和写是同一步"},
					Code: "lua.Sell(ctx, s.Redis, keys, user, voucher, id)",
				},
			},
			Shipped: "leave", Solution: "script", Naive: "decr",
		},
		Learned: lessons.Text{
			EN: "MULTI cannot decide: its answers come after EXEC. A decision and its writes are one step only in a script, or with WATCH before the question.",
			ZH: "MULTI 里没法判断：结果要等 EXEC 之后才有。判断和写要在一步里，只能用脚本，或者先 WATCH 再查。",
		},
	}
}

// findResume is fault 82: > where 0 was meant.
func findResume() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-resume", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: after the restart", ZH: "找错：重启之后"},
		Task: lessons.Text{
			EN: "Consumer c1 was restarted with two orders in its hands, of users 8 and 9: read, not " +
				"acknowledged. It first finishes what it has begun, then takes new orders; user 1 buys " +
				"meanwhile. read is XREADGROUP with >. Read the code: who gets an order?",
			ZH: "消费者 c1 重启了，手里还有用户 8 和 9 的两张单，读过，没 ACK。它先把没办完的办完，再接新单；" +
				"这时用户 1 也来买。read 就是 XREADGROUP 加 >。读一读代码：谁能拿到订单？",
		},
		Hints: []lessons.Text{
			{EN: "What does a consumer get with >, and what with 0?", ZH: "用 > 读到的是什么？用 0 呢？"},
			{EN: "Let everybody go on to the end, and look at what is pending with c1.", ZH: "让大家都走到底，看 c1 名下还挂着什么。"},
		},
		Code: &lessons.Snippet{File: "bugresume.go", Func: "(*Resumed).Consume", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-resume", Variant: "bug-resume",
			Ask: lessons.Text{EN: "What becomes of the orders of users 8 and 9?", ZH: "用户 8 和 9 的单会怎样？"},
			Options: []lessons.Option{
				{Name: "booked", Text: lessons.Text{EN: "They are booked first, then that of user 1", ZH: "先落库，再办用户 1 的"}, Claim: lessons.Holds(scenario.ProgressLight)},
				{
					Name: "stay", Text: lessons.Text{EN: "They stay pending with c1, for ever", ZH: "一直挂在 c1 名下，没人办"},
					Claim: lessons.And(lessons.Always(scenario.ProgressLight), lessons.Holds(shop.Conservation)),
				},
				{Name: "gone", Text: lessons.Text{EN: "They are lost with the restart, units and all", ZH: "重启就丢了，库存也没了"}, Claim: lessons.Breaks(shop.Conservation)},
			},
			Because: lessons.Text{
				EN: "> means: what nobody has been given. To c1 they were given, so only 0 shows them, or XAUTOCLAIM after a while.",
				ZH: "> 的意思是还没发给任何人的。这两张已经发给 c1 了，要用 0 才看得到，或者过一阵用 XAUTOCLAIM 认领。",
			},
		},
		Break: &lessons.Break{Variant: "bug-resume", Light: scenario.ProgressLight},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-resume",
					Text: lessons.Text{EN: "Leave it: Redis delivers again what was not acknowledged", ZH: "不用改：没 ACK 的，Redis 会重投"},
					Code: "XREADGROUP GROUP g1 c1 STREAMS stream.orders >",
				},
				{
					Name: "once", Variant: "resume-first",
					Text: lessons.Text{EN: "Read with 0, once, and finish the first of the list", ZH: "先用 0 读一次，办掉列表里第一条"},
					Code: "orders, err := s.pending(ctx, consumer)\nif len(orders) > 0 {\n\ts.warn(s.finish(ctx, orders[0]))\n}",
				},
				{
					Name: "zero", Variant: "resume-pending",
					Text: lessons.Text{EN: "Read with 0 until the list is empty", ZH: "用 0 读，读到空为止"},
					Code: "XREADGROUP GROUP g1 c1 STREAMS stream.orders 0",
				},
				{
					Name: "claim", Variant: "resume-claim",
					Text: lessons.Text{EN: "No first loop; XAUTOCLAIM whenever nothing new comes", ZH: "不要第一个循环，没新单就 XAUTOCLAIM"},
					Code: "XAUTOCLAIM stream.orders g1 c1 30000 0",
				},
			},
			Shipped: "leave", Solution: "zero", Naive: "once",
		},
		Learned: lessons.Text{
			EN: "After a restart a consumer asks for its own list with 0, to the end, or claims. Only then does the name it had before help it.",
			ZH: "重启后先用 0 读自己的 PEL，读到空，或者去认领。不然消费者名字没变也没用。",
		},
	}
}

// findGroup is fault 75: a group that begins at the end.
func findGroup() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-group", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: the new group", ZH: "找错：新建消费组"},
		Task: lessons.Text{
			EN: "There is no group yet. The consumer makes one when it starts, and it may start before " +
				"the first order or after it. What lies unacknowledged for 30 s is claimed. Read the code: " +
				"does every order get booked?",
			ZH: "一开始没有消费组，消费者启动时建一个。它可能比第一张单早启动，也可能晚。" +
				"30 秒没 ACK 的会认领。读一读代码：每张单都能落库吗？",
		},
		Hints: []lessons.Text{
			{EN: "What does the $ in XGROUP CREATE stand for?", ZH: "XGROUP CREATE 里的 $ 代表什么？"},
			{EN: "Let the buyer go first.", ZH: "让用户先下单，消费者后启动。"},
		},
		Code: &lessons.Snippet{File: "buggroup.go", Func: "(*Founder).Consume", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-group", Variant: "bug-group",
			Ask: lessons.Text{EN: "Which orders are never booked?", ZH: "哪些单永远落不了库？"},
			Options: []lessons.Option{
				{Name: "none", Text: lessons.Text{EN: "None: what is not read is claimed after 30 s", ZH: "没有：没读到的，30 秒后会认领"}, Claim: lessons.Holds(shop.NoLostOrder)},
				{Name: "before", Text: lessons.Text{EN: "Those that were queued before the group was made", ZH: "建组之前入队的那些"}, Claim: lessons.Sometimes(shop.NoLostOrder)},
				{Name: "all", Text: lessons.Text{EN: "All of them: $ is no id of an entry", ZH: "全部：$ 不是消息的 id"}, Claim: lessons.Always(shop.NoLostOrder)},
			},
			Because: lessons.Text{
				EN: "A group made at $ begins behind the last entry. What was there before is not pending either, so nobody can claim it.",
				ZH: "用 $ 建的组，从最后一条之后开始算。之前的消息也不在 PEL 里，谁也认领不到。",
			},
		},
		Break: &lessons.Break{Variant: "bug-group", Light: shop.NoLostOrder},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-group",
					Text: lessons.Text{EN: "Leave it: XAUTOCLAIM finds what lies about", ZH: "不用改：漏掉的 XAUTOCLAIM 会找回来"},
					Code: "XGROUP CREATE stream.orders g1 $ MKSTREAM",
				},
				{
					Name: "list", Variant: "group-pending",
					Text: lessons.Text{EN: "After making the group, read with 0 before reading with >", ZH: "建组之后先用 0 读一遍，再用 > 读"},
					Code: "XREADGROUP GROUP g1 c1 STREAMS stream.orders 0",
				},
				{
					Name: "zero", Variant: "group-zero",
					Text: lessons.Text{EN: "Make the group at 0", ZH: "建组的位置写 0"},
					Code: "XGROUP CREATE stream.orders g1 0 MKSTREAM",
				},
			},
			Shipped: "leave", Solution: "zero", Naive: "list",
		},
		Learned: lessons.Text{
			EN: "Make the group at 0, and let an order that comes again do no harm. In XREADGROUP 0 is the consumer's own list, in XGROUP CREATE the first entry.",
			ZH: "建组写 0，单子重复来也不怕就行。XREADGROUP 的 0 是自己的 PEL，XGROUP CREATE 的 0 才是 Stream 开头。",
		},
	}
}

// findMinIdle is fault 88: claimed while its consumer is still at work.
func findMinIdle() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-min-idle", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: one second", ZH: "找错：一秒就认领"},
		Task: lessons.Text{
			EN: "To check an address takes 5 s. So that no buyer waits for a dead consumer, whatever has " +
				"been with somebody for 1 s is claimed by another. Nobody crashes; the table has no UNIQUE " +
				"index. Read the code: how many orders does one buyer get?",
			ZH: "核对地址要 5 秒。为了不让用户干等宕机的消费者，在谁手里放满 1 秒，别人就认领。" +
				"没有人宕机，表上没有唯一索引。读一读代码：用户买一次，会有几单？",
		},
		Hints: []lessons.Text{
			{EN: "How does c2 know that c1 is dead?", ZH: "c2 怎么知道 c1 宕机了？"},
			{EN: "Let c1 read the order and start on it, and let time go on for a second.", ZH: "让 c1 读到单子开始办，再让时间走 1 秒。"},
		},
		Code: &lessons.Snippet{File: "bugminidle.go", Func: "(*Impatient).Consume", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-min-idle", Variant: "bug-min-idle",
			Ask: lessons.Text{EN: "One yes, two living consumers. How many orders?", ZH: "成功一次，两个消费者都没宕机。会有几单？"},
			Options: []lessons.Option{
				{Name: "one", Text: lessons.Text{EN: "One: an entry belongs to one consumer at a time", ZH: "一单：一条消息同时只归一个消费者"}, Claim: lessons.Holds(shop.OnePerUser)},
				{Name: "two", Text: lessons.Text{EN: "Two: c2 claims what c1 is still working on", ZH: "两单：c1 还在办，c2 就认领了"}, Claim: lessons.Breaks(shop.OnePerUser)},
				{Name: "none", Text: lessons.Text{EN: "None: c1 and c2 take it from each other for ever", ZH: "没有：c1 和 c2 抢来抢去，谁也办不完"}, Claim: lessons.Breaks(shop.NoLostOrder)},
			},
			Because: lessons.Text{
				EN: "Idle counts from the delivery, not from the last sign of life. Whoever claims takes the entry, not the work: c1 does not hear of it.",
				ZH: "idle 从投递算起，不管消费者是不是还在干。认领走的是消息，不是活：c1 根本不知道。",
			},
		},
		Break: &lessons.Break{Variant: "bug-min-idle", Light: shop.OnePerUser},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-min-idle",
					Text: lessons.Text{EN: "Leave it: the sooner it is claimed, the better", ZH: "不用改：认领越早越好"},
					Code: "XAUTOCLAIM stream.orders g1 c2 1000 0",
				},
				{
					Name: "patient", Variant: "not-idempotent",
					Text: lessons.Text{EN: "min-idle 30 s, several times the slowest order", ZH: "min-idle 改成 30 秒，比最慢的单子长几倍"},
					Code: "XAUTOCLAIM stream.orders g1 c2 30000 0",
				},
				{
					Name: "once", Variant: "pipeline",
					Text: lessons.Text{EN: "30 s, UNIQUE(user, voucher) and ON CONFLICT DO NOTHING", ZH: "30 秒，加唯一索引和 ON CONFLICT DO NOTHING"},
					Code: "INSERT INTO orders ... ON CONFLICT DO NOTHING",
				},
			},
			Shipped: "leave", Solution: "once", Naive: "patient",
		},
		Learned: lessons.Text{
			EN: "A longer min-idle makes it rare; a crash between COMMIT and XACK still books twice. Only the index makes the second time harmless.",
			ZH: "min-idle 放长只是少见了，提交之后、ACK 之前宕机，照样落两次。真正挡得住的是唯一索引。",
		},
	}
}

// findSwallowed is fault 73: the handler reports its error and acknowledges.
func findSwallowed() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-swallowed", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: reported and done", ZH: "找错：打日志就完了"},
		Task: lessons.Text{
			EN: "The database refuses every order of user 1. So that one bad order does not stop the " +
				"others, the consumer reports it and goes on. Users 1 and 2 have both got a yes. Read the " +
				"code: what becomes of their orders?",
			ZH: "用户 1 的单，数据库一律不收。为了不让一张坏单卡住别人，消费者打个日志接着办。" +
				"用户 1 和 2 都得到了成功。读一读代码：他们的单会怎样？",
		},
		Hints: []lessons.Text{
			{EN: "What does XACK say, and is it true here?", ZH: "XACK 的意思是什么？这里是真的吗？"},
			{EN: "Follow the order of user 1 to the last line of the loop.", ZH: "跟着用户 1 的单，走到循环的最后一行。"},
		},
		Code: &lessons.Snippet{File: "bugswallowed.go", Func: "(*Logged).Consume", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-swallowed", Variant: "bug-swallowed",
			Ask: lessons.Text{EN: "What becomes of the two orders?", ZH: "这两张单会怎样？"},
			Options: []lessons.Option{
				{
					Name: "lost", Text: lessons.Text{EN: "That of user 1 is acknowledged and gone, with its unit", ZH: "用户 1 的被 ACK 掉，单没了，库存也没了"},
					Claim: lessons.And(lessons.Breaks(shop.NoLostOrder), lessons.Breaks(shop.Conservation), lessons.Holds(scenario.ProgressLight)),
				},
				{Name: "stuck", Text: lessons.Text{EN: "That of user 1 stays pending, and user 2 waits behind it", ZH: "用户 1 的一直挂着，用户 2 排在后面等"}, Claim: lessons.Breaks(scenario.ProgressLight)},
				{Name: "later", Text: lessons.Text{EN: "Both are booked: what fails is claimed and tried again", ZH: "都会落库：失败的过后认领重试"}, Claim: lessons.Holds(shop.NoLostOrder)},
			},
			Because: lessons.Text{
				EN: "After the XACK nothing is pending, so nothing comes again. Redis has one unit less, and nobody has bought it.",
				ZH: "ACK 之后 PEL 里就没有了，也就不会再来。Redis 里少了一件，却谁也没买到。",
			},
		},
		Break: &lessons.Break{Variant: "bug-swallowed", Light: shop.NoLostOrder},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-swallowed",
					Text: lessons.Text{EN: "Leave it: somebody will read the log", ZH: "不用改：日志会有人看"},
					Code: "if err := s.book(ctx, o); err != nil {\n\ts.warn(err)\n}\ns.warn(s.ack(ctx, o))",
				},
				{
					Name: "again", Variant: "poison",
					Text: lessons.Text{EN: "No XACK after an error: try it again until it works", ZH: "出错就不 ACK，一直重试到成功"},
					Code: "if err := s.book(ctx, o); err == nil {\n\ts.warn(s.ack(ctx, o))\n}",
				},
				{
					Name: "dead", Variant: "dead-letter",
					Text: lessons.Text{EN: "No XACK; after four tries a dead letter, unit returned", ZH: "出错不 ACK，四次不成进死信，退回库存"},
					Code: "if err := s.book(ctx, o); err == nil {\n\ts.warn(s.ack(ctx, o))\n} else {\n\ts.bury(ctx, o) // after the fourth delivery\n}",
				},
			},
			Shipped: "leave", Solution: "dead", Naive: "again",
		},
		Learned: lessons.Text{
			EN: "An order is booked, or given back in full, and only then acknowledged. To report it is neither, and to try for ever starves the rest.",
			ZH: "要么落库，要么原样退回，然后才 ACK。打日志两样都不算，一直重试又会饿死后面的。",
		},
	}
}

// findParked is fault 6: what failed is kept, and its unit is not returned.
func findParked() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-parked", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: put aside", ZH: "找错：放进死信"},
		Task: lessons.Text{
			EN: "The database refuses every order of user 1. What cannot be booked goes to stream.dead and " +
				"is acknowledged, both in one MULTI, so that nothing is lost. Two units are on sale. Read the " +
				"code: do the books balance in the end?",
			ZH: "用户 1 的单，数据库一律不收。落不了库的放进 stream.dead 并 ACK，用 MULTI 一起做，不会丢。" +
				"一共两件在卖。读一读代码：最后账对得上吗？",
		},
		Hints: []lessons.Text{
			{EN: "What had the sale script done before the order came here?", ZH: "单子到这里之前，秒杀脚本已经做了什么？"},
			{EN: "Count at the end: stock in Redis, orders, and what is on its way.", ZH: "最后数一数：Redis 库存、订单、还在路上的。"},
		},
		Code: &lessons.Snippet{File: "bugparked.go", Func: "(*Parked).Consume", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-parked", Variant: "bug-parked",
			Ask: lessons.Text{EN: "What is missing in the end?", ZH: "最后少了什么？"},
			Options: []lessons.Option{
				{Name: "nothing", Text: lessons.Text{EN: "Nothing: the order is in stream.dead", ZH: "什么也没少：单子在 stream.dead 里"}, Claim: lessons.Holds(shop.Conservation)},
				{
					Name: "unit", Text: lessons.Text{EN: "A unit: taken in Redis, and nobody can buy it any more", ZH: "一件货：Redis 里扣了，再也没人买得到"},
					Claim: lessons.And(lessons.Always(shop.Conservation), lessons.Holds(shop.NoLostOrder)),
				},
				{Name: "order", Text: lessons.Text{EN: "The order: no trace of it is left", ZH: "那张单：一点痕迹也没有"}, Claim: lessons.Breaks(shop.NoLostOrder)},
			},
			Because: lessons.Text{
				EN: "The script took the unit and marked the user. Both must be undone with the order, or Redis says sold out while the database has stock.",
				ZH: "脚本扣了库存，还记下了用户。单子作废，这两样都要退，不然 Redis 说卖完了，数据库里还有货：卖不完。",
			},
		},
		Break: &lessons.Break{Variant: "bug-parked", Light: shop.Conservation},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-parked",
					Text: lessons.Text{EN: "Leave it: whoever reads stream.dead returns the unit", ZH: "不用改：谁看死信，谁去退库存"},
					Code: "MULTI; XADD stream.dead ...; XACK ...; EXEC",
				},
				{
					Name: "steps", Variant: "parked-steps",
					Text: lessons.Text{EN: "INCR the stock first, then XADD, then XACK", ZH: "先 INCR 库存，再 XADD，再 XACK"},
					Code: "INCR seckill:stock:1\nXADD stream.dead ...\nXACK stream.orders g1 ...",
				},
				{
					Name: "script", Variant: "dead-letter",
					Text: lessons.Text{EN: "A script: if it is still pending, move, return, acknowledge", ZH: "用脚本：还在 PEL 里才转移、退库存、ACK"},
					Code: "lua.Bury(ctx, s.Redis, letter)",
				},
			},
			Shipped: "leave", Solution: "script", Naive: "steps",
		},
		Learned: lessons.Text{
			EN: "Giving up has three parts, unit, mark and entry, and they are undone in one step, once. In several, a crash between them returns a unit twice.",
			ZH: "放弃一张单要退三样：库存、用户标记、消息，一步退完，只退一次。分成几步，中间宕机就会退两件。",
		},
	}
}
