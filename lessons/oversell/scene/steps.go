package scene

import "flashlab/lessons"

// The steps that several variants share.

func readStock() lessons.Step {
	return lessons.Step{
		Go:   "SELECT stock FROM voucher",
		Java: "seckillVoucherService.getById(voucherId)",
		Say: lessons.Text{
			EN: "{actor} reads {reply}. From here on that is a memory, not a fact.",
			ZH: "{actor} 查到 {reply}。从这一刻起，这只是旧数据。",
		},
	}
}

func writeStock() lessons.Step {
	return lessons.Step{
		Go:   "UPDATE voucher SET stock = ?",
		Java: "seckillVoucherService.updateById(voucher)",
		Say: lessons.Text{
			EN: "{actor} writes back the value that it computed itself: {reply}.",
			ZH: "{actor} 把自己算好的库存写回去：{reply}。",
		},
	}
}

func insertOrder() lessons.Step {
	return lessons.Step{
		Go:   "INSERT INTO orders (user_id, voucher_id)",
		Java: "save(new VoucherOrder()",
		Say: lessons.Text{
			EN: "{actor} inserts its order: {reply}.",
			ZH: "{actor} 插入订单：{reply}。",
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

func commit() lessons.Step {
	return lessons.Step{
		Go:   "return tx.Commit()",
		Java: "return Result.ok()",
		Say: lessons.Text{
			EN: "{actor} commits: unit and order take effect together, the write lock is free.",
			ZH: "{actor} 提交：扣减和订单同时生效，写锁释放。",
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
