package scene

import "flashlab/lessons"

// cards are the digressions of this lesson. What they claim of this lab is tested
// next door and in the shop's own lock; what they claim of Redisson is documented
// there.
func cards() []lessons.Card {
	return []lessons.Card{
		{
			Name: "wait-and-lease",
			Title: lessons.Text{
				EN: "Two times that are easily confused",
				ZH: "等多久和拿多久，别弄混",
			},
			Body: lessons.Text{
				EN: "tryLock(10, 5, SECONDS) is not \"5 to 10 s\". The first number is how long to " +
					"wait for the lock, the second how long to hold it at most. tryLock(10, SECONDS) " +
					"names no lease, so there is a watchdog; with the second number there is none.\n" +
					"waitTime 0 refuses a second click at once, which suits creating an order. A " +
					"payment whose notification and query race waits 3 s, so that the loser sees " +
					"the result.\n" +
					"In the shop's Go lock the two are fields with names: Options{Wait: ..., Lease: ...}, " +
					"and a Lease of 0 stands for the watchdog.",
				ZH: "tryLock(10, 5, SECONDS) 不是 5 到 10 秒的意思。第一个数是最多等多久，第二个数是最多拿多久。" +
					"tryLock(10, SECONDS) 没写租期，有看门狗；写了第二个数，就没有。\n" +
					"waitTime 为 0，第二次点击当场拒绝，适合下单。支付的回调和查询会撞在一起，等 3 秒，后到的就能看到结果。\n" +
					"商城的 Go 版锁把两个时间写成有名字的字段：Options{Wait: ..., Lease: ...}，Lease 为 0 就是用看门狗。",
			},
		},
		{
			Name: "three-answers",
			Title: lessons.Text{
				EN: "Released, expired, somebody else's",
				ZH: "解锁的三种结果",
			},
			Body: lessons.Text{
				EN: "A release can find three things: its own hold; no lock at all, since the lease " +
					"ran out; or another owner. In the last two the work was not protected to its " +
					"end, and its result is suspect: roll it back, or let the database decide. " +
					"Foreign says that somebody is at work this very moment.\n" +
					"Redisson answers both with the same IllegalMonitorStateException, \"not locked by " +
					"current thread\". The script of this lesson answers 0 and -1.\n" +
					"A network error is a fourth case and says nothing: the lock may be free or not. " +
					"Do not report it as \"not held\", and do not run the work again because of it.",
				ZH: "解锁会遇到三种情况：锁还是自己的；锁没了，因为过期；锁换人了。后两种都说明这次的活没有被保护到底，" +
					"结果不可信：要么回滚，要么交给数据库去判断。换人了更要紧，说明此刻正有人在里面干活。\n" +
					"Redisson 对这两种都抛同一个 IllegalMonitorStateException，not locked by current thread。本课的脚本分别返回 0 和 -1。\n" +
					"网络出错是第四种，什么也说明不了，锁可能放了，也可能没放。" +
					"别当成没拿到锁来处理，更别因此把活再干一遍。",
			},
		},
		{
			Name: "one-handle",
			Title: lessons.Text{
				EN: "One handle for one acquisition",
				ZH: "一次加锁，一个句柄",
			},
			Body: lessons.Text{
				EN: "Redisson knows its holder by client id and thread id. In Go there is no thread " +
					"id to ask for, work moves between goroutines, and a pooled worker would carry " +
					"the id of its last task: had that forgotten to unlock, the next would get in " +
					"by itself.\n" +
					"A lock object with the token in a field fails as well: the second Lock " +
					"overwrites the token, and the first Unlock no longer fits.\n" +
					"So every call of Lock returns a handle with an owner of its own, <id>:<n>. It " +
					"may be released by any goroutine that has it. Re-entry goes by the handle, " +
					"which travels in the context of the work, and not by the goroutine.",
				ZH: "Redisson 用客户端 id 加线程 id 认人。Go 里查不到线程 id，活会在 goroutine 之间转手，" +
					"线程池里的工人还带着上一个任务的 id：上一个忘了解锁，下一个就直接进去了。\n" +
					"把令牌存在锁对象的字段里也不行，第二次 Lock 把令牌盖掉，第一次的 Unlock 就对不上了。\n" +
					"所以每次 Lock 都返回一个句柄，带着自己的持有者 <id>:<n>，谁拿着句柄谁就能解锁。" +
					"重入认的是句柄，它随业务的 context 一起传下去，跟 goroutine 无关。",
			},
		},
		{
			Name: "told-of-the-loss",
			Title: lessons.Text{
				EN: "Who tells the work that its lock is gone?",
				ZH: "锁丢了，谁来告诉业务？",
			},
			Body: lessons.Text{
				EN: "A renewal that comes too late is refused, and so is every later one. If nobody " +
					"tells the work, it goes on for minutes under a lock that another request holds.\n" +
					"Here the watchdog cancels the context of the work: every later statement and " +
					"command of it is refused. It is bound to the work the other way round as well, " +
					"and ends with it, whatever the release answers: no renewal is left behind.\n" +
					"What has already been sent is not called back, and a pause stops the watchdog " +
					"too. Cancelling narrows the gap; closing it takes a store that compares tokens, " +
					"or the last line of defence: UNIQUE(user_id, voucher_id) and stock > 0.",
				ZH: "续期迟到一次就会被拒，以后次次被拒。没人通知业务，它会顶着别人的锁再干上几分钟。\n" +
					"这里的看门狗会取消业务的 context，之后的每条语句、每个命令都发不出去。" +
					"反过来它也绑在业务上，业务一结束它就结束，不管解锁返回什么，不会留下没人管的续期。\n" +
					"已经发出去的收不回来，进程停顿时看门狗也停着。取消只是把缺口变小，" +
					"要堵上，得靠会比较令牌的存储，或者最后一道防线：UNIQUE(user_id, voucher_id) 和 stock > 0。",
			},
		},
		{
			Name: "renewal-fails",
			Title: lessons.Text{
				EN: "One failed renewal is not a lost lock",
				ZH: "续期失败一次，锁还没丢",
			},
			Body: lessons.Text{
				EN: "A timeout or a failover of Redis is an error, not an answer. At 10 s of 30 there " +
					"are 20 s left: whoever gives up now loses a lock that is still his, and whoever " +
					"goes on for ever believes in one that is gone.\n" +
					"The shop's lock tries again every second until the lease has really ended, " +
					"counted from before the last renewal that came through, and cancels the work at " +
					"that instant; a call that hangs does not move it.\n" +
					"Each acquisition has a watchdog of its own. There is no table of renewals by " +
					"name, in which a stale entry could keep the next lock from being renewed.",
				ZH: "超时、Redis 主从切换，得到的是错误，不是回答。30 秒的租期到第 10 秒续期失败，还剩 20 秒：" +
					"这时放弃，丢的是一把还属于自己的锁；一直不放弃，信的是一把早就没了的锁。\n" +
					"商城的锁每秒重试一次，直到租期真正结束，从最近一次成功续期发出之前算起，到点就取消业务，" +
					"卡住的调用也拖不了它。\n" +
					"每次加锁都有自己的看门狗，没有按锁名登记的表，也就不会因为表里一条旧记录，下一把锁没人续。",
			},
		},
		{
			Name: "milliseconds",
			Title: lessons.Text{
				EN: "Leases are milliseconds",
				ZH: "租期用毫秒算",
			},
			Body: lessons.Text{
				EN: "int(ttl.Seconds()) of 500 ms is 0, and EXPIRE key 0 does not set a short lease: " +
					"it deletes the key. The first renewal then frees the lock that it should keep. " +
					"1500 ms become 1 s by the same means.\n" +
					"So the scripts take milliseconds, PEXPIRE, and refuse less than 1. The watchdog " +
					"comes every third of the lease, of whatever length: a minimum of one second " +
					"between renewals would be longer than a lease of 500 ms.\n" +
					"A bare 30 in Go is 30 nanoseconds. Write 30*time.Second.",
				ZH: "500 毫秒写成 int(ttl.Seconds()) 就是 0，而 EXPIRE key 0 不是给一个很短的租期，是直接删掉键。" +
					"第一次续期就把要保住的锁放了。1500 毫秒同样会变成 1 秒。\n" +
					"所以脚本都用毫秒，用 PEXPIRE，小于 1 就拒绝。看门狗每隔三分之一租期来一次，租期多短都一样：" +
					"要是规定至少隔一秒，500 毫秒的租期早就过了。\n" +
					"Go 里光写一个 30 是 30 纳秒，要写 30*time.Second。",
			},
		},
		{
			Name: "cancelled-request",
			Title: lessons.Text{
				EN: "The client hangs up, the lock stays",
				ZH: "客户端断开，锁留下了",
			},
			Body: lessons.Text{
				EN: "A request that is cancelled takes its context along. A release sent with that " +
					"context is never sent, and the next request waits for the rest of the lease. " +
					"With a watchdog on another context it would wait for ever.\n" +
					"The release goes out on a context of its own, without the cancellation and with " +
					"a time limit: context.WithoutCancel, then WithTimeout. And its answer is read.\n" +
					"The watchdog, on the contrary, hangs on the context of the work, so that nothing " +
					"is renewed for a request that is over.",
				ZH: "请求被取消，它的 context 也就取消了，用这个 context 去解锁，命令根本发不出去，" +
					"下一个请求要等完剩下的租期。要是看门狗用的是别的 context，就要一直等下去。\n" +
					"解锁要用单独的 context，不带取消，但要有时限：先 context.WithoutCancel，再 WithTimeout，返回的结果也要看。\n" +
					"看门狗正相反，要挂在业务的 context 上，请求都结束了，就别再续了。",
			},
		},
		{
			Name: "woken-by-message",
			Title: lessons.Text{
				EN: "Woken by a message, or by the lease",
				ZH: "等锁的人怎么醒",
			},
			Body: lessons.Text{
				EN: "In kept-alive B sleeps from 35 s to 60 s before a free lock, for it only knows " +
					"how long the lease was. The release therefore publishes a message on " +
					"redisson_lock__channel:{lock}; the shop's lock listens there, and B is in at 35 s.\n" +
					"Messages can get lost: who is not connected at that moment never hears it. So a " +
					"waiter sleeps for the lease that is left at most and then tries again. First " +
					"subscribe, then try once more, or a release in between is missed.\n" +
					"The lesson's own code waits by the lease alone: fewer steps to look at, and the " +
					"message changes when B gets in, not whether two are in.",
				ZH: "kept-alive 里锁已经空了，B 还从第 35 秒睡到第 60 秒，因为它只知道租期还有多长。" +
					"所以解锁时会往 redisson_lock__channel:{lock} 发一条消息，商城的锁在那里听着，B 第 35 秒就能进。\n" +
					"消息会丢，当时没连着就听不到。所以等的人最多睡完剩下的租期，再自己试一次。" +
					"要先订阅再试，否则中间的那次解锁就错过了。\n" +
					"本课的代码只按租期等，步骤少，好看清楚。消息只影响 B 什么时候进，不影响会不会两个人都在里面。",
			},
		},
		{
			Name: "same-protocol",
			Title: lessons.Text{
				EN: "A Java client and a Go client, one lock",
				ZH: "Java 和 Go 抢同一把锁",
			},
			Body: lessons.Text{
				EN: "The key is a hash with one field, <client id>:<thread id>, and the number of " +
					"holds as its value. Acquire answers nil, or the PTTL of the present lease; the " +
					"release counts down and publishes 0 when it deletes. That is Redisson's protocol, " +
					"so its RLock and the lock of this shop keep each other out, and wake each other.\n" +
					"One thing is told apart here that Redisson leaves together: a release answers 0 " +
					"for expired and -1 for somebody else's.\n" +
					"A key set by SET NX is not a hash: who mixes the lock of lesson 5 with this one " +
					"under one name gets WRONGTYPE instead of a place in the line.",
				ZH: "键是一个哈希，只有一个字段，<客户端 id>:<线程 id>，值是重入次数。加锁返回 nil，或者当前租期的 PTTL；" +
					"解锁把次数减一，减到删除时发一条 0。这就是 Redisson 的协议，所以它的 RLock 和这里的锁互相排斥，也互相唤醒。\n" +
					"只有一处分得更细：解锁时过期返回 0，锁换人了返回 -1，Redisson 不区分。\n" +
					"SET NX 写的键不是哈希。第 5 课的锁和这一课的锁用同一个名字，等不到锁，只会得到 WRONGTYPE。",
			},
		},
	}
}
