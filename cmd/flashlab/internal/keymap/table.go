package keymap

import "flashlab/lessons"

// The actions.
const (
	NextLesson Action = "next-lesson"
	PrevLesson Action = "previous-lesson"
	Up         Action = "up"
	Down       Action = "down"
	Open       Action = "open"
	Leave      Action = "leave"
	Take       Action = "take" // step the selected choice
	Forward    Action = "forward"
	Back       Action = "back"
	First      Action = "first"
	Last       Action = "last"
	Play       Action = "play"
	Faster     Action = "faster"
	Slower     Action = "slower"
	Crash      Action = "crash"
	Expire     Action = "expire"
	Clock      Action = "clock"
	Pause      Action = "pause"
	Redeliver  Action = "redeliver"
	LoseReply  Action = "lose-reply"
	Fork       Action = "fork"
	Restart    Action = "restart"
	Odds       Action = "odds"
	Why        Action = "why"
	Shortest   Action = "shortest"
	ProveAll   Action = "prove"
	Source     Action = "source"
	NextActor  Action = "next-actor"
	Java       Action = "java"
	NextPane   Action = "next-pane"
	PrevPane   Action = "prev-pane"
	Pane       Action = "pane"
	ScrollUp   Action = "scroll-up"
	ScrollDn   Action = "scroll-down"
	PageUp     Action = "page-up"
	PageDn     Action = "page-down"
	Zoom       Action = "zoom"
	Search     Action = "search"
	Command    Action = "command"
	Palette    Action = "palette"
	NextVar    Action = "next-variant"
	PrevVar    Action = "previous-variant"
	Staged     Action = "staged"
	Copy       Action = "copy"
	Cards      Action = "cards"
	Help       Action = "help"
	Language   Action = "language"
	Theme      Action = "theme"
	Mouse      Action = "mouse"
	Blank      Action = "blank"
	NextBeat   Action = "next-beat"
	PrevBeat   Action = "previous-beat"
	Hint       Action = "hint"
	Undo       Action = "undo"
	Storm      Action = "storm"
	Parity     Action = "parity"
	Showdown   Action = "showdown"
	Drill      Action = "drill"
	Exercises  Action = "exercises"
	Progress   Action = "progress"
	Fast       Action = "fast"
	Quit       Action = "quit"
	Interrupt  Action = "interrupt"
	Suspend    Action = "suspend"
	Redraw     Action = "redraw"
)

func text(en, zh string) lessons.Text { return lessons.Text{EN: en, ZH: zh} }

// table is every key of the program but the letters a to g, which step an actor
// where there are actors to step.
var table = []Binding{
	{Action: Up, Keys: []string{"up", "k"}, Show: "↑", Modes: Home | List | Reader, Category: Moving, Label: text("up", "上"), Help: text("one line up", "上一行")},
	{Action: Down, Keys: []string{"down", "j"}, Show: "↓", Modes: Home | List | Reader, Category: Moving, Label: text("down", "下"), Help: text("one line down", "下一行")},
	{Action: NextLesson, Keys: []string{"tab", "pgdown"}, Modes: Home, Category: Moving, Label: text("next lesson", "下一课"), Help: text("to the next lesson", "到下一课"), Footer: 2},
	{Action: PrevLesson, Keys: []string{"shift+tab", "pgup"}, Modes: Home, Category: Moving, Label: text("previous lesson", "上一课"), Help: text("to the previous lesson", "到上一课")},
	{Action: Up, Keys: []string{"up"}, Show: "↑", Modes: Lesson | Prove, Category: Moving, Label: text("up", "上"), Help: text("choose the line above; in other panes scroll", "选上一项；在其他窗格里滚动")},
	{Action: Down, Keys: []string{"down"}, Show: "↓", Modes: Lesson | Prove, Category: Moving, Label: text("down", "下"), Help: text("choose the line below; in other panes scroll", "选下一项；在其他窗格里滚动")},
	{Action: Open, Keys: []string{"enter", "right", "l"}, Show: "enter", Modes: Home, Category: Moving, Label: text("open", "打开"), Help: text("open the lesson, variant or staged schedule", "打开课程、写法或预设演示"), Footer: 1},
	{Action: Open, Keys: []string{"enter"}, Modes: List, Category: Moving, Label: text("choose", "选定"), Help: text("choose this line", "选定这一行"), Footer: 1},

	{Action: NextBeat, Keys: []string{"}", "ctrl+right"}, Modes: Page | Lesson, Category: Learning, Label: text("next beat", "下一环"), Help: text("next beat of the lesson", "本课的下一个环节"), Footer: 5},
	{Action: PrevBeat, Keys: []string{"{", "ctrl+left"}, Modes: Page | Lesson, Category: Learning, Label: text("back", "上一环"), Help: text("previous beat of the lesson", "本课的上一个环节")},
	{Action: Hint, Keys: []string{"i"}, Modes: Page | Lesson, Category: Learning, Label: text("hint", "提示"), Help: text("the next hint of the exercise", "这道题的下一个提示"), Footer: 4},
	{Action: Undo, Keys: []string{"U"}, Modes: Page, Category: Learning, Label: text("undo reset", "撤销重做"), Help: text("bring back what was last reset", "恢复上次重做的内容")},
	{Action: Exercises, Keys: []string{"e"}, Modes: Home, Category: Learning, Label: text("exercises", "练习"), Help: text("all exercises", "所有练习"), Footer: 3},
	{Action: Drill, Keys: []string{"d"}, Modes: Home, Category: Learning, Label: text("cards", "卡片"), Help: text("cards that are due: what do you still know?", "该复习的卡片"), Footer: 4},
	{Action: Progress, Keys: []string{"p"}, Modes: Home, Category: Learning, Label: text("progress", "进度"), Help: text("your progress, and how well you know what you know", "学习进度，以及你的把握准不准")},
	{Action: Fast, Keys: []string{"f"}, Modes: Home | Page, Category: Learning, Label: text("fast track", "快速通道"), Help: text("fast track: exercises only; again for all beats", "快速通道：只做练习；再按恢复")},
	{Action: Open, Keys: []string{"enter", "right"}, Show: "a-h", Modes: Page, Category: Learning, Label: text("choose", "选择"), Help: text("a-h: that option; enter: the chosen one, also those beyond h", "a-h：选这一项；回车：选中的那项，h 以后的也行"), Footer: 1},
	{Action: Up, Keys: []string{"up", "k"}, Show: "↑", Modes: Page, Category: Moving, Label: text("up", "上"), Help: text("one option or line up", "上一项或上一行")},
	{Action: Down, Keys: []string{"down", "j"}, Show: "↓", Modes: Page, Category: Moving, Label: text("down", "下"), Help: text("one option or line down", "下一项或下一行")},
	{Action: Leave, Keys: []string{"q", "esc", "left"}, Show: "q", Modes: Page, Category: Screen, Label: text("back", "返回"), Help: text("back to the list, then to the map", "回到列表，再回到课程地图"), Footer: 13},
	{Action: PageUp, Keys: []string{"pgup", "ctrl+u"}, Modes: Page, Category: Moving, Label: text("page", "翻页"), Help: text("a page up", "上一页")},
	{Action: PageDn, Keys: []string{"pgdown", "ctrl+d"}, Modes: Page, Category: Moving, Label: text("page", "翻页"), Help: text("a page down", "下一页")},

	{Action: Take, Keys: []string{"enter"}, Show: "a-g", Modes: Step, Category: Stepping, Label: text("step", "走一步"), Help: text("a-g: that actor steps; enter: the chosen one", "a-g：让这个角色走一步；回车：走选中的那个"), Footer: 1},
	{Action: Forward, Keys: []string{"right", "pgdown"}, Show: "→", Modes: Step, Category: Stepping, Label: text("forward", "前进"), Help: text("forward along what was done before", "沿走过的路前进一步"), Footer: 3},
	{Action: Back, Keys: []string{"left", "u", "pgup", "backspace"}, Show: "←", Modes: Step, Category: Stepping, Label: text("back", "后退"), Help: text("take the last step back", "退回一步"), Footer: 2},
	{Action: Forward, Keys: []string{"right", "l", "n", "pgdown", "enter"}, Show: "→", Modes: Watch, Category: Stepping, Label: text("next", "下一步"), Help: text("next step", "下一步"), Footer: 1},
	{Action: Back, Keys: []string{"left", "h", "p", "u", "pgup", "backspace"}, Show: "←", Modes: Watch, Category: Stepping, Label: text("back", "上一步"), Help: text("previous step", "上一步"), Footer: 2},
	{Action: Play, Keys: []string{" "}, Show: "space", Modes: Lesson, Category: Stepping, Label: text("play", "播放"), Help: text("play and pause; at the end of what was done, turns are drawn at random", "播放或暂停；走到尽头后随机选择"), Footer: 4},
	{Action: Faster, Keys: []string{"]", "+", "="}, Modes: Lesson, Category: Stepping, Label: text("faster", "加速"), Help: text("play faster", "播放加速")},
	{Action: Slower, Keys: []string{"[", "-"}, Modes: Lesson, Category: Stepping, Label: text("slower", "减速"), Help: text("play slower", "播放减速")},
	{Action: First, Keys: []string{"g", "home"}, Modes: Watch | Home | List | Reader | Page, Category: Moving, Label: text("start", "开头"), Help: text("to the start", "回到开头")},
	{Action: First, Keys: []string{"home"}, Modes: Step, Category: Stepping, Label: text("start", "开头"), Help: text("to the start", "回到开头")},
	{Action: Last, Keys: []string{"G", "end"}, Modes: Lesson | Home | List | Reader | Page, Category: Moving, Label: text("end", "末尾"), Help: text("to the last step", "到最后一步")},
	{Action: Expire, Keys: []string{"!"}, Modes: Step, Category: Stepping, Label: text("expire", "过期"), Help: text("let a lease run out, where the lesson has one", "让锁的租期到点（课程里有锁时）")},
	{Action: Clock, Keys: []string{"t"}, Modes: Step, Category: Stepping, Label: text("clock", "时钟"), Help: text("let the clock reach the next deadline", "让时钟走到下一个时刻")},
	{Action: Crash, Keys: []string{"x"}, Modes: Step, Category: Stepping, Label: text("crash", "崩溃"), Help: text("x and a letter: that actor crashes (:set crashes=1)", "x 加字母：让这个角色崩溃（:set crashes=1）")},
	{Action: Pause, Keys: []string{"p"}, Modes: Step, Category: Stepping, Label: text("pause", "停顿"), Help: text("p and a letter: its node stands still", "p 加字母：它所在的节点停顿")},
	{Action: Redeliver, Keys: []string{"r"}, Modes: Step, Category: Stepping, Label: text("redeliver", "重投"), Help: text("hand an unacknowledged message out again", "重新投递一条未确认的消息")},
	{Action: LoseReply, Keys: []string{"l"}, Modes: Step, Category: Stepping, Label: text("lose reply", "丢回复"), Help: text("l and a letter: the answer to its next command is lost", "l 加字母：这个角色下一条命令的回复丢失")},
	{Action: Fork, Keys: []string{"v"}, Modes: Lesson, Category: Stepping, Label: text("fork", "分叉"), Help: text("go on differently from here; the old branch is kept", "从这里换一种走法；原来的分支保留")},
	{Action: Restart, Keys: []string{"ctrl+r"}, Modes: Lesson, Category: Stepping, Label: text("restart", "重来"), Help: text("start again; every branch is forgotten", "从头再来；所有分支清空")},
	{Action: Staged, Keys: []string{"f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10"}, Show: "F2-F10", Modes: Lesson, Category: Stepping, Label: text("staged", "预设"), Help: text("staged schedules of this lesson", "本课的预设演示")},

	{Action: Why, Keys: []string{"W"}, Modes: Lesson, Category: Looking, Label: text("why", "为什么"), Help: text("why did it break: the two steps that raced", "为什么坏了：抢跑的是哪两步"), Footer: 6},
	{Action: Odds, Keys: []string{"O"}, Modes: Lesson, Category: Looking, Label: text("odds", "出错比例"), Help: text("beside each choice: how many schedules break from there", "在每个选择旁显示：之后有多少种走法会出错")},
	{Action: Source, Keys: []string{"s"}, Modes: Lesson, Category: Looking, Label: text("source", "源码"), Help: text("show the source in place of the tables, and back", "用源码换下数据表，再按换回"), Footer: 5},
	{Action: NextActor, Keys: []string{"S"}, Modes: Lesson, Category: Looking, Label: text("next source", "换角色"), Help: text("source of the next actor", "看下一个角色的源码")},
	{Action: Java, Keys: []string{"J"}, Modes: Lesson, Category: Looking, Label: text("Java", "Java"), Help: text("the Java twin of this code, and back to Go", "这段代码的 Java 版，再按回到 Go")},
	{Action: NextVar, Keys: []string{">"}, Modes: Lesson, Category: Looking, Label: text("variant", "写法"), Help: text("next variant of the lesson", "本课的下一种写法")},
	{Action: PrevVar, Keys: []string{"<"}, Modes: Lesson, Category: Looking, Label: text("variant", "写法"), Help: text("previous variant of the lesson", "本课的上一种写法")},
	{Action: Cards, Keys: []string{"C"}, Modes: Lesson, Category: Looking, Label: text("cards", "知识卡"), Help: text("cards: facts beside the lesson", "知识卡：课外的几件事")},
	{Action: Search, Keys: []string{"/"}, Modes: Lesson | Home, Category: Looking, Label: text("find", "查找"), Help: text("find in events, tables and source; then n and N", "在事件、表和源码里查找；之后用 n、N"), Footer: 10},
	{Action: Copy, Keys: []string{"y"}, Modes: Lesson | Prove, Category: Looking, Label: text("copy", "复制"), Help: text("copy the token of this schedule", "复制这条走法的令牌")},

	{Action: ProveAll, Keys: []string{"P"}, Modes: Lesson, Category: Proving, Label: text("prove", "证明"), Help: text("prove: run all schedules and count", "证明：跑遍所有走法并计数"), Footer: 7},
	{Action: ProveAll, Keys: []string{"P"}, Modes: Prove, Category: Proving, Label: text("again", "再来"), Help: text("search again", "再搜一遍")},
	{Action: Storm, Keys: []string{"R"}, Modes: Lesson, Category: Proving, Label: text("storm", "风暴"), Help: text("storm: let it run free, thousands of requests", "风暴：放开跑，成千上万个请求")},
	{Action: Parity, Keys: []string{"E"}, Modes: Lesson, Category: Proving, Label: text("engines", "对照"), Help: text("engines: the same schedule embedded and on the server", "对照：同一条走法，内嵌引擎与服务器各跑一遍")},
	{Action: Showdown, Keys: []string{"V"}, Modes: Home | Page, Category: Proving, Label: text("showdown", "较量"), Help: text("showdown: the same sale three ways, measured", "较量：同一场秒杀，三种写法，量一量")},
	{Action: Shortest, Keys: []string{"F"}, Modes: Lesson, Category: Proving, Label: text("shortest", "最短反例"), Help: text("the shortest schedule that breaks, beside yours", "最短的出错走法，与你的并排")},
	{Action: Open, Keys: []string{"enter", "right", "F"}, Show: "enter", Modes: Prove, Category: Proving, Label: text("open counterexample", "打开反例"), Help: text("open the counterexample on the stage", "在舞台上打开反例"), Footer: 1},

	{Action: NextPane, Keys: []string{"tab"}, Modes: Lesson, Category: Screen, Label: text("pane", "窗格"), Help: text("focus the next pane; 1-8 by number", "聚焦下一个窗格；1-8 直达"), Footer: 8},
	{Action: PrevPane, Keys: []string{"shift+tab"}, Modes: Lesson, Category: Screen, Label: text("pane", "窗格"), Help: text("focus the previous pane", "聚焦上一个窗格")},
	{Action: Pane, Keys: []string{"1", "2", "3", "4", "5", "6", "7", "8"}, Show: "1-8", Modes: Lesson, Category: Screen, Label: text("pane", "窗格"), Help: text("focus a pane by its number", "按编号聚焦窗格")},
	{Action: ScrollUp, Keys: []string{"k"}, Modes: Lesson, Category: Screen, Label: text("scroll", "滚动"), Help: text("scroll the focused pane up", "向上滚动当前窗格")},
	{Action: ScrollDn, Keys: []string{"j"}, Modes: Lesson, Category: Screen, Label: text("scroll", "滚动"), Help: text("scroll the focused pane down", "向下滚动当前窗格")},
	{Action: PageUp, Keys: []string{"ctrl+u"}, Modes: Lesson | List | Reader, Category: Screen, Label: text("page", "翻页"), Help: text("half a page up", "向上半页")},
	{Action: PageDn, Keys: []string{"ctrl+d"}, Modes: Lesson | List | Reader, Category: Screen, Label: text("page", "翻页"), Help: text("half a page down", "向下半页")},
	{Action: Zoom, Keys: []string{"z"}, Modes: Lesson, Category: Screen, Label: text("zoom", "放大"), Help: text("the focused pane alone, and back", "只看当前窗格，再按还原"), Footer: 9},
	{Action: Command, Keys: []string{":"}, Modes: Main, Category: Screen, Label: text("command", "命令"), Help: text(":12 step, :set buyers=3, :variant, :staged, :token, :lesson", ":12 跳步，:set buyers=3，:variant，:staged，:token，:lesson")},
	{Action: Palette, Keys: []string{"ctrl+p"}, Modes: Main, Category: Screen, Label: text("palette", "面板"), Help: text("choose a lesson, variant or staged schedule", "选择课程、写法或预设演示")},
	{Action: Theme, Keys: []string{"T"}, Modes: All, Category: Screen, Label: text("theme", "主题"), Help: text("next theme: dark, light, high-contrast, mono", "换主题：深色、浅色、高对比、单色")},
	{Action: Language, Keys: []string{"L"}, Modes: All, Category: Screen, Label: text("中文", "EN"), ASCII: "zh", Help: text("Chinese / English", "English / 中文"), Footer: 11},
	{Action: Mouse, Keys: []string{"M"}, Modes: Main, Category: Screen, Label: text("mouse", "鼠标"), Help: text("mouse on or off (shift-drag selects text)", "开关鼠标（按住 Shift 拖动可选文字）")},
	{Action: Blank, Keys: []string{"."}, Modes: Main, Category: Screen, Label: text("blank", "黑屏"), Help: text("blank the screen; any key brings it back", "黑屏；按任意键恢复")},
	{Action: Help, Keys: []string{"?", "f1"}, Modes: Main, Category: Screen, Label: text("help", "帮助"), Help: text("this list", "本列表"), Footer: 12},
	{Action: Leave, Keys: []string{"esc", "q", "left"}, Show: "esc", Modes: List | Reader, Category: Screen, Label: text("close", "关闭"), Help: text("close", "关闭"), Footer: 2},
	{Action: Leave, Keys: []string{"?", "f1", "enter"}, Modes: Reader, Category: Screen, Label: text("close", "关闭"), Help: text("close", "关闭")},
	{Action: Leave, Keys: []string{"q", "esc"}, Modes: Lesson, Category: Screen, Label: text("map", "返回"), Help: text("back to the lesson map; esc first leaves search and zoom", "回到课程地图；esc 先退出查找与放大"), Footer: 13},
	{Action: Leave, Keys: []string{"q", "esc", "left"}, Show: "q", Modes: Prove, Category: Screen, Label: text("lesson", "返回"), Help: text("back to the lesson", "回到课程"), Footer: 13},
	{Action: Quit, Keys: []string{"q"}, Modes: Home, Category: Screen, Label: text("quit", "退出"), Help: text("quit", "退出"), Footer: 13},
	{Action: Interrupt, Keys: []string{"ctrl+c"}, Modes: All, Category: Screen, Label: text("quit now", "立即退出"), Help: text("quit at once", "立即退出")},
	{Action: Suspend, Keys: []string{"ctrl+z"}, Modes: All, Category: Screen, Label: text("suspend", "挂起"), Help: text("suspend; fg brings it back", "挂起；用 fg 恢复")},
	{Action: Redraw, Keys: []string{"ctrl+l"}, Modes: All, Category: Screen, Label: text("redraw", "重画"), Help: text("draw the screen again", "重画屏幕")},
}
