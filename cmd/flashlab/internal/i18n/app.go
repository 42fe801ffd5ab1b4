package i18n

// App are the words of the program around the panes.
type App struct {
	Name         string
	Map          string // title of the home screen
	MainLine     string
	Electives    string
	Variants     string
	Staged       string
	Promise      string
	Legend       string // what the marks of the map mean
	Step         string // "step {n}/{all}"
	Ended        string
	Deadlock     string
	Playing      string
	Paused       string
	Watching     string // mode: a recorded schedule
	Stepping     string // mode: you choose
	Proving      string
	TooSmall     string // {w} {h} {W} {H}
	NoSuchKey    string // {key}
	NothingAhead string
	AtStart      string
	NoFault      string // {name}
	WhichActor   string // {what}
	Forked       string
	Restarted    string
	Copied       string // {token}
	Searching    string // {text} {n}
	NotFound     string // {text}
	Unknown      string // {text}: unknown command
	NotYetProved string
	AllHolds     string
	NoCards      string
	NothingRed   string
	Mine         string
	ShortestOne  string // {n}
	Certificate  string // {light} {states} {steps}
	Theme        string // {name}
	MouseOn      string
	MouseOff     string
	Help         string
	Why          string
	Palette      string
	CardsTitle   string
	HelpActors   string // the line about a to g
	Problem      string // title of an error
	SearchKeys   string // footer while a search is active
	PromptKeys   string // footer while typing
	Cancelled    string
	Branch       string // {n}
	OddsOn       string
	OddsOff      string
	Computing    string
}

var appEN = App{
	Name: "flashlab",
	Map:  "lesson map", MainLine: "Main line", Electives: "Electives", Variants: "ways to write it", Staged: "staged schedules",
	Promise: "Promise", Legend: "○ new  ◐ opened  ● proved",
	Step: "step {n}/{all}", Ended: "end", Deadlock: "deadlock", Playing: "▶ play", Paused: "· paused", Watching: "watch", Stepping: "you step", Proving: "prove",
	TooSmall:  "flashlab needs {W}x{H}, this window is {w}x{h}",
	NoSuchKey: "{key} does nothing here; ? lists the keys", NothingAhead: "nothing ahead: choose who steps (a-g) or press space", AtStart: "this is the start",
	NoFault: "this scene has no {name}; give it a budget with :set", WhichActor: "{what}: which actor? press its letter", Forked: "fork: take another turn; the old branch is kept",
	Restarted: "started again", Copied: "copied {token}", Searching: "{text}: {n} found; n next, N previous, esc ends", NotFound: "{text}: not found",
	Unknown: "no command {text}; try :12, :set buyers=3, :variant guarded, :staged NAME, :token TOKEN, :lesson NAME", NotYetProved: "still searching; try again in a moment",
	AllHolds: "every schedule holds: there is no counterexample", NoCards: "this lesson has no cards", NothingRed: "nothing has broken so far",
	Mine: "yours", ShortestOne: "the shortest: {n} steps", Certificate: "Nothing shorter breaks {light}: all {states} states within {steps} steps were checked.",
	Theme: "theme {name}", MouseOn: "mouse on; shift-drag selects text", MouseOff: "mouse off", Help: "Keys", Why: "Why did it break?", Palette: "Go to", CardsTitle: "Cards",
	HelpActors: "the actor with that letter takes the next step", Problem: "Something is wrong", SearchKeys: "n next  N previous  esc end search", PromptKeys: "enter do it  esc leave it",
	Cancelled: "the search was stopped", Branch: "branch {n}", OddsOn: "odds on", OddsOff: "odds off", Computing: "counting schedules ...",
}

var appZH = App{
	Name: "flashlab",
	Map:  "课程地图", MainLine: "主线", Electives: "选修", Variants: "几种写法", Staged: "预设演示",
	Promise: "承诺", Legend: "○ 未学  ◐ 打开过  ● 已证明",
	Step: "步骤 {n}/{all}", Ended: "结束", Deadlock: "死锁", Playing: "▶ 播放", Paused: "· 暂停", Watching: "回看", Stepping: "你来走", Proving: "证明",
	TooSmall:  "flashlab 需要 {W}x{H} 的窗口，现在是 {w}x{h}",
	NoSuchKey: "{key} 在这里不起作用；按 ? 看按键", NothingAhead: "前面没有了：按 a-g 选谁走，或按空格", AtStart: "已经在开头",
	NoFault: "这个场景没有{name}；用 :set 给它预算", WhichActor: "{what}：哪个角色？按它的字母", Forked: "分叉：换一种走法；原来的分支保留",
	Restarted: "已从头开始", Copied: "已复制 {token}", Searching: "{text}：找到 {n} 处；n 下一个，N 上一个，esc 结束", NotFound: "没有找到 {text}",
	Unknown: "没有命令 {text}；试试 :12、:set buyers=3、:variant guarded、:staged 名称、:token 令牌、:lesson 名称", NotYetProved: "还在搜索，稍后再试",
	AllHolds: "所有走法都成立：没有反例", NoCards: "本课没有知识卡", NothingRed: "到现在为止没有出错",
	Mine: "你的走法", ShortestOne: "最短的走法：{n} 步", Certificate: "没有更短的走法能破坏 {light}：{steps} 步以内的 {states} 个状态全部查过。",
	Theme: "主题 {name}", MouseOn: "鼠标已开；按住 Shift 拖动可选文字", MouseOff: "鼠标已关", Help: "按键", Why: "为什么会出错？", Palette: "去哪里", CardsTitle: "知识卡",
	HelpActors: "让这个字母的角色走下一步", Problem: "出问题了", SearchKeys: "n 下一个  N 上一个  esc 结束查找", PromptKeys: "回车 执行  esc 放弃",
	Cancelled: "搜索已停止", Branch: "分支 {n}", OddsOn: "胜算已显示", OddsOff: "胜算已隐藏", Computing: "正在数走法……",
}
