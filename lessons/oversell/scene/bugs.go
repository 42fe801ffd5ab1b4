package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/shop"
)

// bugs are exercises in which code is read first. The numbers are those of the
// faults from practice.
func bugs() []lessons.Exercise {
	return []lessons.Exercise{findLimit(), findUpgrade(), findCommit()}
}

// findLimit is fault 2: a comparison that is off by one.
func findLimit() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-limit", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: the limit", ZH: "找错：库存判断"},
		Task: lessons.Text{
			EN: "One unit, two buyers. The shop takes the write lock before it reads, so nobody can " +
				"step in between its check and its write. Read the code: can it sell too much, and in " +
				"which orders of steps?",
			ZH: "库存 1 件，两个人买。程序先拿写锁再查库存，判断和写之间谁也插不进来。" +
				"读一读代码：会不会多卖，什么顺序下会？",
		},
		Hints: []lessons.Text{
			{EN: "The lock is all right. What else can be wrong with a decision?", ZH: "锁没有问题。一个判断还能错在哪里？"},
			{EN: "Put 0 into the line with if stock, and let the second buyer come to it.", ZH: "把 0 代进 if stock 那一行，再让第二个人走到那里。"},
		},
		Code: &lessons.Snippet{File: "buglimit.go", Func: "(*Shop).BuyLimited", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-limit", Variant: "bug-limit",
			Ask: lessons.Text{EN: "Can more be sold than there is?", ZH: "会卖得比库存多吗？"},
			Options: []lessons.Option{
				{Name: "never", Text: lessons.Text{EN: "Never: the write lock lets one buyer in at a time", ZH: "不会：写锁一次只放一个人进来"}, Claim: lessons.Holds(shop.NoOversell)},
				{Name: "race", Text: lessons.Text{EN: "If both read before either of them writes", ZH: "两个人都先查完、后写，就会"}, Claim: lessons.Sometimes(shop.NoOversell)},
				{Name: "always", Text: lessons.Text{EN: "In every order: the second one reads 0 and buys", ZH: "什么顺序都会：第二个人查到 0 照样买"}, Claim: lessons.Always(shop.NoOversell)},
			},
			Because: lessons.Text{
				EN: "They never meet, and each decides wrongly: at 0 nothing is left, and < 0 lets it pass. It takes the last unit, not a race.",
				ZH: "两个人根本没碰上，是判断本身错了：0 就是没货，< 0 却放过去。卖到最后一件就出错，跟并发无关。",
			},
		},
		Break: &lessons.Break{Variant: "bug-limit", Light: shop.NoOversell},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-limit",
					Text: lessons.Text{EN: "Leave it: the lock is what counts", ZH: "不用改：有写锁就够了"},
					Code: "if stock < 0 {\n\treturn ErrSoldOut\n}",
				},
				{
					Name: "where", Variant: "limit-at-zero",
					Text: lessons.Text{EN: "Let the UPDATE decide: WHERE stock >= 0", ZH: "交给 UPDATE 判断：WHERE stock >= 0"},
					Code: "UPDATE voucher SET stock = stock - 1\n\tWHERE id = ? AND stock >= 0",
				},
				{
					Name: "free", Variant: "check-then-decrement",
					Text: lessons.Text{EN: "Check stock <= 0, without a transaction: it is faster", ZH: "判断改成 stock <= 0，不用事务，更快"},
				},
				{
					Name: "zero", Variant: "immediate-tx",
					Text: lessons.Text{EN: "Check stock <= 0, under the write lock as before", ZH: "判断改成 stock <= 0，照旧拿着写锁"},
					Code: "if stock <= 0 {\n\treturn ErrSoldOut\n}",
				},
			},
			Shipped: "leave", Solution: "zero", Naive: "where",
		},
		Learned: lessons.Text{
			EN: "A lock makes a decision undisturbed, not right. Test it at the boundary: none left, one left, one more than there is.",
			ZH: "锁只保证判断时没人打扰，不保证判断得对。边界要单独测：0 件，1 件，再多来一个人。",
		},
	}
}

// findUpgrade is fault 102, with 103: a transaction that reads and then writes.
func findUpgrade() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-upgrade", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: one transaction", ZH: "找错：放进一个事务"},
		Task: lessons.Text{
			EN: "Two units, two buyers, SQLite with a write-ahead log. Reading, deciding and writing " +
				"are one transaction, and the UPDATE has its condition. The light everything-sold asks " +
				"whether both have bought in the end. Read the code: do they?",
			ZH: "库存 2 件，两个人买，SQLite 开了 WAL。查、判断、改都在一个事务里，UPDATE 还带着条件。" +
				"everything-sold 这盏灯看的是：最后两个人是不是都买到了。读一读，买得到吗？",
		},
		Hints: []lessons.Text{
			{EN: "Plain BEGIN takes no lock. What does the first SELECT fix?", ZH: "普通 BEGIN 不拿锁。第一条 SELECT 定下了什么？"},
			{EN: "Let both read. Then let one of them write and commit.", ZH: "让两个人都查完，再让其中一个写完、提交。"},
		},
		Code: &lessons.Snippet{File: "bugupgrade.go", Func: "(*Shop).BuyInTx", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-upgrade", Variant: "bug-upgrade",
			Ask: lessons.Text{EN: "What can happen to the two buyers?", ZH: "这两个人会怎样？"},
			Options: []lessons.Option{
				{Name: "both", Text: lessons.Text{EN: "Both buy, in whatever order they step", ZH: "都买得到，不管谁先谁后"}, Claim: lessons.Holds(everythingSold)},
				{Name: "oversell", Text: lessons.Text{EN: "A unit is sold twice", ZH: "同一件卖了两次"}, Claim: lessons.Breaks(shop.NoOversell)},
				{
					Name: "refused", Text: lessons.Text{EN: "One can be refused though a unit is left", ZH: "有一个会被拒绝，货却还剩着"},
					Claim: lessons.And(lessons.Sometimes(everythingSold), lessons.Holds(shop.NoOversell)),
				},
			},
			Because: lessons.Text{
				EN: "Both have read the same snapshot. Once one has committed, the other would write on an old picture: SQLITE_BUSY_SNAPSHOT, at once. No waiting makes it new.",
				ZH: "两个人读的是同一份快照。一个提交了，另一个手里的就是旧的，再写当场报 SQLITE_BUSY_SNAPSHOT，等多久都不会变新。",
			},
		},
		Break: &lessons.Break{Variant: "bug-upgrade", Light: everythingSold},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "timeout", Variant: "bug-upgrade",
					Text: lessons.Text{EN: "busy_timeout 5 s: a writer waits for the lock, as in this lab", ZH: "busy_timeout 设 5 秒，要写的等锁，本实验室就是这样"},
					Code: "file:shop.db?_pragma=busy_timeout(5000)",
				},
				{
					Name: "again", Variant: "upgrade-retry",
					Text: lessons.Text{EN: "Try a failed UPDATE again, up to three times", ZH: "UPDATE 失败就重试，最多三次"},
					Code: "for range 3 {\n\t_, err = tx.ExecContext(ctx, `UPDATE ...`, voucher)\n\tif err == nil {\n\t\tbreak\n\t}\n}",
				},
				{
					Name: "immediate", Variant: "upgrade-immediate",
					Text: lessons.Text{EN: "BEGIN IMMEDIATE: the write lock before the read", ZH: "BEGIN IMMEDIATE：先拿写锁，再查"},
					Code: "file:shop.db?_txlock=immediate",
				},
			},
			Shipped: "timeout", Solution: "immediate", Naive: "again",
		},
		Learned: lessons.Text{
			EN: "Who will write takes the write lock at the beginning, or begins anew after BUSY. Within the old transaction nothing helps.",
			ZH: "要写的事务，一开始就拿写锁；否则遇到 BUSY 就整个重来。在旧事务里怎么试都没用。",
		},
	}
}

// findCommit is the second half of fault 81: the order is saved anyway.
func findCommit() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-commit", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: sold out", ZH: "找错：卖完了"},
		Task: lessons.Text{
			EN: "One unit, two buyers. Order and unit are written in one transaction, the UPDATE has " +
				"its condition, and the row count is looked at. Read the code: whose order is in the " +
				"table in the end?",
			ZH: "库存 1 件，两个人买。订单和扣减在一个事务里，UPDATE 带条件，影响行数也看了。" +
				"读一读代码：最后表里有谁的订单？",
		},
		Hints: []lessons.Text{
			{EN: "How does a transaction end when the function returns early?", ZH: "函数提前返回的时候，事务是怎么结束的？"},
			{EN: "Follow the second buyer: what has it written before it is refused?", ZH: "跟着第二个人走：被拒绝之前，他已经写了什么？"},
		},
		Code: &lessons.Snippet{File: "bugcommit.go", Func: "(*Shop).BuyOrRefuse", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-commit", Variant: "bug-commit",
			Ask: lessons.Text{EN: "When are there more orders than units?", ZH: "什么时候订单会比库存多？"},
			Options: []lessons.Option{
				{Name: "never", Text: lessons.Text{EN: "Never: whoever finds no unit gets ErrSoldOut", ZH: "不会：没货的人得到的是 ErrSoldOut"}, Claim: lessons.Holds(shop.NoOversell)},
				{Name: "race", Text: lessons.Text{EN: "If both insert before either takes the unit", ZH: "两个人都先插订单、后扣库存，就会"}, Claim: lessons.Sometimes(shop.NoOversell)},
				{Name: "always", Text: lessons.Text{EN: "Always: a refused buyer keeps the order", ZH: "每次都会：被拒绝的人订单还在"}, Claim: lessons.Always(shop.NoOversell)},
			},
			Because: lessons.Text{
				EN: "The deferred call commits on every way out. In Java: the method returns fail() and throws nothing, so @Transactional commits.",
				ZH: "不管从哪里返回，defer 都提交。Java 里一样：return Result.fail() 没抛异常，@Transactional 照样提交。",
			},
		},
		Break: &lessons.Break{Variant: "bug-commit", Light: shop.NoOversell},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-commit",
					Text: lessons.Text{EN: "Leave it: a transaction is all or nothing", ZH: "不用改：事务要么全成，要么全不成"},
					Code: "defer func() { err = errors.Join(err, tx.Commit()) }()",
				},
				{
					Name: "delete", Variant: "commit-take-back",
					Text: lessons.Text{EN: "No transaction; without a unit DELETE the order again", ZH: "不用事务，没货就把订单 DELETE 掉"},
					Code: "DELETE FROM orders\n\tWHERE user_id = ? AND voucher_id = ?",
				},
				{
					Name: "rollback", Variant: "guarded",
					Text: lessons.Text{EN: "Deferred Rollback; Commit only as the last line", ZH: "defer 里回滚，走到最后一行才提交"},
					Code: "defer func() { tx.Rollback() }()\n...\nreturn tx.Commit()",
				},
			},
			Shipped: "leave", Solution: "rollback", Naive: "delete",
		},
		Learned: lessons.Text{
			EN: "Commit is the last thing a success does; every other way out rolls back. What is written and deleted again was there in between.",
			ZH: "只有成功走到最后才提交，别的出口一律回滚。先写再删，中间那一会儿它是真的在。",
		},
	}
}
