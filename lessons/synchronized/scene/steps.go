package scene

import "flashlab/lessons"

// The steps that several variants share.

func count() lessons.Step {
	return lessons.Step{
		Go:   "countOrders",
		Java: `query().eq("user_id", userId)`,
		Say: lessons.Text{
			EN: "{actor} counts the user's orders: {reply}.",
			ZH: "{actor} 查这个用户有几单：{reply}。",
		},
	}
}

func lock() lessons.Step {
	return lessons.Step{
		Go:   "mu.Lock(ctx)",
		Java: "synchronized (userId.toString().intern())",
		Say: lessons.Text{
			EN: "{actor} takes the mutex. Whoever wants the same one waits.",
			ZH: "{actor} 拿到锁，别人要拿同一把就得等。",
		},
	}
}

func unlock() lessons.Step {
	return lessons.Step{
		Go:   "mu.Unlock(ctx)",
		Java: "} // the monitor is free",
		Say: lessons.Text{
			EN: "{actor} frees the mutex and is done.",
			ZH: "{actor} 放锁，事情办完了。",
		},
	}
}

func begin() lessons.Step {
	return lessons.Step{
		Go:   "s.DB.BeginTx(ctx, nil)",
		Java: "@Transactional",
		Say: lessons.Text{
			EN: "{actor} begins and takes the write lock; other writers wait until it ends.",
			ZH: "{actor} 开启事务并拿到写锁，别人要写就得等它结束。",
		},
	}
}

func take() lessons.Step {
	return lessons.Step{
		Go:   "takeUnit",
		Java: `.gt("stock", 0)`,
		Say: lessons.Text{
			EN: "{actor} takes a unit if one is left: {reply}.",
			ZH: "{actor} 有货才扣：{reply}。",
		},
	}
}

func insert() lessons.Step {
	return lessons.Step{
		Go:   "insertOrder",
		Java: "save(new VoucherOrder()",
		Say: lessons.Text{
			EN: "{actor} inserts the order: {reply}. Until the commit nobody else can count it.",
			ZH: "{actor} 插入订单：{reply}。提交之前，别人还查不到它。",
		},
	}
}

func commit() lessons.Step {
	return lessons.Step{
		Go:   "return tx.Commit()",
		Java: "return Result.ok()",
		Say: lessons.Text{
			EN: "{actor} commits: unit and order take effect together, and now the order counts.",
			ZH: "{actor} 提交：扣减和订单同时生效，从现在起别人查得到这张订单。",
		},
	}
}

func rollback() lessons.Step {
	return lessons.Step{
		Go:   "tx.Rollback()",
		Java: "throw new SoldOutException()",
		Say: lessons.Text{
			EN: "{actor} rolls back: its transaction leaves nothing, the write lock is free.",
			ZH: "{actor} 回滚：事务里的改动全部作废，写锁释放。",
		},
	}
}
