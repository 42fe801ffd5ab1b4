package scene

import (
	"flashlab/lessons"
	"flashlab/sim/scenario"
)

// bugs are exercises in which code is read first. The numbers are those of the
// faults from practice.
func bugs() []lessons.Exercise {
	return []lessons.Exercise{findNumber(), findNoScript()}
}

// findNumber is fault 67, with 68: what becomes of a text that Lua takes for a
// number.
func findNumber() lessons.Exercise {
	must := []string{scenario.NoMisdeletionLight, scenario.LockReleasedLight}
	return lessons.Exercise{
		Name: "bug-number", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: the comparison", ZH: "找错：脚本里的比较"},
		Task: lessons.Text{
			EN: "Each acquisition has a token of its own, hexadecimal digits, here A1 and B1. A script " +
				"compares it and deletes, in one step. Once, the work may outlive its lease of 5 s. Read " +
				"the script: whose lock does it delete?",
			ZH: "每次加锁都有自己的唯一值，是十六进制的，这里是 A1 和 B1。脚本一步完成比较和删除。" +
				"活可能有一次干得比 5 秒的租期久。读一读脚本：它会删谁的锁？",
		},
		Hints: []lessons.Text{
			{EN: "What does tonumber make of A1? And of B1?", ZH: "tonumber('A1') 得到什么？tonumber('B1') 呢？"},
			{EN: "Let the lease of A run out and B take the lock; then let A release.", ZH: "让 A 的租期到点，B 拿到锁，再让 A 来解锁。"},
		},
		Code: &lessons.Snippet{Text: numberScript, Language: "lua"},
		Ask: &lessons.Question{
			Name: "ask-bug-number", Variant: "bug-number",
			Ask: lessons.Text{EN: "A's lease runs out, B takes the lock, A releases. What does the script do?", ZH: "A 的租期到了，B 拿到锁，A 来解锁。脚本会怎样？"},
			Options: []lessons.Option{
				{Name: "kept", Text: lessons.Text{EN: "It answers -1: A1 is not B1", ZH: "返回 -1：A1 不等于 B1"}, Claim: lessons.And(lessons.Holds(scenario.NoMisdeletionLight), lessons.Holds(scenario.LockReleasedLight))},
				{Name: "deleted", Text: lessons.Text{EN: "It deletes B's lock: both sides are nil", ZH: "删掉 B 的锁：两边都是 nil"}, Claim: lessons.And(lessons.Breaks(scenario.NoMisdeletionLight), lessons.Holds(scenario.LockReleasedLight))},
				{Name: "never", Text: lessons.Text{EN: "It never deletes, not even its own lock", ZH: "从来不删，自己的锁也删不掉"}, Claim: lessons.Breaks(scenario.LockReleasedLight)},
			},
			Because: lessons.Text{
				EN: "tonumber gives nil for a text that is no number, and nil ~= nil is false. Digits alone would not save it: above 2^53 neighbours are equal.",
				ZH: "不是数字的字符串，tonumber 得到 nil，而 nil ~= nil 不成立。就算全是数字也不行：超过 2^53，相邻的数分不开。",
			},
		},
		Break: &lessons.Break{Variant: "bug-number", Light: scenario.NoMisdeletionLight},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-number", Must: must,
					Text: lessons.Text{EN: "Leave it: numbers compare faster than texts", ZH: "不用改：数字比得快"},
					Code: "if tonumber(token) ~= tonumber(ARGV[1]) then",
				},
				{
					Name: "one", Variant: "number-one-side", Must: must,
					Text: lessons.Text{EN: "Make a number of the argument only", ZH: "只把参数转成数字"},
					Code: "if token ~= tonumber(ARGV[1]) then",
				},
				{
					Name: "text", Variant: "lua", Must: must,
					Text: lessons.Text{EN: "Compare the texts as they are", ZH: "都不转，按字符串比"},
					Code: "if token ~= ARGV[1] then",
				},
			},
			Shipped: "leave", Solution: "text", Naive: "one",
		},
		Learned: lessons.Text{
			EN: "What GET answers and what stands in ARGV is text. Tokens and ids stay text; only what is counted becomes a number.",
			ZH: "GET 的结果和 ARGV 都是字符串。唯一值和 id 一路当字符串，要做算术的才转成数字。",
		},
	}
}

// findNoScript is fault 71: the script is gone from the server.
func findNoScript() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-noscript", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: only the SHA", ZH: "找错：只发 SHA"},
		Task: lessons.Text{
			EN: "Every node loads unlock.lua when it starts; from then on only its SHA is sent. Here no " +
				"lease runs out and nobody crashes, but somebody on duty runs SCRIPT FLUSH at some moment; " +
				"a restart of Redis does the same. Read the code: what becomes of a lock?",
			ZH: "每个节点启动时加载 unlock.lua，之后只发 SHA。这里租期不会到，也没人宕机，" +
				"只是值班的人在某个时刻执行了 SCRIPT FLUSH，重启 Redis 也是这个效果。读一读代码：锁会怎样？",
		},
		Hints: []lessons.Text{
			{EN: "Who still has the text of the script after the flush?", ZH: "清空之后，脚本的全文还在谁手里？"},
			{EN: "Let A take the lock, then let the flush come, then the release.", ZH: "让 A 先拿锁，再执行 SCRIPT FLUSH，再让 A 解锁。"},
		},
		Code: &lessons.Snippet{File: "bugsha.go", Func: "(*Shop).BuyBySHA (*Shop).unlockBySHA", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-noscript", Variant: "bug-noscript",
			Ask: lessons.Text{EN: "The flush comes while A works. And A's lock?", ZH: "A 干活的时候缓存被清空了。A 的锁呢？"},
			Options: []lessons.Option{
				{Name: "released", Text: lessons.Text{EN: "Released: the client loads the script again", ZH: "照样放掉：客户端会重新加载"}, Claim: lessons.Holds(scenario.LockReleasedLight)},
				{
					Name: "stays", Text: lessons.Text{EN: "The release fails, and the lock stays for its lease", ZH: "解锁报错，锁要占到过期"},
					Claim: lessons.And(lessons.Sometimes(scenario.LockReleasedLight), lessons.Holds(scenario.NoMisdeletionLight)),
				},
				{Name: "others", Text: lessons.Text{EN: "Locks are released that others hold", ZH: "别人的锁也被放掉"}, Claim: lessons.Breaks(scenario.NoMisdeletionLight)},
			},
			Because: lessons.Text{
				EN: "EVALSHA answers NOSCRIPT and does nothing. go-redis's Script.Run would send the text then; EvalSha by itself does not, nor does a pipeline.",
				ZH: "EVALSHA 返回 NOSCRIPT，什么也没做。go-redis 的 Script.Run 会接着发全文，单独的 EvalSha 不会，放在 pipeline 里也不会。",
			},
		},
		Break: &lessons.Break{Variant: "bug-noscript", Light: scenario.LockReleasedLight},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-noscript",
					Text: lessons.Text{EN: "Leave it: the script was loaded at the start", ZH: "不用改：启动时加载过了"},
					Code: "s.Redis.EvalSha(ctx, unlockSHA, []string{key}, token)",
				},
				{
					Name: "load", Variant: "noscript-load",
					Text: lessons.Text{EN: "SCRIPT LOAD before every order, EVALSHA at its end", ZH: "每次下单前 SCRIPT LOAD，最后 EVALSHA"},
					Code: "s.Redis.ScriptLoad(ctx, unlockText) // first\n...\ns.Redis.EvalSha(ctx, unlockSHA, []string{key}, token)",
				},
				{
					Name: "text", Variant: "noscript-text",
					Text: lessons.Text{EN: "EVAL with the text of the script", ZH: "用 EVAL，带上脚本全文"},
					Code: "s.Redis.Eval(ctx, unlockText, []string{key}, token)",
				},
			},
			Shipped: "leave", Solution: "text", Naive: "load",
		},
		Learned: lessons.Text{
			EN: "The cache of scripts may be empty at any moment. Script.Run does both: the SHA to save bytes, and the text on NOSCRIPT.",
			ZH: "脚本缓存随时可能是空的。Script.Run 两样都做：先发 SHA 省流量，遇到 NOSCRIPT 再发全文。",
		},
	}
}
