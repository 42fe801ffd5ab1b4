package scene

import (
	"github.com/redis/go-redis/v9"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/lessons/shop"
	"flashlab/lua"
	"flashlab/sim/scenario"
)

// seckillExercise is seckill.lua, written by the learner: it decides in the place of
// the shop's own script, in every schedule of a few small sales.
func seckillExercise() lessons.Exercise {
	return lessons.Exercise{
		Name: "seckill", Kind: lessons.FixIt,
		Title: lessons.Text{EN: "Write seckill.lua", ZH: "写出 seckill.lua"},
		Task: lessons.Text{
			EN: "KEYS: stock, set of users who bought, stream of orders. ARGV: userId, voucherId, " +
				"orderId. Answer 4 if one is missing or no number, 3 if there is no stock key, 2 if " +
				"the user has bought, 1 if sold out. Else take a unit, mark the user, XADD the fields " +
				"userId, voucherId, id, and answer 0. Any other answer changes nothing.",
			ZH: "KEYS：库存、已购用户集合、订单 Stream。ARGV：userId、voucherId、orderId。" +
				"参数缺了或不是数字返回 4，没有库存 key 返回 3，买过返回 2，售罄返回 1。" +
				"都没问题就扣一件、记下用户、XADD 写入 userId、voucherId、id 三个字段，返回 0。除了 0，别的都不许改数据。",
		},
		Hints: []lessons.Text{
			{
				EN: "Redis does not roll a script back. So what can go wrong must be asked before the first write.",
				ZH: "Redis 不会回滚脚本。可能出错的，要在第一次写之前全部问完。",
			},
			{
				EN: "SISMEMBER answers 0 or 1, and 0 is true in Lua. GET of a missing key gives false, not nil. Ids stay text.",
				ZH: "SISMEMBER 返回 0 或 1，而 Lua 里 0 是真。GET 不存在的 key 得到 false，不是 nil。id 一路当字符串。",
			},
			{
				EN: "Begin with:\nif #ARGV ~= 3 then return 4 end\nfor _, id in ipairs(ARGV) do\n  if not id:match('^%d+$') then return 4 end\nend\nlocal stock = redis.call('GET', KEYS[1])\nif not stock then return 3 end",
				ZH: "开头这样写：\nif #ARGV ~= 3 then return 4 end\nfor _, id in ipairs(ARGV) do\n  if not id:match('^%d+$') then return 4 end\nend\nlocal stock = redis.call('GET', KEYS[1])\nif not stock then return 3 end",
			},
		},
		Fix: &lessons.Fix{
			Form: lessons.Script, File: "seckill.lua",
			Shipped: "-- KEYS     1 stock    2 users who have bought   3 stream of orders\n" +
				"-- ARGV     1 userId   2 voucherId               3 orderId\n" +
				"-- Answers  0 yes   1 sold out   2 bought before   3 not on sale   4 arguments\n" +
				"local stock = redis.call('GET', KEYS[1])\n" +
				"if stock == nil then return 3 end\n" +
				"if redis.call('SISMEMBER', KEYS[2], ARGV[1]) then return 2 end\n" +
				"if tonumber(stock) <= 0 then return 1 end\n" +
				"redis.call('DECR', KEYS[1])\n" +
				"redis.call('SADD', KEYS[2], ARGV[1])\n" +
				"redis.call('XADD', KEYS[3], '*',\n" +
				"  'userId', ARGV[1], 'voucherId', ARGV[2], 'id', ARGV[3])\n" +
				"return 0\n",
			Solution: lua.Sources()["seckill"],
			Naive: "if #ARGV ~= 3 then return 4 end\n" +
				"for _, id in ipairs(ARGV) do\n  if not id:match('^%d+$') then return 4 end\nend\n" +
				"local stock = redis.call('GET', KEYS[1])\n" +
				"if not stock then return 3 end\n" +
				"if redis.call('SISMEMBER', KEYS[2], ARGV[1]) == 1 then return 2 end\n" +
				"if tonumber(stock) <= 0 then return 1 end\n" +
				"return 0\n" +
				exercise.NextCall + "\n" +
				"local answer = ARGV[#ARGV]\n" +
				"if answer ~= '0' then return tonumber(answer) end\n" +
				"redis.call('DECR', KEYS[1])\n" +
				"redis.call('SADD', KEYS[2], ARGV[1])\n" +
				"redis.call('XADD', KEYS[3], '*',\n" +
				"  'userId', ARGV[1], 'voucherId', ARGV[2], 'id', ARGV[3])\n" +
				"return 0\n",
			Judge: func(text string) (*lessons.Bench, error) { return judgeSale(text, true) },
		},
		Learned: lessons.Text{
			EN: "One script, and within it: ask everything, then write. It cannot be disturbed, and it " +
				"is not undone.",
			ZH: "一个脚本，里面先问完再动手写。执行时没人插得进来，出错了也没人替你撤回。",
		},
	}
}

// saleLinesExercise puts the same script together from lines, some of which are wrong.
func saleLinesExercise() lessons.Exercise {
	return lessons.Exercise{
		Name: "sale-lines", Kind: lessons.FixIt,
		Title: lessons.Text{EN: "Put the sale script together", ZH: "把秒杀脚本拼出来"},
		Task: lessons.Text{
			EN: "Choose lines and put them in order, so that the script answers 4 if an argument is " +
				"missing, 3 if there is no stock key, 2 if the user has bought, 1 if sold out; else " +
				"it takes a unit, marks the user, queues the order and answers 0. Some lines are wrong.",
			ZH: "选出需要的行，排好顺序：缺参数返回 4，没有库存 key 返回 3，买过返回 2，售罄返回 1；" +
				"否则扣一件、记下用户、订单入队，返回 0。有几行是错的。",
		},
		Hints: []lessons.Text{
			{EN: "Three lines write. Everything that may say no stands before the first of them.", ZH: "写数据的有三行，会说不的都要排在它们前面。"},
			{EN: "Of three pairs of twins one is wrong each: 0 is true, missing is false, and at 0 nothing is left.", ZH: "有三对双胞胎，各错一个：0 是真，不存在是 false，到 0 就没货了。"},
			{EN: "It begins with the names, the number of arguments, and GET.", ZH: "开头三行：取名字，数参数，GET 库存。"},
		},
		Fix: &lessons.Fix{
			Form: lessons.Order,
			Lines: []string{
				"call('DECR', KEYS[1])",
				"if call('SISMEMBER', KEYS[2], user) then return 2 end",
				"local stock = call('GET', KEYS[1])",
				"if tonumber(stock) < 0 then return 1 end",
				"call('XADD', KEYS[3], '*', 'userId', user, 'voucherId', voucher, 'id', id)",
				"if stock == nil then return 3 end",
				"return 0",
				"if call('SISMEMBER', KEYS[2], user) == 1 then return 2 end",
				"local call, user, voucher, id = redis.call, unpack(ARGV)",
				"if tonumber(stock) <= 0 then return 1 end",
				"call('SADD', KEYS[2], user)",
				"if not stock then return 3 end",
				"if #ARGV ~= 3 then return 4 end",
			},
			Shipped: "9 3 6 2 10 1 11 5 7", Solution: "9 13 3 12 8 10 1 11 5 7", Naive: "9 3 12 10 1 8 11 5 13 7",
			Judge: func(text string) (*lessons.Bench, error) { return judgeSale(text, false) },
		},
		Learned: lessons.Text{
			EN: "Writes may change places with writes, and most questions with questions. A question and a write may not.",
			ZH: "写的几行之间可以互换，问的几行大多也可以，问和写不能对调。",
		},
	}
}

// judgeSale judges a sale script. digits says that it has to look whether its
// arguments are numbers.
func judgeSale(text string, digits bool) (*lessons.Bench, error) {
	parts, err := exercise.Parts(text)
	if err != nil {
		return nil, err
	}
	scene := func(name lessons.Text, script, sets string, v lessons.Variant, sold int) lessons.Stage {
		v.Scenario = lessons.Changed(v.Scenario, func(s *scenario.Scenario) {
			s.World.Replace = map[string][]string{script: parts}
			s.Accepts = acceptedAtLast(script)
		})
		st := lessons.Stage{
			Name: name, Variant: v, Sets: sets,
			Explain: func(light string) *lessons.Miss { return saleExplained(light, len(parts) > 1) },
		}
		if sold > 0 {
			st.Reach = []lessons.Reach{{Name: "booked", Check: exercise.Rows("orders", sold), Miss: *sentence(exercise.Trivial,
				"Fewer orders come into the database than could be sold: %d are possible.", "能卖出 %d 单，数据库里却到不了这么多。", sold)}}
		}
		return st
	}
	shopDies := scene(lessons.Text{EN: "the shop's node dies", ZH: "下单的节点宕机"}, "seckill", "consumers=1", pipeline(), 1)
	alive := shopDies.Variant.Scenario
	shopDies.Variant.Scenario = func(p scenario.Params) *scenario.Scenario {
		s := alive(p)
		s.Faults.CrashNodes = []string{"n2"} // where buyers are served
		return s
	}
	shopDies.Explain = func(string) *lessons.Miss {
		if len(parts) == 1 {
			return nil
		}
		return sentence(exercise.TwoCalls, "The writes stand in two calls: the node dies between them, a unit is gone, and no order is queued.", "写操作分在两次调用里：节点在中间宕机，库存扣了，订单却没进队列。")
	}
	b := &lessons.Bench{
		Probes: []lessons.Probe{
			sellsOne(parts, text), refusesTwice(parts), refusesSoldOut(parts), sellsLast(parts),
			refusesNoSale(parts, text), refusesMissing(parts),
		},
		Scenes: []lessons.Stage{
			scene(lessons.Text{EN: "two buyers, one unit", ZH: "两个人，一件库存"}, "seckill", "buyers=2,stock=1,consumers=1,crashes=0", pipeline(), 1),
			scene(lessons.Text{EN: "one buyer clicks twice", ZH: "一个人点两下"}, "seckill", "buyers=2,users=1,consumers=1,crashes=0", pipeline(), 1),
			scene(lessons.Text{EN: "two buyers, two units", ZH: "两个人，两件库存"}, "seckill", "buyers=2,consumers=1,crashes=0", pipeline(), 2),
			scene(lessons.Text{EN: "the order id is missing", ZH: "少传订单号"}, "seckill_half_done", "buyers=2", halfDoneScript(), 0),
			scene(lessons.Text{EN: "a consumer dies", ZH: "消费者宕机"}, "seckill", "", pipeline(), 1),
			shopDies,
		},
	}
	if digits {
		b.Probes = append(b.Probes, refusesWords(parts))
	}
	return b, nil
}

// acceptedAtLast recognises a yes by the last call of a script: what a part before it
// answers is none.
func acceptedAtLast(name string) func(script string, cmd redis.Cmder) (user string, ok bool) {
	return func(script string, cmd redis.Cmder) (user string, ok bool) {
		if script != name {
			return "", false
		}
		return shop.Accepted(script, cmd)
	}
}

// saleExplained says what a broken light means in the scenes of a sale script.
func saleExplained(light string, twoCalls bool) *lessons.Miss {
	switch {
	case twoCalls && light == shop.Conservation:
		return sentence(exercise.TwoCalls, "Between two calls the same user clicks once more: both clicks are let through, and there is one order.",
			"两次调用中间，同一个人又点了一下：两下都放行了，订单却只有一张。")
	case twoCalls && light != scenario.ProgressLight:
		return sentence(exercise.TwoCalls, "Looking and taking are two calls: both buyers see the last unit, and both take it.",
			"查和扣分成了两次调用：两个人都看到最后一件，都扣了。")
	case light == shop.StockNotNegative:
		return sentence(exercise.OffByOne, "More is sold than there is: the stock in Redis goes below 0.", "卖多了：Redis 里的库存减成了负数。")
	case light == shop.Conservation:
		return sentence(exercise.WriteFirst, "A unit is gone, and there is no order for it.", "库存少了一件，却没有对应的订单。")
	case light == shop.NoLostOrder:
		return sentence(exercise.NoOrder, "A buyer has got a yes, and no order ever comes of it.", "用户得到了成功，订单却一直没有。")
	}
	return nil
}
