package i18n

// Plain are the words of the line-by-line mode.
type Plain struct {
	ChooseLesson    string
	Prompt          string
	Again           string // in place of Prompt after the first time
	NotANumber      string // {text} {n}
	Help            string
	Breaks          string // {light} {bad} {all} {n}
	BreaksSomewhere string // {light} {n}
	Holds           string // {light} {all}
	Unknown         string // {light} {k}
}

var plainEN = Plain{
	ChooseLesson:    "number of a variant, L 中文, q quit> ",
	Prompt:          "number or letter steps, u back, w why, s source, P prove, m map, ? help, q quit> ",
	Again:           "number or letter steps, ? help> ",
	NotANumber:      "{text} is not one of the choices: type a number from 1 to {n}, or ? for help",
	Help:            "A number takes that choice, a letter steps that actor, an empty line takes the first choice.\nu takes a step back, w explains what broke, s shows the source with the actors at their lines,\nP counts all schedules, y prints the token of this schedule, m goes to the lesson map, L changes the language, q quits.",
	Breaks:          "{light} breaks in {bad} of {all} schedules, the shortest has {n} steps",
	BreaksSomewhere: "{light} breaks, found with {n} steps; the search was not complete",
	Holds:           "{light} holds in all {all} schedules",
	Unknown:         "{light}: not proved; no violation with up to {k} preemptions",
}

var plainZH = Plain{
	ChooseLesson:    "输入写法的编号，L English，q 退出> ",
	Prompt:          "编号或字母走一步，u 后退，w 为什么，s 源码，P 证明，m 地图，? 帮助，q 退出> ",
	Again:           "编号或字母走一步，? 帮助> ",
	NotANumber:      "{text} 不在选项里：请输入 1 到 {n} 的编号，或 ? 看帮助",
	Help:            "输入编号选择那一项，输入字母让那个角色走一步，直接回车走第一项。\nu 退回一步，w 解释哪里出错，s 显示源码和各角色停在的行，\nP 数遍所有走法，y 打印这条走法的令牌，m 回到课程地图，L 换语言，q 退出。",
	Breaks:          "{light} 在 {all} 种走法里有 {bad} 种被破坏，最短的只要 {n} 步",
	BreaksSomewhere: "{light} 会被破坏，找到一条 {n} 步的走法；搜索没有做完",
	Holds:           "{light} 在全部 {all} 种走法里都成立",
	Unknown:         "{light}：没有证明；{k} 次抢占以内没有发现破坏",
}
