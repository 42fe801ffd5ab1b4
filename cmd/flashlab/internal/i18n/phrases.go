package i18n

import "flashlab/sim/trace"

// Say puts a phrase that was made outside of the screen into words: figures behind a
// light, names of actors, notes of a scenario, mistakes. Without words of its own the
// language takes the English ones.
func (s *Strings) Say(p trace.Phrase) string { return s.Panes.Say(p) }

// Say is that of Strings.
func (w *Panes) Say(p trace.Phrase) string {
	if own, ok := w.Phrases[p.Key]; ok && p.Key != "" {
		return Fill(own, p.Values...)
	}
	return p.String()
}

// phrasesZH are the Chinese words of phrases, by key. English has none here: it stands
// with whoever makes them.
var phrasesZH = map[string]string{
	// The figures behind a light.
	"sale.orders":    "订单 {orders} 个，初始库存 {start}",
	"sale.stock":     "库存 {stock}",
	"sale.per-user":  "单个用户最多 {most} 单",
	"sale.account":   "库存 {stock} + 订单 {orders}，初始 {start}",
	"flow.stocks":    "Redis 库存 {left}，数据库库存 {booked}",
	"flow.account":   "Redis 库存 {left} + 订单 {orders} + 在途 {way}，初始 {start}",
	"flow.answers":   "受理 {yes} 个，其中没有订单的 {lost} 个",
	"lab.unfinished": "没走完的 {waiting} 个，在途 {flying} 个",

	// Actors.
	"actor.buyer":     "买家 {n}",
	"actor.request":   "请求 {n}",
	"actor.click":     "点击 {n}",
	"actor.user":      "用户 {n}",
	"actor.consumer":  "消费者 {name}",
	"actor.statement": "用户 {n} 的对账",
	"watchdog":        "看门狗",
	"renewal":         "续期",
	"listener":        "监听",

	// Notes.
	"note.no-unique":      "没有 UNIQUE(user, voucher)",
	"note.refused":        "用户 {n} 的订单会被拒绝",
	"note.never-answered": "{actor} 的支付一直没有返回",

	// Mistakes.
	"lesson.near":      "没有课程 {name}：是不是 {names}？",
	"lesson.unknown":   "没有课程 {name}：可选 {names}",
	"variant.near":     "{lesson} 这一课没有写法 {name}：是不是 {names}？",
	"variant.unknown":  "{lesson} 这一课没有写法 {name}：可选 {names}",
	"exercise.near":    "没有练习 {name}：是不是 {names}？",
	"exercise.unknown": "没有练习 {name}：可选的有 {names}",
	"staged.near":      "{lesson} 这一课没有预设演示 {name}：是不是 {names}？",
	"staged.unknown":   "{lesson} 这一课没有预设演示 {name}：可选 {names}",
	"setting.range":    "{name}={value} 不行：{name} 要填 {min} 到 {max} 的整数",
	"setting.unknown":  "这里没有参数 {name}：可选 {names}",
	"setting.form":     "{text} 不是参数：要写成 名称=数字，例如 buyers=3",
}
