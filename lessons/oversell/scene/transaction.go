package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/oversell"
	"flashlab/sim/world"
)

// The variants that sell in one transaction.

func guarded() lessons.Variant {
	return lessons.Variant{
		Name: "guarded",
		Title: lessons.Text{
			EN: "The condition stands in the update",
			ZH: "条件写进更新语句",
		},
		Summary: lessons.Text{
			EN: "One transaction: UPDATE ... WHERE stock > 0, look at the row count, insert " +
				"the order, commit. Nothing is read beforehand.",
			ZH: "一个事务：UPDATE 带 stock > 0，看影响行数，插入订单，提交。事先不查库存。",
		},
		Moral: lessons.Text{
			EN: "Check and deduction are one statement, so nobody comes in between; 0 rows " +
				"means sold out. It asks only whether a unit is left, so all of them are sold. " +
				"The transaction keeps unit and order together, even in a crash.",
			ZH: "判断和扣减是同一条语句，中间插不进人，影响 0 行就是卖完了。" +
				"它只问还有没有货，所以不会剩货。扣库存和写订单在一个事务里，宕机也不会只做一半。",
		},
		Params: params(1), Lights: verdicts(holds, holds, holds, holds),
		File: "guarded.go", Func: "(*Shop).Guarded", JavaFile: "Guarded.java",
		Steps: []lessons.Step{
			begin(),
			{
				Go:   "UPDATE voucher SET stock = stock - 1",
				Java: `.gt("stock", 0)`,
				Say: lessons.Text{
					EN: "{actor} takes a unit if one is left: {reply}. That is the whole check.",
					ZH: "{actor} 有货才扣：{reply}。判断就在这一句里。",
				},
			},
			insertOrder(),
			commit(),
			rollback(),
		},
		Scenario: sale("guarded", world.WAL, (*oversell.Shop).Guarded),
	}
}

func immediateTx() lessons.Variant {
	return lessons.Variant{
		Name: "immediate-tx",
		Title: lessons.Text{
			EN: "Pessimistic lock: lock, then read",
			ZH: "悲观锁：先拿写锁再查",
		},
		Summary: lessons.Text{
			EN: "BEGIN IMMEDIATE takes the write lock before the first read. Then read, check, " +
				"write back, insert the order, commit.",
			ZH: "BEGIN IMMEDIATE 在查询之前就拿到写锁，然后查、判断、写回、插入订单、提交。",
		},
		Moral: lessons.Text{
			EN: "It subtracts in Go like lost-update and is right, for nobody else writes " +
				"between its read and its commit. The price is a queue: one buyer at a time, " +
				"whatever they buy. On MySQL: SELECT ... FOR UPDATE, which locks the row.",
			ZH: "和 lost-update 一样在代码里减一，却是对的：从查询到提交，别人写不进来。" +
				"代价是排队，不管买什么，一次只进一个人。MySQL 里对应 SELECT ... FOR UPDATE，锁的是行。",
		},
		Params: params(1), Lights: verdicts(holds, holds, holds, holds),
		File: "immediatetx.go", Func: "(*Shop).ImmediateTx", JavaFile: "ImmediateTx.java",
		Steps: []lessons.Step{
			begin(),
			{
				Go:   "SELECT stock FROM voucher",
				Java: `.last("FOR UPDATE")`,
				Say: lessons.Text{
					EN: "{actor} reads under the lock: {reply}. It stays true until {actor} writes.",
					ZH: "{actor} 拿着写锁查到 {reply}，在 {actor} 写回之前不会变。",
				},
			},
			writeStock(),
			insertOrder(),
			commit(),
			rollback(),
		},
		Scenario: sale("immediate-tx", world.WAL, (*oversell.Shop).ImmediateTx),
	}
}
