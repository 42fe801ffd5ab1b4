package scene

import "flashlab/lessons"

// cards are the digressions of this lesson: what a script is first, then what a
// release is. What they claim of scripts is tested next door, on the embedded
// engine and on a real server where there is one.
func cards() []lessons.Card {
	return []lessons.Card{
		theScript(),
		notRolledBack(),
		falseAndZero(),
		noScript(),
		outcomes(),
		tokenAndHandle(),
		oneCommand(),
		priceOfLease(),
		lastLine(),
	}
}

func theScript() lessons.Card {
	return lessons.Card{
		Name: "the-script",
		Title: lessons.Text{
			EN: "unlock.lua, line by line",
			ZH: "逐行看 unlock.lua",
		},
		Body: lessons.Text{
			EN: "if redis.call('GET', KEYS[1]) == ARGV[1]\n" +
				"then return redis.call('DEL', KEYS[1])\n" +
				"else return 0 end\n" +
				"While a script runs, the server does nothing else: no command of anybody comes " +
				"between GET and DEL, and no key expires there. The whole release is one step.\n" +
				"The name of the lock comes as KEYS[1] and not in the text, so that a cluster can " +
				"find the node. The token comes as ARGV[1], so that the text is always the same: " +
				"its SHA-1 is its name, and EVALSHA sends 40 digits instead of the source.\n" +
				"The lab's own unlock.lua does the same and also says why it has not deleted: 0 if " +
				"there is no such key, -1 if it holds another token.",
			ZH: "if redis.call('GET', KEYS[1]) == ARGV[1]\n" +
				"then return redis.call('DEL', KEYS[1])\n" +
				"else return 0 end\n" +
				"脚本执行期间，服务器不做别的事：GET 和 DEL 之间插不进任何命令，也不会有键在这时过期。整个解锁就是一步。\n" +
				"锁的名字从 KEYS[1] 传进来，不写死在脚本里，集群才知道该发给哪个节点。" +
				"唯一值从 ARGV[1] 传进来，脚本的文本就永远不变，" +
				"它的 SHA-1 就是它的名字，EVALSHA 只发 40 个字符，不用发全文。\n" +
				"实验室自己的 unlock.lua 做的事一样，只是没删的时候还说明原因：0 是没有这个键，-1 是里面存着别人的值。",
		},
	}
}

func notRolledBack() lessons.Card {
	return lessons.Card{
		Name: "not-rolled-back",
		Title: lessons.Text{
			EN: "Isolated, but not rolled back",
			ZH: "脚本会隔离，但不会回滚",
		},
		Body: lessons.Text{
			EN: "Nobody comes in between, and yet a script is no transaction of a database: when " +
				"it fails in the middle, what it has written stays written.\n" +
				"Let stock be 10 and name a word. A script calls DECR stock, then INCR name. The " +
				"second call fails, the caller gets an error, and the stock is 9. MULTI and EXEC " +
				"roll back as little.\n" +
				"So look at everything that can fail before the first write: number of arguments, " +
				"types, whether a key is there. unlock.lua has one write, and it comes last. The " +
				"script of the sale in stream-pipeline has several.",
			ZH: "脚本执行时没人能插进来，但它不是数据库那种事务：执行到一半出错，前面已经写的不会撤销。\n" +
				"比如 stock 是 10，name 是一个单词。脚本先 DECR stock，再 INCR name。" +
				"第二句报错，调用方收到错误，而 stock 已经是 9。MULTI 和 EXEC 也一样不回滚。\n" +
				"所以凡是可能出错的，都要在第一次写之前检查：参数个数、类型、键在不在。" +
				"unlock.lua 只写一次，而且在最后。stream-pipeline 里的下单脚本要写好几次，就得小心了。",
		},
	}
}

func falseAndZero() lessons.Card {
	return lessons.Card{
		Name: "false-and-zero",
		Title: lessons.Text{
			EN: "A missing key is false, and 0 is true",
			ZH: "键不存在是 false，0 却是真",
		},
		Body: lessons.Text{
			EN: "For a missing key redis.call('GET', key) returns false, not nil: a guard that says " +
				"== nil never fires. Write if not v.\n" +
				"In Lua only false and nil are untrue; 0 is true. \"if redis.call('SISMEMBER', key, " +
				"user) then\" takes everybody for a member, and every first-time buyer for a " +
				"duplicate. Write == 1.\n" +
				"On the way back: a whole number stays, 3.9 arrives as 3, true as 1, false and nil " +
				"as no value at all (go-redis: redis.Nil, Java: null), and a list ends before its " +
				"first nil. To send a fraction or a long id, send a string.",
			ZH: "键不存在时，redis.call('GET', key) 返回 false，不是 nil，所以写 == nil 的判断永远不成立。要写 if not v。\n" +
				"Lua 里只有 false 和 nil 为假，0 是真。写成 if redis.call('SISMEMBER', key, user) then，" +
				"谁都算已经买过，第一次来的人也会被当成重复下单。要写 == 1。\n" +
				"返回值也会变样：整数不变，3.9 变成 3，true 变成 1，false 和 nil 变成空" +
				"（go-redis 里是 redis.Nil，Java 里是 null），列表到第一个 nil 就截断。" +
				"要传小数或者很长的 id，就转成字符串。",
		},
	}
}

func noScript() lessons.Card {
	return lessons.Card{
		Name: "noscript",
		Title: lessons.Text{
			EN: "NOSCRIPT: the server has forgotten",
			ZH: "NOSCRIPT：服务器不认识这个脚本了",
		},
		Body: lessons.Text{
			EN: "EVALSHA sends only the SHA-1. After SCRIPT FLUSH, a restart or a failover the " +
				"server may not know it; it answers NOSCRIPT, and nothing has run.\n" +
				"Script.Run of go-redis then sends the source with EVAL: one command more, and the " +
				"server knows it again. StringRedisTemplate does the same.\n" +
				"In a pipeline nobody can: the answers come when all has been sent. That one place " +
				"fails with NOSCRIPT, and the commands around it have run. For a release that means " +
				"the lock stays. So send EVAL in a pipeline, as Spring does, or load the scripts " +
				"first and look at every single answer.",
			ZH: "EVALSHA 只发 SHA-1。执行过 SCRIPT FLUSH，或者重启、主从切换之后，" +
				"服务器可能不认识它，返回 NOSCRIPT，脚本一行也没执行。\n" +
				"go-redis 的 Script.Run 这时会改用 EVAL 把全文发过去：多一条命令，服务器就又认识了。" +
				"StringRedisTemplate 也是这样。\n" +
				"放在管道里就不行了：命令全发出去，结果才回来。只有那一条报 NOSCRIPT，前后的命令都执行了。" +
				"如果那条是解锁，锁就留下了。所以管道里要么像 Spring 那样直接发 EVAL，" +
				"要么先加载脚本，并且逐条检查结果。",
		},
	}
}

func outcomes() lessons.Card {
	return lessons.Card{
		Name: "three-outcomes",
		Title: lessons.Text{
			EN: "Three ways a release can fail",
			ZH: "解锁失败的三种情况",
		},
		Body: lessons.Text{
			EN: "Expired: there is no lock any more. Others may have been inside meanwhile, and " +
				"gone again.\n" +
				"Taken: somebody else's token is in it. He is inside now.\n" +
				"In both cases the work was not protected to its end: check what it has done, take " +
				"it back, or let the store refuse it (fencing). Count them: a rising number says " +
				"that the lease is too short.\n" +
				"No answer: the network failed, and the lock may be there or not. Send the release " +
				"again: it compares anew, so it does no harm. But it may answer \"expired\" now, " +
				"because the first one did arrive. If nothing helps, the lease ends it.",
			ZH: "过期：锁已经没了。这期间可能有别人进来过，又走了。\n" +
				"换人：锁里是别人的值，这个人现在就在里面。\n" +
				"这两种情况，活都没有从头到尾被锁保护：要核对结果，要撤销，要么让存储去拒绝它（fencing 那一课）。" +
				"还要计数，这个数往上走，就是租期太短了。\n" +
				"没有回音：网络出错，锁在不在谁也不知道。可以再解一次，反正会重新比较，不会误伤。" +
				"只是这次可能返回过期，因为第一次其实已经送到了。实在联系不上，就等租期走完。",
		},
	}
}

func tokenAndHandle() lessons.Card {
	return lessons.Card{
		Name: "token-and-handle",
		Title: lessons.Text{
			EN: "A token and a handle for each acquisition",
			ZH: "加一次锁，一个值，一个对象",
		},
		Body: lessons.Text{
			EN: "SimpleRedisLock writes ID_PREFIX, a UUID of the JVM, and the thread id. That is " +
				"enough while the thread that locks is the one that unlocks. A coroutine that goes " +
				"on in another thread, or work handed to a pool, unlocks under another name: " +
				"refused, and the lock stays for its whole lease.\n" +
				"One lock object shared by two goroutines fails too. If TryLock stores the token in " +
				"a field, the second call overwrites it, even when it is refused, and the first " +
				"one's release no longer matches.\n" +
				"So make a token for each acquisition, 128 random bits outside the lab, and keep it " +
				"where only this holder can reach it: in a local variable as here, or in a handle " +
				"that TryLock returns.",
			ZH: "SimpleRedisLock 存的是 ID_PREFIX 加线程号，ID_PREFIX 是这个 JVM 的 UUID。" +
				"只要加锁和解锁在同一个线程，这就够了。协程换了线程继续执行，或者把活交给线程池，" +
				"解锁时名字就变了：被拒绝，锁一直占到租期结束。\n" +
				"两个 goroutine 共用一个锁对象也会出错。tryLock 要是把值存在字段里，" +
				"第二次调用就会把它盖掉，哪怕没抢到也一样，前一个再解锁就对不上了。\n" +
				"所以每加一次锁都生成一个新值（出了实验室是 128 位随机数），" +
				"放在只有拿锁的人够得着的地方：像这里一样放局部变量，或者由 tryLock 返回一个对象。",
		},
	}
}

func oneCommand() lessons.Card {
	return lessons.Card{
		Name: "who-knows-delex",
		Title: lessons.Text{
			EN: "Who knows DELEX",
			ZH: "哪些服务器有 DELEX",
		},
		Body: lessons.Text{
			EN: "DELEX key IFEQ value came with Redis 8.4. At its start the shop asks for name and " +
				"version, which HELLO tells, and picks the command or the script. A server too old " +
				"to know HELLO gets the script.\n" +
				"The embedded engine of this lab calls itself 8.4.0 and knows DELEX, so it is the " +
				"command that you see here. Redis 7 would get the script, and the same verdicts.\n" +
				"Valkey counts its own versions: DELIFEQ key value since 9.0, DELEX since 9.2. Its " +
				"9 is not Redis' 9, so it gets the script, which is right everywhere.\n" +
				"Mind the condition: DELEX key without IFEQ deletes whatever is there, as DEL does.",
			ZH: "DELEX key IFEQ 值是 Redis 8.4 才有的。启动时用 HELLO 问一次服务器的名字和版本，" +
				"有就用这条命令，没有就用脚本。旧到连 HELLO 都没有的，也用脚本。\n" +
				"实验室内嵌的引擎自称 8.4.0，认识 DELEX，所以这里看到的就是这条命令。" +
				"换成 Redis 7，用的就是脚本，结论一样。\n" +
				"Valkey 的版本号是另一套：9.0 起有 DELIFEQ key 值，9.2 起才有 DELEX。" +
				"它的 9 不是 Redis 的 9，所以也给它用脚本，脚本到处都能用。\n" +
				"条件别忘了写：DELEX key 不带 IFEQ，和 DEL 一样，谁的都删。",
		},
	}
}

func priceOfLease() lessons.Card {
	return lessons.Card{
		Name: "price-of-a-lease",
		Title: lessons.Text{
			EN: "What a lease costs",
			ZH: "租期的代价",
		},
		Body: lessons.Text{
			EN: "The lease is how long everybody waits for one who has died. If a node crashes right " +
				"after taking the lock for 30 s, the user's next order gets in after 30 s; with 5 s " +
				"after 5, but then a live holder's work can outlive it.\n" +
				"Two to three times the mean work, the usual rule, chooses a point between the two. " +
				"It leaves neither.\n" +
				"lua-long-lease holds because its scene says so: only a dead holder's key runs out. " +
				"Let a process stand still for longer than its lease, and two are inside again.\n" +
				"Two ways out: a short lease that is renewed while the holder lives (watchdog), and " +
				"a store that refuses whoever comes too late (fencing).",
			ZH: "租期有多长，持有者宕机之后大家就要等多久。刚拿到 30 秒的锁节点就宕机，" +
				"这个用户的下一单要等 30 秒；租期 5 秒就只等 5 秒，可没宕机的也可能干不完。\n" +
				"通常的经验是取平均耗时的 2 到 3 倍，那只是在两头之间选一个点，哪一头都没解决。\n" +
				"lua-long-lease 能守住，是因为场景里规定只有宕机留下的锁才会过期。" +
				"进程要是停顿得比租期还久，照样两个人同时在里面。\n" +
				"出路有两条：租期短一点，持有者还在就不断续期（watchdog 那一课）；" +
				"或者让存储拒绝来晚的人（fencing 那一课）。",
		},
	}
}

func lastLine() lessons.Card {
	return lessons.Card{
		Name: "last-line",
		Title: lessons.Text{
			EN: "Two inside: who stops the second order?",
			ZH: "两个人都进来了，谁来挡住第二单？",
		},
		Body: lessons.Text{
			EN: "Not the lock. With lua and delex two are inside together in 12 of 44 " +
				"interleavings, and the release finds out too late.\n" +
				"The database stops it: UNIQUE(user_id, voucher_id) refuses the second order of a " +
				"user, UPDATE ... WHERE stock > 0 the unit that is not there, both in one " +
				"transaction. Here nothing is ordered, the work only reads, so these lights stay " +
				"green.\n" +
				"A lock of this kind is there to save work: to let one click through and turn the " +
				"others away before they reach the database. Correctness it cannot carry alone.",
			ZH: "锁挡不住。lua 和 delex 都有 44 种里的 12 种会两个人同时在里面，等到解锁才发现，已经晚了。\n" +
				"挡住它的是数据库：UNIQUE(user_id, voucher_id) 拒绝同一个人的第二单，" +
				"UPDATE ... WHERE stock > 0 拒绝卖不存在的库存，两句放在一个事务里。" +
				"这里没有真的下单，活只是查询，所以那几盏灯一直是绿的。\n" +
				"这种锁是用来省力的：放一次点击进去，其余的在碰到数据库之前就打发走。光靠它，保证不了正确。",
		},
	}
}
