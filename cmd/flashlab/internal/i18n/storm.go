package i18n

// Storm are the words of storms.
type Storm struct {
	Sizes       string // {requests} {atonce} {nodes}
	Processes   string
	Pace        string // {time}
	Server      string // {server}
	Left        string // {time}
	Rate        string // {n}
	Latency     string // {p50} {p90} {p99} {max}
	Killed      string
	Draining    string // {n}
	Held        string // in front of the lights that held
	History     string // {object}
	Stopped     string
	Share       string // {light} {a} {b} {c} {d}
	Neither     string // {n} {all}
	Differ      string
	Stop        string // option
	Again       string // option
	More        string // option {n}
	Fewer       string // option {n}
	Nodes       string // option {n}
	AsProcesses string // option
	Kill        string // option
	KillNow     string // option
	Title       string
}

var stormEN = Storm{
	Sizes: "{requests} requests, {atonce} at once, {nodes} nodes", Processes: " (processes)", Pace: "a second of the lesson lasts {time}", Server: "on {server}, under keys of its own", Left: "{time} left", Rate: "{n}/s",
	Latency: "latency  half within {p50}, 90% {p90}, 99% {p99}, longest {max}", Killed: "killed", Held: "held: ", History: "history of {object}: nobody could have answered its calls one by one",
	Draining: "All requests have ended. Consumers finish what was accepted, {n} left; what a dead one had read is claimed when its time is over.",
	Stopped:  "Stopped; this is what was found until then.",
	Share:    "Storms that broke {light}: {a} of {b}. Schedules at the lesson's size that break it: {c} of {d}.",
	Neither:  "Nothing broke: storms {n}, and all {all} schedules at the lesson's size.",
	Differ:   "The two differ: a storm meets the few schedules that this machine happens to make, the proof counts every one once.",
	Stop:     "stop", Again: "storm again", More: "{n} requests", Fewer: "{n} requests", Nodes: "{n} nodes", AsProcesses: "each node a process of its own",
	Kill: "kill -9 a node in mid-sale", KillNow: "kill -9 node n1 now", Title: "storm",
}

var stormZH = Storm{
	Sizes: "{requests} 个请求，{atonce} 个并发，{nodes} 个节点", Processes: "（进程）", Pace: "课里的 1 秒实际只有 {time}", Server: "跑在 {server} 上，只用自己的 key", Left: "还要 {time}", Rate: "{n}/秒",
	Latency: "延迟  一半 {p50} 以内，90% {p90}，99% {p99}，最长 {max}", Killed: "已杀掉", Held: "没出事：", History: "{object} 的历史：没有一种先后顺序能得出这些答复",
	Draining: "请求都答复完了，消费者正在把收下的做完，还剩 {n} 个；死掉的消费者读走的消息，要等空闲时间到了才会被认领。",
	Stopped:  "停下了，这是到那时为止的结果。",
	Share:    "{b} 次风暴里有 {a} 次破坏了 {light}；按本课的规模，{d} 种走法里有 {c} 种会。",
	Neither:  "{n} 次风暴都没出事；按本课的规模，全部 {all} 种走法也都没事。",
	Differ:   "两个数不一样：风暴只碰到这台机器恰好走出来的那几种，证明是每一种都数一遍。",
	Stop:     "停下", Again: "再来一次", More: "{n} 个请求", Fewer: "{n} 个请求", Nodes: "{n} 个节点", AsProcesses: "每个节点一个独立进程",
	Kill: "中途 kill -9 一个节点", KillNow: "现在就 kill -9 节点 n1", Title: "风暴",
}
