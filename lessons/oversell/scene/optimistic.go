package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/oversell"
	"flashlab/sim/world"
)

// The optimistic locks: write only if nobody has written since the read.

func casVersion() lessons.Variant {
	return lessons.Variant{
		Name: "cas-version",
		Title: lessons.Text{
			EN: "Optimistic lock: a version column",
			ZH: "乐观锁：版本号",
		},
		Summary: lessons.Text{
			EN: "Reads stock and version; the update counts only if the version is still the " +
				"same. Who loses is refused, there is no retry.",
			ZH: "查出库存和版本号，更新时要求版本号没变；变了就算失败，不重试。",
		},
		Moral: lessons.Text{
			EN: "Of those who read the same version one wins, so nothing is oversold. The " +
				"price: a loser is sent away even when units are left, so watch the number " +
				"sold as well. A retry would read everything anew.",
			ZH: "读到同一个版本号的人里只有一个能更新成功，所以不会超卖。" +
				"代价是货还有，人却被拒绝，所以还要看一共卖出几件。重试能补救，但要从头再查一遍。",
		},
		Params: params(2), Lights: verdicts(holds, holds, holds, holds),
		File: "casversion.go", Func: "(*Shop).CASVersion", JavaFile: "CasVersion.java",
		Steps: []lessons.Step{
			{
				Go:   "SELECT stock, version FROM voucher",
				Java: "seckillVoucherService.getById(voucherId)",
				Say: lessons.Text{
					EN: "{actor} reads stock and version: {reply}.",
					ZH: "{actor} 查出库存和版本号：{reply}。",
				},
			},
			{
				Go:   "s.DB.ExecContext(ctx, `UPDATE voucher",
				Java: `.eq("version", voucher.getVersion())`,
				Say: lessons.Text{
					EN: "{actor} takes a unit if the version is still what it read: {reply}.",
					ZH: "{actor} 更新，条件是版本号没变：{reply}。",
				},
			},
			insertOrder(),
		},
		Scenario: sale("cas-version", world.Memory, (*oversell.Shop).CASVersion),
	}
}

func casStock() lessons.Variant {
	return lessons.Variant{
		Name: "cas-stock",
		Title: lessons.Text{
			EN: "Optimistic lock: the stock is the version",
			ZH: "乐观锁：拿库存当版本号",
		},
		Summary: lessons.Text{
			EN: "No version column: the update asks that the stock is still the value read, " +
				"stock = old. Who loses is refused, there is no retry.",
			ZH: "不加版本号字段，更新条件写成 stock = 刚才查到的值；对不上就算失败，不重试。",
		},
		Moral: lessons.Text{
			EN: "Nothing is oversold, but the condition is too strict: it matters that a unit " +
				"is left, not that nobody has bought. In a rush buyers push each other out " +
				"before full shelves. Ask for stock > 0 instead: see guarded.",
			ZH: "不会超卖，但条件太严：要紧的是还有没有货，不是库存变没变。人一多就互相挤掉，" +
				"成功率很低，货还在架上。把条件换成 stock > 0 就好，见 guarded。",
		},
		Params: params(2), Lights: verdicts(holds, holds, holds, holds),
		File: "casstock.go", Func: "(*Shop).CASStock", JavaFile: "CasStock.java",
		Steps: []lessons.Step{
			readStock(),
			{
				Go:   "UPDATE voucher SET stock = stock - 1",
				Java: `.eq("stock", voucher.getStock())`,
				Say: lessons.Text{
					EN: "{actor} takes a unit if the stock is still what it read: {reply}.",
					ZH: "{actor} 更新，条件是库存没变：{reply}。",
				},
			},
			insertOrder(),
		},
		Scenario: sale("cas-stock", world.Memory, (*oversell.Shop).CASStock),
	}
}
