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
	StepAt       string // "step {n}", at the last one
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
	NotStruck    string // {what} {letter}
	NoRedis      string
	Forked       string
	Restarted    string
	Copied       string // {token}
	Searching    string // {text} {n}
	NotFound     string // {text}
	InNoStep     string // {text}: found, but not in what happened
	Unknown      string // {text}: unknown command
	OtherVersion string // {name}: a token made for another one
	NotYetProved string
	TooMany      string
	AllHolds     string
	WalkAlong    string // {n} {light} {at}: the shortest counterexample has been opened
	WalkToEnd    string // {n} {light}: one that shows only in the run-out
	ActorIs      string // {actor} {how}: why it cannot step
	Damaged      string // {text}: a token that cannot be read
	NoWayOn      string // a token with a step that is not possible
	Unzoom       string
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
	Problem      string // title of an error
	AfterFault   string // what can be done then, in a lesson
	SearchKeys   string // footer while a search is active
	PromptKeys   string // footer while typing
	Cancelled    string
	Branch       string // {n}
	OddsOn       string
	OddsOff      string
	OddsNone     string
	Computing    string
	EnterKey     string
	SpaceKey     string
}

var appEN = App{
	Name: "flashlab",
	Map:  "lesson map", MainLine: "Main line", Electives: "Electives", Variants: "ways to write it", Staged: "staged schedules",
	Promise: "Promise", Legend: "○ new  ◐ opened  ● proved",
	Step: "step {n}/{all}", StepAt: "step {n}", Ended: "end", Deadlock: "deadlock", Playing: "▶ play", Paused: "· paused", Watching: "watch", Stepping: "you choose", Proving: "prove",
	TooSmall:  "flashlab needs {W}x{H}, this window is {w}x{h}",
	NoSuchKey: "{key} does nothing here; ? lists the keys", NothingAhead: "nothing ahead: choose who steps (a-g) or press space", AtStart: "this is the start",
	NoFault: "{name}: not possible here; budgets are given by :set, such as :set crashes=1", WhichActor: "{what}: whom? press the letter of an actor, or the number of its node",
	NotStruck: "{what}: not possible for {letter} now", NoRedis: "this lesson has no Redis", Forked: "fork: take another turn; the old branch is kept",
	Restarted: "started again", Copied: "copied {token}", Searching: "{text}: {n} found; n next, N previous, esc ends", NotFound: "{text}: not found", InNoStep: "{text} is in no step; it is marked where it can be seen",
	Unknown: "no command {text}; try :12, :set buyers=3, :variant guarded, :staged NAME, :token TOKEN, :lesson NAME", OtherVersion: "the token was made for another version of {name}",
	NotYetProved: "still counting; try again in a moment", TooMany: "too many schedules to count on the side; P searches them all",
	WalkAlong: "the shortest, {n} steps: {light} breaks at step {at}. → walks, End jumps",
	WalkToEnd: "the shortest, {n} steps: {light} breaks after them. → walks, End jumps",
	ActorIs:   "{actor} cannot step: {how}",
	Damaged:   "damaged token {text}: copy it whole, as it was printed", NoWayOn: "a step of this token is not possible here",
	Unzoom:   "unzoom",
	AllHolds: "every schedule holds: there is no counterexample", NoCards: "this lesson has no cards", NothingRed: "nothing has broken so far",
	Mine: "yours", ShortestOne: "the shortest, {n} steps", Certificate: "Nothing shorter breaks {light}: all {states} states within {steps} were checked.",
	Theme: "theme {name}", MouseOn: "mouse on; shift-drag selects text", MouseOff: "mouse off", Help: "Keys", Why: "Why did it break?", Palette: "Go to", CardsTitle: "Cards",
	Problem: "Something is wrong", AfterFault: "What you did is still there: go back with ←, or start again with ctrl+r.", SearchKeys: "n next  N previous  esc end search", PromptKeys: "enter do it  esc leave it",
	Cancelled: "the search was stopped", Branch: "{n} branches", OddsOn: "odds on", OddsOff: "odds off", OddsNone: "no choice is left here, so there are no odds to show; ← goes back", Computing: "counting schedules ...",
	EnterKey: "enter", SpaceKey: "space",
}

var appZH = App{
	Name: "flashlab",
	Map:  "课程地图", MainLine: "主线", Electives: "选修", Variants: "几种写法", Staged: "预设演示",
	Promise: "承诺", Legend: "○ 未学  ◐ 打开过  ● 已证明",
	Step: "步骤 {n}/{all}", StepAt: "步骤 {n}", Ended: "结束", Deadlock: "死锁", Playing: "▶ 播放", Paused: "· 暂停", Watching: "回看", Stepping: "你来走", Proving: "证明",
	TooSmall:  "flashlab 需要 {W}x{H} 的窗口，现在是 {w}x{h}",
	NoSuchKey: "{key} 在这里不起作用；按 ? 看按键", NothingAhead: "前面没有了：按 a-g 选谁走，或按空格", AtStart: "已经在开头",
	NoFault: "{name}：这里不行；用 :set 给预算，例如 :set crashes=1", WhichActor: "{what}：谁？按角色的字母，或它的节点编号",
	NotStruck: "{what}：{letter} 现在不行", NoRedis: "本课没有 Redis", Forked: "分叉：换一种走法；原来的分支保留",
	Restarted: "已从头开始", Copied: "已复制 {token}", Searching: "{text}：找到 {n} 处；n 下一个，N 上一个，esc 结束", NotFound: "没有找到 {text}", InNoStep: "{text} 不在任何一步里；能看到的地方已标出",
	Unknown: "没有命令 {text}；试试 :12、:set buyers=3、:variant guarded、:staged 名称、:token 令牌、:lesson 名称", OtherVersion: "这个令牌是为另一个版本的 {name} 生成的",
	NotYetProved: "还在数，稍后再试", TooMany: "走法太多，没有顺便数完；按 P 全部搜索",
	WalkAlong: "最短的走法，{n} 步，{light} 在第 {at} 步被打破。按 → 一步步看，End 到末尾",
	WalkToEnd: "最短的走法，{n} 步，{light} 走完之后才被打破。按 → 一步步看，End 到末尾",
	ActorIs:   "{actor} 现在走不了：{how}",
	Damaged:   "令牌 {text} 有损坏：请照原样完整复制", NoWayOn: "令牌里有一步在这里走不了",
	Unzoom:   "还原",
	AllHolds: "所有走法都成立：没有反例", NoCards: "本课没有知识卡", NothingRed: "到现在为止没有出错",
	Mine: "你的走法", ShortestOne: "最短的走法，{n} 步", Certificate: "没有更短的走法能破坏 {light}：{steps}之内的 {states} 个状态全部查过。",
	Theme: "主题 {name}", MouseOn: "鼠标已开；按住 Shift 拖动可选文字", MouseOff: "鼠标已关", Help: "按键", Why: "为什么会出错？", Palette: "去哪里", CardsTitle: "知识卡",
	Problem: "出问题了", AfterFault: "走过的都还在：用 ← 后退，或按 ctrl+r 重来。", SearchKeys: "n 下一个  N 上一个  esc 结束查找", PromptKeys: "回车 执行  esc 放弃",
	Cancelled: "搜索已停止", Branch: "{n} 个分支", OddsOn: "出错比例已显示", OddsOff: "出错比例已隐藏", OddsNone: "这里没有选择了，没有比例可看；← 退回", Computing: "正在数走法……",
	EnterKey: "回车", SpaceKey: "空格",
}
