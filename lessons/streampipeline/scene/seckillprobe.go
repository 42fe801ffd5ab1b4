package scene

import (
	"context"
	"fmt"
	"regexp"
	"strconv"

	"github.com/redis/go-redis/v9"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
)

// The probes sell under names that no script can guess, and lay out those that it
// might have written down.
const (
	stockKey  = "seckill:stock:{9}"
	usersKey  = "seckill:order:{9}"
	streamKey = "stream.orders:{9}"

	orderID = "542155439849472402" // more than a Lua number holds
)

// saleTry calls the script once. left is the stock, "" for none; bought says that the
// user has bought before.
func saleTry(parts []string, left string, bought bool, args ...any) exercise.Try {
	return exercise.Try{
		Parts: parts, Keys: []string{stockKey, usersKey, streamKey}, Args: args,
		Before: func(ctx context.Context, rdb *redis.Client) error {
			for _, k := range []string{"seckill:stock:9", "seckill:stock:7", "seckill:stock:1"} {
				if err := rdb.Set(ctx, k, "2", 0).Err(); err != nil {
					return err
				}
			}
			if left != "" {
				if err := rdb.Set(ctx, stockKey, left, 0).Err(); err != nil {
					return err
				}
			}
			if !bought {
				return nil
			}
			return rdb.SAdd(ctx, usersKey, "7").Err()
		},
	}
}

func sentence(mistake, en, zh string, args ...any) *lessons.Miss {
	return &lessons.Miss{Mistake: mistake, Sentence: lessons.Text{EN: fmt.Sprintf(en, args...), ZH: fmt.Sprintf(zh, args...)}}
}

// ask makes a probe. Whoever acts in two calls has a worse problem than the one that
// a single call shows: the scenes will name it.
func ask(t exercise.Try, look func(ctx context.Context, o *exercise.Outcome) *lessons.Miss) lessons.Probe {
	return exercise.Probe(t, func(ctx context.Context, o *exercise.Outcome) *lessons.Miss {
		if o.Stopped() {
			return nil
		}
		if o.Touched(stockKey, usersKey, streamKey) {
			return sentence(exercise.WrongKey, "The script uses a key that it was not given: take all three from KEYS.", "脚本用了没有交给它的 key，三个都要从 KEYS 里取。")
		}
		m := look(ctx, o)
		if m != nil && len(t.Parts) > 1 {
			m.Mistake = ""
		}
		return m
	})
}

// wrong is a wrong answer where nothing else is wrong.
func wrong(o *exercise.Outcome, want int64, en, zh string) *lessons.Miss {
	if o.Err != nil || o.Reply == want {
		return nil
	}
	got := fmt.Sprint(o.Reply)
	if o.Reply == nil {
		got = "nil"
	}
	return sentence(exercise.WrongAnswer, en+", and the answer is %s, not %d.", zh+"，返回的却是 %s，应该是 %d。", got, want)
}

// entry is the order in the stream.
func entry(user, voucher, id string) string {
	return fmt.Sprintf("[map[id:%s userId:%s voucherId:%s]]", id, user, voucher)
}

// sold reports whether a sale has left exactly what it should.
func sold(o *exercise.Outcome, left string) bool {
	return o.After[stockKey] == left && o.After[usersKey] == "[7]" && o.After[streamKey] == entry("7", "9", orderID)
}

// zeroIsTrue finds an answer of 0 or 1 that is taken for a truth value.
var zeroIsTrue = regexp.MustCompile(`(?i)['"]SISMEMBER['"][^()]*\)\s*(?:then|and|or)\b`)

func sellsOne(parts []string, text string) lessons.Probe {
	t := saleTry(parts, "2", false, 7, 9, orderID)
	return ask(t, func(ctx context.Context, o *exercise.Outcome) *lessons.Miss {
		switch {
		case sold(o, "1"):
			return wrong(o, 0, "A unit is sold", "卖出了一件")
		case t.Otherwise(ctx, []string{usersKey, stockKey, streamKey}, t.Args, func(o *exercise.Outcome) bool { return sold(o, "1") }):
			return sentence(exercise.SwappedArgs, "Two keys are swapped: KEYS[1] is the stock, KEYS[2] the set of users.", "两个 key 用反了：KEYS[1] 是库存，KEYS[2] 是用户集合。")
		case o.Err != nil:
			return nil
		case len(o.Changed()) == 0:
			return sellsNothing(o, text)
		case o.After[stockKey] == "2":
			return sentence(exercise.NotDeducted, "The order is queued, and the stock is still 2: no unit was taken.", "订单进了队列，库存还是 2：没有扣。")
		case o.After[stockKey] != "1":
			return sentence(exercise.OffByOne, "One is sold out of 2, and the stock is now %s.", "库存 2 件，卖了一件，现在却是 %s。", o.After[stockKey])
		case o.After[usersKey] == "":
			return sentence(exercise.NoDuplicate, "The user is not marked as a buyer, and can buy again and again.", "没有记下这个用户，他可以一买再买。")
		case o.After[usersKey] != "[7]":
			return sentence(exercise.SwappedArgs, "User 7 has bought, and the set of users holds %s: ARGV[1] is the user.", "买的是用户 7，集合里记的却是 %s：ARGV[1] 才是用户。", o.After[usersKey])
		case o.After[streamKey] == "":
			return sentence(exercise.NoOrder, "The answer is yes, a unit is gone, and no order is in the stream.", "返回了成功，库存也扣了，Stream 里却没有订单。")
		}
		return queues(o.After[streamKey])
	})
}

// sellsNothing is said of a script that sells nothing though everything is there.
func sellsNothing(o *exercise.Outcome, text string) *lessons.Miss {
	switch o.Reply {
	case int64(0):
		return sentence(exercise.Trivial, "The answer is yes, and nothing has been done.", "返回了成功，其实什么也没做。")
	case int64(2):
		if zeroIsTrue.MatchString(text) {
			return sentence(exercise.ZeroIsTrue, "Nobody has bought, and the first one is told that he has: SISMEMBER answers 0, and 0 is true in Lua.", "还没人买过，第一个就被当成重复下单：SISMEMBER 返回 0，而 Lua 里 0 是真。")
		}
		return sentence(exercise.ZeroIsTrue, "Nobody has bought, and the first one is told that he has. Is a 0 taken for true?", "还没人买过，第一个就被当成重复下单。是不是把 0 当成真了？")
	}
	return sentence(exercise.Trivial, "Two units are left and all arguments are there, but nothing is sold: the answer is %v.", "还有两件，参数也齐，却不卖，返回 %v。", o.Reply)
}

var fieldOf = regexp.MustCompile(`(\w+):(\S*?)[ \]]`)

// queues says what is wrong with an entry of the stream.
func queues(entries string) *lessons.Miss {
	got := map[string]string{}
	for _, m := range fieldOf.FindAllStringSubmatch(entries[len("[map["):], -1) {
		got[m[1]] = m[2]
	}
	id, err := strconv.ParseFloat(got["id"], 64)
	wanted, _ := strconv.ParseFloat(orderID, 64)
	switch {
	case len(got) != 3 || got["userId"] == "" || got["voucherId"] == "" || got["id"] == "":
		return sentence(exercise.NoOrder, "The consumer looks for userId, voucherId and id, and the entry is %s.", "消费者要的字段是 userId、voucherId、id，消息里却是 %s。", entries)
	case got["userId"] == "7" && got["voucherId"] == "9" && err == nil && id/wanted > 0.999 && id/wanted < 1.001:
		return sentence(exercise.DigitsLost, "Order %s is queued as %s: a Lua number holds 53 bits, leave ids as text.", "订单号 %s 进了队列变成 %s：Lua 数字只有 53 位，id 要一直当字符串。", orderID, got["id"])
	}
	return sentence(exercise.SwappedArgs, "User 7, voucher 9, but the entry is %s: ARGV is userId, voucherId, orderId.", "用户 7、券 9，消息里却是 %s：ARGV 依次是 userId、voucherId、orderId。", entries)
}

func refusesTwice(parts []string) lessons.Probe {
	return ask(saleTry(parts, "2", true, 7, 9, orderID), func(_ context.Context, o *exercise.Outcome) *lessons.Miss {
		switch {
		case len(o.Changed()) == 0:
			return wrong(o, 2, "The user has bought before", "这个用户买过")
		case o.Err == nil && o.Reply == int64(0):
			return sentence(exercise.NoDuplicate, "The user has bought before, and buys once more.", "这个用户已经买过，又买到了一次。")
		case o.After[stockKey] != "2":
			return sentence(exercise.WriteFirst, "The second click is refused, and a unit is gone: the script writes before it asks.", "第二次点击被拒绝了，库存却少了一件：脚本先写后问。")
		}
		return sentence(exercise.WriteFirst, "The second click is refused, and data have changed all the same.", "第二次点击被拒绝了，数据却还是改了。")
	})
}

func refusesSoldOut(parts []string) lessons.Probe {
	return ask(saleTry(parts, "0", false, 7, 9, orderID), func(_ context.Context, o *exercise.Outcome) *lessons.Miss {
		switch {
		case len(o.Changed()) == 0:
			return wrong(o, 1, "The stock is 0", "库存是 0")
		case o.Err == nil && o.Reply == int64(0):
			return sentence(exercise.OffByOne, "The stock is 0, and one more is sold: now it is %s.", "库存是 0，又卖了一件，变成 %s。", o.After[stockKey])
		case o.After[stockKey] != "0":
			return sentence(exercise.WriteFirst, "Sold out, says the answer, and the stock has become %s: deducted before it was looked at.", "返回售罄，库存却变成 %s：没看够不够就先扣了。", o.After[stockKey])
		}
		return sentence(exercise.WriteFirst, "Sold out, says the answer, and the user is marked: he can never buy again.", "返回售罄，用户却被记成买过：他再也买不了了。")
	})
}

func sellsLast(parts []string) lessons.Probe {
	return ask(saleTry(parts, "1", false, 7, 9, orderID), func(_ context.Context, o *exercise.Outcome) *lessons.Miss {
		if o.Err != nil || sold(o, "0") {
			return nil
		}
		return sentence(exercise.OffByOne, "One unit is left, and it is not sold: the answer is %v.", "还剩一件，却不卖，返回 %v。", o.Reply)
	})
}

// comparesNil finds a comparison with nil: a missing key is false.
var comparesNil = regexp.MustCompile(`[=~]=\s*nil\b`)

func refusesNoSale(parts []string, text string) lessons.Probe {
	return ask(saleTry(parts, "", false, 7, 9, orderID), func(_ context.Context, o *exercise.Outcome) *lessons.Miss {
		switch {
		case len(o.Changed()) > 0:
			return sentence(exercise.MissingIsNil, "There is no stock key, and the script writes: GET gives false for it, ask for that first.", "没有库存 key，脚本却写了数据：GET 得到的是 false，要先判断。")
		case o.Err == nil && o.Reply != int64(3) && comparesNil.MatchString(text):
			return sentence(exercise.MissingIsNil, "There is no stock key, and the answer is %v: a missing key gives false, not nil.", "没有库存 key，返回的却是 %v：不存在得到的是 false，不是 nil。", o.Reply)
		}
		return wrong(o, 3, "There is no stock key", "没有库存 key")
	})
}

func refusesMissing(parts []string) lessons.Probe {
	return ask(saleTry(parts, "2", false, 7, 9), func(_ context.Context, o *exercise.Outcome) *lessons.Miss {
		switch {
		case len(o.Changed()) > 0 && o.Err != nil:
			return sentence(exercise.WriteThenFail, "The order id is missing: the script fails in its midst, and what it wrote stays. No rollback.", "缺了订单号：脚本跑到一半报错，前面写的都还在，Redis 不回滚。")
		case len(o.Changed()) > 0:
			return sentence(exercise.WriteThenFail, "The order id is missing, and the script sells all the same.", "缺了订单号，脚本照卖不误。")
		case o.Err != nil:
			return sentence(exercise.Fails, "The order id is missing, and the script ends with an error instead of 4.", "缺了订单号，脚本直接报错，应该返回 4。")
		}
		return wrong(o, 4, "The order id is missing", "缺了订单号")
	})
}

func refusesWords(parts []string) lessons.Probe {
	return ask(saleTry(parts, "2", false, 7, 9, "abc"), func(_ context.Context, o *exercise.Outcome) *lessons.Miss {
		if len(o.Changed()) > 0 {
			return sentence(exercise.WriteThenFail, "The order id is 'abc', and the script queues it: no consumer can ever book that.", "订单号是 'abc'，脚本也收了：哪个消费者都落不了库。")
		}
		return wrong(o, 4, "The order id is 'abc'", "订单号是 'abc'")
	})
}
