package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/oversell"
	"flashlab/sim/scenario"
	"flashlab/sim/sqlgate"
	"flashlab/sim/world"
)

// everythingSold is red where units are left although somebody wanted them.
const everythingSold = "everything-sold"

// bugVariants are what the exercises of bugs.go run: code in which something is
// wrong, and mends, not all of which mend.
func bugVariants() []lessons.Variant {
	return []lessons.Variant{
		bugLimit(), limitAtZero(),
		bugUpgrade(), upgradeRetry(), upgradeImmediate(),
		bugCommit(), commitTakeBack(),
	}
}

// takeUnit is the step of an update that takes a unit.
func takeUnit() lessons.Step {
	return lessons.Step{
		Go: "UPDATE voucher SET stock = stock - 1",
		Say: lessons.Text{
			EN: "{actor} takes a unit: {reply}.",
			ZH: "{actor} 扣一件：{reply}。",
		},
	}
}

// readIn is the step of a read inside a transaction.
func readIn() lessons.Step {
	return lessons.Step{
		Go: "SELECT stock FROM voucher",
		Say: lessons.Text{
			EN: "{actor} reads {reply} within its transaction.",
			ZH: "{actor} 在事务里查到 {reply}。",
		},
	}
}

func bugLimit() lessons.Variant {
	return lessons.Variant{
		Name: "bug-limit",
		Title: lessons.Text{
			EN: "A limit checked under the write lock",
			ZH: "拿着写锁判断库存",
		},
		Summary: lessons.Text{
			EN: "BEGIN IMMEDIATE, read the stock, check it, take a unit, insert the order, commit.",
			ZH: "BEGIN IMMEDIATE，查库存，判断，扣一件，插订单，提交。",
		},
		Moral: lessons.Text{
			EN: "At 0 nothing is left, and < 0 lets 0 pass: one too many is sold, whoever comes first.",
			ZH: "库存到 0 就没货了，写成 < 0 却放了过去：不管谁先谁后，都多卖一件。",
		},
		Params: params(1), Lights: verdicts(breaks, breaks, holds, holds),
		File: "buglimit.go", Func: "(*Shop).BuyLimited",
		Steps:    []lessons.Step{begin(), readIn(), takeUnit(), insertOrder(), commit(), rollback()},
		Scenario: sale("bug-limit", world.WAL, (*oversell.Shop).BuyLimited),
	}
}

func limitAtZero() lessons.Variant {
	v := guarded()
	v.Name = "limit-at-zero"
	v.Title = lessons.Text{EN: "WHERE stock >= 0", ZH: "条件写成 stock >= 0"}
	v.Summary = lessons.Text{
		EN: "The code of guarded, with the condition stock >= 0 in its UPDATE.",
		ZH: "代码同 guarded，UPDATE 的条件换成 stock >= 0。",
	}
	v.Moral = lessons.Text{
		EN: "The same mistake in the right place: at 0 the row is changed once more.",
		ZH: "位置对了，边界还是错的：库存是 0 的行又被改了一次。",
	}
	v.Lights = verdicts(breaks, breaks, holds, holds)
	v.Scenario = lessons.Changed(sale("limit-at-zero", world.WAL, (*oversell.Shop).Guarded), func(s *scenario.Scenario) {
		s.World.ReplaceSQL = map[string]string{guardedUpdate: "UPDATE voucher SET stock = stock - 1 WHERE id = ? AND stock >= 0"}
	})
	return v
}

// plain makes a sale whose transactions begin as given, with a light that asks
// whether all was sold that could be.
func plain(variant string, begin sqlgate.Begin, f buy) func(scenario.Params) *scenario.Scenario {
	return lessons.Changed(sale(variant, world.WAL, f), func(s *scenario.Scenario) {
		s.World.Begin = begin
		want := min(s.Params.Get("buyers"), s.Params.Get("stock"))
		s.Lights = append(s.Lights, scenario.Light{
			Name: everythingSold, When: scenario.AtEnd,
			Check: func(v *scenario.View) (bool, error) {
				rows, err := v.Rows("orders")
				return len(rows) >= want, err
			},
		})
	})
}

// sold declares the lights of a variant that never sells too much.
func sold(verdict scenario.Verdict) []lessons.LightVerdict {
	return append(verdicts(holds, holds, holds, holds), lessons.LightVerdict{Light: everythingSold, Verdict: verdict})
}

func bugUpgrade() lessons.Variant {
	return lessons.Variant{
		Name: "bug-upgrade",
		Title: lessons.Text{
			EN: "Read and write in one transaction",
			ZH: "查和改放在一个事务里",
		},
		Summary: lessons.Text{
			EN: "A plain BEGIN, read the stock, check it, UPDATE with stock > 0, insert the order, commit.",
			ZH: "普通 BEGIN，查库存，判断，UPDATE 带 stock > 0，插订单，提交。",
		},
		Moral: lessons.Text{
			EN: "Who has read an old picture may not write on it: SQLITE_BUSY_SNAPSHOT, at once, and a unit stays unsold.",
			ZH: "手里是旧快照的事务不许再写，当场报 SQLITE_BUSY_SNAPSHOT，货就剩下一件卖不出去。",
		},
		Params: params(2), Lights: sold(breaks),
		File: "bugupgrade.go", Func: "(*Shop).BuyInTx",
		Steps:    []lessons.Step{readIn(), takeUnit(), insertOrder(), commitPlain()},
		Scenario: plain("bug-upgrade", sqlgate.Deferred, (*oversell.Shop).BuyInTx),
	}
}

func commitPlain() lessons.Step {
	return lessons.Step{Go: "return tx.Commit()", Say: commit().Say}
}

func upgradeRetry() lessons.Variant {
	v := bugUpgrade()
	v.Name = "upgrade-retry"
	v.Title = lessons.Text{EN: "Try the UPDATE again", ZH: "UPDATE 失败就重试"}
	v.Summary = lessons.Text{
		EN: "The same plain transaction; an UPDATE that fails is tried up to three times.",
		ZH: "还是那个普通事务，UPDATE 失败就重试，最多三次。",
	}
	v.Moral = lessons.Text{
		EN: "The snapshot is as old at the third try as at the first. Only a new transaction reads anew.",
		ZH: "试到第三次，快照还是那份旧的。只有重开事务，才会重新读。",
	}
	v.File, v.Func = "bugupgraderetry.go", "(*Shop).BuyInTxRetry"
	v.Steps = []lessons.Step{readIn(), {Go: "`UPDATE voucher", Say: takeUnit().Say}, insertOrder(), commitPlain()}
	v.Scenario = plain("upgrade-retry", sqlgate.Deferred, (*oversell.Shop).BuyInTxRetry)
	return v
}

func upgradeImmediate() lessons.Variant {
	v := bugUpgrade()
	v.Name = "upgrade-immediate"
	v.Title = lessons.Text{EN: "The write lock before the read", ZH: "先拿写锁，再查"}
	v.Summary = lessons.Text{
		EN: "The same code; the DSN says _txlock=immediate, so that BEGIN takes the write lock.",
		ZH: "代码一样，DSN 里写上 _txlock=immediate，BEGIN 时就拿写锁。",
	}
	v.Moral = lessons.Text{
		EN: "It waits at the start, where waiting helps: what it reads then is new.",
		ZH: "在开头等，等得有用：轮到自己再查，查到的就是新的。",
	}
	v.Lights = sold(holds)
	v.Steps = append([]lessons.Step{begin(), rollback()}, v.Steps...)
	v.Scenario = plain("upgrade-immediate", sqlgate.Immediate, (*oversell.Shop).BuyInTx)
	return v
}

func bugCommit() lessons.Variant {
	return lessons.Variant{
		Name: "bug-commit",
		Title: lessons.Text{
			EN: "Insert, deduct, or refuse",
			ZH: "插订单，扣库存，不够就拒绝",
		},
		Summary: lessons.Text{
			EN: "One transaction: insert the order, take a unit, look at the row count. It is ended in a deferred call.",
			ZH: "一个事务：插订单，扣库存，看影响行数。事务在 defer 里结束。",
		},
		Moral: lessons.Text{
			EN: "The deferred call commits on every way out, and the order of a refused buyer stays.",
			ZH: "不管从哪里返回，defer 都提交，被拒绝的人的订单也留下了。",
		},
		Params: params(1), Lights: verdicts(breaks, holds, holds, breaks),
		File: "bugcommit.go", Func: "(*Shop).BuyOrRefuse",
		Steps: []lessons.Step{
			begin(), insertOrder(), takeUnit(),
			{Go: "tx.Commit()", Say: lessons.Text{
				EN: "{actor} ends its transaction with COMMIT, and the write lock is free.",
				ZH: "{actor} 用 COMMIT 结束事务，写锁释放。",
			}},
		},
		Scenario: sale("bug-commit", world.WAL, (*oversell.Shop).BuyOrRefuse),
	}
}

func commitTakeBack() lessons.Variant {
	return lessons.Variant{
		Name: "commit-take-back",
		Title: lessons.Text{
			EN: "Insert, and delete again",
			ZH: "先插订单，没货再删",
		},
		Summary: lessons.Text{
			EN: "No transaction: insert the order, take a unit; without one, delete the order again.",
			ZH: "不用事务：插订单，扣库存，扣不到就把订单删掉。",
		},
		Moral: lessons.Text{
			EN: "For a while there is one order too many, for everybody to see; a crash makes it stay.",
			ZH: "有那么一会儿多出一张订单，谁都看得见；这时宕机，它就留下了。",
		},
		Params: params(1), Lights: verdicts(breaks, holds, holds, holds),
		File: "bugtakeback.go", Func: "(*Shop).BuyOrTakeBack",
		Steps: []lessons.Step{
			{Go: "INSERT INTO orders", Say: insertOrder().Say},
			takeUnit(),
			{Go: "DELETE FROM orders", Say: lessons.Text{
				EN: "{actor} deletes its order again: {reply}.",
				ZH: "{actor} 把自己的订单删掉：{reply}。",
			}},
		},
		Scenario: sale("commit-take-back", world.Memory, (*oversell.Shop).BuyOrTakeBack),
	}
}
