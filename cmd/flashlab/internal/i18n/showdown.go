package i18n

// Showdown are the words of the showdown.
type Showdown struct {
	Title        string
	Badge        string
	Embedded     string    // the engine
	Paths        [3]string // in the order of showdown.Paths
	Intro        string
	Ways         [3]string // what each path does
	How          string
	Limiter      string
	Guess        string
	KeptOn       string // {date}
	Progress     string // {n} {all}
	Sale         string // {path} {atonce} {stock} {limiter}
	Now          string // {sale}
	AllHold      string // {n}
	Broke        string // {bad} {n}
	Undecided    string // {bad} {n}
	Stopped      string // {n} {all}
	Breaks       string // {sale} {lights}
	Open         string // {sale}
	Answered     string
	Wait         string
	OverAtOnce   string // {what} {stock} {limiter}
	OverStock    string // {what} {atonce} {limiter}
	Limited      string
	Unlimited    string
	AtOnce       string // heading of a row
	Stock        string // heading of a row
	Drained      string // heading of a row
	Ratio        string // heading of a row
	RatioDrained string // behind Ratio
	Booking      string // heading of a row
	Depends      string // heading
	Misleads     string // in one line
	Compared     string
	Kept         string // {requests} {server}
	ByItself     string
	Different    string // {requests} {server}
	Claims       string // heading
	Claim        string // {text}
	Figure       string // {value} {what} {text}
	Stop         string // option
	Quick        string // option {n} {requests}
	Full         string // option {n} {requests}
	Next         string // option {what}
	Keep         string // option
	Compute      string // option
	Figures      string // option
	Computing    string // busy
	KeptIn       string // {file}
	NoPlace      string
	Foreign      string // {file}
	NotRead      string // {file} {why}
	NotKept      string // {file} {why}
	Storming     string
	Ends         string // option at the end of a lesson
}

var showdownEN = Showdown{
	Title: "showdown", Badge: "embedded Redis: misleading", Embedded: "the embedded Redis",
	Paths: [3]string{"lock + transaction", "guarded update", "script + stream"},
	Intro: "One sale, three ways to write it, all of them the shop's own code.",
	Ways: [3]string{
		"each request takes the user's lock, books in a transaction, then answers",
		"the UPDATE has the condition; a unique index refuses the second order",
		"a script in Redis decides and answers; consumers book later, in batches",
	},
	How:       "Each is measured over the requests at once and over the stock, alone and behind a limiter. A sale that breaks a promise does not count.",
	Limiter:   "The limiter lets a quarter of the requests pass in a second and tells the others to come back later; they count as answered.",
	Guess:     "Guess before you measure: how many times as fast is the script?",
	KeptOn:    "What you measure is compared with the showdown kept on {date}.",
	Progress:  "{n} of {all} sales",
	Sale:      "{path}, {atonce} at once, stock {stock}, {limiter}",
	Now:       "now: {sale}",
	AllHold:   "All {n} sales kept every promise.",
	Broke:     "{bad} of {n} sales broke a promise: not counted.",
	Undecided: "{bad} of {n} sales not decided: not counted.",
	Stopped:   "Stopped: {n} of {all} sales were measured.",
	Breaks:    "{sale}: breaks {lights}, so it does not count.",
	Open:      "{sale}: not decided, so it does not count.",
	Answered:  "answers a second", Wait: "99 of 100 answers come within",
	OverAtOnce: "{what}, {limiter}, stock {stock}", OverStock: "{what}, {limiter}, {atonce} at once",
	Limited: "behind the limiter", Unlimited: "without a limiter",
	AtOnce: "at once", Stock: "stock", Drained: "■ drain counted", Ratio: "■ ÷ ●", RatioDrained: " (drain counted)", Booking: "■ then still books",
	Depends: "What the ratio depends on", Misleads: "Misleading: see below.",
	Compared:  "answers a second, now ÷ kept",
	Kept:      "Kept: {requests} requests in each sale, on {server}.",
	ByItself:  "If you changed nothing in between, the factors show how far such figures vary by themselves.",
	Different: "Now: {requests} requests in each sale, on {server}. The two are not alike, so the factors show that as well.",
	Claims:    "Claims from the field, computed just now", Claim: "Claim: {text}.", Figure: "{value}  {what} ({text})",
	Stop: "stop", Quick: "measure quickly: {n} sales of {requests} requests", Full: "measure in full: {n} sales of {requests} requests",
	Next: "next: {what}", Keep: "keep these figures; the next ones are compared with them", Compute: "claims from the field: compute them now", Figures: "back to the figures",
	Computing: "computing the claims ...",
	KeptIn:    "kept in {file}; flashlab showdown --compare reads it", NoPlace: "there is no place to keep them",
	Foreign: "{file} holds something else than a showdown; it was left as it is. Move it away to keep one there.",
	NotRead: "{file} cannot be read: {why}", NotKept: "not kept, {file} cannot be written: {why}",
	Storming: "a storm is running and would be measured with it: stop it first",
	Ends:     "showdown: how much faster is it?",
}

var showdownZH = Showdown{
	Title: "较量", Badge: "内嵌 Redis：数字会误导", Embedded: "内嵌的 Redis",
	Paths: [3]string{"加锁开事务", "条件更新", "脚本加 Stream"},
	Intro: "同一场秒杀，三种写法，都是店里自己的代码。",
	Ways: [3]string{
		"每个请求先拿用户的锁，再开事务写订单，写完才有结果",
		"条件写在 UPDATE 里，第二单由唯一索引挡住",
		"Redis 里的一段脚本当场给结果，订单由消费者之后成批落库",
	},
	How:       "每种都按并发、按库存各量一遍，先裸跑，再在前面放一个限流器。破坏了承诺的，再快也不算数。",
	Limiter:   "限流器每秒放过四分之一的请求，其余的让他们稍后再来，也算有了答复。",
	Guess:     "量之前先猜一猜：脚本快多少倍？",
	KeptOn:    "这次的结果会跟 {date} 存下的那次比。",
	Progress:  "{n}/{all} 场",
	Sale:      "{path}，{atonce} 个并发，库存 {stock}，{limiter}",
	Now:       "正在跑：{sale}",
	AllHold:   "{n} 场全都守住了承诺。",
	Broke:     "{n} 场里有 {bad} 场破坏了承诺，不算数。",
	Undecided: "{n} 场里有 {bad} 场没能判定，不算数。",
	Stopped:   "停下了：{all} 场里量了 {n} 场。",
	Breaks:    "{sale}：破坏了 {lights}，不算数。",
	Open:      "{sale}：没能判定，不算数。",
	Answered:  "每秒答复数", Wait: "99% 的请求多久有结果",
	OverAtOnce: "{what}，{limiter}，库存 {stock}", OverStock: "{what}，{limiter}，{atonce} 个并发",
	Limited: "有限流", Unlimited: "不限流",
	AtOnce: "并发", Stock: "库存", Drained: "■ 算上消化", Ratio: "■ ÷ ●", RatioDrained: "（算上消化）", Booking: "■ 之后还要落库",
	Depends: "倍数要看什么", Misleads: "数字会误导人，见下。",
	Compared:  "每秒答复数，这次 ÷ 存下的那次",
	Kept:      "存下的那次：每场 {requests} 个请求，{server}。",
	ByItself:  "中间什么都没改的话，这些倍数就是数字自己的起伏。",
	Different: "这次：每场 {requests} 个请求，{server}。两次条件不同，倍数里也有条件的份。",
	Claims:    "坊间的说法，刚刚算出来的", Claim: "说法：{text}。", Figure: "{value}  {what}（{text}）",
	Stop: "停下", Quick: "快速量一遍：{n} 场，每场 {requests} 个请求", Full: "完整量一遍：{n} 场，每场 {requests} 个请求",
	Next: "换一张：{what}", Keep: "存下这些数字，下一次跟它比", Compute: "坊间的说法：当场算一算", Figures: "回到数字",
	Computing: "正在算……",
	KeptIn:    "已存到 {file}，flashlab showdown --compare 能读", NoPlace: "没有地方可存",
	Foreign: "{file} 里不是较量的结果，没有动它。把它移走才能存在那里。",
	NotRead: "{file} 读不了：{why}", NotKept: "没存上，{file} 写不了：{why}",
	Storming: "风暴还在跑，会影响测量：先停下它",
	Ends:     "较量：到底快多少？",
}
