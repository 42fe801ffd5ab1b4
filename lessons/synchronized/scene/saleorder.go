package scene

import (
	"context"
	"slices"
	"strings"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/lessons/shop"
	"flashlab/lessons/synchronized"
	"flashlab/sim/scenario"
)

// The statements of a sale, for the user and the voucher of this lesson.
const (
	beginLine  = "BEGIN IMMEDIATE"
	countLine  = "SELECT COUNT(*) FROM orders WHERE user_id = 7 AND voucher_id = 1"
	takeLine   = "UPDATE voucher SET stock = stock - 1 WHERE id = 1 AND stock > 0"
	blindLine  = "UPDATE voucher SET stock = stock - 1 WHERE id = 1"
	insertLine = "INSERT INTO orders (user_id, voucher_id) VALUES (7, 1)"
	commitLine = "COMMIT"
)

// statements is a sale as a list of SQL, the count inside of the transaction. The
// map does not show it; the exercise order-the-sale runs it.
func statements() lessons.Variant {
	return lessons.Variant{
		Name: "count-in-transaction",
		Title: lessons.Text{
			EN: "Count inside the transaction",
			ZH: "查订单也放进事务",
		},
		Summary: lessons.Text{
			EN: "Two nodes, no mutex, no UNIQUE index. BEGIN IMMEDIATE comes first, then the " +
				"count, UPDATE, INSERT and COMMIT.",
			ZH: "两台机器，没有锁，也没有唯一索引。先 BEGIN IMMEDIATE，再查订单、扣库存、插入、提交。",
		},
		Moral: lessons.Text{
			EN: "BEGIN IMMEDIATE takes the write lock of the database, which both nodes can see. " +
				"It is a mutex in front of the count, and everybody who buys anything waits for it.",
			ZH: "BEGIN IMMEDIATE 拿的是数据库的写锁，两台机器都看得到，等于在查订单之前加了锁。" +
				"代价是不管谁买什么，都要排这一队。",
		},
		Params: params(2), Lights: verdicts(holds),
		File: "statements.go", Func: "(*Shop).Statements", JavaFile: "Statements.java",
		Steps: []lessons.Step{
			{
				Go:   "s.DB.BeginTx(ctx, nil)",
				Java: "@Transactional",
				Say: lessons.Text{
					EN: "{actor} begins and takes the write lock; others wait until it ends.",
					ZH: "{actor} 开启事务并拿到写锁，别人得等它结束。",
				},
			},
			{
				Go:   "run(ctx, s.on(tx), stmt, verb)",
				Java: "jdbc.queryForObject(",
				Say: lessons.Text{
					EN: "{actor} runs the next statement: {reply}.",
					ZH: "{actor} 执行下一条语句：{reply}。",
				},
			},
			{
				Go:   "tx.Commit()",
				Java: "return Result.ok()",
				Say: lessons.Text{
					EN: "{actor} commits: from now on the order counts.",
					ZH: "{actor} 提交，从现在起别人查得到这张订单。",
				},
			},
			{
				Go:   "tx.Rollback()",
				Java: "throw new DuplicateOrderException()",
				Say: lessons.Text{
					EN: "{actor} rolls back: its transaction leaves nothing.",
					ZH: "{actor} 回滚，事务里的改动全部作废。",
				},
			},
		},
		Scenario: sale(beginLine, countLine, takeLine, insertLine, commitLine),
	}
}

// sale makes the scenario of a list of statements.
func sale(lines ...string) func(scenario.Params) *scenario.Scenario {
	return clicks("count-in-transaction", false, func(s *synchronized.Shop, ctx context.Context, _, _ int64) error {
		return s.Statements(ctx, lines)
	})
}

func orderTheSale() lessons.Exercise {
	return lessons.Exercise{
		Name: "order-the-sale", Kind: lessons.FixIt,
		Title: lessons.Text{
			EN: "One order, by SQL alone",
			ZH: "只靠 SQL 做到一人一单",
		},
		Task: lessons.Text{
			EN: "Two nodes, no mutex, no UNIQUE index. Choose lines and put them in order. The program runs them one after " +
				"the other; it stops if SELECT finds an order or UPDATE changes no row, and rolls back what is not " +
				"committed. However user 7 clicks: one order, and the stock is right.",
			ZH: "两台机器，没有锁，也没有唯一索引。选出需要的行，排好顺序。程序逐条执行：SELECT 查到订单就停，" +
				"UPDATE 没改到行也停，没提交的全部回滚。用户 7 怎么点都只能有一单，库存也要对。",
		},
		Hints: []lessons.Text{
			{EN: "A count is true until somebody else commits. Who keeps the others from committing?", ZH: "查到的数，别人一提交就不作数了。谁能不让别人提交？"},
			{EN: "BEGIN IMMEDIATE is a lock that both nodes see. What belongs behind it?", ZH: "BEGIN IMMEDIATE 是两台机器都看得到的锁。哪些语句要放在它后面？"},
			{EN: "Everything: begin first, commit last, and the count in between.", ZH: "全部：先开事务，最后提交，查订单也在中间。"},
		},
		Fix: &lessons.Fix{
			Form: lessons.Order, File: "sale.txt",
			Lines:   []string{insertLine, commitLine, countLine, blindLine, beginLine, takeLine, beginLine, commitLine},
			Shipped: "3 6 1", Solution: "5 3 6 1 2", Naive: "3 5 6 1 2",
			Judge: judgeSale,
		},
		Learned: lessons.Text{
			EN: "A transaction protects only what stands inside of it. Count and insert must lie under the same lock, here the write lock.",
			ZH: "事务只管得到写在里面的语句。查订单和插订单要在同一把锁下面，这里就是写锁。",
		},
	}
}

// judgeSale runs the lines on two nodes.
func judgeSale(text string) (*lessons.Bench, error) {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
	if m := badSale(lines); m != nil {
		return nil, m
	}
	scene := func(name lessons.Text, sets string, reach ...lessons.Reach) lessons.Stage {
		v := statements()
		v.Scenario = sale(lines...)
		return lessons.Stage{Name: name, Variant: v, Sets: sets, Reach: reach, Explain: func(light string) *lessons.Miss { return brokenSale(lines, light) }}
	}
	sold := lessons.Reach{Name: "sold", Check: exercise.Rows("orders", 1), Miss: noSale(lines)}
	return &lessons.Bench{Scenes: []lessons.Stage{
		scene(lessons.Text{EN: "two clicks", ZH: "点两下"}, "", sold),
		scene(lessons.Text{EN: "two clicks, sold out", ZH: "点两下，已售罄"}, "stock=0"),
		scene(lessons.Text{EN: "three clicks", ZH: "点三下"}, "buyers=3,stock=3", sold),
	}}, nil
}

// badSale finds what a database refuses, whoever else is there.
func badSale(lines []string) *lessons.Miss {
	open := false
	for _, line := range lines {
		switch {
		case line == beginLine && open:
			return &lessons.Miss{Mistake: exercise.Fails, Sentence: lessons.Text{
				EN: "BEGIN inside a transaction fails: the first one is still open.",
				ZH: "事务里不能再 BEGIN：前一个还没结束。",
			}}
		case line == commitLine && !open:
			return &lessons.Miss{Mistake: exercise.Fails, Sentence: lessons.Text{
				EN: "COMMIT without BEGIN fails: no transaction is open.",
				ZH: "没有 BEGIN 就 COMMIT，会报错：没有打开的事务。",
			}}
		}
		open = line == beginLine || open && line != commitLine
	}
	return nil
}

// noSale says why nobody ever has an order.
func noSale(lines []string) lessons.Miss {
	m := lessons.Miss{Mistake: exercise.Trivial, Sentence: lessons.Text{
		EN: "Nobody ever has an order.",
		ZH: "谁也没有订单。",
	}}
	switch {
	case !slices.Contains(lines, insertLine):
		m.Sentence = lessons.Text{EN: "No order is ever written: the INSERT is missing.", ZH: "订单从来没写进去：少了 INSERT。"}
	case slices.Contains(lines, beginLine) && !slices.Contains(lines, commitLine):
		m.Sentence = lessons.Text{EN: "All is rolled back in the end: the COMMIT is missing.", ZH: "最后全回滚了：少了 COMMIT。"}
	case slices.Contains(lines, countLine) && slices.Index(lines, insertLine) < slices.Index(lines, countLine):
		m.Sentence = lessons.Text{EN: "The SELECT counts the order that was inserted just before, and all is rolled back.", ZH: "SELECT 查到的是自己刚插入的订单，于是停下来全回滚了。"}
	}
	return m
}

// brokenSale says why a light broke.
func brokenSale(lines []string, light string) *lessons.Miss {
	say := func(mistake, en, zh string) *lessons.Miss {
		return &lessons.Miss{Mistake: mistake, Sentence: lessons.Text{EN: en, ZH: zh}}
	}
	count, insert := slices.Index(lines, countLine), slices.Index(lines, insertLine)
	switch {
	case light == shop.OnePerUser && count < 0:
		return say(exercise.NoDuplicate,
			"Nobody asks whether this user has an order already: the SELECT is missing.",
			"没人查过这个用户有没有订单：少了 SELECT。")
	case light == shop.OnePerUser && !slices.Contains(lines, beginLine):
		return say(exercise.CountsTooEarly,
			"Without a transaction each statement stands alone: both clicks count 0, then both insert.",
			"没有事务，每条语句各自生效：两次点击都查到 0 单，然后都插入。")
	case light == shop.OnePerUser && !slices.Contains(lines[:count], beginLine):
		return say(exercise.CountsTooEarly,
			"The count stands in front of BEGIN: while one waits for the write lock, its 0 grows old.",
			"查订单写在 BEGIN 前面：等写锁的时候，查到的 0 就过时了。")
	case light == shop.OnePerUser && count < insert && slices.Contains(lines[count:insert], commitLine):
		return say(exercise.CountsTooEarly,
			"A COMMIT between SELECT and INSERT frees the write lock: another comes in there.",
			"SELECT 和 INSERT 中间有 COMMIT，写锁放掉了，别人就从那里插进来。")
	case light == shop.OnePerUser:
		return say(exercise.CountsTooEarly,
			"The count and the INSERT are not under the same write lock.",
			"查订单和插订单不在同一把写锁下面。")
	case light == shop.StockNotNegative, light == shop.NoOversell && slices.Contains(lines, blindLine):
		return say(exercise.OffByOne,
			"With nothing left the UPDATE takes a unit all the same: stock > 0 is missing.",
			"已经没货了，UPDATE 照样扣：少了 stock > 0。")
	case light == shop.NoOversell:
		return say(exercise.NotDeducted,
			"An order is sold with nothing left: no UPDATE asks for the stock.",
			"没货了还卖：没有 UPDATE 去判断库存。")
	case light == shop.Conservation && !slices.Contains(lines, takeLine) && !slices.Contains(lines, blindLine):
		return say(exercise.NotDeducted,
			"An order is written and no unit taken: the UPDATE is missing.",
			"写了订单，库存没扣：少了 UPDATE。")
	case light == shop.Conservation && slices.Contains(lines, takeLine) && slices.Contains(lines, blindLine):
		return say(exercise.OffByOne,
			"One order takes two units: there are two UPDATEs.",
			"一单扣了两件：UPDATE 写了两条。")
	case light == shop.Conservation && insert < 0:
		return say(exercise.NoOrder,
			"A unit is taken and no order written: the INSERT is missing.",
			"库存扣了，订单没写：少了 INSERT。")
	case light == shop.Conservation:
		return say(exercise.WriteFirst,
			"A unit is gone without an order, or an order was written without a unit: they do not commit together.",
			"扣了库存没有订单，或者有订单没扣库存：两样不是一起提交的。")
	}
	return nil
}
