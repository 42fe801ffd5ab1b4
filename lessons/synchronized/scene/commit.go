package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/synchronized"
)

// The variants in which it matters when the transaction commits, and the one that
// leaves the question to the database.

func unlockBeforeCommit() lessons.Variant {
	return lessons.Variant{
		Name: "unlock-before-commit",
		Title: lessons.Text{
			EN: "Unlock, then commit",
			ZH: "先放锁，后提交",
		},
		Summary: lessons.Text{
			EN: "The mutex stands inside a unit of work, which sends its writes when it " +
				"commits. By then the mutex is free; one node.",
			ZH: "锁写在工作单元里面，写操作要到提交时才发给数据库，那时锁已经放了。只有一台机器。",
		},
		Moral: lessons.Text{
			EN: "Between unlock and commit nobody else can see the order, so the next click " +
				"counts 0. Hold the lock until others can see what you did: lock, begin, " +
				"commit, unlock. In Java the mistake is synchronized inside @Transactional.",
			ZH: "放锁之后、提交之前，这张订单谁也看不见，下一次点击还是查到 0 单。" +
				"顺序应该是加锁、开事务、提交、放锁。Java 里就是把 synchronized 写进了 @Transactional 方法。",
		},
		Params: params(1), Lights: verdicts(breaks),
		File: "unlockbeforecommit.go", Func: "(*Shop).UnlockBeforeCommit", JavaFile: "UnlockBeforeCommit.java",
		Steps: []lessons.Step{
			lock(),
			{
				Go:   "mu.Unlock(ctx)",
				Java: "} // the monitor is free",
				Say: lessons.Text{
					EN: "{actor} frees the mutex. Its order is still a note in its own memory.",
					ZH: "{actor} 放锁，可它的订单还只记在自己内存里。",
				},
			},
			count(),
			{
				Go:   "return work.Commit(ctx)",
				Java: "return Result.ok()",
				Say: lessons.Text{
					EN: "The mutex is free; only now {actor}'s transaction reaches the database: {reply}.",
					ZH: "锁早放了，{actor} 的事务这时才发给数据库：{reply}。",
				},
			},
		},
		Scenario: clicks("unlock-before-commit", false, (*synchronized.Shop).UnlockBeforeCommit),
	}
}

func commitUnderLock() lessons.Variant {
	return lessons.Variant{
		Name: "commit-under-lock",
		Title: lessons.Text{
			EN: "Commit, then unlock",
			ZH: "先提交，再放锁",
		},
		Summary: lessons.Text{
			EN: "The same unit of work, but begun and committed while the mutex is held. One node.",
			ZH: "还是那个工作单元，只是从创建到提交都在锁里面。只有一台机器。",
		},
		Moral: lessons.Text{
			EN: "Lock outside, transaction inside: whoever gets the mutex next counts an order " +
				"that is committed. In Java: synchronized in the caller, the transaction in the " +
				"method called through the proxy. With nodes=2 it breaks like any mutex.",
			ZH: "锁在外，事务在内：下一个拿到锁的人，查到的是已经提交的订单。" +
				"Java 里锁写在调用方，事务方法通过代理调用。换成 nodes=2 照样失守，进程内的锁都这样。",
		},
		Params: params(1), Lights: verdicts(holds),
		File: "commitunderlock.go", Func: "(*Shop).CommitUnderLock", JavaFile: "CommitUnderLock.java",
		Steps: []lessons.Step{
			lock(), unlock(), count(),
			{
				Go:   "return work.Commit(ctx)",
				Java: ".createVoucherOrder(voucherId)",
				Say: lessons.Text{
					EN: "{actor} still holds the mutex while its transaction runs: {reply}.",
					ZH: "{actor} 的事务在执行，锁还在手里：{reply}。",
				},
			},
		},
		Scenario: clicks("commit-under-lock", false, (*synchronized.Shop).CommitUnderLock),
	}
}

func uniqueIndex() lessons.Variant {
	return lessons.Variant{
		Name: "unique-index",
		Title: lessons.Text{
			EN: "No lock: the table refuses",
			ZH: "不加锁，唯一索引来拦",
		},
		Summary: lessons.Text{
			EN: "Two nodes, neither lock nor count. UNIQUE(user_id, voucher_id) stands on " +
				"the orders; UPDATE and INSERT are one transaction.",
			ZH: "两台机器，不加锁，也不查订单。订单表有 UNIQUE(user_id, voucher_id)，扣库存和插入在一个事务里。",
		},
		Moral: lessons.Text{
			EN: "The second INSERT is refused and the rollback returns its unit, on any number " +
				"of nodes and whatever the locks in front do. This is the last line of defence; " +
				"a lock only keeps the crowd away from it.",
			ZH: "第二条 INSERT 被拒绝，回滚把扣掉的那件还回去。几台机器都一样，前面的锁失灵也不怕。" +
				"这是最后一道防线，锁只是替它把人流挡在外面。",
		},
		Params: params(2), Lights: verdicts(holds),
		File: "uniqueindex.go", Func: "(*Shop).UniqueIndex", JavaFile: "UniqueIndex.java",
		Steps: []lessons.Step{
			begin(), take(),
			{
				Go:   "insertOrder",
				Java: "save(new VoucherOrder()",
				Say: lessons.Text{
					EN: "{actor} inserts the order and the index has the last word: {reply}.",
					ZH: "{actor} 插入订单，行不行由唯一索引说了算：{reply}。",
				},
			},
			commit(),
			{
				Go:   "tx.Rollback()",
				Java: "rollbackFor = Exception.class",
				Say: lessons.Text{
					EN: "{actor} rolls back: the unit it took is back on the shelf.",
					ZH: "{actor} 回滚，扣掉的那件库存还回去了。",
				},
			},
		},
		Scenario: clicks("unique-index", true, (*synchronized.Shop).UniqueIndex),
	}
}
