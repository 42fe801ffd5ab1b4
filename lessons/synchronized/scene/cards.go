package scene

import "flashlab/lessons"

// cards are the digressions of this lesson. What they claim of this lab's engine
// is tested next door; what they claim of MySQL, Java and Spring is documented
// there.
func cards() []lessons.Card {
	return []lessons.Card{
		stockForTwo(), intern(), cachedProduct(), countInside(), plainTransaction(),
		hundredClicks(), throughTheProxy(), lastLine(),
	}
}

func stockForTwo() lessons.Card {
	return lessons.Card{
		Name: "stock-for-two",
		Title: lessons.Text{
			EN: "Why the stock is 2",
			ZH: "为什么库存要设成 2",
		},
		Body: lessons.Text{
			EN: "With one unit the second click fails in any case: the guarded UPDATE changes no " +
				"row, sold out. No schedule gives user 7 two orders then, and code without any " +
				"check per person looks right. Try stock=1 on no-lock.\n" +
				"So a test of \"one per person\" needs stock left over, and a test of \"never " +
				"oversold\" needs different users. A test that mixes both proves neither.",
			ZH: "只有一件库存时，第二次点击反正扣不到，影响 0 行，算卖完。用户 7 无论如何拿不到两单，" +
				"哪怕一人一单的检查一行没写，测试也能过。在 no-lock 上设 stock=1 试试。\n" +
				"所以测一人一单，库存要有富余；测超卖，要用不同的用户。混在一起测，两样都没测到。",
		},
	}
}

func intern() lessons.Card {
	return lessons.Card{
		Name: "intern",
		Title: lessons.Text{
			EN: "toString, intern and boxed numbers",
			ZH: "toString、intern 和装箱",
		},
		Body: lessons.Text{
			EN: "Long.toString() makes a new String in every call; equal content, another object, " +
				"another monitor: mutex-per-call. intern() returns the one copy of the string pool, " +
				"the same for all callers.\n" +
				"synchronized (userId) on the boxed Long is worse: Java keeps boxed values from -128 " +
				"to 127, so it works for the test users 1, 2, 3 and fails for real ids.\n" +
				"An interned string is known to the whole process. Somebody who locks order number " +
				"\"7\" waits for user 7; put a prefix in front: (\"order:\" + userId).intern().\n" +
				"In Go the map from user to mutex does the work of the string pool. It grows by one " +
				"entry a user unless somebody cleans it up.",
			ZH: "Long.toString() 每次都返回新的 String，内容相等，对象不同，也就是另一把锁，即 mutex-per-call。" +
				"intern() 返回字符串常量池里的那一份，谁来取都是同一个对象。\n" +
				"直接 synchronized (userId) 更坑：Long 只缓存 -128 到 127，" +
				"测试用的用户 1、2、3 一切正常，上线换成真实 id 就锁不住。\n" +
				"intern 的字符串全进程共用，别处拿订单号 \"7\" 加锁，会跟用户 7 互相等。" +
				"加个前缀：(\"order:\" + userId).intern()。\n" +
				"Go 里由用户到锁的 map 顶替常量池。不清理的话，来一个用户就多一项。",
		},
	}
}

func cachedProduct() lessons.Card {
	return lessons.Card{
		Name: "cached-product",
		Title: lessons.Text{
			EN: "synchronized around a shared cache",
			ZH: "synchronized 锁不住共享缓存",
		},
		Body: lessons.Text{
			EN: "The same fault in other clothes: under synchronized a service reads a product from " +
				"the shared store, subtracts one and writes it back. On one machine that is right. " +
				"A second machine brings its own monitor, both read stock 1, both write 0, and one " +
				"unit is sold twice.\n" +
				"The cure is no better lock but no read-modify-write: let the shared store subtract, " +
				"with the condition in the same step. UPDATE ... WHERE stock > 0 in SQL, a script in " +
				"Redis. Then the mutex may stay or go; nothing depends on it.",
			ZH: "换个场景，还是这个毛病：在 synchronized 里把商品从共享存储读出来，库存减一，再写回去。" +
				"单机没问题。加一台机器就多一把锁，两边都读到 1，都写回 0，一件货卖了两次。\n" +
				"该换的不是锁，而是这种读、改、写回的做法：让共享存储自己减，条件写在同一步里。" +
				"SQL 用 UPDATE ... WHERE stock > 0，Redis 用脚本。这样锁留不留都行，没有什么靠它了。",
		},
	}
}

func countInside() lessons.Card {
	return lessons.Card{
		Name: "count-inside",
		Title: lessons.Text{
			EN: "What if the count is in the transaction?",
			ZH: "把查订单也放进事务呢？",
		},
		Body: lessons.Text{
			EN: "Here, move the count behind BEGIN IMMEDIATE, and no mutex is needed: SQLite lets " +
				"one writer in at a time, so the second one counts after the first has committed. " +
				"It holds on any number of nodes, and everybody waits for everybody, strangers too.\n" +
				"Do not take that to MySQL. At REPEATABLE READ the count is a snapshot read and waits " +
				"for nobody: both count 0, both insert. There, first lock a row that exists, such as " +
				"the voucher's with SELECT ... FOR UPDATE, and count after that.\n" +
				"Services mostly count outside, as this lesson does: a repository call, no transaction " +
				"open yet.",
			ZH: "在这里，把查订单挪到 BEGIN IMMEDIATE 后面，连锁都不用加：SQLite 同一时刻只放一个写者进来，" +
				"后来的要等前一个提交了才查。几台机器都守得住，代价是人人互相等，不相干的用户也等。\n" +
				"别照搬到 MySQL。可重复读下这个查询是快照读，谁也不等：两边都查到 0 单，都插入。" +
				"那边要先锁住一行已有的记录再查，比如对券的那一行 SELECT ... FOR UPDATE。\n" +
				"实际的服务多半像本课这样，查订单在外面：调一下仓储层，事务还没开。",
		},
	}
}

func plainTransaction() lessons.Card {
	return lessons.Card{
		Name: "plain-transaction",
		Title: lessons.Text{
			EN: "Unlock before commit, in plain SQL",
			ZH: "普通事务里先放锁会怎样",
		},
		Body: lessons.Text{
			EN: "Why the unit of work? Write it plainly, BEGIN, lock, count, UPDATE, INSERT, unlock, " +
				"COMMIT, and SQLite does not show the fault. The second transaction counts 0 on its " +
				"snapshot, but its UPDATE comes after the first commit and ends in " +
				"SQLITE_BUSY_SNAPSHOT: no second order, an error instead.\n" +
				"It takes little to lose that luck. Let the count use another connection, as a " +
				"repository outside the transaction does: the snapshot is then as young as the " +
				"UPDATE, and one person has two orders.\n" +
				"On MySQL at REPEATABLE READ the plain form breaks too: the UPDATE waits for the row, " +
				"reads it as it is now and goes on, and the INSERT follows.",
			ZH: "为什么要用工作单元？如果老老实实写 BEGIN、加锁、查、UPDATE、INSERT、放锁、COMMIT，" +
				"SQLite 演示不出这个毛病：后一个事务在快照上查到 0 单，可它的 UPDATE 排在前一个提交之后，" +
				"报 SQLITE_BUSY_SNAPSHOT。第二单没有了，换来一个错误。\n" +
				"这只是侥幸。只要查订单走的是另一个连接（仓储层没加入这个事务），" +
				"事务自己的快照就从 UPDATE 才开始，正好是新的，一人两单又出现了。\n" +
				"MySQL 可重复读下，普通写法也守不住：UPDATE 等到行锁后按当前行执行，接着照样 INSERT。",
		},
	}
}

func hundredClicks() lessons.Card {
	return lessons.Card{
		Name: "hundred-clicks",
		Title: lessons.Text{
			EN: "One user clicks a hundred times",
			ZH: "一个人点一百次",
		},
		Body: lessons.Text{
			EN: "unique-index takes the unit first and learns of the duplicate afterwards. It can " +
				"afford to: of 100 clicks on 100 units one gets an order, 99 are rolled back, and 99 " +
				"units are left for the next user.\n" +
				"The same statements without a transaction: each click commits its UPDATE, 99 inserts " +
				"are refused, and the shelf is empty with a single order on the books. Conservation " +
				"breaks in every schedule.\n" +
				"Redis has no rollback. Where it does the deducting, the script must ask for the " +
				"duplicate before its first write and mark the user in the same step: see the lesson " +
				"stream-pipeline.",
			ZH: "unique-index 先扣库存，后知道重复，但没关系：100 件货点 100 次，1 次成单，99 次回滚，" +
				"剩下 99 件，下一个用户照样能买。\n" +
				"同样的语句去掉事务：每次点击的 UPDATE 都各自提交，99 次插入被拒绝，" +
				"结果货架空了，账上只有一单。无论怎么走，账都对不上。\n" +
				"Redis 没有回滚。在 Redis 里扣库存，脚本就要在第一次写之前先查重复，" +
				"并在同一步里给用户做标记，见 stream-pipeline 一课。",
		},
	}
}

func throughTheProxy() lessons.Card {
	return lessons.Card{
		Name: "through-the-proxy",
		Title: lessons.Text{
			EN: "Why the twin asks for its own proxy",
			ZH: "为什么要拿代理对象",
		},
		Body: lessons.Text{
			EN: "@Transactional is not in the method, it is in the proxy that Spring puts around the " +
				"object. A call from the outside goes through it; this.createVoucherOrder() does not, " +
				"and then every statement commits by itself.\n" +
				"So the Java twins call the method on AopContext.currentProxy(), which needs " +
				"@EnableAspectJAutoProxy(exposeProxy = true). Moving the method to a bean of its own " +
				"does the same with less magic.\n" +
				"For the lock the order of the two is all that matters: the caller locks, and the " +
				"proxy begins and commits inside.",
			ZH: "@Transactional 不在方法里，而在 Spring 包在外面的代理对象上。从外部调用会经过代理，" +
				"this.createVoucherOrder() 不会，结果每条语句各自提交。\n" +
				"所以 Java 对照代码用 AopContext.currentProxy() 来调，" +
				"前提是打开 @EnableAspectJAutoProxy(exposeProxy = true)。把方法挪到另一个 Bean 里也行，还更直白。\n" +
				"对锁来说，要紧的只是先后：调用方先加锁，代理在锁里面开事务、提交。",
		},
	}
}

func lastLine() lessons.Card {
	return lessons.Card{
		Name: "last-line",
		Title: lessons.Text{
			EN: "The last line of defence",
			ZH: "最后一道防线",
		},
		Body: lessons.Text{
			EN: "Every variant but unique-index runs on a table without the index. That is for the " +
				"lesson; in a shop it stands there always, together with stock > 0, in one " +
				"transaction.\n" +
				"Then the locks are what they should be, an optimisation: a click that fails at the " +
				"lock costs no transaction and reads \"only one per person\" instead of an error. And " +
				"when a lock fails - two nodes, a new object, a release too early - the table still " +
				"says no.\n" +
				"With the index in place no-lock holds too: count outside, race and all.",
			ZH: "除了 unique-index，各个变体的表上都没有唯一索引。这是为了讲课；" +
				"真正上线，唯一索引和 stock > 0 必须一直在，而且放在同一个事务里。\n" +
				"有了它们，锁才回到本来的位置：一种优化。抢不到锁就直接返回，不用开事务，" +
				"提示也是明白的每人限购一单，而不是一个异常。锁失灵的时候，不管是多了一台机器、" +
				"锁错了对象，还是放早了，唯一索引都拦得住。\n" +
				"加上索引，连 no-lock 都守得住：查订单在外面，竞争还在，也没关系。",
		},
	}
}
