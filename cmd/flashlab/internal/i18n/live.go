package i18n

// Live are the words about a server that somebody else operates.
type Live struct {
	Lost     string
	Retry    string // option
	Embedded string // option

	Parity    string // title of the comparison with the embedded engine
	NoServer  string
	NoRedis   string
	OwnCode   string // what a learner has written is on the stage
	NoStep    string
	Comparing string // {n} steps
	Same      string // {n} steps, {server}, {version}
	Differ    string // {n} steps, {server}, {version}, {d} differences
	WithEnd   string // {n}: how many of the steps are of the run-out
	Effects   string // what is compared
	Start     string // where a difference is: before the first step
	Step      string // {n}
	RunOut    string
	Here      string // the embedded engine, before what is to be seen there
	There     string // the server
	None      string // nothing is to be seen
	Equal     string // badge: both did the same
	Unequal   string // badge: they did not

	// Terms are the words of a comparison, by what package parity calls them; a word
	// that is missing is as there.
	Terms map[string]string
}

// Term returns the word for what package parity calls so.
func (l *Live) Term(name string) string {
	if t, ok := l.Terms[name]; ok {
		return t
	}
	return name
}

var liveEN = Live{
	Lost: "The server does not answer", Retry: "try the server again", Embedded: "go on with the embedded engine",

	Parity:    "The embedded engine and the server",
	NoServer:  "There is only the embedded engine: start with flashlab --redis URL to compare it with a server.",
	NoRedis:   "This variant does not use Redis: there is nothing to compare.",
	OwnCode:   "What you have written runs on the embedded engine only: there is nothing to compare.",
	NoStep:    "There is no schedule to compare yet: take a step first.",
	Comparing: "Running this schedule on both engines (steps: {n})...",
	Same:      "The same schedule on the embedded engine and on {server} (Redis {version}): no difference. Steps compared: {n}.",
	Differ:    "The same schedule on the embedded engine and on {server} (Redis {version}). Steps compared: {n}, differences: {d}.",
	WithEnd:   "Of these steps in the run-out: {n}.",
	Effects:   "Effects are compared: operations and answers, time, keys and leases, streams, rows, actors, invariants. How an error is worded is none.",
	Start:     "at the start", Step: "step {n}", RunOut: "in the run-out",
	Here: "embedded", There: "server", None: "(nothing)",
	Equal: "= embedded", Unequal: "≠ embedded",
}

var liveZH = Live{
	Lost: "服务器没有响应", Retry: "再试一次服务器", Embedded: "改用内嵌引擎继续",

	Parity:    "内嵌引擎与服务器对照",
	NoServer:  "现在只有内嵌引擎：用 flashlab --redis URL 启动，才能和服务器对照。",
	NoRedis:   "这种写法不用 Redis，没有可对照的。",
	OwnCode:   "你自己写的代码只在内嵌引擎上运行，没有可对照的。",
	NoStep:    "还没有走法可对照：先走一步。",
	Comparing: "正在两个引擎上各跑一遍同一条走法（{n} 步）……",
	Same:      "同样的 {n} 步，内嵌引擎和 {server}（Redis {version}）上的结果没有差异。",
	Differ:    "同样的 {n} 步，内嵌引擎和 {server}（Redis {version}）上的结果有 {d} 处差异。",
	WithEnd:   "其中 {n} 步属于收尾。",
	Effects:   "对照的是效果：操作与回复、时间、键与租期、流、数据行、各角色的状态、不变量；错误信息怎么措辞不算。",
	Start:     "开始时", Step: "第 {n} 步", RunOut: "收尾时",
	Here: "内嵌", There: "服务器", None: "（无）",
	Equal: "= 内嵌", Unequal: "≠ 内嵌",

	Terms: map[string]string{
		"operation": "操作", "answer": "回复", "time": "时间", "keys": "键", "streams": "流", "rows": "数据行",
		"actors": "角色", "possible steps": "可走的步", "lights": "不变量", "the step": "这一步",
		"length of the run-out": "收尾的步数",
		"an error":              "出错", "possible": "能走", "not possible": "走不了",
	},
}
