package scene

import (
	"flashlab/lessons"
	"flashlab/sim/scenario"
)

// bugs are exercises in which code is read first. The numbers are those of the
// faults from practice.
func bugs() []lessons.Exercise {
	return []lessons.Exercise{findToken(), findClock()}
}

// ownOnly is what a release must see to: that it deletes its own lock, and no other.
func ownOnly() []string {
	return []string{scenario.NoMisdeletionLight, scenario.LockReleasedLight}
}

// findToken is fault 24: a predictable value.
func findToken() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-token", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: the token", ZH: "找错：锁里的值"},
		Task: lessons.Text{
			EN: "User 7 clicks twice, and the clicks come to two nodes. The lock says for whom it was " +
				"taken, and a script compares that before it deletes, in one step. Once, the work may " +
				"outlive its lease. Read the code: whose lock can be deleted?",
			ZH: "用户 7 连点两下，落到两个节点。锁里写着是谁的单，解锁用脚本先比较再删，一步完成。" +
				"活可能有一次干得比租期久。读一读代码：会删掉谁的锁？",
		},
		Hints: []lessons.Text{
			{EN: "Write down the token of the first click, and that of the second.", ZH: "把两次点击写进锁里的值都写出来，比一比。"},
			{EN: "A has the lock, its lease runs out, B takes it. What does A's release find?", ZH: "A 拿着锁，租期到了，B 拿到锁。这时 A 来解锁，看到的是什么？"},
		},
		Code: &lessons.Snippet{File: "bugtoken.go", Func: "(*Shop).BuyForUser", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-token", Variant: "bug-token",
			Ask: lessons.Text{EN: "A's lease runs out, B takes the lock, A releases. What happens?", ZH: "A 的租期到了，B 拿到锁，A 来解锁。结果是？"},
			Options: []lessons.Option{
				{Name: "kept", Text: lessons.Text{EN: "0: the lock is B's, and the script leaves it alone", ZH: "返回 0：锁是 B 的，脚本不动它"}, Claim: lessons.Holds(scenario.NoMisdeletionLight)},
				{Name: "deleted", Text: lessons.Text{EN: "1: the values are equal, and B's lock is gone", ZH: "返回 1：两个值一样，B 的锁被删了"}, Claim: lessons.Needs(scenario.NoMisdeletionLight, "expiries=0")},
				{Name: "stays", Text: lessons.Text{EN: "The values differ, and A's lock stays", ZH: "两个值不一样，A 的锁留下了"}, Claim: lessons.Breaks(scenario.LockReleasedLight)},
			},
			Because: lessons.Text{
				EN: "Both clicks are of user 7 and want the same voucher: one value, two holders. The comparison is right, and tells nobody apart.",
				ZH: "两次点击是同一个用户、同一张券，值只有一个，持有者却有两个。比较没错，只是分不出谁是谁。",
			},
		},
		Break: &lessons.Break{Variant: "bug-token", Light: scenario.NoMisdeletionLight},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-token", Must: ownOnly(),
					Text: lessons.Text{EN: "Leave it: the script compares and deletes in one step", ZH: "不用改：脚本比较和删除是一步"},
					Code: "token := fmt.Sprintf(\"user:%d:voucher:%d\", user, voucher)",
				},
				{
					Name: "worker", Variant: "bare-thread-id", Must: ownOnly(),
					Text: lessons.Text{EN: "The number of the worker that serves the click; a script", ZH: "换成处理请求的线程号；脚本"},
					Code: "me := strconv.Itoa(s.Worker)",
				},
				{
					Name: "look", Variant: "get-then-del", Must: ownOnly(),
					Text: lessons.Text{EN: "A UUID per click; GET, compare in the program, DEL", ZH: "每次点击一个 UUID；GET，在代码里比较，DEL"},
				},
				{
					Name: "uuid", Variant: "by-script", Must: ownOnly(),
					Text: lessons.Text{EN: "A UUID per click, kept until the release; a script", ZH: "每次点击一个 UUID，留到解锁用；脚本"},
					Code: "token := proc.Token(ctx) // 32 random hexadecimal digits",
				},
			},
			Shipped: "leave", Solution: "uuid", Naive: "worker",
		},
		Learned: lessons.Text{
			EN: "A token names one acquisition. What a request is about, or who serves it, can be equal for two; a random value cannot.",
			ZH: "锁里的值要认得出这一次加锁。用户、券、线程都可能重复，随机值不会。",
		},
	}
}

// findClock is fault 22: the lease is shorter than the work, and the holder looks
// at its own clock.
func findClock() lessons.Exercise {
	return lessons.Exercise{
		Name: "bug-clock", Kind: lessons.FindBug,
		Title: lessons.Text{EN: "Find the bug: a look at the clock", ZH: "找错：看一眼时间"},
		Task: lessons.Text{
			EN: "The lease is 5 s. Before it deletes, the shop looks at its clock: as long as its own " +
				"lease runs, nobody else can have the lock. At one moment of your choice the clock may " +
				"move on to the end of the lease. Read the code: is the look enough?",
			ZH: "租期 5 秒。解锁前先看本机的钟：自己的租期没到，锁就不可能是别人的。" +
				"你可以挑一个时刻，让时钟走到租期结束。读一读代码：看这一眼够不够？",
		},
		Hints: []lessons.Text{
			{EN: "The look and the DEL are two things. What lies between them?", ZH: "看钟和 DEL 是两件事，中间隔着什么？"},
			{EN: "Let A work until it stands before its DEL, and let the clock go on then.", ZH: "让 A 干到 DEL 跟前，再让时钟走。"},
		},
		Code: &lessons.Snippet{File: "bugclock.go", Func: "(*Shop).BuyInTime", Language: "go"},
		Ask: &lessons.Question{
			Name: "ask-bug-clock", Variant: "bug-clock",
			Ask: lessons.Text{EN: "Can it delete a stranger's lock?", ZH: "会误删别人的锁吗？"},
			Options: []lessons.Option{
				{Name: "never", Text: lessons.Text{EN: "Never: after 5 s it sends no DEL", ZH: "不会：过了 5 秒就不发 DEL"}, Claim: lessons.Holds(scenario.NoMisdeletionLight)},
				{Name: "gap", Text: lessons.Text{EN: "If the lease ends between the look and the DEL", ZH: "看完钟、DEL 之前到期，就会"}, Claim: lessons.And(lessons.Sometimes(scenario.NoMisdeletionLight), lessons.Needs(scenario.NoMisdeletionLight, "ticks=0"))},
				{Name: "always", Text: lessons.Text{EN: "Whoever comes first: the clocks of two nodes differ", ZH: "总会：两台机器的钟不一样"}, Claim: lessons.Always(scenario.NoMisdeletionLight)},
			},
			Because: lessons.Text{
				EN: "A collection, a full queue, a slow network: the DEL arrives when it arrives. The server knows whose lock it is by then, and nobody asks it.",
				ZH: "GC 停顿、排队、网络慢，DEL 什么时候到谁也说不准。到的时候锁是谁的，Redis 知道，却没人问它。",
			},
		},
		Break: &lessons.Break{Variant: "bug-clock", Light: scenario.NoMisdeletionLight},
		Fix: &lessons.Fix{
			Form: lessons.Pick,
			Options: []lessons.Body{
				{
					Name: "leave", Variant: "bug-clock", Must: ownOnly(),
					Text: lessons.Text{EN: "Leave it: the gap is a few microseconds", ZH: "不用改：中间只差几微秒"},
					Code: "if proc.Now(ctx).Sub(since) < Lease {\n\ts.Redis.Del(ctx, key)\n}",
				},
				{
					Name: "margin", Variant: "clock-margin", Must: ownOnly(),
					Text: lessons.Text{EN: "Stop deleting a second before the lease ends", ZH: "留一秒余量，最后一秒不删"},
					Code: "if proc.Now(ctx).Sub(since) < Lease-time.Second {\n\ts.Redis.Del(ctx, key)\n}",
				},
				{
					Name: "look", Variant: "get-then-del", Must: ownOnly(),
					Text: lessons.Text{EN: "A UUID; GET it instead of looking at the clock, then DEL", ZH: "存 UUID，不看钟，改成 GET 核对，再 DEL"},
				},
				{
					Name: "script", Variant: "by-script", Must: ownOnly(),
					Text: lessons.Text{EN: "A UUID; a script on the server compares and deletes", ZH: "存 UUID，由 Redis 里的脚本比较并删除"},
				},
			},
			Shipped: "leave", Solution: "script", Naive: "margin",
		},
		Learned: lessons.Text{
			EN: "A client's clock can tell that a lock is lost, never that it is still there. That only the server knows, at the moment of the DEL.",
			ZH: "自己的钟只能说明锁肯定没了，说明不了锁还在。还在不在，只有执行 DEL 那一刻的 Redis 知道。",
		},
	}
}
