package i18n

// Panes are the words inside panes. Names in braces are filled in by Fill. Words that
// head columns or stand in narrow places are kept short in both languages. Names of
// lights, statements and values are the same in every language and stand here only
// with what they mean.
type Panes struct {
	// Titles.
	Timeline, Choices, Source, Redis, SQLite, Invariants, Narration, Events string
	Counters, Histogram, Verdicts, Counterexample                           string
	OneKey, Keys                                                            string // {n}

	Colon, Semicolon, Comma, Stop string // between and after clauses

	// Rows out of sight.
	Above, Below string // {n}

	// Timeline.
	NoSteps    string
	RunOutRule string // the line before the run-out

	// Why an actor cannot step.
	Waits, WaitsBy, WaitsByShort string // {name}, {by}
	TheWriteLock                 string // as {name}
	MutexOn                      string // as {name}: {node}
	WaitsEntry                   string // {name}
	Sleeps, Hangs                string
	Stands                       string // {name}
	CannotStep                   string
	Left                         string // after any of them: {left}

	// How an actor ended.
	OK, OKOrder, Died string
	Results           map[string]string // what an error of the shop means, by its text
	Phrases           map[string]string // what is said by others, by key; see Say

	// What the environment did: {what}, for the clock {at}.
	Expires, ClockMoves, Crashes, NodeDies, NodeStops, Redelivered, ReplyLost string
	// What it could do.
	Expire, Clock, Crash, Kill, Pause, Redeliver, LoseReply string

	// Choices.
	Odds, OddsShare      string // {bad}, {all}; {share}
	NobodyLeft, Deadlock string

	NoSource string // {actor}

	// Redis.
	KeyColumn, ValueColumn, TTLColumn, OwnerColumn string
	NoTTL, Gone, NoKeys                            string
	Entries                                        string // of a stream: {n}
	Group                                          string // {name} {read} {pending}
	PendingEntry                                   string // {consumer} {idle} {count}
	EntryDone, EntryUnread                         string

	// SQLite.
	WriteLockBy, WriteLockFree string // {by}
	NoRows, NoTables           string
	AtStep, InRunOut           string // {n}

	// Invariants.
	Since, SinceRunOut        string // {n}
	NotJudged, NotJudgedShort string
	Holds, NoLights           string
	Glosses, ShortGlosses     map[string]string // what a light means, by its name

	// Narration.
	Start                    string
	Does, DoesReply          string // {actor}, {op}, {reply}
	DoesFails                string // {actor}, {op}, {reply}
	Takes, Releases, Rests   string // {actor}
	EndsOK, EndsWith         string // {actor}, {result}
	BrokenAt, BrokenInRunOut string // {light}, {n}
	BrokenShort              string // {light}, {n}: where there is no room for the reason
	BrokenInRunOutShort      string // {light}
	// A race: {read}, {write} and {act} are the three deeds of a Conflict of package
	// trace, {light} what it broke.
	RaceSaw, RaceRead, RaceTook, Overlap string // {learned} and {what} too
	NoRace                               string
	FaultAlone, FaultBefore              string // in place of NoRace: {what}, {n}
	HangBehind                           string // too: {actor}
	Deed, DeedInRunOut                   string // {actor}, {op}, {n}
	Doomed, DoomedAt                     string // {light}, {n}
	DoomedShort, DoomedAtShort           string
	AnInvariant                          string // as {light}
	Result, ResultStock                  string // {orders}, {stock}
	Stuck                                string
	AllHeld                              string
	Answered, AnsweredRight              string // {answer}; {right}

	NoEvents string

	// Numbers of things: {n}.
	OneStep, ManySteps, OnePreemption, ManyPreemptions, OneWay, ManyWays string

	// Search.
	States, Steps, Runs, Longest, Elapsed string
	SearchingAll, SearchingUpTo           string // {n}
	SearchDone, SearchCancelled           string
	SearchOutOfStates, SearchOutOfTime    string
	Ladder                                string // {schedules}, {states}, {runs}
	LadderOpen                            string // {states}, {runs}
	SeenRed                               string // {lights}
	PreemptionsColumn, BreaksColumn       string
	BarCount, BarShare                    string
	HistogramLater, HistogramNone         string
	BreaksIn, BreaksHow, BreaksHowShort   string // {bad}, {all}; {steps}, {ways}, {preemptions}
	BreaksFound, BreaksFoundHow           string // {steps}, {preemptions}
	BreaksSeen                            string
	HoldsInAll                            string // {all}
	NotProved, NotProvedUpTo              string // {why}, {preemptions}
	WhyStates, WhyTime, WhyCancelled      string // {n}
	WhyRunning                            string
	ShortestOf                            string // {steps}, {preemptions}, {ways}
	FoundOf                               string // {steps}, {preemptions}
	OnlyInRunOut                          string
	Certificate                           string // {states}, {steps}
	NoCertificate                         string
	NoneBreaks                            string // {all}
	NoneBreaksHow                         string // {states}
	NothingYet, SeenYet                   string
	Replay                                string // {token}
}

var panesEN = Panes{
	Entries: "{n} entries", Group: "group {name}: read {read}, pending {pending}",
	PendingEntry: "{consumer} {idle} x{count}", EntryDone: "✓ acknowledged", EntryUnread: "unread",
	Timeline: "Timeline", Choices: "Who steps next", Source: "Source", Redis: "Redis", SQLite: "SQLite",
	Invariants: "Invariants", Narration: "What happens", Events: "Events",
	OneStep: "1 step", ManySteps: "{n} steps", OnePreemption: "1 preemption", ManyPreemptions: "{n} preemptions", OneWay: "1 way", ManyWays: "{n} ways",

	Counters: "Search", Histogram: "Schedules by preemptions", Verdicts: "Verdicts", Counterexample: "Counterexample",
	OneKey: "1 key", Keys: "{n} keys",

	Colon: ": ", Semicolon: "; ", Comma: ", ", Stop: ".",

	Above: "↑ {n} more", Below: "↓ {n} more",

	NoSteps:    "Nobody has taken a step yet.",
	RunOutRule: "run-out: no more faults, everybody steps in turn",

	Waits: "waits for {name}", WaitsBy: "waits for {name} held by {by}", WaitsByShort: "waits for {name} ({by})",
	TheWriteLock: "the write lock", MutexOn: "the mutex on {node}",
	WaitsEntry: "waits for an entry in {name}",
	Sleeps:     "sleeps", Hangs: "hangs",
	Stands:     "its node {name} stands still",
	CannotStep: "cannot step",
	Left:       ", {left} left",

	OK: "ok", OKOrder: "ok, has an order", Died: "dead",
	Results: map[string]string{},

	Expires: "lease runs out: {what}", ClockMoves: "time moves to {at}", Crashes: "{what} crashes", NodeDies: "node {what} dies",
	NodeStops: "node {what} stands still", Redelivered: "entry handed to {what} again", ReplyLost: "reply to {what} is lost",
	Expire: "expire", Clock: "time to", Crash: "crash", Kill: "kill", Pause: "pause", Redeliver: "redeliver", LoseReply: "lose reply",

	Odds: "breaks in {bad} of {all}", OddsShare: "{share} break",
	NobodyLeft: "Nobody is left to step.", Deadlock: "deadlock: nobody can move",

	NoSource: "There is no source for {actor}.",

	KeyColumn: "KEY", ValueColumn: "VALUE", TTLColumn: "TTL", OwnerColumn: "BY",
	NoTTL: "no TTL", Gone: "gone", NoKeys: "Redis holds no keys now.",

	WriteLockBy: "write lock: {by}", WriteLockFree: "write lock: free",
	NoRows: "no rows", NoTables: "The database has no tables.",
	AtStep: "step {n}", InRunOut: "run-out",

	Since: "since step {n}", SinceRunOut: "since the run-out",
	NotJudged: "judged when everybody is at rest", NotJudgedShort: "not judged here",
	Holds: "holds", NoLights: "Nothing is watched here.",
	Glosses: map[string]string{
		"no-oversell":        "never more orders than stock",
		"stock-not-negative": "the stock never drops below 0",
		"one-per-user":       "nobody has two orders for a voucher",
		"conservation":       "stock + orders = stock at the start",
		"mutual-exclusion":   "at most one holder of a lock at a time",
		"no-misdeletion":     "nobody deletes the lock of another",
		"lock-released":      "no lock outlives the need for it",
		"no-lost-order":      "every accepted request gets its order",
		"progress":           "everybody gets through in the end",
		"within-limit":       "no more are let in than the limit",
		"no-lost-lock":       "a lock lasts until its last release",
		"no-foreign-renewal": "nobody renews the lock of another",
		"everything-sold":    "whoever comes in time gets a unit",
	},
	ShortGlosses: map[string]string{
		"no-oversell":        "orders <= stock",
		"stock-not-negative": "stock >= 0",
		"one-per-user":       "one order a user",
		"conservation":       "no unit gets lost",
		"mutual-exclusion":   "one holder at a time",
		"no-misdeletion":     "each deletes its own",
		"lock-released":      "no lock left behind",
		"no-lost-order":      "a yes is an order",
		"progress":           "all get through",
		"within-limit":       "<= the limit at once",
		"no-lost-lock":       "held to the end",
		"no-foreign-renewal": "each renews its own",
		"everything-sold":    "no unit is left",
	},

	Start: "Everybody stands before the first step.",
	Does:  "{actor} runs {op}.", DoesReply: "{actor} runs {op}. The answer: {reply}.",
	DoesFails: "{actor} runs {op}. It fails: {reply}.",
	Takes:     "{actor} takes the mutex.", Releases: "{actor} gives the mutex back.", Rests: "{actor} has slept.",
	EndsOK: "With that {actor} is through.", EndsWith: "{actor} ends: {result}.",
	BrokenAt: "{light} broke at step {n}.", BrokenInRunOut: "{light} broke in the run-out.",
	BrokenShort: "{light} broke at step {n}; W says why.", BrokenInRunOutShort: "{light} broke in the run-out; W says why.",
	RaceSaw:    "{read} saw {learned} in {what}; {write} changed it; {act} still counted on it.",
	RaceRead:   "{read} looked at {what}; {write} changed it; {act} still counted on what it saw.",
	RaceTook:   "{read} took {what}; {write} took it over; {act} still counted on it.",
	Overlap:    "{read} took {what} and still counted on it when {write} took it too.",
	NoRace:     "No race is behind it: the step alone is wrong, whoever comes first.",
	FaultAlone: "No race is behind it, but the fault itself: {what}.", FaultBefore: "No race is behind it, but a fault: {what} (step {n}).",
	HangBehind: "No race is behind it: {actor} hangs and never comes back.",
	Deed:       "{actor}'s {op} (step {n})", DeedInRunOut: "{actor}'s {op} (run-out)",
	Doomed:      "From here every schedule breaks {light}. Go back (←).",
	DoomedAt:    "From here every schedule breaks {light}. Go back (←) before step {n}.",
	DoomedShort: "{light} is lost: go back (←).", DoomedAtShort: "{light} is lost: back (←) before step {n}.",
	AnInvariant: "an invariant",
	Result:      "Orders: {orders}.", ResultStock: "Orders: {orders}, stock left: {stock}.",
	Stuck: "Nobody can move: deadlock.", AllHeld: "Everything held in this schedule.",
	Answered: "Your answer: {answer}.", AnsweredRight: "Right is {right}.",

	NoEvents: "Nothing has happened yet.",

	States: "states", Steps: "steps between them", Runs: "runs", Longest: "longest schedule", Elapsed: "time",
	SearchingAll: "searching every schedule …", SearchingUpTo: "too many states: now every schedule with up to {n} preemptions …",
	SearchDone: "complete: every schedule was checked", SearchCancelled: "not complete: stopped",
	SearchOutOfStates: "not complete: too many states", SearchOutOfTime: "not complete: out of time",
	Ladder:     "{schedules} schedules → {states} states → {runs} runs",
	LadderOpen: "? schedules → {states} states → {runs} runs",
	SeenRed:    "seen broken so far: {lights}",

	PreemptionsColumn: "PREEMPTIONS", BreaksColumn: "BREAK / ALL",
	BarCount:       "█ break  ░ hold; length: how many",
	BarShare:       "█ share that breaks, of each row",
	HistogramLater: "Counted when the search is complete.", HistogramNone: "Not counted: the search is not complete.",

	BreaksIn: "breaks in {bad} of {all}", BreaksHow: "shortest {steps} ({ways}), fewest: {preemptions}", BreaksHowShort: "shortest {steps}",
	BreaksFound: "breaks; not counted", BreaksFoundHow: "found with {steps}, {preemptions}",
	BreaksSeen: "breaks: seen in some schedule",
	HoldsInAll: "holds in all {all} schedules",
	NotProved:  "not proved: {why}", NotProvedUpTo: "no schedule with up to {preemptions} breaks it",
	WhyStates: "{n} states were too many", WhyTime: "time ran out", WhyCancelled: "the search was stopped", WhyRunning: "the search goes on",

	ShortestOf: "{steps}, {preemptions}; {ways} to break it so fast",
	FoundOf:    "{steps}, {preemptions}; a shorter one may exist", OnlyInRunOut: "It shows only in the run-out.",
	Certificate:   "Nothing shorter breaks it: all {states} states within {steps} were checked.",
	NoCertificate: "The search was not complete: nothing is said about shorter ones.",
	NoneBreaks:    "All {all} interleavings checked, none breaks.", NoneBreaksHow: "{states} states are all that can be reached; each was judged.",
	NothingYet: "Not seen broken so far; the search goes on.", SeenYet: "Seen broken. The shortest schedule is known when the search has ended.",
	Replay: "again: {token}",
}

var panesZH = Panes{
	Entries: "{n} 条", Group: "组 {name}：已读 {read}，待确认 {pending}",
	PendingEntry: "{consumer} {idle} x{count}", EntryDone: "✓ 已确认", EntryUnread: "未读",
	Timeline: "时间线", Choices: "下一步谁走", Source: "源码", Redis: "Redis", SQLite: "SQLite",
	Invariants: "不变量", Narration: "发生了什么", Events: "事件",
	OneStep: "1 步", ManySteps: "{n} 步", OnePreemption: "抢占 1 次", ManyPreemptions: "抢占 {n} 次", OneWay: "1 种走法", ManyWays: "{n} 种走法",

	Counters: "搜索", Histogram: "按抢占次数统计", Verdicts: "结论", Counterexample: "反例",
	OneKey: "1 个键", Keys: "{n} 个键",

	Colon: "：", Semicolon: "；", Comma: "，", Stop: "。",

	Above: "↑ 还有 {n} 行", Below: "↓ 还有 {n} 行",

	NoSteps:    "还没有人走过一步。",
	RunOutRule: "收尾：不再出故障，大家轮流走完",

	Waits: "在等{name}", WaitsBy: "在等{name}（{by} 持有）", WaitsByShort: "在等{name}（{by}）",
	TheWriteLock: "写锁", MutexOn: "{node} 上的互斥锁",
	WaitsEntry: "在等 {name} 里的消息",
	Sleeps:     "在休眠", Hangs: "卡住了",
	Stands:     "所在节点 {name} 暂停了",
	CannotStep: "现在走不了",
	Left:       "，还剩 {left}",

	OK: "成功", OKOrder: "成功，已下单", Died: "已崩溃",
	Results: map[string]string{
		"sold out":                                "已售罄",
		"somebody else was faster":                "被别人抢先",
		"an order is under way":                   "订单正在处理",
		"only one per person":                     "每人限购一单",
		"please try again":                        "请重试",
		"somebody else holds the lock":            "锁在别人手里",
		"no such user":                            "没有这个用户",
		"the lock was lost":                       "锁丢了",
		"the lock expired before it was released": "释放之前锁已过期",
		"the lock was somebody else's before it was released": "释放之前锁已是别人的",
		"the user has another order for the voucher":          "这个用户已有一单",
		"context canceled": "已取消",
	},
	Phrases: phrasesZH,

	Expires: "租期到点：{what}", ClockMoves: "时间走到 {at}", Crashes: "{what} 崩溃", NodeDies: "节点 {what} 宕机",
	NodeStops: "节点 {what} 暂停", Redelivered: "消息重新投给 {what}", ReplyLost: "给 {what} 的回复丢失",
	Expire: "到期", Clock: "时间到", Crash: "崩溃", Kill: "宕机", Pause: "暂停", Redeliver: "重投", LoseReply: "丢回复",

	Odds: "{all} 种中 {bad} 种出错", OddsShare: "{share} 出错",
	NobodyLeft: "没有人要走了。", Deadlock: "死锁：谁也走不了",

	NoSource: "没有 {actor} 的源码。",

	KeyColumn: "键", ValueColumn: "值", TTLColumn: "剩余", OwnerColumn: "归",
	NoTTL: "无期限", Gone: "已消失", NoKeys: "Redis 里现在一个键也没有。",

	WriteLockBy: "写锁：{by}", WriteLockFree: "写锁：空闲",
	NoRows: "没有行", NoTables: "数据库里没有表。",
	AtStep: "第 {n} 步", InRunOut: "收尾",

	Since: "第 {n} 步起", SinceRunOut: "收尾时起",
	NotJudged: "等大家都停下来才判断", NotJudgedShort: "此处不判断",
	Holds: "成立", NoLights: "这里没有要看的不变量。",
	Glosses: map[string]string{
		"no-oversell":        "订单数不超过库存",
		"stock-not-negative": "库存不会小于 0",
		"one-per-user":       "一人一单",
		"conservation":       "剩余库存 + 订单 = 初始库存",
		"mutual-exclusion":   "一把锁同时最多一个持有者",
		"no-misdeletion":     "谁也不会删掉别人的锁",
		"lock-released":      "锁用完就会释放",
		"no-lost-order":      "受理的请求都有订单",
		"progress":           "最终人人都能走完",
		"within-limit":       "同时放进来的不超过上限",
		"no-lost-lock":       "锁要留到最后一次释放",
		"no-foreign-renewal": "谁也不会给别人的锁续期",
		"everything-sold":    "有货就卖得出去",
	},

	Start: "大家都停在第一步之前。",
	Does:  "{actor} 执行 {op}。", DoesReply: "{actor} 执行 {op}，得到 {reply}。",
	DoesFails: "{actor} 执行 {op}，失败：{reply}。",
	Takes:     "{actor} 拿到互斥锁。", Releases: "{actor} 放开互斥锁。", Rests: "{actor} 睡醒了。",
	EndsOK: "{actor} 到此走完。", EndsWith: "{actor} 结束：{result}。",
	BrokenAt: "{light} 在第 {n} 步被打破。", BrokenInRunOut: "{light} 在收尾时被打破。",
	BrokenShort: "{light} 在第 {n} 步被打破，按 W 看原因。", BrokenInRunOutShort: "{light} 在收尾时被打破，按 W 看原因。",
	RaceSaw:    "{read}在 {what} 里看到 {learned}；{write}改了它；{act}却仍按旧值行事。",
	RaceRead:   "{read}看过 {what}；{write}改了它；{act}却仍按看到的行事。",
	RaceTook:   "{read}拿到 {what}；{write}又拿走了它；{act}却仍当它是自己的。",
	Overlap:    "{read}拿到 {what}，还在用着，{write}也拿到了它。",
	NoRace:     "这里没有竞争：这一步本身就错，谁先谁后都一样。",
	FaultAlone: "这里没有竞争，是故障本身造成的：{what}。", FaultBefore: "这里没有竞争，祸根是第 {n} 步的故障：{what}。",
	HangBehind: "这里没有竞争：{actor} 卡住了，再也回不来。",
	Deed:       "{actor} 的 {op}（第 {n} 步）", DeedInRunOut: "{actor} 的 {op}（收尾）",
	Doomed:      "从这里起，怎么走都会打破 {light}。请退回去（←）。",
	DoomedAt:    "从这里起，怎么走都会打破 {light}。请退到第 {n} 步之前（←）。",
	DoomedShort: "{light} 保不住了，请退回（←）。", DoomedAtShort: "{light} 保不住了，请退到第 {n} 步前（←）。",
	AnInvariant: "不变量",
	Result:      "订单 {orders} 个。", ResultStock: "订单 {orders} 个，库存剩 {stock}。",
	Stuck: "谁也走不了：死锁。", AllHeld: "这样走一切都成立。",
	Answered: "你的回答：{answer}。", AnsweredRight: "正确的是 {right}。",

	NoEvents: "还什么都没发生。",

	States: "状态", Steps: "其间的步", Runs: "运行次数", Longest: "最长走法", Elapsed: "用时",
	SearchingAll: "正在搜索全部走法 …", SearchingUpTo: "状态太多：改为搜索抢占不超过 {n} 次的全部走法 …",
	SearchDone: "搜索完整：全部走法都查过了", SearchCancelled: "不完整：已停止",
	SearchOutOfStates: "不完整：状态太多", SearchOutOfTime: "不完整：时间用完",
	Ladder:     "{schedules} 种走法 → {states} 个状态 → {runs} 次运行",
	LadderOpen: "? 种走法 → {states} 个状态 → {runs} 次运行",
	SeenRed:    "目前已被打破：{lights}",

	PreemptionsColumn: "抢占次数", BreaksColumn: "出错 / 全部",
	BarCount:       "█ 出错  ░ 成立；长度：数目",
	BarShare:       "█ 每行中出错的比例",
	HistogramLater: "搜索完整后才能统计。", HistogramNone: "没有统计：搜索不完整。",

	BreaksIn: "{all} 种中 {bad} 种出错", BreaksHow: "最短 {steps}（{ways}），最少{preemptions}", BreaksHowShort: "最短 {steps}",
	BreaksFound: "会出错；未统计", BreaksFoundHow: "已找到：{steps}，{preemptions}",
	BreaksSeen: "会出错：已见到",
	HoldsInAll: "全部 {all} 种走法都成立",
	NotProved:  "未证明：{why}", NotProvedUpTo: "{preemptions}以内的走法都没出错",
	WhyStates: "{n} 个状态，太多了", WhyTime: "时间用完", WhyCancelled: "搜索被停止", WhyRunning: "还在搜索",

	ShortestOf: "{steps}，{preemptions}；这么短的有 {ways}",
	FoundOf:    "{steps}，{preemptions}；也许还有更短的", OnlyInRunOut: "要到收尾时才看得出来。",
	Certificate:   "没有更短的反例：{steps}之内的 {states} 个状态都查过了。",
	NoCertificate: "搜索不完整：有没有更短的不知道。",
	NoneBreaks:    "{all} 种走法全部查过，没有一种出错。", NoneBreaksHow: "能到达的状态一共 {states} 个，个个都判断过。",
	NothingYet: "目前还没见它出错，还在搜索。", SeenYet: "已见它出错。搜索结束后才知道最短的走法。",
	Replay: "重放：{token}",
}
