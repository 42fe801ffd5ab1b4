package scene

import "flashlab/lessons"

// cards are the digressions of this lesson. What they claim of this lab is tested
// next door.
func cards() []lessons.Card {
	return []lessons.Card{
		{
			Name: "value-and-owner",
			Title: lessons.Text{
				EN: "A value is not an owner",
				ZH: "值对得上，不等于人对得上",
			},
			Body: lessons.Text{
				EN: "In bare-thread-id the script finds 1, expects 1 and deletes. Who compares " +
					"values sees nothing wrong in any of the 44 interleavings. The light " +
					"no-misdeletion goes by who took the lock last, and sees 14.\n" +
					"A value proves an owner only if nobody else can write it. Thread ids start " +
					"anew in every JVM, process ids in every container, where the shop is often " +
					"number 1; and a goroutine has no id that code may ask for.\n" +
					"SimpleRedisLock therefore puts a UUID in front of the thread id, one for each " +
					"JVM. How far that carries is a card of lua-unlock.",
				ZH: "bare-thread-id 里，脚本看到 1，要的也是 1，于是就删。只比较值，44 种走法一种错也看不出。" +
					"no-misdeletion 这盏灯看的是锁最后是谁拿到的，于是看出 14 种。\n" +
					"值要别人写不出来，才能证明锁是谁的。线程号每个 JVM 都从头数起，" +
					"进程号每个容器都从头数起，服务常常就是 1 号，而 goroutine 干脆没有可以查的编号。\n" +
					"所以 SimpleRedisLock 在线程号前面加了 UUID，一个 JVM 一个。" +
					"这样够不够，看 lua-unlock 的卡片。",
			},
		},
		{
			Name: "how-rare",
			Title: lessons.Text{
				EN: "How rare is get-then-del's fault?",
				ZH: "GET 和 DEL 之间出错有多罕见？",
			},
			Body: lessons.Text{
				EN: "A figure that goes round: about 0.1 % of runs at 2000 concurrent requests. It " +
					"is a figure of one machine: it depends on how often a lease runs out before " +
					"the release, and on how long it takes from GET to DEL.\n" +
					"Counted over all interleavings it is 6 of 76; if dice decide every step, 7 of " +
					"432 runs, or 1.6 %. None of these is the rate of your shop.\n" +
					"What holds everywhere: the lease must end, and somebody else must get the " +
					"lock, between two commands. That makes the fault hard to find, not harmless: " +
					"0.1 % of 100,000 requests are a hundred.",
				ZH: "流传的说法是：2000 并发时大约 0.1% 的情况会误删。这是某一台机器上的数，" +
					"要看锁有多经常在解锁之前过期，也要看从 GET 到 DEL 隔了多久。\n" +
					"把所有走法都数一遍，是 76 种里有 6 种；如果每一步都掷骰子决定谁走，" +
					"是 432 次里有 7 次，也就是 1.6%。哪个数都不是你线上的概率。\n" +
					"走到哪里都成立的是：锁要刚好在这两条命令之间过期，还要刚好被别人拿到。" +
					"所以它难发现，不等于没危害，10 万个请求的 0.1% 就是 100 次。",
			},
		},
		{
			Name: "why-work-outlives",
			Title: lessons.Text{
				EN: "How can the work outlive the lease?",
				ZH: "活怎么会干得比租期还久？",
			},
			Body: lessons.Text{
				EN: "A pause for garbage collection, a container that has used up its share of the " +
					"CPU, a slow statement, a packet sent again: none of them asks the lease, and " +
					"the holder notices nothing.\n" +
					"The usual rule is a lease of two or three times the mean work, 500 ms for " +
					"200 ms. The mean says nothing about the slowest in a thousand.\n" +
					"Looking at the clock before the release does not help: \"I still have two " +
					"seconds\" is check, then act, too.\n" +
					"What helps is in the next lessons: a release that compares and deletes in one " +
					"step, a lease that is renewed, and a store that refuses old tokens.",
				ZH: "一次 GC 停顿，容器的 CPU 配额用光，一条慢 SQL，一个重传的包，哪一样都不会先问租期还剩多少，" +
					"拿着锁的人自己也毫无察觉。\n" +
					"通常的经验是租期取平均耗时的 2 到 3 倍，平均 200 毫秒就给 500 毫秒。" +
					"可平均值说明不了一千次里最慢的那一次。\n" +
					"解锁前先看看还剩几秒也没用，还是先查再改：看的时候还剩两秒，删的时候就未必了。\n" +
					"真正管用的在后面几课：一步完成比较和删除的解锁，会自动续期的锁，能拒绝旧令牌的存储。",
			},
		},
		{
			Name: "release-unasked",
			Title: lessons.Text{
				EN: "finally runs for those without the lock too",
				ZH: "没抢到锁，finally 也会执行",
			},
			Body: lessons.Text{
				EN: "There is a misdeletion that needs no lease to run out: the release stands in a " +
					"finally that also runs when tryLock has answered false. The loser deletes the " +
					"winner's lock on its way out: unlock-unheld, in the lesson setnx.\n" +
					"The order that is right in every language: take the lock; if it was refused, " +
					"leave; only then try and finally, or defer. All four variants here do that: " +
					"who is sent away deletes nothing.",
				ZH: "有一种误删连过期都不用：解锁写在 finally 里，而 tryLock 返回 false 时也会走到那里。" +
					"没抢到的人临走时把抢到的人的锁删了，这就是 setnx 那一课的 unlock-unheld。\n" +
					"不管用什么语言，顺序都是：先抢锁，没抢到就返回，抢到了再写 try 和 finally，或者 defer。" +
					"本课四种写法都是这样，没抢到的人什么也不删。",
			},
		},
		{
			Name: "last-line",
			Title: lessons.Text{
				EN: "What if the lock fails all the same?",
				ZH: "锁还是失效了怎么办？",
			},
			Body: lessons.Text{
				EN: "Every variant of this lesson lets two requests in together in some " +
					"interleavings. Nothing is ordered here, the work only reads, so the database's " +
					"lights stay green; they are shown because they depend on no lock.\n" +
					"In a shop the two would now both order. UNIQUE(user_id, voucher_id) refuses " +
					"the second order, and UPDATE ... WHERE stock > 0 the unit that is not there, in " +
					"one transaction. The lock saves the database work; it does not replace these " +
					"two lines.",
				ZH: "本课每种写法，都有走法会让两个请求同时进去。这里的活只是查询，没有真的下单，" +
					"所以数据库那几盏灯一直是绿的；把它们摆出来，是因为它们不依赖任何锁。\n" +
					"换成真的下单，两个请求都会去写。UNIQUE(user_id, voucher_id) 会挡住第二张订单，" +
					"UPDATE ... WHERE stock > 0 会挡住不存在的库存，两句放在一个事务里。" +
					"锁是替数据库省力的，代替不了这两句。",
			},
		},
	}
}
