package scene

import (
	"fmt"
	"strings"

	"flashlab/lessons"
	"flashlab/lessons/exercise"
	"flashlab/lessons/misdeletion"
	"flashlab/lessons/shop/unlockbench"
	"flashlab/sim/scenario"
)

// byScript is what the next lesson is about; here exercises run it.
func byScript() lessons.Variant {
	return lessons.Variant{
		Name: "by-script",
		Title: lessons.Text{
			EN: "One token, kept, and a script",
			ZH: "一个唯一值，脚本比较并删除",
		},
		Summary: lessons.Text{
			EN: "One token for each acquisition, kept until the release; a script compares and " +
				"deletes in one step.",
			ZH: "每次加锁生成一个唯一值，留到解锁时用；脚本一步完成比较和删除。",
		},
		Moral: lessons.Text{
			EN: "No release deletes a stranger's lock, and none leaves its own behind. Work that " +
				"outlives its lease is not alone all the same.",
			ZH: "不会误删别人的锁，自己的也不会留下。可活干得比租期久，照样有两个人同时在里面。",
		},
		Params: params(), Lights: verdicts(holds, holds, breaks),
		File: "byscript.go", Func: "(*Shop).ByScript", JavaFile: "ByScript.java",
		Steps: []lessons.Step{
			acquire(),
			work(),
			{
				Go:   "lua.Unlock(ctx, s.Redis, key",
				Java: "stringRedisTemplate.execute(UNLOCK_SCRIPT",
				Say: lessons.Text{
					EN: "{actor} lets the script compare and delete: {reply}. 1 is deleted.",
					ZH: "{actor} 让脚本比较并删除：{reply}。1 是删了。",
				},
			},
		},
		Scenario: clicks("by-script", (*misdeletion.Shop).ByScript),
	}
}

// predictions are asked before anything runs.
func predictions() []lessons.Question {
	wrongAs := func(c *lessons.Case, other string) int {
		a, _ := c.Light(scenario.NoMisdeletionLight)
		b, _ := c.As(other).Light(scenario.NoMisdeletionLight)
		if a.Violating == nil || b.Violating == nil {
			return -1
		}
		return a.Violating.Cmp(b.Violating)
	}
	return []lessons.Question{
		{
			Name: "misdeletion-thread-id", Variant: "bare-thread-id",
			Ask: lessons.Text{
				EN: "The lock holds the thread id, and a Lua script compares before it deletes, in one step. Two nodes. Against the blind DEL, how often is a stranger's lock deleted?",
				ZH: "锁里存线程号，解锁用 Lua 脚本先比较再删，一步完成。两个节点。和直接 DEL 比，误删的走法有多少？",
			},
			Options: []lessons.Option{
				{
					Name:  "never",
					Text:  lessons.Text{EN: "Never: comparing and deleting are one step", ZH: "一次也没有：比较和删除是原子的"},
					Claim: lessons.Holds(scenario.NoMisdeletionLight),
				},
				{
					Name: "rarer",
					Text: lessons.Text{EN: "In fewer schedules: most of the time the comparison helps", ZH: "少一些：多数时候比较能挡住"},
					Claim: func(c *lessons.Case) bool {
						return c.Breaks(scenario.NoMisdeletionLight) && wrongAs(c, "delete-blind") < 0
					},
				},
				{
					Name: "equal",
					Text: lessons.Text{EN: "In exactly as many schedules", ZH: "一样多，一种也不少"},
					Claim: func(c *lessons.Case) bool {
						return c.Breaks(scenario.NoMisdeletionLight) && wrongAs(c, "delete-blind") == 0
					},
				},
			},
			Because: lessons.Text{
				EN: "Both nodes count their threads from 1, so the comparison is always true. To compare in one step is worth nothing if the value is not unique.",
				ZH: "两个节点的线程号都从 1 数起，比较永远成立。值不唯一，比较再原子也没用。",
			},
		},
		{
			Name: "misdeletion-get-then-del", Variant: "get-then-del",
			Ask: lessons.Text{
				EN: "Every acquisition has its own UUID. The release does GET, compares in the program and then sends DEL. When can it still delete a stranger's lock?",
				ZH: "每次加锁都有自己的 UUID。解锁先 GET，在代码里比较，一致再 DEL。什么时候还会误删？",
			},
			Options: []lessons.Option{
				{
					Name:  "lease",
					Text:  lessons.Text{EN: "Only if a lease runs out at a bad moment", ZH: "只有租期到得不巧的时候"},
					Claim: lessons.Needs(scenario.NoMisdeletionLight, "expiries=0"),
				},
				{
					Name:  "never",
					Text:  lessons.Text{EN: "Never: it has looked whose lock it is", ZH: "不会：删之前已经核对过了"},
					Claim: lessons.Holds(scenario.NoMisdeletionLight),
				},
				{
					Name:  "busy",
					Text:  lessons.Text{EN: "Whenever two requests are quick enough, lease or no lease", ZH: "只要两个请求够快，跟租期无关"},
					Claim: func(c *lessons.Case) bool { return c.With("expiries=0").Breaks(scenario.NoMisdeletionLight) },
				},
			},
			Because: lessons.Text{
				EN: "As long as the lease runs nobody else can get in. But it may end right after the GET, and then the DEL acts on a memory.",
				ZH: "租期没到，别人进不来。可它也许就在 GET 之后到期，这时 DEL 凭的是旧数据。",
			},
		},
	}
}

func exercises() []lessons.Exercise {
	return []lessons.Exercise{breakGetThenDel(), pickRelease(), orderUnlock()}
}

func breakGetThenDel() lessons.Exercise {
	return lessons.Exercise{
		Name: "break-get-then-del", Kind: lessons.BreakIt,
		Title: lessons.Text{
			EN: "Delete a stranger's lock, carefully",
			ZH: "核对过了，照样误删",
		},
		Task: lessons.Text{
			EN: "The release does GET, compares and then sends DEL. You decide who steps, and once you may let the " +
				"lease run out. Find an order in which A deletes the lock that B holds.",
			ZH: "解锁是先 GET 比较，再 DEL。下一步谁走由你定，还可以让租期到点一次。" +
				"找出一种走法，让 A 删掉 B 正拿着的锁。",
		},
		Hints: []lessons.Text{
			{EN: "What GET answers is true at that moment, and at no later one.", ZH: "GET 的结果只在那一刻是真的，过后就不一定了。"},
			{EN: "Let A stand right before its DEL. What has to happen to the lock meanwhile?", ZH: "让 A 停在 DEL 前面。这时候锁要发生什么事？"},
		},
		Break: &lessons.Break{Variant: "get-then-del", Light: scenario.NoMisdeletionLight},
		Cause: &lessons.Question{
			Name: "cause-get-then-del", Variant: "get-then-del",
			Ask: lessons.Text{EN: "Why did A delete B's lock, though it had looked?", ZH: "A 明明核对过，为什么还是删了 B 的锁？"},
			Options: []lessons.Option{
				{
					Name:  "token",
					Text:  lessons.Text{EN: "A and B have the same token", ZH: "A 和 B 的唯一值撞上了"},
					Claim: func(c *lessons.Case) bool { return c.As("by-script").Breaks(scenario.NoMisdeletionLight) },
				},
				{
					Name:  "stale",
					Text:  lessons.Text{EN: "Between GET and DEL the lock has passed from A to B", ZH: "GET 和 DEL 之间，锁从 A 换到了 B"},
					Claim: lessons.Raced(scenario.NoMisdeletionLight, key),
				},
				{
					Name:  "unconditional",
					Text:  lessons.Text{EN: "DEL is sent whatever GET says", ZH: "GET 返回什么都会 DEL"},
					Claim: lessons.Always(scenario.NoMisdeletionLight),
				},
			},
			Because: lessons.Text{
				EN: "Check, then act: the same fault as in the first lesson, with a key in the place of a row. The same tokens compared by a script do no harm.",
				ZH: "先查再改，和第一课是同一个错，只是行换成了键。同样的唯一值，交给脚本比较就没事。",
			},
		},
		Learned: lessons.Text{
			EN: "A comparison in the program is old by the time the DEL arrives. Let the server compare.",
			ZH: "在代码里比完，等 DEL 到了已经不作数了。要让 Redis 自己比。",
		},
	}
}

func pickRelease() lessons.Exercise {
	must := []string{scenario.NoMisdeletionLight, scenario.LockReleasedLight}
	return lessons.Exercise{
		Name: "pick-release", Kind: lessons.FixIt,
		Title: lessons.Text{
			EN: "Which release deletes its own lock only?",
			ZH: "哪种解锁只删自己的锁？",
		},
		Task: lessons.Text{
			EN: "Two nodes, and the work may outlive its lease. Pick the release that never deletes a " +
				"stranger's lock, and never leaves its own behind.",
			ZH: "两个节点，活可能干得比租期久。选一种解锁写法：绝不误删别人的锁，自己的锁也绝不留下。",
		},
		Hints: []lessons.Text{
			{EN: "Two things have to be right: the value in the lock, and the comparison.", ZH: "两样都要对：锁里存的值，还有比较的方式。"},
			{EN: "The value: different for everybody, and the same when locking and unlocking.", ZH: "值要人人不同，而且加锁和解锁用的是同一个。"},
			{EN: "The comparison: on the server, in one step with the DEL.", ZH: "比较要在 Redis 里做，和 DEL 是同一步。"},
		},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "blind", Variant: "delete-blind", Must: must,
					Text: lessons.Text{EN: "The value is 1; DEL when done", ZH: "值是 1，干完就 DEL"},
				},
				{
					Name: "get-del", Variant: "get-then-del", Must: must,
					Text: lessons.Text{EN: "A UUID, kept; GET, compare in the program, DEL", ZH: "UUID 存着用；先 GET，在代码里比较，再 DEL"},
				},
				{
					Name: "thread-id", Variant: "bare-thread-id", Must: must,
					Text: lessons.Text{EN: "The thread id; a script compares and deletes", ZH: "线程号；脚本比较并删除"},
				},
				{
					Name: "token-script", Variant: "by-script", Must: must,
					Text: lessons.Text{EN: "A UUID made when locking and kept; a script", ZH: "加锁时生成 UUID 并留着；脚本比较并删除"},
				},
				{
					Name: "fresh", Variant: "fresh-token", Must: must,
					Text: lessons.Text{EN: "UUID.randomUUID() in lock() and in unlock(); a script", ZH: "lock() 和 unlock() 里各生成一个 UUID；脚本"},
				},
			},
			Shipped: "blind", Solution: "token-script", Naive: "get-del",
		},
		Learned: lessons.Text{
			EN: "Unique, kept, and compared where it is deleted: with any one of the three missing it goes wrong.",
			ZH: "值要唯一，要留着，要在删除的地方比较。三样缺一样都会出错。",
		},
	}
}

// unlockLines are those to choose from, in the order shown.
var unlockLines = []string{
	"return redis.call('DEL', KEYS[1])",
	exercise.NextCall,
	"if token == ARGV[1] then",
	"return redis.call('GET', KEYS[1])",
	"end",
	"local token = redis.call('GET', KEYS[1])",
	"if ARGV[2] == ARGV[1] then",
	"return 0",
	"if token then",
}

func orderUnlock() lessons.Exercise {
	return lessons.Exercise{
		Name: "order-unlock", Kind: lessons.FixIt,
		Title: lessons.Text{
			EN: "Put a release together",
			ZH: "拼出一个解锁脚本",
		},
		Task: lessons.Text{
			EN: "Choose lines and put them in order. KEYS[1] is the lock, ARGV[1] the token of whoever " +
				"releases it. Answer 1 if you have deleted it, 0 if it was not yours. Not every line is needed. " +
				"What stands behind \"-- next call\" is a second call; ARGV[2] is what the first answered.",
			ZH: "选出需要的行，排好顺序。KEYS[1] 是锁，ARGV[1] 是解锁者的唯一值。删了返回 1，不是自己的返回 0。" +
				"有几行用不着。\"-- next call\" 后面是第二次调用，ARGV[2] 是第一次返回的结果。",
		},
		Hints: []lessons.Text{
			{EN: "First learn whose lock it is, then decide, then delete.", ZH: "先看锁是谁的，再判断，再删。"},
			{EN: "One call is enough, and two are one too many.", ZH: "一次调用就够，两次就多了。"},
			{EN: "Line 6 comes first, and the last line is 8.", ZH: "第一行是 6，最后一行是 8。"},
		},
		Fix: &lessons.Fix{
			Form: lessons.Order, File: "order-unlock.txt",
			Lines:   unlockLines,
			Shipped: "1", Solution: "6 3 1 5 8", Naive: "4 2 7 1 5 8",
			Judge: judgeOrder,
		},
		Learned: lessons.Text{
			EN: "GET, compare and DEL in one script: nobody can step in between, for the server runs scripts one at a time.",
			ZH: "GET、比较、DEL 放进一个脚本：Redis 一次只跑一个脚本，谁也插不进来。",
		},
	}
}

// judgeOrder judges lines that are put together to a script.
func judgeOrder(text string) (*lessons.Bench, error) {
	if strings.TrimSpace(text) == "" {
		return nil, &lessons.Miss{Mistake: exercise.NeverDeletes, Sentence: lessons.Text{
			EN: "No line is chosen: the lock is never deleted.",
			ZH: "一行也没选：锁永远不会删。",
		}}
	}
	if n := opened(text); n > 0 {
		return nil, &lessons.Miss{Mistake: exercise.Syntax, Sentence: lessons.Text{
			EN: "An if is not closed: \"end\" is missing behind it.",
			ZH: "有一个 if 没有收尾：后面少了 end。",
		}}
	} else if n < 0 {
		return nil, &lessons.Miss{Mistake: exercise.Syntax, Sentence: lessons.Text{
			EN: "An \"end\" stands where no if is open.",
			ZH: "多了一个 end：前面没有对应的 if。",
		}}
	}
	if line := unreachable(text); line != "" {
		return nil, &lessons.Miss{Mistake: exercise.Syntax, Sentence: lessons.Text{
			EN: fmt.Sprintf("Nothing may stand behind a return, but there stands %q.", line),
			ZH: fmt.Sprintf("return 后面不能再有语句，这里却还有 %q。", line),
		}}
	}
	return unlockbench.Bench(text, byScript, 0)
}

// unreachable is the first line that stands behind a return in the same block, which
// Lua does not take, or "".
func unreachable(text string) string {
	returned := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if returned && line != "end" && line != exercise.NextCall {
			return line
		}
		returned = strings.HasPrefix(line, "return ")
	}
	return ""
}

// opened is how many ifs are open at the end of a call, or at the first end too many
// a number below 0.
func opened(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		switch line = strings.TrimSpace(line); {
		case line == exercise.NextCall && n > 0:
			return n
		case strings.HasPrefix(line, "if "):
			n++
		case line == "end":
			if n--; n < 0 {
				return n
			}
		}
	}
	return n
}

// recall are the cards of this lesson.
func recall() []lessons.Recall {
	return []lessons.Recall{
		{
			Name:    "recall-token",
			Front:   lessons.Text{EN: "What must the value in a lock be, so that a release can tell whose it is?", ZH: "锁里的值要满足什么，解锁时才认得出是谁的？"},
			Back:    lessons.Text{EN: "Unique per acquisition, and kept until the release. A thread id is 1 on every node; a new UUID in unlock never matches.", ZH: "每次加锁唯一，并且留到解锁用。线程号每个节点都有 1；解锁时再生成 UUID，永远对不上。"},
			Variant: "bare-thread-id", Claim: func(c *lessons.Case) bool {
				return c.Breaks(scenario.NoMisdeletionLight) && c.As("fresh-token").Breaks(scenario.LockReleasedLight)
			},
		},
		{
			Name:    "recall-get-then-del",
			Front:   lessons.Text{EN: "GET, compare, DEL: what must happen for it to go wrong?", ZH: "GET、比较、DEL，要发生什么才会误删？"},
			Back:    lessons.Text{EN: "The lease ends after the GET, another takes the lock, then the DEL arrives. Rare, and no test finds it.", ZH: "GET 之后租期到了，锁被别人拿走，DEL 才到。很少见，测试测不出来。"},
			Variant: "get-then-del", Claim: lessons.Needs(scenario.NoMisdeletionLight, "expiries=0"),
		},
	}
}
