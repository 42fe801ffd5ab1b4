package scene

import "flashlab/lessons"

// cards are the digressions of this lesson. What they claim of this lab's engine
// is tested next door; what they claim of MySQL and PostgreSQL is documented there.
func cards() []lessons.Card {
	return []lessons.Card{
		{
			Name: "plain-transaction",
			Title: lessons.Text{
				EN: "Is a plain transaction not enough?",
				ZH: "套一层普通事务行不行？",
			},
			Body: lessons.Text{
				EN: "Put lost-update into a plain BEGIN ... COMMIT, and the race cannot be shown " +
					"here. Both transactions read the same snapshot; the first to write wins, and " +
					"the other's UPDATE ends in SQLITE_BUSY_SNAPSHOT. Nothing is oversold, but that " +
					"buyer gets an error, and units stay unsold.\n" +
					"MySQL at REPEATABLE READ is another matter. A plain SELECT reads the snapshot, " +
					"an UPDATE reads the current row (after waiting for its lock). So read, subtract, " +
					"write back does lose updates inside a transaction: no error, one unit, two " +
					"orders. UPDATE ... WHERE stock > 0 is right there too: its condition is tested " +
					"on the current row. PostgreSQL at that level refuses the second write instead.\n" +
					"Cures: BEGIN IMMEDIATE here, SELECT ... FOR UPDATE there, or the condition in " +
					"the update on both.",
				ZH: "给 lost-update 套上普通的 BEGIN ... COMMIT，在这里演示不出超卖。两个事务读的是同一份快照，" +
					"先写的成功，后写的那条 UPDATE 报 SQLITE_BUSY_SNAPSHOT。超卖没有了，" +
					"可这个人得到的是一个错误，货还剩着卖不出去。\n" +
					"MySQL 的可重复读不一样：普通 SELECT 是快照读，UPDATE 是当前读（先等到行锁）。" +
					"所以查、减一、写回放进事务照样丢失更新，不报错，1 件货卖出 2 单。" +
					"UPDATE ... WHERE stock > 0 依然是对的，因为条件是拿当前行判断的。" +
					"PostgreSQL 在同一级别下会直接拒绝后一次写入。\n" +
					"解法：SQLite 用 BEGIN IMMEDIATE，MySQL 用 SELECT ... FOR UPDATE，" +
					"或者两边都把条件写进更新语句。",
			},
		},
		{
			Name: "stock-over-zero",
			Title: lessons.Text{
				EN: "Why stock > 0 beats stock = old",
				ZH: "stock > 0 胜过 stock = 旧值",
			},
			Body: lessons.Text{
				EN: "Both conditions prevent the oversell. They ask different questions.\n" +
					"stock = old, or version = old, asks: has nobody bought since I read? In a rush " +
					"somebody always has. Of all who read the same value one gets through, and the " +
					"rest are refused before full shelves.\n" +
					"stock > 0 asks: is a unit left? For a sale nothing else matters. Who is refused " +
					"is refused because it is true, and the read beforehand is saved.\n" +
					"A version is right where the new value depends on the old one: editing a text, " +
					"changing a price. And mind the boundary: stock >= 0 sells one too many.",
				ZH: "两个条件都能防超卖，问的却不是同一件事。\n" +
					"stock = 旧值（或 version = 旧值）问的是：我查过之后有没有人买过？抢购的时候总是有。" +
					"查到同一个值的人里只有一个能成功，其余的对着满架的货被拒绝，成功率就是这样掉下来的。\n" +
					"stock > 0 问的是：还有没有货？卖东西只要知道这一点。被拒绝就是真卖完了，还省了一次查询。\n" +
					"新值要由旧值算出来的场景才用版本号，比如改文案、改价格。" +
					"另外小心边界：写成 stock >= 0 会多卖一件。",
			},
		},
		{
			Name: "crash-and-autocommit",
			Title: lessons.Text{
				EN: "What if the process dies in between?",
				ZH: "扣完库存就宕机怎么办？",
			},
			Body: lessons.Text{
				EN: "Without a transaction each statement commits by itself. When the process dies " +
					"after the UPDATE and before the INSERT, the unit is gone and nobody has it. No " +
					"race is needed for that: see the staged schedule crash-between.\n" +
					"Inside a transaction the database rolls the half-done sale back, and the next " +
					"buyer gets the unit: crash-rolled-back.\n" +
					"So guarded uses a transaction although its single UPDATE already prevents the " +
					"oversell. This lesson has no crashes by default, for with crashes=1 every " +
					"variant without a transaction breaks conservation.",
				ZH: "没有事务时每条语句各自提交。UPDATE 之后、INSERT 之前宕机，库存少了一件，却谁也没买到。" +
					"这跟并发无关，看预设演示 crash-between。\n" +
					"放在事务里，数据库会把做了一半的操作回滚，下一个人照样能买到：crash-rolled-back。\n" +
					"所以 guarded 虽然靠一条 UPDATE 就能防超卖，还是要用事务。" +
					"本课默认不宕机，因为加上 crashes=1，凡是没有事务的写法账都会对不上。",
			},
		},
		{
			Name: "last-line",
			Title: lessons.Text{
				EN: "The last line of defence",
				ZH: "最后一道防线",
			},
			Body: lessons.Text{
				EN: "Locks, queues and caches stand in front of the database and hold the crowd " +
					"back; each of them can fail. Two rules stand in the database itself, where " +
					"every path must pass:\n" +
					"UNIQUE(user_id, voucher_id) on the orders: one person, one order.\n" +
					"UPDATE ... WHERE stock > 0, with its row count read, in one transaction with " +
					"the order: never more than there is.\n" +
					"Every lock of the later lessons is an optimisation in front of these two.",
				ZH: "锁、队列、缓存都挡在数据库前面，作用是把人流拦住，可哪一层都可能失效。" +
					"有两条规则写在数据库里，谁都绕不过去：\n" +
					"订单表的 UNIQUE(user_id, voucher_id)：一人一单。\n" +
					"UPDATE ... WHERE stock > 0，检查影响行数，并和写订单放在同一个事务里：绝不多卖。\n" +
					"后面几课的锁，都只是这两条规则前面的优化。",
			},
		},
		{
			Name: "busy-timeout",
			Title: lessons.Text{
				EN: "busy_timeout depends on the driver",
				ZH: "busy_timeout 看驱动",
			},
			Body: lessons.Text{
				EN: "While another connection holds the write lock, SQLite waits for up to " +
					"busy_timeout and then answers SQLITE_BUSY. The default is the driver's: " +
					"mattn/go-sqlite3 sets 5000 ms, modernc.org/sqlite 0 ms. The same code waits " +
					"with one and fails at once with the other, so write it into the DSN.\n" +
					"No timeout helps a plain transaction that has read and now wants to write while " +
					"somebody else writes: it is refused at once, for waiting cannot make its " +
					"snapshot fresh. BEGIN IMMEDIATE waits at the start, where waiting helps.\n" +
					"This lab sets 0 and lets nobody wait in real time: a buyer who needs the lock " +
					"has no step until it is free.",
				ZH: "别的连接拿着写锁时，SQLite 最多等 busy_timeout，然后返回 SQLITE_BUSY。默认值由驱动决定：" +
					"mattn/go-sqlite3 是 5000 毫秒，modernc.org/sqlite 是 0。" +
					"同一段代码，换个驱动就从等待变成立刻报错，所以要在 DSN 里写明。\n" +
					"普通事务先读后写，正好碰上别人在写，超时设多长都没用，当场就被拒绝：" +
					"再等，它的快照也不会变新。BEGIN IMMEDIATE 在开头等，等到了才有意义。\n" +
					"本实验室设为 0，也不会真的干等：要写锁的人，在锁释放之前没有下一步可走。",
			},
		},
	}
}
