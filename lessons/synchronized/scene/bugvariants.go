package scene

import (
	"context"
	"strconv"

	"flashlab/lessons"
	"flashlab/lessons/shop"
	"flashlab/lessons/synchronized"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
	"flashlab/sim/world"
	store "flashlab/store/shop"
)

// bugVariants are what the exercises of bugs.go run: code in which something is
// wrong, and mends, not all of which mend.
func bugVariants() []lessons.Variant {
	return []lessons.Variant{
		bugOutside(), outsideAlone(),
		bugGranularity(), granularityPair(), granularityVoucher(), granularityGuarded(),
	}
}

func bugOutside() lessons.Variant {
	return lessons.Variant{
		Name: "bug-outside",
		Title: lessons.Text{
			EN: "Turn the second click away early",
			ZH: "先把重复点击挡在门外",
		},
		Summary: lessons.Text{
			EN: "Counts the user's orders; if there is none, takes the user's mutex and sells in one transaction.",
			ZH: "先查这个用户有没有订单，没有就拿用户锁，在一个事务里扣库存、插订单。",
		},
		Moral: lessons.Text{
			EN: "Both count 0 before either has the mutex, and the sale relies on it. Ask once more inside.",
			ZH: "两次点击在拿锁之前都查到 0，进了锁就照这个旧答案卖。锁里面要再查一次。",
		},
		Params: params(1), Lights: verdicts(breaks),
		File: "bugoutside.go", Func: "(*Shop).BuyOnce",
		Steps: []lessons.Step{count(), lock(), unlock(), {
			Go: "return s.sell(ctx, user, voucher)",
			Say: lessons.Text{
				EN: "{actor} sells in one transaction: {reply}.",
				ZH: "{actor} 在一个事务里扣库存、插订单：{reply}。",
			},
		}},
		Scenario: clicks("bug-outside", false, (*synchronized.Shop).BuyOnce),
	}
}

func outsideAlone() lessons.Variant {
	v := bugOutside()
	v.Name = "outside-alone"
	v.Title = lessons.Text{EN: "One mutex for everybody", ZH: "所有人共用一把锁"}
	v.Summary = lessons.Text{
		EN: "Counts first, as before; the sale is under one mutex for all users.",
		ZH: "照旧先查订单，卖的时候所有用户抢同一把锁。",
	}
	v.Moral = lessons.Text{
		EN: "A bigger lock around the same half of the work: the count is outside of it still.",
		ZH: "锁变大了，锁住的还是那一半：查订单照样在锁外面。",
	}
	v.File, v.Func = "bugoutsidealone.go", "(*Shop).BuyOnceAlone"
	v.Scenario = clicks("outside-alone", false, (*synchronized.Shop).BuyOnceAlone)
	return v
}

// strangers makes the scenario of clicks with a user of its own for every click.
func strangers(variant string, f buy) func(scenario.Params) *scenario.Scenario {
	return lessons.Changed(clicks(variant, true, f), func(s *scenario.Scenario) {
		s.Actors = func(w *world.World) []scenario.Actor {
			node := &synchronized.Shop{DB: w.DB}
			var out []scenario.Actor
			for i := range s.Params.Get("buyers") {
				user := int64(i + 1)
				out = append(out, scenario.Actor{
					Name: trace.Say("actor.buyer", "buyer {n}", "n", user), Node: "n1",
					User: strconv.FormatInt(user, 10),
					Body: func(ctx context.Context) error { return f(node, ctx, user, store.Voucher) },
				})
			}
			return out
		}
	})
}

// strangerParams are the sizes of that scenario: one node, and one unit.
func strangerParams() []scenario.Param {
	return []scenario.Param{scenario.Standard("buyers", 2), scenario.Standard("stock", 1)}
}

// oversold declares the lights of a variant that sells a unit twice.
func oversold() []lessons.LightVerdict {
	v := verdicts(holds)
	for i := range v {
		if v[i].Light == shop.NoOversell || v[i].Light == shop.Conservation {
			v[i].Verdict = breaks
		}
	}
	return v
}

func bugGranularity() lessons.Variant {
	return lessons.Variant{
		Name: "bug-granularity",
		Title: lessons.Text{
			EN: "The stock under the user's mutex",
			ZH: "用户锁里扣库存",
		},
		Summary: lessons.Text{
			EN: "Takes the user's mutex, reads the stock, writes it back, inserts the order. Two users, one node.",
			ZH: "拿用户锁，查库存，写回库存，插订单。两个用户，一台机器。",
		},
		Moral: lessons.Text{
			EN: "The mutex keeps a user away from himself. The stock belongs to all users, and no lock is theirs in common.",
			ZH: "用户锁挡的是他自己。库存是大家共用的，大家却没有一把共同的锁。",
		},
		Params: strangerParams(), Lights: oversold(),
		File: "buggranularity.go", Func: "(*Shop).BuyFromStock",
		Steps: []lessons.Step{
			lock(), unlock(),
			{Go: "SELECT stock FROM voucher", Say: lessons.Text{
				EN: "{actor} reads the stock: {reply}.",
				ZH: "{actor} 查到库存：{reply}。",
			}},
			{Go: "UPDATE voucher SET stock = ?", Say: lessons.Text{
				EN: "{actor} writes back what it has computed: {reply}.",
				ZH: "{actor} 把算好的库存写回去：{reply}。",
			}},
			{Go: "insertOrder, user, voucher)", Say: lessons.Text{
				EN: "{actor} inserts its order: {reply}.",
				ZH: "{actor} 插入订单：{reply}。",
			}},
		},
		Scenario: strangers("bug-granularity", (*synchronized.Shop).BuyFromStock),
	}
}

func granularityPair() lessons.Variant {
	v := bugGranularity()
	v.Name = "granularity-pair"
	v.Title = lessons.Text{EN: "A mutex per user and voucher", ZH: "每个用户每张券一把锁"}
	v.Summary = lessons.Text{
		EN: "The same code under a mutex for each pair of user and voucher.",
		ZH: "代码一样，锁换成用户加券的组合。",
	}
	v.Moral = lessons.Text{
		EN: "Finer still: two users never share a mutex, whatever they buy.",
		ZH: "锁更细了：两个用户不管买什么，都不会抢同一把。",
	}
	v.File, v.Func = "buggranularitypair.go", "(*Shop).BuyByPair"
	v.Scenario = strangers("granularity-pair", (*synchronized.Shop).BuyByPair)
	return v
}

func granularityVoucher() lessons.Variant {
	v := bugGranularity()
	v.Name = "granularity-voucher"
	v.Title = lessons.Text{EN: "One mutex per voucher", ZH: "每张券一把锁"}
	v.Summary = lessons.Text{
		EN: "The same code under the mutex of the voucher: all its buyers queue.",
		ZH: "代码一样，锁换成券的：买这张券的人全排队。",
	}
	v.Moral = lessons.Text{
		EN: "The mutex belongs to what it protects, and so it holds, on one node. Strangers wait for each other.",
		ZH: "锁和它保护的东西对上了，一台机器上守得住。代价是不相干的人也要互相等。",
	}
	v.Lights = verdicts(holds)
	v.File, v.Func = "buggranularityvoucher.go", "(*Shop).BuyByVoucher"
	v.Scenario = strangers("granularity-voucher", (*synchronized.Shop).BuyByVoucher)
	return v
}

func granularityGuarded() lessons.Variant {
	v := bugGranularity()
	v.Name = "granularity-guarded"
	v.Title = lessons.Text{EN: "The UPDATE looks after the stock", ZH: "库存交给 UPDATE 守"}
	v.Summary = lessons.Text{
		EN: "Under the user's mutex: count, UPDATE with stock > 0, INSERT, COMMIT, as in mutex-one-node.",
		ZH: "用户锁里查订单，UPDATE 带 stock > 0，INSERT，提交，和 mutex-one-node 一样。",
	}
	v.Moral = lessons.Text{
		EN: "The mutex asks whether this user has bought, the UPDATE whether a unit is left. Each guards its own.",
		ZH: "用户锁管这个人买没买过，UPDATE 管还有没有货，各守各的。",
	}
	v.Lights = verdicts(holds)
	v.File, v.Func = "mutexperuser.go", "(*Shop).MutexPerUser"
	v.Steps = mutexPerUser()
	v.Scenario = strangers("granularity-guarded", (*synchronized.Shop).MutexPerUser)
	return v
}
