package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/synchronized"
)

// The variants that count and sell without a lock or under a mutex.

func noLock() lessons.Variant {
	return lessons.Variant{
		Name: "no-lock",
		Title: lessons.Text{
			EN: "Count first, no lock",
			ZH: "先查订单，不加锁",
		},
		Summary: lessons.Text{
			EN: "Counts the user's orders and then sells in one transaction: UPDATE with " +
				"stock > 0, INSERT, COMMIT. The table has no UNIQUE index.",
			ZH: "先查用户有没有订单，没有就在一个事务里扣库存、插入订单。表上没有唯一索引。",
		},
		Moral: lessons.Text{
			EN: "Both clicks count 0 before either order is committed: two orders for one " +
				"person, while stock and books are in perfect order. The count stands before " +
				"the transaction, and stock > 0 looks after units, not after people.",
			ZH: "两次点击都赶在对方提交之前查到 0 单，于是一人两单，库存和账目却分毫不差。" +
				"查订单在事务外面，事务帮不上忙；stock > 0 管的是货，管不到人。",
		},
		Params: params(1), Lights: verdicts(breaks),
		File: "nolock.go", Func: "(*Shop).NoLock", JavaFile: "NoLock.java",
		Steps:    []lessons.Step{count(), begin(), take(), insert(), commit(), rollback()},
		Scenario: clicks("no-lock", false, (*synchronized.Shop).NoLock),
	}
}

func mutexOneNode() lessons.Variant {
	return lessons.Variant{
		Name: "mutex-one-node",
		Title: lessons.Text{
			EN: "One mutex per user",
			ZH: "每个用户一把锁",
		},
		Summary: lessons.Text{
			EN: "One mutex per user id, kept in a map and held from the count to the commit. " +
				"One process serves both clicks.",
			ZH: "每个用户 id 一把锁，存在 map 里，从查订单一直锁到提交。两次点击都由同一个进程处理。",
		},
		Moral: lessons.Text{
			EN: "The second click gets the mutex when the first order is committed; it counts 1 " +
				"and is refused. Other users do not wait, for they have other mutexes. All this " +
				"is true of one process.",
			ZH: "第二次点击要等第一单提交之后才拿得到锁，一查已有 1 单，被拒绝。" +
				"别的用户用的是别的锁，不用等。前提是所有点击都落在这一个进程上。",
		},
		Params: params(1), Lights: verdicts(holds),
		File: "mutexperuser.go", Func: "(*Shop).MutexPerUser", JavaFile: "MutexPerUser.java",
		Steps:    mutexPerUser(),
		Scenario: clicks("mutex-one-node", false, (*synchronized.Shop).MutexPerUser),
	}
}

func mutexTwoNodes() lessons.Variant {
	return lessons.Variant{
		Name: "mutex-two-nodes",
		Title: lessons.Text{
			EN: "The same code, two nodes",
			ZH: "代码没变，部署两台",
		},
		Summary: lessons.Text{
			EN: "The very same code. Two nodes run it now, and the load balancer sends each of " +
				"them one click.",
			ZH: "代码一个字没改，只是部署了两台，负载均衡把两次点击各分给一台。",
		},
		Moral: lessons.Text{
			EN: "A mutex lives in the memory of one process. Each node has its own, both are " +
				"free, and both clicks walk in. What is to keep two nodes apart must stand " +
				"where both can see it: in Redis (next lesson) or in the database.",
			ZH: "锁在进程内存里，两台机器各有一把，都空着，两次点击就都进去了。" +
				"要挡住两台机器，锁就得放在两边都看得到的地方：Redis（下一课），或者数据库。",
		},
		Params: params(2), Lights: verdicts(breaks),
		File: "mutexperuser.go", Func: "(*Shop).MutexPerUser", JavaFile: "MutexPerUser.java",
		Steps:    mutexPerUser(),
		Scenario: clicks("mutex-two-nodes", false, (*synchronized.Shop).MutexPerUser),
	}
}

// mutexPerUser are the steps of the code that runs on one node and on two.
func mutexPerUser() []lessons.Step {
	return []lessons.Step{
		{
			Go:   "mu.Lock(ctx)",
			Java: "synchronized (userId.toString().intern())",
			Say: lessons.Text{
				EN: "{actor} takes the user's mutex on its node. There, the next click has to wait.",
				ZH: "{actor} 拿到本机上这个用户的锁，同一台机器上的下一次点击得等。",
			},
		},
		unlock(), count(), begin(), take(), insert(), commit(), rollback(),
	}
}

func mutexPerCall() lessons.Variant {
	return lessons.Variant{
		Name: "mutex-per-call",
		Title: lessons.Text{
			EN: "A new mutex in every call",
			ZH: "每次调用都 new 一把锁",
		},
		Summary: lessons.Text{
			EN: "Locks and unlocks as it should, but the mutex is made within the call. In " +
				"Java: synchronized (userId.toString()) without intern().",
			ZH: "加锁解锁都没写错，可锁是每次调用现造的，相当于 synchronized (userId.toString()) 忘了 intern()。",
		},
		Moral: lessons.Text{
			EN: "Nobody waits for a lock that nobody else knows. What counts is the object, " +
				"not what it looks like: two equal strings are two monitors. On a single node " +
				"252 of 296 schedules go wrong, as many as with two nodes.",
			ZH: "别人不知道的锁，没人会等。锁认的是对象，不是内容：两个相等的字符串是两把锁。" +
				"只有一台机器，296 种走法里照样错 252 种，跟两台一样多。",
		},
		Params: params(1), Lights: verdicts(breaks),
		File: "mutexpercall.go", Func: "(*Shop).MutexPerCall", JavaFile: "MutexPerCall.java",
		Steps: []lessons.Step{
			{
				Go:   "mu.Lock(ctx)",
				Java: "synchronized (userId.toString())",
				Say: lessons.Text{
					EN: "{actor} takes a mutex of its own. It is always free.",
					ZH: "{actor} 拿到一把自己刚造的锁，当然没人占着。",
				},
			},
			unlock(), count(), begin(), take(), insert(), commit(), rollback(),
		},
		Scenario: clicks("mutex-per-call", false, (*synchronized.Shop).MutexPerCall),
	}
}
