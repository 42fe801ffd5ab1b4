package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/oversell"
	"flashlab/sim/world"
)

// The variants that oversell.

func lostUpdate() lessons.Variant {
	return lessons.Variant{
		Name: "lost-update",
		Title: lessons.Text{
			EN: "Read, subtract, write back",
			ZH: "查出来，减一，写回去",
		},
		Summary: lessons.Text{
			EN: "Reads the stock, subtracts one in Go and writes the result back; then the " +
				"order is inserted. Every statement commits by itself.",
			ZH: "查出库存，在代码里减一，再把结果写回，然后插入订单。没有事务，每条语句各自提交。",
		},
		Moral: lessons.Text{
			EN: "Both read 1, both write 0, both order: one unit sold twice. With more stock " +
				"it hides: the second write erases the first deduction and the figure looks " +
				"healthy. One buyer after the other never shows it.",
			ZH: "两人都查到 1，都写回 0，也都下了单：一件卖了两次。库存多时更隐蔽，" +
				"后一次写回盖掉前一次扣减，数字看着正常，账却对不上。一个一个地测，永远测不出来。",
		},
		Params: params(1), Lights: verdicts(breaks, holds, holds, breaks),
		File: "lostupdate.go", Func: "(*Shop).LostUpdate", JavaFile: "LostUpdate.java",
		Steps: []lessons.Step{
			readStock(),
			writeStock(),
			insertOrder(),
		},
		Scenario: sale("lost-update", world.Memory, (*oversell.Shop).LostUpdate),
	}
}

func checkThenDecrement() lessons.Variant {
	return lessons.Variant{
		Name: "check-then-decrement",
		Title: lessons.Text{
			EN: "Check in Go, subtract in SQL",
			ZH: "代码里判断，数据库里减一",
		},
		Summary: lessons.Text{
			EN: "Checks the stock in Go, then lets the database subtract: stock = stock - 1, " +
				"without a condition. No transaction.",
			ZH: "代码里判断库存够不够，再执行 stock = stock - 1，更新语句不带条件。没有事务。",
		},
		Moral: lessons.Text{
			EN: "The subtraction is atomic, so no deduction is lost and the books balance, " +
				"all the way down to -1. But what was checked is old news by the time of the " +
				"update. Decide in the statement that writes.",
			ZH: "扣减是原子的，一次没丢，账是平的，只是平到了 -1。错在判断：到更新那一刻，" +
				"之前查到的库存早已过时。判断要和扣减写在同一条语句里。",
		},
		Params: params(1), Lights: verdicts(breaks, breaks, holds, holds),
		File: "checkthendecrement.go", Func: "(*Shop).CheckThenDecrement", JavaFile: "CheckThenDecrement.java",
		Steps: []lessons.Step{
			readStock(),
			{
				Go:   "UPDATE voucher SET stock = stock - 1",
				Java: `.setSql("stock = stock - 1")`,
				Say: lessons.Text{
					EN: "{actor} subtracts one from whatever the stock is by now, unasked: {reply}.",
					ZH: "{actor} 不管库存现在是多少，直接减一：{reply}。",
				},
			},
			insertOrder(),
		},
		Scenario: sale("check-then-decrement", world.Memory, (*oversell.Shop).CheckThenDecrement),
	}
}

func ignoredRowcount() lessons.Variant {
	return lessons.Variant{
		Name: "ignored-rowcount",
		Title: lessons.Text{
			EN: "Nobody reads the row count",
			ZH: "没看影响行数",
		},
		Summary: lessons.Text{
			EN: "The update has the right condition, stock > 0, but nobody looks whether it " +
				"changed a row; the order is inserted in any case.",
			ZH: "更新带了 stock > 0，条件没错，却没人看影响行数，扣没扣成都插入订单。",
		},
		Moral: lessons.Text{
			EN: "No race is needed: once the stock is gone, the next buyer still gets an " +
				"order. The stock stops at 0 and looks right; only the orders tell. A " +
				"condition protects nothing until its answer is read.",
			ZH: "根本不用并发：卖完之后，下一个人照样有订单。库存停在 0，看着没问题，" +
				"一数订单才知道多了。条件写对了还不够，结果也要看。",
		},
		Params: params(1), Lights: verdicts(breaks, holds, holds, breaks),
		File: "ignoredrowcount.go", Func: "(*Shop).IgnoredRowcount", JavaFile: "IgnoredRowcount.java",
		Steps: []lessons.Step{
			{
				Go:   "UPDATE voucher SET stock = stock - 1",
				Java: `.gt("stock", 0)`,
				Say: lessons.Text{
					EN: "{actor} takes a unit if one is left. The answer, {reply}, is thrown away.",
					ZH: "{actor} 有货才扣。结果是 {reply}，但没人看。",
				},
			},
			insertOrder(),
		},
		Scenario: sale("ignored-rowcount", world.Memory, (*oversell.Shop).IgnoredRowcount),
	}
}
