package scene

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons"
	"flashlab/lessons/shop"
	"flashlab/lessons/streampipeline"
	"flashlab/lua"
	"flashlab/sim/scenario"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

// bugVariants are what the exercises of bugs.go run: code in which something is
// wrong, and mends, not all of which mend.
func bugVariants() []lessons.Variant {
	return []lessons.Variant{
		bugMulti(), multiDecr(),
		bugSwallowed(),
		bugResume(), resumeFirst(), resumePending(), resumeClaim(),
		bugGroup(), groupPending(), groupZero(),
		bugMinIdle(),
		bugParked(), parkedSteps(),
	}
}

// The steps of the code of bugs.go.

func request() lessons.Step {
	return lessons.Step{Go: "return s.sell(ctx, user, voucher, id)", Say: sell().Say}
}

func settles() lessons.Text {
	return lessons.Text{
		EN: "{actor} books the order and acknowledges it: {reply}.",
		ZH: "{actor} 落库，然后 ACK：{reply}。",
	}
}

func step(golang, en, zh string) lessons.Step {
	return lessons.Step{Go: golang, Say: lessons.Text{EN: en, ZH: zh}}
}

func bugMulti() lessons.Variant {
	return lessons.Variant{
		Name: "bug-multi",
		Title: lessons.Text{
			EN: "Look, then MULTI and EXEC",
			ZH: "先查，再 MULTI、EXEC",
		},
		Summary: lessons.Text{
			EN: "SISMEMBER, GET, then DECR, SADD and XADD in MULTI. Two users, one unit.",
			ZH: "SISMEMBER，GET，然后 DECR、SADD、XADD 放进 MULTI。两个用户，一件库存。",
		},
		Moral: lessons.Text{
			EN: "MULTI makes one step of the writes. The decision was made before it, from answers that are old.",
			ZH: "MULTI 只把几条写并成一步，判断是在它之前做的，用的是旧答案。",
		},
		Params: sizesOf(sizes{buyers: 2, users: 8, consumers: 1}, 1),
		Lights: lights(shop.StockNotNegative, scenario.ProgressLight),
		File:   "bugmulti.go", Func: "(*Transacted).Buy (*Transacted).Consume",
		Steps: []lessons.Step{
			step("s.Redis.SIsMember(", "{actor} asks whether the user has bought: {reply}.", "{actor} 查用户买没买过：{reply}。"),
			step("s.Redis.Get(", "{actor} reads the stock in Redis: {reply}.", "{actor} 查 Redis 里的库存：{reply}。"),
			step("s.inOne(ctx, ", "{actor} takes a unit, marks the user and queues the order: {reply}.", "{actor} 扣一件，记下用户，订单入队：{reply}。"),
			{Go: "s.each(ctx, ", Say: each().Say},
			{Go: "s.finish(ctx, o)", Say: settles()},
		},
		Scenario: setting{
			variant: "bug-multi", ticks: 2,
			code: func(s *streampipeline.Shop) seller { return &streampipeline.Transacted{Shop: s} },
		}.sale(),
	}
}

// sizesOf are params with another stock.
func sizesOf(d sizes, stock int) []scenario.Param {
	p := params(d)
	for i := range p {
		if p[i].Name == "stock" {
			p[i].Default = stock
		}
	}
	return p
}

func multiDecr() lessons.Variant {
	v := bugMulti()
	v.Name = "multi-decr"
	v.Title = lessons.Text{EN: "DECR first, and look", ZH: "先 DECR，再看结果"}
	v.Summary = lessons.Text{
		EN: "SISMEMBER, then DECR; below 0 the unit is given back with INCR. Then SADD and XADD in MULTI.",
		ZH: "SISMEMBER，再 DECR，减成负数就 INCR 还回去；然后 SADD、XADD 放进 MULTI。",
	}
	v.Moral = lessons.Text{
		EN: "The stock is below 0 for a while, and whoever reads it then is told so. A crash makes it stay.",
		ZH: "有那么一会儿库存是负数，谁来查都看得到；这时宕机，就一直是负的。",
	}
	v.Lights = lights(shop.StockNotNegative)
	v.File, v.Func = "bugmultidecr.go", "(*Counted).Buy (*Counted).Consume"
	v.Steps = []lessons.Step{
		v.Steps[0],
		step("s.Redis.Decr(", "{actor} takes a unit and looks at what is left: {reply}.", "{actor} 先扣一件，再看还剩多少：{reply}。"),
		step("s.Redis.Incr(", "{actor} gives the unit back: {reply}.", "{actor} 把那一件还回去：{reply}。"),
		step("s.inOne(ctx, ", "{actor} marks the user and queues the order: {reply}.", "{actor} 记下用户，订单入队：{reply}。"),
		v.Steps[3], v.Steps[4],
	}
	v.Scenario = setting{
		variant: "multi-decr", ticks: 2,
		code: func(s *streampipeline.Shop) seller { return &streampipeline.Counted{Shop: s} },
	}.sale()
	return v
}

func bugSwallowed() lessons.Variant {
	return lessons.Variant{
		Name: "bug-swallowed",
		Title: lessons.Text{
			EN: "Keep going, whatever comes",
			ZH: "一张出错，不影响别的",
		},
		Summary: lessons.Text{
			EN: "Books and acknowledges; what fails is reported. For the database there is no user 1.",
			ZH: "落库，ACK，出错就报告值班的人。数据库里没有用户 1。",
		},
		Moral: lessons.Text{
			EN: "A report is no order. The entry is acknowledged, and nobody owes the buyer anything any more.",
			ZH: "报告了，不等于办了。消息 ACK 掉，这张单从此没人欠了。",
		},
		Params: params(sizes{buyers: 2, users: 8, consumers: 1}),
		Lights: lights(shop.Conservation, shop.NoLostOrder),
		File:   "bugswallowed.go", Func: "(*Logged).Buy (*Logged).Consume",
		Steps: []lessons.Step{
			request(),
			{Go: "s.read(ctx, consumer)", Say: read("").Say},
			{Go: "s.claim(ctx, consumer)", Say: claim().Say},
			{Go: "s.book(ctx, o)", Say: book().Say},
			step("s.ack(ctx, o)", "{actor} acknowledges: {reply}.", "{actor} 发 ACK：{reply}。"),
		},
		Scenario: setting{
			variant: "bug-swallowed", poisoned: true, ticks: 4,
			code: func(s *streampipeline.Shop) seller { return &streampipeline.Logged{Shop: s} },
		}.sale(),
	}
}

// restarted makes the scene of a consumer that is back: two orders, of the users 8
// and 9, were handed to c1 in its earlier life, and are not acknowledged.
func restarted(variant string, code func(s *streampipeline.Shop) seller) func(scenario.Params) *scenario.Scenario {
	return lessons.Changed(setting{variant: variant, ticks: 2, code: code}.sale(), func(s *scenario.Scenario) {
		first := s.Setup
		s.Setup = func(w *world.World) error {
			if err := first(w); err != nil {
				return err
			}
			return handed(w.Direct(), s.Params.Get("stock"))
		}
	})
}

func handed(rdb *redis.Client, stock int) error {
	ctx, keys := context.Background(), lua.KeysOf(store.Voucher)
	for i, user := range []int{8, 9} {
		order := []any{"userId", user, "voucherId", store.Voucher, "id", 90 + user}
		id := "1-" + strconv.Itoa(i+1)
		if err := rdb.XAdd(ctx, &redis.XAddArgs{Stream: keys.Stream, ID: id, Values: order}).Err(); err != nil {
			return err
		}
		if err := rdb.SAdd(ctx, keys.Users, user).Err(); err != nil {
			return err
		}
	}
	if err := rdb.Set(ctx, keys.Stock, strconv.Itoa(stock-2), 0).Err(); err != nil {
		return err
	}
	return rdb.XReadGroup(ctx, &redis.XReadGroupArgs{
		Group: streampipeline.Group, Consumer: "c1", Streams: []string{keys.Stream, ">"}, Block: -1,
	}).Err()
}

// restartParams are the sizes of that scene: stock for all three.
func restartParams() []scenario.Param {
	p := sizesOf(sizes{buyers: 1, users: 1, consumers: 1}, 3)
	for i := range p {
		if p[i].Name == "stock" {
			p[i].Min = 2
		}
	}
	return p
}

func bugResume() lessons.Variant {
	return lessons.Variant{
		Name: "bug-resume",
		Title: lessons.Text{
			EN: "Back after a restart",
			ZH: "重启之后接着干",
		},
		Summary: lessons.Text{
			EN: "c1 was restarted with two orders in its hands. It reads until nothing comes, then goes over to new ones.",
			ZH: "c1 重启了，手里还有两张没 ACK 的单。它先读到没有为止，再转去读新的。",
		},
		Moral: lessons.Text{
			EN: "With > a consumer gets what nobody has been given. What it was given before, it must ask for with 0.",
			ZH: "用 > 读到的，是谁都没领过的新消息。自己以前领过的，要用 0 才读得到。",
		},
		Params: restartParams(), Lights: lights(scenario.ProgressLight),
		File: "bugresume.go", Func: "(*Resumed).Buy (*Resumed).Consume",
		Steps: []lessons.Step{
			request(),
			step("= s.read(ctx, consumer) // begun", "{actor} looks for what it has begun: {reply}.", "{actor} 找手里没办完的单：{reply}。"),
			{Go: "s.read(ctx, consumer) // new", Say: read("").Say},
			{Go: "s.finish(ctx, orders[0])", Say: settles()},
			{Go: "s.finish(ctx, o)", Say: settles()},
		},
		Scenario: restarted("bug-resume", func(s *streampipeline.Shop) seller { return &streampipeline.Resumed{Shop: s} }),
	}
}

func resumeFirst() lessons.Variant {
	v := bugResume()
	v.Name = "resume-first"
	v.Title = lessons.Text{EN: "One look at the list", ZH: "先看一眼 PEL"}
	v.Summary = lessons.Text{
		EN: "c1 reads its pending list with 0, once, takes the first of it, and goes over to new orders.",
		ZH: "c1 用 0 读一次 PEL，取第一条，办完就转去读新的。",
	}
	v.Moral = lessons.Text{
		EN: "One read is one order; the second one stays. Read until the list is empty.",
		ZH: "读一次只有一张，第二张还挂着。要读到空为止。",
	}
	v.File, v.Func = "bugresumefirst.go", "(*ResumedFirst).Buy (*ResumedFirst).Consume"
	v.Steps = pendingFirst()
	v.Scenario = restarted("resume-first", func(s *streampipeline.Shop) seller { return &streampipeline.ResumedFirst{Shop: s} })
	return v
}

// pendingFirst are the steps of a consumer that begins with its own pending list.
func pendingFirst() []lessons.Step {
	return []lessons.Step{
		request(),
		{Go: "s.pending(ctx, consumer)", Say: pending().Say},
		{Go: "s.read(ctx, consumer)", Say: read("").Say},
		{Go: "s.finish(ctx, orders[0])", Say: settles()},
		{Go: "s.finish(ctx, o)", Say: settles()},
	}
}

func resumePending() lessons.Variant {
	v := bugResume()
	v.Name = "resume-pending"
	v.Title = lessons.Text{EN: "The list until it is empty", ZH: "PEL 读到空为止"}
	v.Summary = lessons.Text{
		EN: "c1 reads its pending list with 0 until it is empty, and goes over to new orders then.",
		ZH: "c1 用 0 读 PEL，读到空，再转去读新的。",
	}
	v.Moral = lessons.Text{
		EN: "What was handed out before is finished first, then come the new ones.",
		ZH: "以前领的先办完，再办新的。",
	}
	v.Lights = lights()
	v.File, v.Func = "bugresumepending.go", "(*ResumedPending).Buy (*ResumedPending).Consume"
	v.Steps = pendingFirst()
	v.Scenario = restarted("resume-pending", func(s *streampipeline.Shop) seller { return &streampipeline.ResumedPending{Shop: s} })
	return v
}

func resumeClaim() lessons.Variant {
	v := pipeline()
	v.Name = "resume-claim"
	v.Title = lessons.Text{EN: "It claims its own", ZH: "自己认领自己的"}
	v.Summary = lessons.Text{
		EN: "The code of pipeline after the restart: what lies for 30 s is claimed, its own included.",
		ZH: "重启之后跑 pipeline 的代码：放了 30 秒的就认领，自己名下的也算。",
	}
	v.Moral = lessons.Text{
		EN: "XAUTOCLAIM does not ask who had it before. It takes 30 s longer, and needs no second loop.",
		ZH: "XAUTOCLAIM 不管原来是谁的。多等 30 秒，但不用另写一个循环。",
	}
	v.Params, v.JavaFile = restartParams(), ""
	v.Steps = []lessons.Step{
		request(),
		{Go: "s.read(ctx, consumer)", Say: read("").Say},
		{Go: "s.claim(ctx, consumer)", Say: claim().Say},
		{Go: "s.book(ctx, o)", Say: book().Say},
		{Go: "s.ack(ctx, o)", Say: ack().Say},
	}
	v.Scenario = restarted("resume-claim", func(s *streampipeline.Shop) seller { return &streampipeline.Pipeline{Shop: s} })
	return v
}

// groupless makes the scene in which there is a stock, and no group yet.
func groupless(variant string, code func(s *streampipeline.Shop) seller) func(scenario.Params) *scenario.Scenario {
	return lessons.Changed(setting{variant: variant, ticks: 2, code: code}.sale(), func(s *scenario.Scenario) {
		s.Setup = func(w *world.World) error {
			stock := lua.KeysOf(store.Voucher).Stock
			return w.Direct().Set(context.Background(), stock, strconv.Itoa(s.Params.Get("stock")), 0).Err()
		}
	})
}

func bugGroup() lessons.Variant {
	return lessons.Variant{
		Name: "bug-group",
		Title: lessons.Text{
			EN: "Start it whenever you like",
			ZH: "消费者什么时候启动都行",
		},
		Summary: lessons.Text{
			EN: "The consumer makes the group where there is none, and books then; what lies for 30 s is claimed.",
			ZH: "没有消费组，消费者启动时就建一个，然后落库；放了 30 秒的会认领。",
		},
		Moral: lessons.Text{
			EN: "A group made at $ begins with what comes next. What was queued before belongs to nobody.",
			ZH: "用 $ 建的组，从下一条才开始算。之前入队的，不归任何人。",
		},
		Params: params(sizes{buyers: 1, users: 8, consumers: 1}),
		Lights: lights(shop.Conservation, shop.NoLostOrder),
		File:   "buggroup.go", Func: "(*Founder).Buy (*Founder).Consume",
		Steps: []lessons.Step{
			request(),
			step("s.Redis.XGroupCreateMkStream(", "{actor} makes the group: {reply}.", "{actor} 建消费组：{reply}。"),
			{Go: "s.each(ctx, ", Say: each().Say},
			{Go: "s.finish(ctx, o)", Say: settles()},
		},
		Scenario: groupless("bug-group", func(s *streampipeline.Shop) seller { return &streampipeline.Founder{Shop: s} }),
	}
}

func groupPending() lessons.Variant {
	v := bugGroup()
	v.Name = "group-pending"
	v.Title = lessons.Text{EN: "The pending list first", ZH: "先读一遍 PEL"}
	v.Summary = lessons.Text{
		EN: "The same group; the consumer reads with 0 before it waits for new orders.",
		ZH: "组还是那样建，只是消费者先用 0 读一遍，再等新的。",
	}
	v.Moral = lessons.Text{
		EN: "0 there means the consumer's own list, not the beginning of the stream. It is empty.",
		ZH: "这里的 0 是消费者自己的 PEL，不是 Stream 的开头，里面是空的。",
	}
	v.File, v.Func = "buggrouppending.go", "(*FounderPending).Buy (*FounderPending).Consume"
	v.Steps = append(v.Steps, lessons.Step{Go: "s.pending(ctx, consumer)", Say: pending().Say})
	v.Scenario = groupless("group-pending", func(s *streampipeline.Shop) seller { return &streampipeline.FounderPending{Shop: s} })
	return v
}

func groupZero() lessons.Variant {
	v := bugGroup()
	v.Name = "group-zero"
	v.Title = lessons.Text{EN: "From the first entry on", ZH: "从第一条开始"}
	v.Summary = lessons.Text{
		EN: "The same code; the group is made at 0.",
		ZH: "代码一样，建组的位置写成 0。",
	}
	v.Moral = lessons.Text{
		EN: "Nothing is skipped. If the group is made anew some day, all comes again, and the index makes that harmless.",
		ZH: "一条也不跳过。哪天组重建了，全部再来一遍，有唯一索引就不怕。",
	}
	v.Lights = lights()
	v.File, v.Func = "buggroupzero.go", "(*FounderZero).Buy (*FounderZero).Consume"
	v.Scenario = groupless("group-zero", func(s *streampipeline.Shop) seller { return &streampipeline.FounderZero{Shop: s} })
	return v
}

func bugMinIdle() lessons.Variant {
	return lessons.Variant{
		Name: "bug-min-idle",
		Title: lessons.Text{
			EN: "Nobody shall wait for the dead",
			ZH: "别让用户干等宕机的消费者",
		},
		Summary: lessons.Text{
			EN: "Each order takes 5 s; what has been with a consumer for 1 s is claimed by another. No UNIQUE index.",
			ZH: "一张单要办 5 秒，在消费者手里放了 1 秒的，别人就认领。表上没有唯一索引。",
		},
		Moral: lessons.Text{
			EN: "To be idle for 1 s does not mean to be dead: both are at work on it, and both insert.",
			ZH: "1 秒没动静不等于宕机：两个消费者都在办同一张，都会插入。",
		},
		Params: params(sizes{buyers: 1, users: 8, consumers: 2}),
		Lights: lights(shop.OnePerUser, shop.Conservation),
		File:   "bugminidle.go", Func: "(*Impatient).Buy (*Impatient).Consume",
		Steps: []lessons.Step{
			request(),
			step("s.readOrClaim(", "{actor} waits for an order, or claims one that lies: {reply}.", "{actor} 等新订单，等不到就认领：{reply}。"),
			step("proc.Sleep(ctx, 5*time.Second)", "{actor} has checked the address.", "{actor} 核对完地址。"),
			step("s.insert(ctx, o)", "{actor} inserts the order and takes a unit, in one transaction: {reply}.", "{actor} 在一个事务里插订单、扣库存：{reply}。"),
			step("s.ack(ctx, o)", "{actor} acknowledges: {reply}.", "{actor} 发 ACK：{reply}。"),
		},
		Scenario: setting{
			variant: "bug-min-idle", repeats: true, ticks: 8,
			code: func(s *streampipeline.Shop) seller { return &streampipeline.Impatient{Shop: s} },
		}.sale(),
	}
}

func bugParked() lessons.Variant {
	return lessons.Variant{
		Name: "bug-parked",
		Title: lessons.Text{
			EN: "Put it aside",
			ZH: "落不了库的，先放一边",
		},
		Summary: lessons.Text{
			EN: "What cannot be booked goes to stream.dead and is acknowledged, in one MULTI. There is no user 1.",
			ZH: "落不了库的单子，用 MULTI 一步放进 stream.dead 并 ACK。数据库里没有用户 1。",
		},
		Moral: lessons.Text{
			EN: "The order is kept, the unit is not: taken in Redis, sold to nobody, and never on sale again.",
			ZH: "单子留住了，货没留住：Redis 里扣掉了，没卖给谁，也不再卖了。",
		},
		Params: params(sizes{buyers: 1, users: 8, consumers: 1}),
		Lights: lights(shop.Conservation),
		File:   "bugparked.go", Func: "(*Parked).Buy (*Parked).Consume",
		Steps: []lessons.Step{
			request(),
			{Go: "s.each(ctx, ", Say: each().Say},
			{Go: "s.finish(ctx, o)", Say: settles()},
			step("s.inOne(ctx, ", "{actor} moves the order aside and acknowledges it: {reply}.", "{actor} 把单子挪到一边，同时 ACK：{reply}。"),
		},
		Scenario: setting{
			variant: "bug-parked", poisoned: true, ticks: 4,
			code: func(s *streampipeline.Shop) seller { return &streampipeline.Parked{Shop: s} },
		}.sale(),
	}
}

func parkedSteps() lessons.Variant {
	v := bugParked()
	v.Name = "parked-steps"
	v.Title = lessons.Text{EN: "Give it back, then put it aside", ZH: "先还库存，再放一边"}
	v.Summary = lessons.Text{
		EN: "INCR, then XADD to stream.dead, then XACK: three commands. Two consumers; c1's node may crash once.",
		ZH: "INCR，再 XADD 到 stream.dead，再 XACK，三条命令。两个消费者，c1 的节点可能宕机一次。",
	}
	v.Moral = lessons.Text{
		EN: "A crash after INCR, and whoever claims the entry gives the unit back once more.",
		ZH: "INCR 之后宕机，别人认领这条消息，又还一件。",
	}
	v.Params = params(sizes{buyers: 1, users: 8, consumers: 2, crashes: 1})
	v.File, v.Func = "bugparkedsteps.go", "(*ParkedSteps).Buy (*ParkedSteps).Consume"
	v.Steps = append(v.Steps[:3:3],
		step("s.Redis.Incr(", "{actor} gives the unit back: {reply}.", "{actor} 把库存还回去：{reply}。"),
		step("s.Redis.XAdd(", "{actor} puts the order into stream.dead: {reply}.", "{actor} 把单子放进 stream.dead：{reply}。"),
		step("s.ack(ctx, o)", "{actor} acknowledges: {reply}.", "{actor} 发 ACK：{reply}。"))
	v.Scenario = setting{
		variant: "parked-steps", poisoned: true, ticks: 4,
		code: func(s *streampipeline.Shop) seller { return &streampipeline.ParkedSteps{Shop: s} },
	}.sale()
	return v
}
