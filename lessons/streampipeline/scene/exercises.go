package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/shop"
	"flashlab/sim/scenario"
)

// with makes a claim at other sizes.
func with(sets string, claim lessons.Claim) lessons.Claim {
	return func(c *lessons.Case) bool { return claim(c.With(sets)) }
}

// predictions are asked before anything runs.
func predictions() []lessons.Question {
	return []lessons.Question{
		{
			Name: "stream-unacked", Variant: "no-reclaim",
			Ask: lessons.Text{
				EN: "Consumer c1 has read an order and dies before XACK. c2 goes on reading with XREADGROUP and >. What becomes of the order?",
				ZH: "消费者 c1 读到一张单，还没 ACK 就宕机了。c2 继续用 XREADGROUP 加 > 读。这张单会怎样？",
			},
			Options: []lessons.Option{
				{Name: "itself", Text: lessons.Text{EN: "It comes back by itself after a while, and c2 books it", ZH: "过一阵自动重投，由 c2 落库"}, Claim: lessons.Holds(shop.NoLostOrder)},
				{
					Name: "stays", Text: lessons.Text{EN: "It stays with c1 for ever, in the stream and never booked", ZH: "一直挂在 c1 名下，还在 Stream 里，没人落库"},
					Claim: lessons.And(lessons.Breaks(shop.NoLostOrder), lessons.Holds(shop.Conservation)),
				},
				{Name: "gone", Text: lessons.Text{EN: "It is deleted with its consumer: nobody can find it any more", ZH: "跟着消费者一起没了，再也找不到"}, Claim: lessons.Breaks(shop.Conservation)},
			},
			Because: lessons.Text{
				EN: "Redis gives an entry to one consumer and notes the name. Nothing brings it back by itself: somebody has to ask, with XAUTOCLAIM, or c1 with 0 when it is back.",
				ZH: "Redis 把消息发给谁就记在谁名下，不会自己回来。得有人去要：别人用 XAUTOCLAIM 认领，或者 c1 重启后用 0 读自己的 PEL。",
			},
		},
		{
			Name: "stream-rollback", Variant: "half-done-script",
			Ask: lessons.Text{
				EN: "A script has done DECR and SADD, then XADD fails, for an argument is missing. What is left in Redis?",
				ZH: "脚本执行完 DECR 和 SADD，到 XADD 因为少一个参数报错。Redis 里会剩下什么？",
			},
			Options: []lessons.Option{
				{Name: "rolled", Text: lessons.Text{EN: "All is as before: a script is atomic, so it is rolled back", ZH: "和执行前一样：脚本是原子的，会回滚"}, Claim: lessons.Holds(shop.Conservation)},
				{Name: "race", Text: lessons.Text{EN: "It depends: a unit is missing if another came in between", ZH: "看情况：中间有人插进来，库存才会少"}, Claim: lessons.Sometimes(shop.Conservation)},
				{Name: "stays", Text: lessons.Text{EN: "A unit less, the user marked, no order: every time", ZH: "库存少一件，用户记成买过，没有订单，每次都这样"}, Claim: lessons.Always(shop.Conservation)},
			},
			Because: lessons.Text{
				EN: "Atomic means undisturbed, not undone. What was written before the error stays, and the next click is told that it was the second.",
				ZH: "原子的意思是没人插得进来，不是会撤回。报错前写的都还在，再点一次还会说你买过了。",
			},
		},
	}
}

func exercises() []lessons.Exercise {
	return []lessons.Exercise{breakEarlyAck(), breakTwice(), placeAck(), saleLinesExercise(), seckillExercise()}
}

func breakEarlyAck() lessons.Exercise {
	return lessons.Exercise{
		Name: "break-early-ack", Kind: lessons.BreakIt,
		Title: lessons.Text{EN: "Make a yes go up in smoke", ZH: "抢购成功，订单没了"},
		Task: lessons.Text{
			EN: "This consumer acknowledges an order as soon as it has read it, and books it then. You " +
				"may let node n1, on which c1 runs, die once. Find a moment after which the buyer has " +
				"a yes and will never have an order.",
			ZH: "这个消费者读到订单就先 ACK，再落库。你可以让 c1 所在的 n1 宕机一次。" +
				"找出宕在哪一刻，用户明明抢到了，却永远等不到订单。",
		},
		Hints: []lessons.Text{
			{EN: "Who still owes the order after the XACK?", ZH: "XACK 之后，这张单还算谁的？"},
			{EN: "Let c1 read and acknowledge, and let n1 die before the COMMIT.", ZH: "让 c1 读完、ACK 完，在提交之前让 n1 宕机。"},
		},
		Break: &lessons.Break{Variant: "ack-before-commit", Light: shop.NoLostOrder},
		Cause: &lessons.Question{
			Name: "cause-early-ack", Variant: "ack-before-commit",
			Ask: lessons.Text{EN: "Why will there never be an order?", ZH: "这张单为什么永远落不了库？"},
			Options: []lessons.Option{
				{Name: "owed", Text: lessons.Text{EN: "c1 died after XACK, so c2 has nothing to claim; no crash, no loss", ZH: "c1 在 ACK 之后宕机，c2 认领不到；不宕机就不会丢"}, Claim: lessons.Needs(shop.NoLostOrder, "crashes=0")},
				{Name: "anyway", Text: lessons.Text{EN: "c1 and c2 get in each other's way: it happens without a crash", ZH: "c1 和 c2 互相干扰，不宕机也会丢"}, Claim: with("crashes=0", lessons.Breaks(shop.NoLostOrder))},
				{Name: "twice", Text: lessons.Text{EN: "It was booked twice, and one row was thrown away", ZH: "写了两单，其中一单被扔掉了"}, Claim: lessons.Breaks(shop.OnePerUser)},
			},
			Because: lessons.Text{
				EN: "XACK says: done. It must not be said before it is so.",
				ZH: "XACK 的意思是办完了。没办完就不能 ACK。",
			},
		},
		Learned: lessons.Text{
			EN: "Acknowledge after COMMIT. Then an order can come twice, and the second time must do no harm.",
			ZH: "提交之后再 ACK。这样一张单可能来两次，那就让第二次不起作用。",
		},
	}
}

func breakTwice() lessons.Exercise {
	return lessons.Exercise{
		Name: "break-redelivery", Kind: lessons.BreakIt,
		Title: lessons.Text{EN: "One buyer, one yes, two orders", ZH: "一次成功，两张订单"},
		Task: lessons.Text{
			EN: "This consumer books first and acknowledges afterwards, as it should. The table has no " +
				"UNIQUE index. n1 may die once. Find a moment after which one yes becomes two orders.",
			ZH: "这个消费者先落库再 ACK，顺序没错，只是表上没有唯一索引。n1 可以宕机一次。" +
				"找出宕在哪一刻，一次成功会变成两张订单。",
		},
		Hints: []lessons.Text{
			{EN: "c2 claims what has been with c1 for 30 s without an XACK. It cannot see whether it was booked.", ZH: "c2 认领的是在 c1 手里放了 30 秒没 ACK 的消息，它看不出落没落库。"},
			{EN: "There is one step between COMMIT and XACK: let n1 die there, and let time pass.", ZH: "提交和 XACK 之间有一个空当，让 n1 在那里宕机，然后让时间走。"},
		},
		Break: &lessons.Break{Variant: "not-idempotent", Light: shop.OnePerUser},
		Cause: &lessons.Question{
			Name: "cause-redelivery", Variant: "not-idempotent",
			Ask: lessons.Text{EN: "Why are there two orders?", ZH: "为什么有两张订单？"},
			Options: []lessons.Option{
				{Name: "always", Text: lessons.Text{EN: "The code books every order twice, whatever happens", ZH: "代码写错了，每张单都会写两遍"}, Claim: lessons.Always(shop.OnePerUser)},
				{Name: "again", Text: lessons.Text{EN: "c1 died between COMMIT and XACK: it was delivered once more", ZH: "c1 在提交和 ACK 之间宕机，消息又投递了一次"}, Claim: lessons.Needs(shop.OnePerUser, "crashes=0")},
				{Name: "stock", Text: lessons.Text{EN: "The script sold more than there was in stock", ZH: "脚本卖出的比库存还多"}, Claim: lessons.Breaks(shop.StockNotNegative)},
			},
			Because: lessons.Text{
				EN: "At least once means that the second time comes. Who dies just after COMMIT cannot have said so.",
				ZH: "至少投递一次，意思是第二次早晚会来。刚提交就宕机，来不及告诉别人。",
			},
		},
		Learned: lessons.Text{
			EN: "At least once and a write that does nothing the second time: UNIQUE, and ON CONFLICT DO NOTHING.",
			ZH: "至少投递一次，再加上重复无害的写入：唯一索引，ON CONFLICT DO NOTHING。",
		},
	}
}

// placeAck asks where XACK belongs: each option is a variant of the lesson.
func placeAck() lessons.Exercise {
	promise := []string{shop.NoLostOrder, shop.OnePerUser, scenario.ProgressLight}
	return lessons.Exercise{
		Name: "place-the-ack", Kind: lessons.FixIt,
		Title: lessons.Text{EN: "Where does the XACK stand?", ZH: "XACK 放在哪里？"},
		Task: lessons.Text{
			EN: "A consumer reads an order, books it and acknowledges it. Its node may die at any " +
				"moment, and others claim what lies unacknowledged for 30 s. Pick the form that keeps " +
				"every yes, in every order of steps.",
			ZH: "消费者读到订单，落库，ACK。它随时可能宕机，30 秒没 ACK 的消息会被别人认领。" +
				"选出一种写法，不管什么顺序，说了成功就一定有单。",
		},
		Hints: []lessons.Text{
			{EN: "XACK says that an order is done. When is that true?", ZH: "XACK 表示这张单办完了。什么时候才算办完？"},
			{EN: "No error is not the same as done: think of a handler that returns at once.", ZH: "没报错不等于办完了：想想那个直接返回的处理方法。"},
			{EN: "XACK has an answer: how many entries it has acknowledged.", ZH: "XACK 是有返回值的：确认了几条。"},
		},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "at-once", Variant: "ack-before-commit", Must: promise,
					Text: lessons.Text{EN: "Right after reading, so that nothing can come twice", ZH: "读到就 ACK，这样不会重复"},
					Code: "if err := s.ack(ctx, o); err != nil { continue }\ns.warn(s.book(ctx, o))",
				},
				{
					Name: "no-error", Variant: "ack-though-skipped", Must: promise,
					Text: lessons.Text{EN: "After a handler that locks the user, unless it returns an error", ZH: "处理方法先抢用户锁，没报错就 ACK"},
					Code: "_, err := s.locked(ctx, o.User, func() error { return s.book(ctx, o) })\nif err != nil { return err }\nreturn s.ack(ctx, o)",
				},
				{
					Name: "unread", Variant: "wrong-ack-key", Must: promise,
					Text: lessons.Text{EN: "After COMMIT; the answer of XACK is not looked at", ZH: "提交之后 ACK，不看 XACK 的返回值"},
					Code: "if err := s.book(ctx, o); err != nil { continue }\ns.Redis.XAck(ctx, \"s1\", Group, o.Entry)",
				},
				{
					Name: "after", Variant: "pipeline", Must: promise,
					Text: lessons.Text{EN: "After COMMIT; the answer of XACK must be 1", ZH: "提交之后 ACK，返回值必须是 1"},
					Code: "if err := s.book(ctx, o); err != nil { continue }\ns.warn(s.ack(ctx, o)) // an error unless XACK answers 1",
				},
			},
			Shipped: "at-once", Solution: "after", Naive: "no-error",
		},
		Learned: lessons.Text{
			EN: "XACK after COMMIT, and only if the order was booked; and its answer is looked at, for a wrong name is no error.",
			ZH: "提交之后、确实落了库才 ACK，还要看返回值：名字写错了它不报错，只返回 0。",
		},
	}
}

// recall are the cards of this lesson.
func recall() []lessons.Recall {
	return []lessons.Recall{
		{
			Name:    "recall-unacked",
			Front:   lessons.Text{EN: "A consumer dies before XACK. How does its entry come back?", ZH: "消费者没 ACK 就宕机了，它手里的消息怎么回来？"},
			Back:    lessons.Text{EN: "Not by itself. Somebody claims it with XAUTOCLAIM, or the same consumer reads its own list with 0.", ZH: "不会自己回来。要么别人用 XAUTOCLAIM 认领，要么它重启后用 0 读自己的 PEL。"},
			Variant: "no-reclaim",
			Claim: func(c *lessons.Case) bool {
				return c.Breaks(shop.NoLostOrder) && c.As("pipeline").Holds(shop.NoLostOrder)
			},
		},
		{
			Name:    "recall-no-rollback",
			Front:   lessons.Text{EN: "A Lua script fails in its midst. What about the writes before?", ZH: "Lua 脚本跑到一半报错，前面写的数据呢？"},
			Back:    lessons.Text{EN: "They stay: Redis rolls nothing back. Ask for all that can fail before the first write.", ZH: "都还在，Redis 不回滚。会失败的，要在第一次写之前查完。"},
			Variant: "half-done-script", Claim: lessons.Always(shop.Conservation),
		},
	}
}
