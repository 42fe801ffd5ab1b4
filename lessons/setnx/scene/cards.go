package scene

import "flashlab/lessons"

// cards are the digressions of this lesson. What they claim of go-redis and of the
// lab's Redis is tested next door; what they claim of Spring and Redisson is
// documented there.
func cards() []lessons.Card {
	return []lessons.Card{
		whichCommand(), deadLocks(), howLong(), units(), hungUp(), resultIgnored(), lastLine(),
	}
}

func whichCommand() lessons.Card {
	return lessons.Card{
		Name: "which-command",
		Title: lessons.Text{
			EN: "What does your client really send?",
			ZH: "客户端到底发了什么命令？",
		},
		Body: lessons.Text{
			EN: "SETNX is the old command: it cannot take a time to live. SET got the options NX, " +
				"EX and PX later; since then a lock is one command, and SETNX counts as deprecated.\n" +
				"Method names do not tell. In go-redis SetNX(key, v, 0) sends SET key v NX, a lock " +
				"without an end, like no-ttl; 30 s become EX 30, and 1500 ms PX 1500. In Spring " +
				"setIfAbsent(key, v) sends SETNX, and only with a timeout does it become SET ... NX " +
				"with an expiry.\n" +
				"The key lock:order:7 stands alone in each of these commands, so it works on a " +
				"cluster too. Scripts with several keys need a hash tag there.",
			ZH: "SETNX 是老命令，带不了过期时间。后来 SET 有了 NX、EX、PX 选项，加锁才能一条命令完成，" +
				"SETNX 也就被官方列为弃用。\n" +
				"光看方法名看不出来。go-redis 的 SetNX(key, v, 0) 发的是 SET key v NX，永不过期，跟 no-ttl 一样；" +
				"30 秒发的是 EX 30，1500 毫秒发的是 PX 1500。" +
				"Spring 的 setIfAbsent(key, v) 发的是 SETNX，带上超时参数才是 SET 加 NX 加过期。\n" +
				"这几条命令都只有 lock:order:7 一个键，上集群也没问题。脚本里有多个键才需要 hash tag。",
		},
	}
}

func deadLocks() lessons.Card {
	return lessons.Card{
		Name: "dead-locks",
		Title: lessons.Text{
			EN: "Find the locks without an end",
			ZH: "怎么找出永不过期的锁",
		},
		Body: lessons.Text{
			EN: "A lock that nobody will ever free looks like any other until somebody complains. " +
				"What gives it away is its time to live: TTL answers -1, and for a lock that is " +
				"never right. An hour after the crash it is still -1, and the next request is " +
				"still refused.\n" +
				"So let a job go over lock:* with SCAN (not KEYS, which stops the server), ask for " +
				"the TTL and raise an alarm at -1. As a first aid it may set an expiry: the key " +
				"then ends by itself, without the risk of deleting a lock that somebody has just " +
				"taken.",
			ZH: "没人会来放的锁，看上去跟别的锁一样，直到有人投诉。能看出来的是过期时间：" +
				"TTL 返回 -1，锁的键绝不该这样。宕机过去一个小时，它还是 -1，下一个请求还是被拒绝。\n" +
				"所以用定时任务拿 SCAN 扫 lock:*（别用 KEYS，会卡住整个服务器），逐个查 TTL，遇到 -1 就报警。" +
				"应急可以给它补一个过期时间，让它自己消失，不会误删别人刚拿到的锁。",
		},
	}
}

func howLong() lessons.Card {
	return lessons.Card{
		Name: "how-long",
		Title: lessons.Text{
			EN: "How long should a lease be?",
			ZH: "过期时间设多长？",
		},
		Body: lessons.Text{
			EN: "Two costs pull at it. After a crash everybody waits for what is left of the lease: " +
				"long leases make crashes dear. And when the work takes longer than the lease, two " +
				"are inside at the same time: short leases make slow work dangerous.\n" +
				"A common rule takes two or three times the mean duration: 200 ms of work, 500 ms of " +
				"lease. But it is not the mean that breaks the promise, it is the slowest request, " +
				"the one that had to wait for the garbage collector or for a disk.\n" +
				"No length settles both. That is why the next lessons check who owns the lock, and " +
				"why a watchdog renews it.",
			ZH: "两头都有代价。设长了，一宕机，后面的人要把剩下的时间全等完；" +
				"设短了，活没干完锁先到期，锁里就会同时有两个人。\n" +
				"常见的说法是取平均耗时的两三倍：干活 200 毫秒，锁 500 毫秒。" +
				"可打破承诺的不是平均值，而是最慢的那个请求，它偏偏碰上了 GC 停顿或者磁盘卡顿。\n" +
				"没有一个长度能两头都顾到。所以后面几课才要核对锁是谁的，才要有看门狗来续期。",
		},
	}
}

func units() lessons.Card {
	return lessons.Card{
		Name: "units",
		Title: lessons.Text{
			EN: "Minutes, seconds, nanoseconds",
			ZH: "分、秒、纳秒",
		},
		Body: lessons.Text{
			EN: "Intended: 10 seconds. TimeUnit.MINUTES in the place of SECONDS makes 10 minutes of " +
				"it; nothing fails until the first crash. In Go a bare 10 is ten nanoseconds: " +
				"SetNX(key, v, 10) sends PX 1, and the lock is gone after a millisecond.\n" +
				"Expire() of go-redis knows only whole seconds: 1500 ms become EXPIRE 1, 500 ms are " +
				"rounded up to 1 s. Rounded by hand, int(ttl.Seconds()) makes 0 of 500 ms, and EXPIRE " +
				"key 0 deletes the lock on the spot. Use PExpire.\n" +
				"A test costs one line: take the lock, read PTTL, expect 10,000.",
			ZH: "本来想设 10 秒。TimeUnit.SECONDS 写成 MINUTES，就成了 10 分钟，不宕机谁也发现不了。" +
				"Go 里直接写 10 是 10 纳秒：SetNX(key, v, 10) 发的是 PX 1，锁一毫秒就没了。\n" +
				"go-redis 的 Expire() 只认整秒：1500 毫秒变成 EXPIRE 1，500 毫秒补成 1 秒。" +
				"要是自己取整，int(ttl.Seconds()) 把 500 毫秒变成 0，而 EXPIRE key 0 会当场把锁删掉。请用 PExpire。\n" +
				"测试只要一行：拿到锁，查 PTTL，应该是 10000。",
		},
	}
}

func hungUp() lessons.Card {
	return lessons.Card{
		Name: "hung-up",
		Title: lessons.Text{
			EN: "The client has hung up",
			ZH: "客户端断开了",
		},
		Body: lessons.Text{
			EN: "A request's context is cancelled when its client goes away. The work ends with an " +
				"error, the deferred DEL runs, with the same context, and is not even sent. The " +
				"lock stays for the whole lease, and the user who clicks again is refused.\n" +
				"A release must go out in any case. set-nx-px deletes on context.WithoutCancel(ctx): " +
				"the values of the request, without its end. In a shop add a timeout of its own, so " +
				"that a Redis that does not answer does not hold the request for ever.\n" +
				"In Java it is the interrupted thread that plays this part.",
			ZH: "客户端一断开，请求的 context 就被取消。业务报错返回，defer 里的 DEL 也执行了，" +
				"可用的还是这个 context，命令根本没发出去。锁要留到过期，用户再点一次还是被拒绝。\n" +
				"放锁无论如何都要发出去。set-nx-px 用 context.WithoutCancel(ctx) 来删：" +
				"保留请求里的值，不跟着它取消。真实项目里还要给它单独配一个超时，免得 Redis 没响应时请求一直挂着。\n" +
				"Java 里对应的是被中断的线程。",
		},
	}
}

func resultIgnored() lessons.Card {
	return lessons.Card{
		Name: "result-ignored",
		Title: lessons.Text{
			EN: "tryLock said no, and finally unlocks",
			ZH: "没拿到锁，finally 照样放锁",
		},
		Body: lessons.Text{
			EN: "tryLock(10, 5, SECONDS) answers false after ten seconds of waiting. Who does not " +
				"look at the answer works without a lock; who unlocks in finally all the same gives " +
				"back what was never taken.\n" +
				"Redisson notices: unlock() throws IllegalMonitorStateException, for the lock knows " +
				"its owner. A plain DEL does not notice. It deletes the holder's key, as in " +
				"unlock-unheld.\n" +
				"Right is: false means not acquired, return at once, touch nothing. The holder goes " +
				"on undisturbed; see the staged schedule refused-in-peace.",
			ZH: "tryLock(10, 5, SECONDS) 等了十秒，返回 false。不看返回值，就是没锁硬干；" +
				"finally 里还照样 unlock，就是去还一把没拿到的锁。\n" +
				"Redisson 能发现：锁记着主人是谁，unlock() 会抛 IllegalMonitorStateException。" +
				"直接 DEL 发现不了，删的是别人正拿着的锁，也就是 unlock-unheld。\n" +
				"正确做法：返回 false 就是没拿到，马上返回，什么也别动。拿着锁的人不受打扰，" +
				"看预设演示 refused-in-peace。",
		},
	}
}

func lastLine() lessons.Card {
	return lessons.Card{
		Name: "last-line",
		Title: lessons.Text{
			EN: "And if the lock fails?",
			ZH: "锁要是失灵了呢？",
		},
		Body: lessons.Text{
			EN: "The lights of the database stay green in this lesson, for nothing is sold in it. " +
				"They are shown all the same: whatever happens to the key, what counts in the end is " +
				"what stands in the tables.\n" +
				"A lock in Redis is an optimisation. It sends the second click away before it costs a " +
				"transaction. UNIQUE(user_id, voucher_id) and UPDATE ... WHERE stock > 0 must hold " +
				"without it: when Redis is down, when it has failed over to a replica that never saw " +
				"the key, when two are inside because a lease was too short.",
			ZH: "这一课没有卖东西，数据库那几盏灯一直是绿的。还是要把它们摆出来：" +
				"键怎么折腾都行，最后作数的是表里的数据。\n" +
				"Redis 里的锁是一种优化，让第二次点击还没花掉一个事务就被挡回去。" +
				"UNIQUE(user_id, voucher_id) 和 UPDATE ... WHERE stock > 0 离了锁也得守得住：" +
				"Redis 挂了，主从切换到一个没见过这个键的从库，或者过期时间太短，锁里同时进了两个人。",
		},
	}
}
