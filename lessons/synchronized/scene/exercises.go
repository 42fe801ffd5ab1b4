package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/shop"
)

// predictions are asked before anything runs.
func predictions() []lessons.Question {
	return []lessons.Question{
		{
			Name: "synchronized-in-transaction", Variant: "unlock-before-commit",
			Ask: lessons.Text{
				EN: "One machine. The @Transactional method has a synchronized block, per user, around count and insert. The transaction commits when the method returns. Can user 7 get two orders?",
				ZH: "只有一台机器。@Transactional 方法里用 synchronized 锁住用户，查订单、插订单都在锁里，方法返回时才提交事务。用户 7 会有两单吗？",
			},
			Options: []lessons.Option{
				{
					Name:  "never",
					Text:  lessons.Text{EN: "Never: count and insert stand under one lock", ZH: "不会：查和插都在同一把锁里"},
					Claim: lessons.Holds(shop.OnePerUser),
				},
				{
					Name:  "always",
					Text:  lessons.Text{EN: "With every double click", ZH: "只要连点两下就会"},
					Claim: lessons.Always(shop.OnePerUser),
				},
				{
					Name:  "most",
					Text:  lessons.Text{EN: "In some orders of their steps, not in others", ZH: "看先后顺序，有时会，有时不会"},
					Claim: lessons.Sometimes(shop.OnePerUser),
				},
			},
			Because: lessons.Text{
				EN: "The lock is free before the commit, and nobody can count what is not committed. In 62 of 72 schedules the second click counts 0.",
				ZH: "提交之前锁就放了，没提交的订单谁也查不到。72 种走法里有 62 种，第二次点击还是查到 0 单。",
			},
		},
		{
			Name: "synchronized-index", Variant: "unique-index", Sets: "crashes=1",
			Ask: lessons.Text{
				EN: "Two nodes, no lock, no count. Each click is a transaction: UPDATE takes a unit, INSERT writes the order, and UNIQUE(user_id, voucher_id) refuses the INSERT of the later click. A process may even die. How do orders and stock stand in the end?",
				ZH: "两台机器，不加锁，也不查订单。两次点击各开一个事务，先 UPDATE 扣一件，再 INSERT 订单；后一次点击的 INSERT 会被唯一索引拒绝。中途进程还可能宕机。最后订单和库存会怎样？",
			},
			Options: []lessons.Option{
				{
					Name:  "unit",
					Text:  lessons.Text{EN: "A unit is missing: it was taken before the INSERT failed", ZH: "少一件库存：INSERT 失败前已经扣了"},
					Claim: lessons.Breaks(shop.Conservation),
				},
				{
					Name:  "right",
					Text:  lessons.Text{EN: "As they should: one order at most, and the stock agrees", ZH: "都对：最多一单，库存也对得上"},
					Claim: lessons.And(lessons.Holds(shop.OnePerUser), lessons.Holds(shop.Conservation)),
				},
				{
					Name:  "two",
					Text:  lessons.Text{EN: "Two orders: both INSERTs run before either commits", ZH: "两单：两条 INSERT 都赶在提交之前"},
					Claim: lessons.Breaks(shop.OnePerUser),
				},
			},
			Because: lessons.Text{
				EN: "The rollback returns the unit, after an error and after a crash. The index stands where every node has to pass.",
				ZH: "不管是报错还是宕机，回滚都会把那件库存还回去。索引在数据库里，哪台机器都绕不过。",
			},
		},
	}
}

func exercises() []lessons.Exercise {
	return []lessons.Exercise{breakTwoNodes(), breakUnlockBeforeCommit(), pickMutex(), pickTwoNodes(), orderTheSale()}
}

func breakTwoNodes() lessons.Exercise {
	return lessons.Exercise{
		Name: "break-two-nodes", Kind: lessons.BreakIt,
		Title: lessons.Text{
			EN: "Two machines, two orders",
			ZH: "加了一台机器，就有两单",
		},
		Task: lessons.Text{
			EN: "One mutex per user, held from the count to the commit: right on one machine. Now there are two, and each " +
				"gets one click. Find an order of steps in which user 7 has two orders.",
			ZH: "每个用户一把锁，从查订单一直锁到提交，一台机器上没有问题。现在部署了两台，两次点击各到一台。" +
				"找出一种走法，让用户 7 有两单。",
		},
		Hints: []lessons.Text{
			{EN: "Who has to wait for a mutex: everybody, or everybody in the same process?", ZH: "锁拦得住谁，所有人，还是同一个进程里的人？"},
			{EN: "Let both take their mutex and count before either of them writes.", ZH: "两次点击都先拿到锁、查完订单，再让其中一个去写。"},
		},
		Break: &lessons.Break{Variant: "mutex-two-nodes", Light: shop.OnePerUser},
		Cause: &lessons.Question{
			Name: "cause-two-nodes", Variant: "mutex-two-nodes",
			Ask: lessons.Text{EN: "Why did the mutex not help?", ZH: "锁为什么没拦住？"},
			Options: []lessons.Option{
				{
					Name:  "early",
					Text:  lessons.Text{EN: "It is freed too early, before the commit", ZH: "放得太早，还没提交就放了"},
					Claim: func(c *lessons.Case) bool { return c.With("nodes=1").Breaks(shop.OnePerUser) },
				},
				{
					Name:  "nodes",
					Text:  lessons.Text{EN: "Each process has its own, and nobody waits for the other's", ZH: "每个进程各有一把，谁也不等谁"},
					Claim: lessons.Needs(shop.OnePerUser, "nodes=1"),
				},
				{
					Name:  "always",
					Text:  lessons.Text{EN: "The count is wrong: it finds 0 whatever there is", ZH: "订单查错了：有没有都是 0"},
					Claim: lessons.Always(shop.OnePerUser),
				},
			},
			Because: lessons.Text{
				EN: "The very same code with both clicks on one node: no schedule breaks it.",
				ZH: "代码一个字不改，两次点击落在同一台机器上，怎么排都只有一单。",
			},
		},
		Learned: lessons.Text{
			EN: "A lock keeps apart only those who can see it. For two machines it must stand outside of both.",
			ZH: "锁只拦得住看得见它的人。要拦两台机器，锁就得放在两台机器外面。",
		},
	}
}

func breakUnlockBeforeCommit() lessons.Exercise {
	return lessons.Exercise{
		Name: "break-unlock-before-commit", Kind: lessons.BreakIt,
		Title: lessons.Text{
			EN: "Two orders under one mutex",
			ZH: "一把锁，照样两单",
		},
		Task: lessons.Text{
			EN: "One machine, one mutex per user. It stands inside the unit of work, which commits when the method is " +
				"over. Find an order of steps in which user 7 has two orders all the same.",
			ZH: "一台机器，每个用户一把锁。锁写在事务方法里面，方法结束时才提交。" +
				"找出一种走法，让用户 7 还是有两单。",
		},
		Hints: []lessons.Text{
			{EN: "An order can be counted once it is committed. When is the mutex freed?", ZH: "订单提交之后才查得到。锁是什么时候放的？"},
			{EN: "Stop the first click right after it has freed the mutex.", ZH: "让第一次点击刚放完锁就停下。"},
		},
		Break: &lessons.Break{Variant: "unlock-before-commit", Light: shop.OnePerUser},
		Cause: &lessons.Question{
			Name: "cause-unlock-before-commit", Variant: "unlock-before-commit",
			Ask: lessons.Text{EN: "Why were there two orders?", ZH: "为什么有两单？"},
			Options: []lessons.Option{
				{
					Name:  "invisible",
					Text:  lessons.Text{EN: "The second click counted before the first one's commit", ZH: "第二次点击查订单时，第一单还没提交"},
					Claim: lessons.Raced(shop.OnePerUser, "orders"),
				},
				{
					Name:  "two-locks",
					Text:  lessons.Text{EN: "The two clicks had two different mutexes", ZH: "两次点击拿的不是同一把锁"},
					Claim: func(c *lessons.Case) bool { return c.As("commit-under-lock").Breaks(shop.OnePerUser) },
				},
				{
					Name: "no-lock",
					Text: lessons.Text{EN: "No mutex can help here, wherever it stands", ZH: "锁放在哪里都没用"},
					Claim: func(c *lessons.Case) bool {
						return c.As("commit-under-lock").Breaks(shop.OnePerUser) && c.As("mutex-one-node").Breaks(shop.OnePerUser)
					},
				},
			},
			Because: lessons.Text{
				EN: "The same mutex around the commit, as in commit-under-lock, holds in every schedule. In Java: synchronized outside, the transactional method inside, called through the proxy.",
				ZH: "同一把锁，把提交也包进去（commit-under-lock），怎么排都守得住。Java 里就是 synchronized 在外面，事务方法在里面，通过代理调用。",
			},
		},
		Learned: lessons.Text{
			EN: "Lock, begin, commit, unlock. A lock that is freed before the commit protects what nobody can see yet.",
			ZH: "加锁，开事务，提交，放锁。提交之前就放锁，等于没锁。",
		},
	}
}

func pickMutex() lessons.Exercise {
	return lessons.Exercise{
		Name: "pick-mutex", Kind: lessons.FixIt,
		Title: lessons.Text{
			EN: "Where does the mutex stand?",
			ZH: "锁该放在哪里？",
		},
		Task: lessons.Text{
			EN: "One machine, and user 7 clicks twice. There is no UNIQUE index. Pick the code in which he gets one " +
				"order, whoever takes the next step.",
			ZH: "一台机器，用户 7 连点两下，表上没有唯一索引。选一种写法：不管谁先谁后，他都只有一单。",
		},
		Hints: []lessons.Text{
			{EN: "Two questions: do both clicks find the same mutex, and until when is it held?", ZH: "两个问题：两次点击是不是同一把锁？锁到什么时候？"},
			{EN: "A mutex that was made in this call is known to nobody else.", ZH: "这次调用里 new 出来的锁，别人都不知道。"},
			{EN: "When the mutex is free, the next one counts. What must have happened by then?", ZH: "锁一放，下一个就来查订单。在这之前必须做完什么？"},
		},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "inside", Variant: "unlock-before-commit",
					Text: lessons.Text{EN: "The mutex inside the transaction: lock, count, unlock, commit", ZH: "锁在事务里面：加锁，查，放锁，提交"},
				},
				{
					Name: "none", Variant: "no-lock",
					Text: lessons.Text{EN: "No mutex: count, then one transaction", ZH: "不加锁：先查订单，再开一个事务"},
				},
				{
					Name: "outside", Variant: "commit-under-lock",
					Text: lessons.Text{EN: "The mutex outside of the transaction: lock, count, commit, unlock", ZH: "锁在事务外面：加锁，查，提交，放锁"},
				},
				{
					Name: "per-call", Variant: "mutex-per-call",
					Text: lessons.Text{EN: "A new mutex in every call, held beyond the commit", ZH: "每次调用 new 一把锁，提交之后才放"},
				},
			},
			Shipped: "none", Solution: "outside", Naive: "inside",
		},
		Learned: lessons.Text{
			EN: "The same mutex for the same user, and held until the order is committed.",
			ZH: "同一个用户用同一把锁，一直拿到订单提交之后。",
		},
	}
}

func pickTwoNodes() lessons.Exercise {
	return lessons.Exercise{
		Name: "pick-two-nodes", Kind: lessons.FixIt,
		Title: lessons.Text{
			EN: "One order on two machines",
			ZH: "两台机器，只许一单",
		},
		Task: lessons.Text{
			EN: "The shop runs on two machines, and each gets one of user 7's clicks. Pick the code in which he gets " +
				"one order all the same.",
			ZH: "部署了两台机器，用户 7 的两次点击各到一台。选一种写法，让他照样只有一单。",
		},
		Hints: []lessons.Text{
			{EN: "What do two processes share: memory, or something else?", ZH: "两个进程共用什么，内存吗？"},
			{EN: "What is to keep two machines apart must stand where both can see it.", ZH: "要拦住两台机器，就得放在两台都看得到的地方。"},
			{EN: "Both see the database. Which of the answers leaves the question to it?", ZH: "两台都看得到数据库。哪个答案是让数据库来拦的？"},
		},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "count", Variant: "no-lock", Sets: "nodes=2",
					Text: lessons.Text{EN: "Count the orders first, then one transaction", ZH: "先查有没有订单，再开事务"},
				},
				{
					Name: "mutex", Variant: "mutex-two-nodes",
					Text: lessons.Text{EN: "A mutex per user around count and transaction", ZH: "每个用户一把锁，锁住查询和事务"},
				},
				{
					Name: "commit-first", Variant: "commit-under-lock", Sets: "nodes=2",
					Text: lessons.Text{EN: "A mutex per user, freed only after the commit", ZH: "每个用户一把锁，提交之后才放"},
				},
				{
					Name: "index", Variant: "unique-index",
					Text: lessons.Text{EN: "No mutex: UNIQUE(user_id, voucher_id) refuses the second one", ZH: "不加锁：唯一索引拒绝第二单"},
				},
			},
			Shipped: "count", Solution: "index", Naive: "commit-first",
		},
		Learned: lessons.Text{
			EN: "However well it is placed, a mutex ends at the process. The index is the last line of defence; a lock in Redis, the next lesson, keeps the crowd away from it.",
			ZH: "锁放得再对，也出不了进程。唯一索引是最后一道防线；下一课的 Redis 锁，是替它把人流挡在外面。",
		},
	}
}

// recall are the cards of this lesson.
func recall() []lessons.Recall {
	return []lessons.Recall{
		{
			Name:    "recall-lock-and-commit",
			Front:   lessons.Text{EN: "synchronized inside @Transactional: what goes wrong, and what is the right order?", ZH: "synchronized 写在 @Transactional 方法里，错在哪？正确的顺序是什么？"},
			Back:    lessons.Text{EN: "The lock is free before the commit, so the next one counts 0. Lock, begin, commit, unlock.", ZH: "锁先放了，事务还没提交，下一个查到的还是 0 单。顺序是加锁、开事务、提交、放锁。"},
			Variant: "unlock-before-commit", Claim: func(c *lessons.Case) bool {
				return c.Breaks(shop.OnePerUser) && c.As("commit-under-lock").Holds(shop.OnePerUser)
			},
		},
		{
			Name:    "recall-two-nodes",
			Front:   lessons.Text{EN: "A mutex per user works in the test and fails after the second machine is added. Why, and what holds?", ZH: "每个用户一把锁，测试没问题，多部署一台就出两单。为什么？什么守得住？"},
			Back:    lessons.Text{EN: "Each process has its own mutex. UNIQUE(user_id, voucher_id) holds on any number of machines.", ZH: "锁在进程里，一台一把。UNIQUE(user_id, voucher_id) 几台都守得住。"},
			Variant: "mutex-two-nodes", Claim: func(c *lessons.Case) bool {
				return c.Breaks(shop.OnePerUser) && c.With("nodes=1").Holds(shop.OnePerUser) && c.As("unique-index").Holds(shop.OnePerUser)
			},
		},
	}
}
