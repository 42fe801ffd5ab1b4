package scene

import "flashlab/lessons"

// cards are the digressions of this lesson: first those about the script, then
// those about the stream. What they claim of Redis and of this lab is tested next
// door and in lessons/shop; what they claim of Spring and MySQL is documented there.
func cards() []lessons.Card { return append(scriptCards(), streamCards()...) }

func scriptCards() []lessons.Card {
	return []lessons.Card{
		{
			Name: "answer-codes",
			Title: lessons.Text{
				EN: "0, 1, 2: two schools",
				ZH: "0、1、2，两派写法",
			},
			Body: lessons.Text{
				EN: "In this lesson a script answers 0 for a yes, 1 for sold out, 2 for a second " +
					"time, like the seckill.lua of the courses. Another school answers 1 for a yes and " +
					"0 for sold out. Either will do; who mixes them says yes to those it refused.\n" +
					"A number does not carry its meaning from Lua to Java or Go. So the Go side has one " +
					"type, lua.Sale, with Accepted, SoldOut, Duplicate, NotOnSale and BadArguments, and " +
					"compares names. In Java an enum does that.\n" +
					"An answer that is none of them is an error, not a yes: some other script stands " +
					"behind the call.",
				ZH: "这一课的脚本，0 是成功，1 是售罄，2 是重复下单，和常见课程里的 seckill.lua 一样。" +
					"另一派的写法是 1 成功，0 售罄。哪种都行，怕的是混着用：把拒绝当成功，就卖给了不该卖的人。\n" +
					"数字从 Lua 传到 Java 或 Go，意思不会跟着过来。所以 Go 这边只用一个类型 lua.Sale，" +
					"有 Accepted、SoldOut、Duplicate、NotOnSale、BadArguments，比较的是名字。Java 里用枚举就行。\n" +
					"都对不上的返回值要当错误，不能当成功：背后多半换成了别的脚本。",
			},
		},
		{
			Name: "no-rollback",
			Title: lessons.Text{
				EN: "Undisturbed is not undone",
				ZH: "不被打断，不等于会回滚",
			},
			Body: lessons.Text{
				EN: "While a script runs, nobody else gets in. That is all it has in common with a " +
					"transaction. An error in the middle ends it, and what it wrote before stays: DECR " +
					"on the stock, then INCR on a text, and there is one unit less.\n" +
					"MULTI is no better: the command that fails is left out, all others are done.\n" +
					"So ask first and write afterwards. seckill.lua looks at the number and form of its " +
					"arguments, whether the stock is there and a number, whether the stream is a " +
					"stream. After its first write there is nothing left to go wrong in it.",
				ZH: "脚本执行期间谁也插不进来，它和事务相同的地方也就这一点。中间报错就到此为止，" +
					"前面写下的都还在：先 DECR 库存，再对一个字符串 INCR，库存就少了一件。\n" +
					"MULTI 也好不到哪去：出错的那条跳过，其他的照样执行。\n" +
					"所以先查后写。seckill.lua 会先看参数的个数和格式，库存在不在、是不是数字，stream 是不是 stream。" +
					"等到第一次写的时候，脚本里已经没有会失败的东西了。",
			},
		},
		{
			Name: "zero-is-true",
			Title: lessons.Text{
				EN: "0 is true, and missing is false",
				ZH: "0 是真，没有的 key 是 false",
			},
			Body: lessons.Text{
				EN: "Two habits of Lua that have cost shops their sale.\n" +
					"0 is true. if redis.call('SISMEMBER', ...) then is always taken, and everybody's " +
					"first purchase is a duplicate. Write == 1.\n" +
					"A missing key is false, not nil. if stock == nil never holds; the next line " +
					"compares nothing with a number, and the script fails. Write if not stock.\n" +
					"On the way back true becomes 1, false becomes nil, 3.99 becomes 3, and a table ends " +
					"at its first nil. Whatever must arrive unharmed goes as text.",
				ZH: "Lua 有两个习惯，坑过不少秒杀。\n" +
					"0 是真。if redis.call('SISMEMBER', ...) then 永远成立，人人第一次买都成了重复下单。要写 == 1。\n" +
					"没有的 key 返回 false，不是 nil。if stock == nil 永远不成立，下一行拿空值和数字比大小，脚本就报错。" +
					"要写 if not stock。\n" +
					"返回的时候，true 变成 1，false 变成 nil，3.99 变成 3，表到第一个 nil 为止。要原样返回的，就用字符串。",
			},
		},
		{
			Name: "wide-ids",
			Title: lessons.Text{
				EN: "An order id is no Lua number",
				ZH: "订单号不能当 Lua 数字",
			},
			Body: lessons.Text{
				EN: "An id of RedisIdWorker has 31 bits of seconds and 32 bits of a counter. A Lua " +
					"number is a double and keeps 53. tonumber('542155439849472402') is " +
					"542155439849472384: neighbours become one.\n" +
					"Hand ids over as text and leave them text; XADD takes them as they are. JavaScript " +
					"has the same numbers: send ids to the browser as strings, too.",
				ZH: "RedisIdWorker 的 id，31 位是秒数，32 位是计数器。Lua 的数字是双精度，只有 53 位。" +
					"tonumber('542155439849472402') 得到的是 542155439849472384，挨着的几个号成了同一个。\n" +
					"id 用字符串传进来，一路都当字符串，XADD 原样就收。JavaScript 的数字也是这样，传给浏览器的 id 也要用字符串。",
			},
		},
		{
			Name: "noscript",
			Title: lessons.Text{
				EN: "SCRIPT FLUSH in mid-sale",
				ZH: "秒杀途中 SCRIPT FLUSH",
			},
			Body: lessons.Text{
				EN: "EVALSHA names a script by its hash. After a restart, a failover or SCRIPT FLUSH " +
					"the server does not know it and answers NOSCRIPT: nothing has run. go-redis' " +
					"Script.Run then sends the text, and so does Spring's execute; the sale goes on.\n" +
					"In a pipeline nobody can do that, for the answers come when all has been sent. " +
					"Load the scripts beforehand, or send EVAL in pipelines.",
				ZH: "EVALSHA 用哈希值指定脚本。重启、主从切换或者 SCRIPT FLUSH 之后，服务器不认识它了，" +
					"返回 NOSCRIPT，什么都没执行。go-redis 的 Script.Run 会接着把脚本原文发过去，Spring 的 execute 也一样，秒杀照常。\n" +
					"放在 pipeline 里就不行了，等看到返回值，命令早都发完了。要么事先加载好，要么在 pipeline 里直接用 EVAL。",
			},
		},
		{
			Name: "lost-yes",
			Title: lessons.Text{
				EN: "The yes that nobody heard",
				ZH: "没收到的那句成功",
			},
			Body: lessons.Text{
				EN: "The script has run, and its answer is lost. The client sees a time-out and knows " +
					"nothing. If it tries again, or its library does so by itself (MaxRetries), its own " +
					"success tells it: only one per person.\n" +
					"So after a time-out take the duplicate for a yes and look for the order under its " +
					"id. That works if the id is drawn once, with the order page, and not anew with " +
					"every try.\n" +
					"The light no-lost-order counts a yes as given when the script has said it, heard " +
					"or not.",
				ZH: "脚本执行完了，返回值却丢在路上。客户端看到的是超时，什么都不知道。" +
					"它要是重试，或者客户端库自己重试（MaxRetries），就会被自己的成功顶回来：每人限购一单。\n" +
					"所以超时之后再碰到重复下单，要当成功处理，拿订单号去查。前提是订单号只生成一次，" +
					"打开下单页的时候就定好，不是每试一次换一个。\n" +
					"no-lost-order 这盏灯，脚本说了成功就算，用户收没收到都一样。",
			},
		},
		{
			Name: "hash-tags",
			Title: lessons.Text{
				EN: "Three keys on a cluster",
				ZH: "集群上的三个 key",
			},
			Body: lessons.Text{
				EN: "seckill:stock:1, seckill:order:1 and stream.orders lie in different slots of a " +
					"cluster, and a script may touch one slot only; else CROSSSLOT. A common hash tag " +
					"mends it: seckill:stock:{1}, seckill:order:{1}, stream.orders:{1}.\n" +
					"One voucher is then one slot of one machine: the price for deciding in one step. " +
					"Different vouchers spread over the machines, each with a stream of its own.",
				ZH: "seckill:stock:1、seckill:order:1、stream.orders 在集群里落在不同的槽，而一段脚本只能碰一个槽，" +
					"否则就是 CROSSSLOT。加上相同的 hash tag 就好：seckill:stock:{1}、seckill:order:{1}、stream.orders:{1}。\n" +
					"这样一张券就是一个槽，压在一台机器上，这是一步做完判断的代价。不同的券会分散开，各有各的 stream。",
			},
		},
	}
}

func streamCards() []lessons.Card {
	return []lessons.Card{
		{
			Name: "showdown",
			Title: lessons.Text{
				EN: "How much faster is it?",
				ZH: "到底快多少？",
			},
			Body: lessons.Text{
				EN: "\"Dozens of times\" is what one reads. Measure it: V on the map or on a page (flashlab showdown " +
					"outside the lab) sells the same stock three ways - lock and transaction for each request, guarded UPDATE, script and " +
					"stream - and shows rates, latencies and a ratio. The drain of the consumers is " +
					"counted beside it, not hidden.\n" +
					"Give it a server of your own (--redis URL). On the embedded engine the figures mislead: " +
					"its Lua is slow, and nothing crosses a network. Nor is the database here across a " +
					"network: where yours is, the synchronous path pays for every round trip, and the ratio " +
					"grows. A path that breaks an invariant is out of the race, however fast.",
				ZH: "书上常说快几十倍。自己量一量：在课程地图或页面上按 V（命令行是 flashlab showdown），用三种办法卖同样的库存：每个请求加锁开事务、" +
					"带条件的 UPDATE、脚本加 stream，给出吞吐、延迟和倍数。消费者消化的时间单独列出来，不藏着。\n" +
					"最好指定自己的 Redis（--redis URL）。内嵌引擎上的数字会误导人：它的 Lua 慢，也没有网络。" +
					"这里的数据库同样不走网络；真实环境里同步路径每一趟都要付网络的钱，倍数还会更大。破坏了不变量的，再快也不算数。",
			},
		},
		{
			Name: "by-themselves",
			Title: lessons.Text{
				EN: "Do entries come back by themselves?",
				ZH: "没 ACK 的消息会自己回来吗？",
			},
			Body: lessons.Text{
				EN: "Many believe that what is not acknowledged is delivered again after a time-out. " +
					"Some brokers do that. Redis hands an entry to one consumer, notes the name, and " +
					"XREADGROUP with > gives it to nobody else.\n" +
					"Two ways lead back: the same consumer reads its own list, with 0 in place of >, or " +
					"somebody claims the entry, with XAUTOCLAIM or XCLAIM. Do the first after a restart, " +
					"under the old name; a random name leaves a dead consumer behind each time. Do the " +
					"second for those who do not come back.\n" +
					"To claim only when a read has timed out is not enough: a busy stream never times " +
					"out. shop.Consumer also claims every 30 s.",
				ZH: "很多人以为，没 ACK 的消息过一阵会自动重投。有的消息队列是这样，Redis 不是：" +
					"消息交给谁就记在谁名下，XREADGROUP 用 > 读，别人再也读不到。\n" +
					"要它回来有两条路：原来那个消费者把 > 换成 0，读自己的 PEL；或者别人用 XAUTOCLAIM、XCLAIM 认领。" +
					"重启之后走第一条，名字要和原来一样，随机起名，每重启一次就留下一个死掉的消费者。回不来的，靠第二条。\n" +
					"只在读超时的时候才认领还不够：消息一直不断，就一直不超时。shop.Consumer 每 30 秒也会认领一次。",
			},
		},
		{
			Name: "min-idle",
			Title: lessons.Text{
				EN: "How long before claiming?",
				ZH: "放多久才能认领？",
			},
			Body: lessons.Text{
				EN: "XAUTOCLAIM takes what has been with one consumer for min-idle or longer. It cannot " +
					"know whether that one is dead or slow.\n" +
					"Too short, and two work on the same order: with 1 s and five seconds of work " +
					"they do. It is booked once all the same, thanks to the index; a text message would " +
					"be sent twice.\n" +
					"Too long, and the orders of the dead wait. Take more than the p99 of handling, not " +
					"the mean, and see to it that a wrong claim does no harm.",
				ZH: "XAUTOCLAIM 认领的是在别人手里放了至少 min-idle 的消息。对方是宕机了还是慢，它分不出来。\n" +
					"太短，两个消费者会同时办一张单：设 1 秒，活要干 5 秒，就会这样。好在有唯一索引，只落库一次，" +
					"要是发短信，就发了两条。\n" +
					"太长，宕机的那个手里的单子就干等。要大于处理时间的 p99，不是平均值，还要保证认领错了也没有害处。",
			},
		},
		{
			Name: "which-conflict",
			Title: lessons.Text{
				EN: "ON CONFLICT: with what?",
				ZH: "ON CONFLICT，和谁冲突？",
			},
			Body: lessons.Text{
				EN: "The last line of defence stands in the table: the order id is the primary key, and " +
					"UNIQUE(user_id, voucher_id). To book again must run into it and do nothing.\n" +
					"ON CONFLICT DO NOTHING swallows both conflicts, and they are different news. The " +
					"same id: this order is booked, acknowledge it. Another id of the same user: this " +
					"order is not booked and never will be, its unit has to go back. Here the script " +
					"lets nobody in twice; where that is not sure, look at the row in the way, as " +
					"shop.Book does.\n" +
					"MySQL's INSERT IGNORE raises the same question. A SELECT COUNT before the INSERT is " +
					"no answer: that is check, then act.",
				ZH: "最后一道防线在表里：订单号是主键，再加 UNIQUE(user_id, voucher_id)。重复落库就该撞在上面，什么也不做。\n" +
					"ON CONFLICT DO NOTHING 把两种冲突都吞了，含义却不同。订单号相同：这张单已经落库，ACK 就行。" +
					"同一个用户、另一个订单号：这张单没落库，以后也落不了，库存得退。" +
					"这一课的脚本不会放同一个人进来两次；没把握的地方，要看看挡路的是哪一行，shop.Book 就是这么做的。\n" +
					"MySQL 的 INSERT IGNORE 也有这个问题。插入之前先 SELECT COUNT 不算数，那还是先查再改。",
			},
		},
		{
			Name: "giving-up",
			Title: lessons.Text{
				EN: "Giving up, exactly once",
				ZH: "放弃一张单，只放弃一次",
			},
			Body: lessons.Text{
				EN: "Who counts the tries? Not the consumer, its counter dies with it. The group does: " +
					"reading a pending entry again and claiming it both raise its delivery count in " +
					"XPENDING.\n" +
					"Giving up is four things: dead letter, unit, mark, XACK. A MULTI does them together, " +
					"but the question before it is a step of its own. If two consumers hold the entry, " +
					"both return a unit: in 172 of 386 schedules of a small scene. A script asks and acts " +
					"in one step, and does nothing unless the entry is pending.\n" +
					"Make sure first that no order was booked, and give nothing up while the database is " +
					"down: every order fails then.",
				ZH: "次数谁来数？不能靠消费者，它一死计数就没了。消费组在数：再读一遍 PEL，或者被认领，XPENDING 里的投递次数都会加一。\n" +
					"放弃要做四件事：进死信、退库存、撤标记、XACK。MULTI 能一起做，可之前查次数是另外一步。" +
					"两个消费者同时拿着这条消息，就各退一件：一个小场景 386 种走法里有 172 种。" +
					"脚本能把查和做放在一步，消息不在 PEL 里就什么也不做。\n" +
					"放弃之前先确认订单没落库；数据库挂了就一张也别放弃，那时候每张单都失败。",
			},
		},
		{
			Name: "group-gone",
			Title: lessons.Text{
				EN: "NOGROUP: the group is gone",
				ZH: "NOGROUP：消费组没了",
			},
			Body: lessons.Text{
				EN: "A stream that is deleted or evicted takes its groups along. From then on every " +
					"read fails with NOGROUP, and a loop without a pause writes hundreds of errors a " +
					"second.\n" +
					"XGROUP CREATE ... MKSTREAM makes both anew; BUSYGROUP is success, another consumer " +
					"was faster; and rest between tries, 100 ms, doubled up to 5 s.\n" +
					"From which entry on? $ means from now: what was queued in between is never read. 0 " +
					"means from the start: all that is there comes again and, where booking twice is " +
					"once, does nothing. Only 0 loses nothing.",
				ZH: "stream 被删掉或者被淘汰，消费组跟着一起没。此后每次读都报 NOGROUP，循环里不歇一下，一秒就是几百条错误。\n" +
					"用 XGROUP CREATE ... MKSTREAM 重建；碰到 BUSYGROUP 算成功，是别的消费者先建好了；" +
					"两次之间要歇，从 100 毫秒翻倍到 5 秒。\n" +
					"从哪条开始读？$ 是从现在起，这中间进来的永远读不到。0 是从头，已有的都会再来一遍，" +
					"只要重复落库无害，就什么也不会发生。只有 0 一条不丢。",
			},
		},
		{
			Name: "trimmed",
			Title: lessons.Text{
				EN: "MAXLEN does not ask",
				ZH: "MAXLEN 不管你办没办完",
			},
			Body: lessons.Text{
				EN: "MAXLEN keeps a stream short and does not ask whether an entry was dealt with. Of 20 " +
					"pending entries trimmed to 10, ten stay on the pending list without their content: " +
					"XREADGROUP with 0 returns an id and no fields.\n" +
					"A handler that expects fields dies on them, again and again. Acknowledge such an " +
					"entry and ring the bell: an order is lost, and nobody can say whose.\n" +
					"Trim what is done instead: XTRIM MINID up to the oldest pending entry.",
				ZH: "MAXLEN 只管让 stream 变短，不管消息处理完没有。20 条没 ACK 的消息裁到 10 条，" +
					"另外 10 条还挂在 PEL 里，内容却没了：XREADGROUP 用 0 读，只有 id，没有字段。\n" +
					"处理程序要是以为一定有字段，就会一遍一遍栽在上面。这种消息要 ACK 掉，同时报警：丢了一张单，而且不知道是谁的。\n" +
					"要裁就裁办完的：XTRIM MINID，裁到最早一条没 ACK 的为止。",
			},
		},
	}
}
