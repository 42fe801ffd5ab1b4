package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/shop"
)

// bugs are exercises in which code is read first. The numbers are those of the
// faults from practice.
func bugs() []lessons.Exercise {
	return []lessons.Exercise{findOutside(), findGranularity()}
}

// findOutside is fault 5: the second request passes the check before the first
// order is there.
func findOutside() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-outside", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: the early check", ZH: "找错：提前查重"},
		Task: lessons.Text{
			EN: "User 7 clicks twice; one node, two units, no UNIQUE index. Most second clicks need " +
				"not even queue for the mutex, so the orders are counted before it. Read the code: can " +
				"user 7 get two orders?",
			ZH: "用户 7 连点两下。一台机器，库存 2 件，没有唯一索引。重复点击多半用不着排队抢锁，" +
				"所以先查订单，再拿锁。读一读代码：用户 7 会不会有两单？",
		},
		Hints: []lessons.Text{
			{EN: "The mutex does its work. On whose answer does the sale rely?", ZH: "锁没问题。可卖的时候，凭的是什么时候查到的答案？"},
			{EN: "Let both clicks count before either of them takes the mutex.", ZH: "让两次点击都先查完，再让其中一个去拿锁。"},
		},
		Code: &lessons.Snippet{File: "bugoutside.go", Func: "(*Shop).BuyOnce", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-outside", Variant: "bug-outside",
			Ask: lessons.Text{EN: "Can the user get two orders?", ZH: "这个用户会有两单吗？"},
			Options: []lessons.Option{
				{Name: "never", Text: lessons.Text{EN: "Never: the mutex lets one click in at a time", ZH: "不会：锁一次只放一个进去"}, Claim: lessons.Holds(shop.OnePerUser)},
				{Name: "sometimes", Text: lessons.Text{EN: "If both have counted before either has sold", ZH: "两次都查完了、谁也还没下单，就会"}, Claim: lessons.Sometimes(shop.OnePerUser)},
				{Name: "always", Text: lessons.Text{EN: "Always: a later click never sees an order", ZH: "每次都会：后一次点击永远看不到订单"}, Claim: lessons.Always(shop.OnePerUser)},
			},
			Because: lessons.Text{
				EN: "The second one waits in good order, and then sells on an answer from before it waited.",
				ZH: "第二个老老实实排了队，轮到它时，用的却是排队之前查到的答案。",
			},
		},
		Break: &lessons.Break{Variant: "bug-outside", Light: shop.OnePerUser},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-outside",
					Text: lessons.Text{EN: "Leave it: the sale itself is under the mutex", ZH: "不用改：下单本来就在锁里"},
					Code: "count; mu.Lock(ctx); sell; mu.Unlock(ctx)",
				},
				{
					Name: "alone", Variant: "outside-alone",
					Text: lessons.Text{EN: "One mutex for all users instead of one for each", ZH: "所有用户共用一把锁，不分用户"},
					Code: "mu := s.mutex(everybody)",
				},
				{
					Name: "inside", Variant: "mutex-one-node",
					Text: lessons.Text{EN: "Count behind mu.Lock, under the user's mutex", ZH: "查订单挪到 mu.Lock 后面，在锁里查"},
					Code: "mu.Lock(ctx); count; sell; mu.Unlock(ctx)",
				},
			},
			Shipped: "leave", Solution: "inside", Naive: "alone",
		},
		Learned: lessons.Text{
			EN: "A check counts only under the lock that protects what it asks about. An early one may save a queue, but must be made once more inside.",
			ZH: "判断要在锁里做才算数。锁外面可以先挡一道，省得排队，进了锁还得再查一遍。",
		},
	}
}

// findGranularity is fault 11, seen from the other side: a lock whose key is the
// user protects nothing that users share.
func findGranularity() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-granularity", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: whose mutex", ZH: "找错：锁的是谁"},
		Task: lessons.Text{
			EN: "Users 1 and 2 want the last unit, and one node serves both. Stock and order are " +
				"written under the mutex of the user: nobody leaves it before all is done. Read the " +
				"code: what can go wrong?",
			ZH: "用户 1 和用户 2 抢最后一件，都由同一台机器处理。扣库存、插订单都在用户锁里，" +
				"不办完谁也不出来。读一读代码：会出什么错？",
		},
		Hints: []lessons.Text{
			{EN: "What is written inside the mutex, and who else writes it?", ZH: "锁里改的是什么？还有谁会改它？"},
			{EN: "Two users have two mutexes. Let both read the stock.", ZH: "两个用户是两把锁。让他们都先查库存。"},
		},
		Code: &lessons.Snippet{File: "buggranularity.go", Func: "(*Shop).BuyFromStock", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-granularity", Variant: "bug-granularity",
			Ask: lessons.Text{EN: "What can go wrong?", ZH: "会出什么错？"},
			Options: []lessons.Option{
				{Name: "nothing", Text: lessons.Text{EN: "Nothing: all of it is done under a mutex", ZH: "不会错：全程都在锁里"}, Claim: lessons.And(lessons.Holds(shop.NoOversell), lessons.Holds(shop.Conservation))},
				{Name: "person", Text: lessons.Text{EN: "One of them gets two orders", ZH: "有一个人下了两单"}, Claim: lessons.Breaks(shop.OnePerUser)},
				{Name: "unit", Text: lessons.Text{EN: "The last unit is sold to both", ZH: "最后一件卖给了两个人"}, Claim: lessons.And(lessons.Breaks(shop.NoOversell), lessons.Holds(shop.OnePerUser))},
			},
			Because: lessons.Text{
				EN: "Each user has a mutex to himself, and both are free. The stock is everybody's, so both read 1 and both write 0.",
				ZH: "每个用户一把锁，两把都空着。库存却是大家的，于是两个人都查到 1，都写回 0。",
			},
		},
		Break: &lessons.Break{Variant: "bug-granularity", Light: shop.NoOversell},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-granularity",
					Text: lessons.Text{EN: "Leave it: a mutex per user, so that nobody waits", ZH: "不用改：每人一把锁，互不等待"},
					Code: "mu := s.mutex(user)",
				},
				{
					Name: "pair", Variant: "granularity-pair",
					Text: lessons.Text{EN: "A mutex for each pair of user and voucher", ZH: "锁再细一点：用户加券，一对一把"},
					Code: "mu := s.pair(user, voucher)",
				},
				{
					Name: "voucher", Variant: "granularity-voucher",
					Text: lessons.Text{EN: "One mutex for the voucher; all its buyers queue", ZH: "每张券一把锁，买它的人都排队"},
					Code: "mu := s.mutex(voucher)",
				},
				{
					Name: "guard", Variant: "granularity-guarded",
					Text: lessons.Text{EN: "Per user as before; UPDATE ... WHERE stock > 0", ZH: "照旧每人一把锁，UPDATE 带 stock > 0"},
					Code: "UPDATE voucher SET stock = stock - 1\n\tWHERE id = ? AND stock > 0",
				},
			},
			Shipped: "leave", Solution: "guard", Naive: "pair",
		},
		Learned: lessons.Text{
			EN: "A lock is named after what it protects. The voucher's mutex holds as well, on one node, and makes strangers wait; the UPDATE needs no lock at all.",
			ZH: "保护什么，锁就按什么来分。按券加锁也对，只是一台机器才行，还要大家排队；UPDATE 带条件，连锁都不用。",
		},
	}
}
