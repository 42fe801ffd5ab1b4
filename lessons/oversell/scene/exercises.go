package scene

import (
	"strings"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/lessons/shop"
	"flashlab/sim/scenario"
)

// predictions are asked before anything runs.
func predictions() []lessons.Question {
	return []lessons.Question{
		{
			Name: "oversell-lost-update", Variant: "lost-update",
			Ask: lessons.Text{
				EN: "One unit, two buyers. Each reads the stock, decides, writes stock - 1 and inserts an order. Is more sold than there is?",
				ZH: "库存 1 件，两个人同时买。每个人都是查库存、判断、写回库存减一、插订单。会超卖吗？",
			},
			Options: []lessons.Option{
				{Name: "never", Text: lessons.Text{EN: "Never: SQLite lets one writer in at a time", ZH: "不会：SQLite 同一时刻只让一个人写"}, Claim: lessons.Holds(shop.NoOversell)},
				{Name: "sometimes", Text: lessons.Text{EN: "In some orders of their steps, not in others", ZH: "看谁先谁后，有时会，有时不会"}, Claim: lessons.Sometimes(shop.NoOversell)},
				{Name: "always", Text: lessons.Text{EN: "Always: the code is wrong however it runs", ZH: "一定会：怎么跑都错"}, Claim: lessons.Always(shop.NoOversell)},
			},
			Because: lessons.Text{
				EN: "One writer at a time is true and does not help: what was read before is old by then. Let them run one after the other and all is well, which is why tests do not find it.",
				ZH: "同一时刻只有一个人写，这没错，可是没用：之前查到的数已经旧了。一个买完再换另一个，就什么事也没有，所以测试测不出来。",
			},
		},
		{
			Name: "oversell-guarded", Variant: "guarded", Sets: "buyers=3",
			Ask: lessons.Text{
				EN: "Now the UPDATE carries its own condition: stock = stock - 1 WHERE stock > 0, and the row count is looked at. Three buyers, one unit. What can happen?",
				ZH: "现在条件写进 UPDATE：stock = stock - 1 WHERE stock > 0，还检查了影响行数。三个人抢一件，会怎样？",
			},
			Options: []lessons.Option{
				{Name: "oversell", Text: lessons.Text{EN: "Two of them may still buy it", ZH: "还是可能卖给两个人"}, Claim: lessons.Breaks(shop.NoOversell)},
				{Name: "negative", Text: lessons.Text{EN: "The stock may go below zero, the orders are right", ZH: "订单没错，但库存可能变负"}, Claim: lessons.And(lessons.Breaks(shop.StockNotNegative), lessons.Holds(shop.NoOversell))},
				{Name: "right", Text: lessons.Text{EN: "Exactly one buys it, in whatever order they step", ZH: "不管谁先谁后，都只有一个人买到"}, Claim: lessons.And(lessons.Holds(shop.NoOversell), lessons.Holds(shop.StockNotNegative), lessons.Holds(shop.Conservation))},
			},
			Because: lessons.Text{
				EN: "The question and the write are one statement, and nobody can come in between. The row count is the answer to the question.",
				ZH: "判断和扣减是同一条语句，谁也插不进来。影响行数就是判断的结果。",
			},
		},
	}
}

func exercises() []lessons.Exercise {
	return []lessons.Exercise{
		{
			Name: "break-lost-update", Kind: lessons.BreakIt,
			Title: lessons.Text{EN: "Sell the last unit twice", ZH: "把最后一件卖两次"},
			Task: lessons.Text{
				EN: "You decide who takes the next step. One unit is left and two buyers want it: find an order of steps in which both get an order.",
				ZH: "下一步谁走，由你决定。只剩一件，两个人要买：找出一种先后顺序，让两个人都下单成功。",
			},
			Hints: []lessons.Text{
				{EN: "Whoever has read the stock believes it, however long ago that was.", ZH: "查过库存的人就信那个数，不管是多久以前查的。"},
				{EN: "Let both read before either of them writes.", ZH: "两个人都先查完，再让其中一个去写。"},
			},
			Break: &lessons.Break{Variant: "lost-update", Light: shop.NoOversell},
			Cause: &lessons.Question{
				Name: "cause-lost-update", Variant: "lost-update",
				Ask: lessons.Text{EN: "Why could both of them buy?", ZH: "为什么两个人都能买到？"},
				Options: []lessons.Option{
					{Name: "stale", Text: lessons.Text{EN: "One relied on a stock that the other had changed in the meantime", ZH: "有一个人用的是旧库存，这期间另一个人已经改过了"}, Claim: lessons.Raced(shop.NoOversell, "voucher")},
					{Name: "always", Text: lessons.Text{EN: "The decision is wrong: it sells at stock 0 as well", ZH: "判断写错了：库存是 0 也卖"}, Claim: lessons.Always(shop.NoOversell)},
					{Name: "index", Text: lessons.Text{EN: "The table of orders let somebody order twice", ZH: "订单表让同一个人下了两单"}, Claim: lessons.Breaks(shop.OnePerUser)},
				},
				Because: lessons.Text{EN: "Check, then act: what was checked is no longer so when it is acted upon.", ZH: "先查再改：等到改的时候，查到的已经不作数了。"},
			},
			Learned: lessons.Text{
				EN: "A check protects nothing unless nobody can step between it and the write.",
				ZH: "判断和写之间只要能插进别人，判断就等于没做。",
			},
		},
		{
			Name: "guard-the-update", Kind: lessons.FixIt,
			Title: lessons.Text{EN: "Put the question into the write", ZH: "把判断写进 UPDATE"},
			Task: lessons.Text{
				EN: "The shop begins a transaction, runs this UPDATE and looks at the row count; if a row has changed it inserts the order and commits. Fill the gap so that exactly as many orders are written as there are units, in every order of steps.",
				ZH: "程序开事务，执行这条 UPDATE，看影响行数；改到了就插订单并提交。把空填上，让订单数在任何走法下都不超过库存，也不少卖。",
			},
			Hints: []lessons.Text{
				{EN: "The row count answers a question. Which one does the shop want to ask?", ZH: "影响行数是对一个问题的回答。程序想问的是什么？"},
				{EN: "Compare the column stock with a number, not with what was read before.", ZH: "拿 stock 这一列和一个数比，不是和之前查到的值比。"},
				{EN: "How many units must there be at least for one to be taken away?", ZH: "要拿走一件，至少得有几件？"},
			},
			Fix: &lessons.Fix{
				Form: lessons.Gap, File: "guard.sql",
				Frame:   "UPDATE voucher SET stock = stock - 1\nWHERE id = ? AND " + lessons.Blank,
				Shipped: "1 = 1", Solution: "stock > 0", Naive: "stock >= 0",
				Judge: judgeGuard,
			},
			Learned: lessons.Text{
				EN: "stock > 0 asks for what matters, and whoever loses the race for one unit can still have the next. stock = old would refuse buyers although there is stock.",
				ZH: "stock > 0 问的正是要紧的事，没抢到这一件的还能买下一件。写成 stock = 旧值，明明有货也会拒绝人。",
			},
		},
	}
}

// guardedUpdate is the statement of Guarded that the learner's takes the place of.
const guardedUpdate = "UPDATE voucher SET stock = stock - 1 WHERE id = ? AND stock > 0"

// judgeGuard runs the learner's UPDATE in the place of the one in Guarded: with too
// few units, and with enough for everybody.
func judgeGuard(text string) (*lessons.Bench, error) {
	_, gap, _ := strings.Cut(text, "id = ? AND ")
	if err := exercise.Condition(gap, "stock", "id"); err != nil {
		return nil, err
	}
	scene := func(name lessons.Text, sets string, sold int, m lessons.Miss) lessons.Stage {
		v := guarded()
		v.Scenario = lessons.Changed(v.Scenario, func(s *scenario.Scenario) {
			s.World.ReplaceSQL = map[string]string{guardedUpdate: text}
		})
		return lessons.Stage{
			Name: name, Variant: v, Sets: sets,
			Reach: []lessons.Reach{{Name: "sold", Check: exercise.Rows("orders", sold), Miss: m}},
			Explain: func(light string) *lessons.Miss {
				if light != shop.NoOversell && light != shop.StockNotNegative {
					return nil
				}
				return &lessons.Miss{Mistake: exercise.OffByOne, Sentence: lessons.Text{
					EN: "The UPDATE also changes a row whose stock is 0: one unit too many is sold.",
					ZH: "库存是 0 的行也被改了：多卖了一件。",
				}}
			},
		}
	}
	return &lessons.Bench{Scenes: []lessons.Stage{
		scene(lessons.Text{EN: "one unit, two buyers", ZH: "一件库存，两个人"}, "stock=1", 1, lessons.Miss{Mistake: exercise.Trivial, Sentence: lessons.Text{
			EN: "Nobody ever buys: the condition is never true.",
			ZH: "谁也买不到：条件永远不成立。",
		}}),
		scene(lessons.Text{EN: "two units, three buyers", ZH: "两件库存，三个人"}, "buyers=3,stock=2", 2, lessons.Miss{Mistake: exercise.OffByOne, Sentence: lessons.Text{
			EN: "Of two units only one is ever sold: the condition refuses buyers although there is stock.",
			ZH: "两件库存最多只卖出一件：明明有货，条件却拦住了人。",
		}}),
	}}, nil
}

// recall are the cards of this lesson.
func recall() []lessons.Recall {
	return []lessons.Recall{
		{
			Name:    "recall-check-then-act",
			Front:   lessons.Text{EN: "Read the stock, decide, write it back: where can it go wrong?", ZH: "查库存、判断、写回，哪里会出错？"},
			Back:    lessons.Text{EN: "Between any two of the three. Both read 1, both write 0, two orders: check, then act.", ZH: "任意两步之间。两个人都查到 1，都写回 0，下了两单：这就是先查再改。"},
			Variant: "lost-update", Claim: lessons.Sometimes(shop.NoOversell),
		},
		{
			Name:    "recall-row-count",
			Front:   lessons.Text{EN: "UPDATE ... WHERE stock > 0 changes no row, and no error comes. What does the shop have to do?", ZH: "UPDATE ... WHERE stock > 0 一行也没改，也没报错。程序要做什么？"},
			Back:    lessons.Text{EN: "Look at the row count: 0 means sold out. Who does not look inserts the order anyway.", ZH: "看影响行数，0 就是售罄。不看的话，订单照样插进去。"},
			Variant: "ignored-rowcount", Claim: lessons.Always(shop.NoOversell),
		},
	}
}
