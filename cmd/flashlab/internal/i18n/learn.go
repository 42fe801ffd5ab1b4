package i18n

// Learn are the words of the beats, the exercises and the cards.
type Learn struct {
	Beats      [9]string // names, in their order
	Exercises  string
	Drill      string
	Progress   string
	GoOn       string // option
	OnStage    string // option: open the stage
	NextLesson string // {name}
	Lights     string // heading
	Confident  string // question
	Confidence [3]string
	YouSaid    string // {answer} {sure}
	ItIs       string // {answer}
	Right      string
	Kept       string
	Another    string // option: answer again
	Running    string // busy
	Checking   string
	Proving    string
	RunNone    string
	RanBroke   string // {bad} {all} {light}
	RanFine    string // {all}
	RunMore    string // option {n}
	RunWatch   string // option
	YourGuess  string // heading
	NotRunYet  string
	TakeOver   string // option: be the scheduler
	Hint       string // {n} {all}
	HintKey    string // option {n} {all}
	AllHints   string
	BreakList  string // heading
	FixList    string // heading
	BugList    string // heading
	None       string // {beat}
	Done       string
	Tried      string
	TaskOf     string
	Fewer      string // option: try for a shorter one
	Explain    string // option
	OwnLine    string // prompt
	WriteLine  string // option
	YourLine   string // {line}
	Engine     string // heading: the engine's sentence
	Solution   string // option
	SolutionIs string // heading
	Passed     string
	Failed     string
	Counter    string // option {steps}
	Scene      string // {name} {all}
	SceneBad   string // {name} {bad} {all}
	SceneCut   string // {name}
	Fill       string // option
	GapPrompt  string
	Check      string // option
	TakeBack   string // option
	Chosen     string // heading
	Lines      string // heading
	Edit       string // option {file}
	Reset      string // option
	NoEditor   string // {file}
	ProveAll   string // option
	Card       string // {n} {all}
	Reveal     string // option
	HowWell    string
	Grades     [4]string
	NoCards    string
	CardsDone  string // {n}
	Next       string // {time}
	Calibrated string // heading
	CalRow     string // {sure} {right} {all}
	CalNone    string
	CalSay     string // what it means
	Summary    string // {done} {all}
	FastOn     string
	FastOff    string
	NotSaved   string // {why}
	Read       string // heading of a snippet
	Resumed    string
	ResetOne   string // option
	ResetUndo  string // {name}
	Again      string
	BackToPage string
	NoExercise string
	AllHold    string // {all}
	SomeBreak  string // {light} {bad} {all}
	NotAll     string
	Unsure     string
	NotBroken  string
	ShowShort  string // option
	BadEditor  string // {editor} {why} {file}
	NoFile     string // {file} {why}
	NoRegular  string // {file}
	TooLong    string // {file} {kib}
	NoText     string // {file}
}

var learnEN = Learn{
	Beats:     [9]string{"promise", "predict", "run", "break", "explain", "fix", "prove", "again", "recall"},
	Exercises: "exercises", Drill: "cards", Progress: "your progress",
	GoOn: "go on", OnStage: "open the stage", NextLesson: "next lesson: {name}", Lights: "What is watched",
	Confident: "How sure are you?", Confidence: [3]string{"a guess", "I think so", "sure"},
	YouSaid: "You said: {answer} ({sure})", ItIs: "In fact: {answer}", Right: "and so it is",
	Kept: "Kept. Whether it is so, the engine tells when it has run.", Another: "answer again",
	Running: "running random schedules ...", Checking: "checking every interleaving ...", Proving: "searching every schedule ...",
	RunNone: "Nobody decides who goes next: each step is drawn at random among all that are possible, faults too where the scene allows them. They may all pass.", RanBroke: "{bad} of {all} random schedules broke {light}.", RanFine: "All {all} random schedules passed. That proves nothing yet.",
	RunMore: "run {n} more", RunWatch: "watch one of them on the stage", YourGuess: "What you said", NotRunYet: "not answered",
	TakeOver: "be the scheduler", Hint: "Hint {n} of {all}", HintKey: "hint {n} of {all}", AllHints: "You have had all hints.",
	BreakList: "Break it", FixList: "Mend it", BugList: "Find the bug", None: "This lesson has nothing for \"{beat}\". Go on.",
	Done: "done", Tried: "tried", TaskOf: "Task", Fewer: "try again", Explain: "explain it",
	OwnLine: "in your own words", WriteLine: "say it in one line of your own", YourLine: "You: {line}", Engine: "The engine:",
	Solution: "show the solution", SolutionIs: "A solution", Passed: "Passed", Failed: "Not yet",
	Counter: "step through the counterexample ({steps})", Scene: "{name}: all {all} interleavings hold", SceneBad: "{name}: {bad} of {all} interleavings break it", SceneCut: "{name}: the search is not complete",
	Fill: "fill the gap", GapPrompt: "what goes into the gap", Check: "check it", TakeBack: "take the last line back", Chosen: "Your lines", Lines: "Lines to choose from",
	Edit: "edit {file}", Reset: "start over", NoEditor: "no editor found: set EDITOR, or edit {file} elsewhere and check it here",
	ProveAll: "prove them all",
	Card:     "Card {n} of {all}", Reveal: "show the answer", HowWell: "How well did you know it?", Grades: [4]string{"not at all", "with trouble", "well", "at once"},
	NoCards: "No card is due. Cards come with the lessons that you have opened, and come back after ten minutes to five weeks.", CardsDone: "{n} cards done.", Next: "next one in {time}",
	Calibrated: "How well do you know what you know?", CalRow: "{sure}: right in {right} of {all}", CalNone: "No predictions yet.",
	CalSay:  "Whoever is right more often when sure is well calibrated. If \"sure\" is no better than \"a guess\", trust the engine.",
	Summary: "{done} of {all} exercises done", FastOn: "fast track: exercises only", FastOff: "all beats", NotSaved: "progress is not being saved: {why}", Read: "Read this",
	Resumed: "where you left off; Home goes to the start", ResetOne: "reset this exercise", ResetUndo: "{name} is new again; the answers are kept, U brings them back", Again: "Turn one dial", AllHold: "all {all} interleavings hold", SomeBreak: "{light} {bad} of {all}", NotAll: "the search is not complete",
	Unsure:    "your answer is not kept before you say how sure you are; once more leaves it out",
	NotBroken: "You have not broken it yet. Break it first, then it is easier to say why.", ShowShort: "show the shortest schedule that breaks it",
	BadEditor: "the editor {editor} failed ({why}): set EDITOR to another one, or edit {file} elsewhere and check it here",
	NoFile:    "{file} cannot be read: {why}", NoRegular: "{file} is no regular file: put a text file in its place, then check it.",
	TooLong: "{file} has more than {kib} KiB: that is no script for this exercise. Make it shorter, then check it.", NoText: "{file} is no UTF-8 text: save it as UTF-8, then check it.",
	NoExercise: "no exercise is open; } goes to the beats of the lesson", BackToPage: "esc closes this; q goes back to the page.",
}

var learnZH = Learn{
	Beats:     [9]string{"承诺", "预测", "试跑", "破坏", "解释", "修复", "证明", "再破", "回忆"},
	Exercises: "练习", Drill: "卡片", Progress: "学习进度",
	GoOn: "继续", OnStage: "打开舞台", NextLesson: "下一课：{name}", Lights: "看住这几件事",
	Confident: "有多大把握？", Confidence: [3]string{"猜的", "应该是", "肯定"},
	YouSaid: "你说的是：{answer}（{sure}）", ItIs: "其实是：{answer}", Right: "确实如此",
	Kept: "记下了。对不对，等引擎跑完再说。", Another: "重新作答",
	Running: "正在随机试跑……", Checking: "正在检查所有走法……", Proving: "正在搜索所有走法……",
	RunNone: "没人安排先后，每一步都在所有可能里随机抽，场景允许的故障也算在内。可能一次都不出错。", RanBroke: "随机跑了 {all} 次，{bad} 次破坏了 {light}。", RanFine: "随机跑了 {all} 次，全都没事。这还不能证明什么。",
	RunMore: "再跑 {n} 次", RunWatch: "挑一次在舞台上看", YourGuess: "你的预测", NotRunYet: "还没答",
	TakeOver: "由你来安排", Hint: "提示 {n} / {all}", HintKey: "提示 {n} / {all}", AllHints: "提示都看过了。",
	BreakList: "破坏它", FixList: "修好它", BugList: "找错", None: "这一课没有“{beat}”，继续吧。",
	Done: "完成", Tried: "做过", TaskOf: "题目", Fewer: "再来一次", Explain: "说说为什么",
	OwnLine: "用自己的话说", WriteLine: "用自己的话写一句", YourLine: "你写的：{line}", Engine: "引擎说：",
	Solution: "看参考答案", SolutionIs: "参考答案", Passed: "通过", Failed: "还没通过",
	Counter: "一步步看反例（{steps}）", Scene: "{name}：全部 {all} 种走法都成立", SceneBad: "{name}：{all} 种走法里有 {bad} 种被破坏", SceneCut: "{name}：没有搜完",
	Fill: "填空", GapPrompt: "空里填什么", Check: "检查", TakeBack: "退回最后一行", Chosen: "选好的行", Lines: "可选的行",
	Edit: "编辑 {file}", Reset: "从头来", NoEditor: "没找到编辑器：请设置 EDITOR，或在别处改好 {file} 再来检查",
	ProveAll: "全部证明",
	Card:     "第 {n} 张，共 {all} 张", Reveal: "看答案", HowWell: "记得怎么样？", Grades: [4]string{"不记得", "想了很久", "记得", "脱口而出"},
	NoCards: "现在没有要复习的卡片。打开过的课才有卡片，隔十分钟到五周再来一次。", CardsDone: "复习了 {n} 张。", Next: "下一张在 {time} 之后",
	Calibrated: "你有没有把握，准不准？", CalRow: "{sure}：{all} 次里对了 {right} 次", CalNone: "还没有做过预测。",
	CalSay:  "越有把握的越对，说明心里有数。要是“肯定”和“猜的”差不多，就多信引擎。",
	Summary: "练习完成 {done} / {all}", FastOn: "快速通道：只做练习", FastOff: "每个环节都走", NotSaved: "进度没有保存：{why}", Read: "读这段代码",
	Resumed: "接着上次的地方；Home 回到开头", ResetOne: "重做这道题", ResetUndo: "{name} 已重新开始，答案还留着，按 U 恢复", Again: "换一个条件", AllHold: "全部 {all} 种走法都成立", SomeBreak: "{light} {all} 种里 {bad} 种", NotAll: "没有搜完",
	Unsure:    "还没说有多大把握，这个回答不会记下；再按一次就不要它了",
	NotBroken: "你还没有破坏它。先动手破坏一次，再来说为什么就容易了。", ShowShort: "看最短的出错走法",
	BadEditor: "编辑器 {editor} 出错（{why}）：请把 EDITOR 设成别的，或在别处改好 {file} 再来检查",
	NoFile:    "读不了 {file}：{why}", NoRegular: "{file} 不是普通文件：请换成文本文件再来检查。",
	TooLong: "{file} 超过 {kib} KiB，不像这道题的脚本。请改短再来检查。", NoText: "{file} 不是 UTF-8 文本：请存成 UTF-8 再来检查。",
	NoExercise: "没有打开的练习；按 } 进入本课的环节", BackToPage: "esc 关闭；按 q 回到题目。",
}
