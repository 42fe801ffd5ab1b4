package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/misdeletion"
)

func deleteBlind() lessons.Variant {
	return lessons.Variant{
		Name: "delete-blind",
		Title: lessons.Text{
			EN: "Done, so delete",
			ZH: "干完就删",
		},
		Summary: lessons.Text{
			EN: "Every request writes the same value, 1, with a lease of 5 s. Done with its " +
				"work, it deletes the key without looking.",
			ZH: "所有请求写进锁里的值都是 1，租期 5 秒。活干完直接 DEL，不看锁是谁的。",
		},
		Moral: lessons.Text{
			EN: "The work outlives the lease, the lock changes hands, and the first holder " +
				"deletes the second one's. With buyers=3 a third then comes in beside the second, and " +
				"neither's lease has run out. Write into the lock whose it is, and check that first.",
			ZH: "活干得比租期久，锁已经换了人，前一个一 DEL，删掉的是后一个的锁。" +
				"要是还有第三个（buyers=3），它就进来和第二个同时在里面，而这两人的租期都没到。锁里要写明是谁的，删之前先核对。",
		},
		Params: params(), Lights: verdicts(breaks, holds, breaks),
		File: "deleteblind.go", Func: "(*Shop).DeleteBlind", JavaFile: "DeleteBlind.java",
		Steps: []lessons.Step{
			acquire(),
			work(),
			{
				Go:   "s.Redis.Del(ctx, key)",
				Java: `stringRedisTemplate.delete("lock:" + name)`,
				Say: lessons.Text{
					EN: "{actor} is done and deletes the key, whoever's lock it is by now: {reply}.",
					ZH: "{actor} 干完了，不管锁现在是谁的，直接删：{reply}。",
				},
			},
		},
		Scenario: clicks("delete-blind", (*misdeletion.Shop).DeleteBlind),
	}
}

func bareThreadID() lessons.Variant {
	return lessons.Variant{
		Name: "bare-thread-id",
		Title: lessons.Text{
			EN: "The thread id is the value",
			ZH: "锁里只存线程号",
		},
		Summary: lessons.Text{
			EN: "The lock holds the number of the worker, and a script compares before it " +
				"deletes. But every node counts its workers from 1.",
			ZH: "锁里存线程号，解锁时用脚本先比较再删。可每个节点的线程号都从 1 数起。",
		},
		Moral: lessons.Text{
			EN: "The comparison is right, and one step even, but both nodes have written 1: the " +
				"value matches, the owner does not. It goes wrong as often as the blind DEL, in 14 " +
				"of 44 interleavings. A value tells owners apart only if nobody else can have it.",
			ZH: "比较没写错，还是原子的，可两个节点写的都是 1：值对上了，人不是一个人。" +
				"出错的情况和直接 DEL 一样多，44 种里有 14 种。值要全局唯一，才认得出锁是谁的。",
		},
		Params: params(), Lights: verdicts(breaks, holds, breaks),
		File: "barethreadid.go", Func: "(*Shop).BareThreadID", JavaFile: "BareThreadId.java",
		Steps: []lessons.Step{
			acquire(),
			work(),
			{
				Go:   "lua.Unlock(ctx, s.Redis, key",
				Java: "stringRedisTemplate.execute(UNLOCK_SCRIPT",
				Say: lessons.Text{
					EN: "{actor} deletes the key if it holds its worker number: {reply}. 1 is deleted.",
					ZH: "{actor} 核对线程号，一致就删：{reply}。1 是删了。",
				},
			},
		},
		Scenario: clicks("bare-thread-id", (*misdeletion.Shop).BareThreadID),
	}
}

func freshToken() lessons.Variant {
	return lessons.Variant{
		Name: "fresh-token",
		Title: lessons.Text{
			EN: "A new token for the release",
			ZH: "解锁时又换了个值",
		},
		Summary: lessons.Text{
			EN: "Token and script are there, but the token is made anew in each call: locked " +
				"with one, released with another.",
			ZH: "唯一值有了，脚本也有了，可每次调用都新生成一个：加锁用一个，解锁又是另一个。",
		},
		Moral: lessons.Text{
			EN: "Nobody deletes a stranger's lock, but nobody deletes his own either. The order " +
				"is done, and the lock stays for the rest of its lease; the next click is turned " +
				"away for nothing. Make the token once, and keep it until the release.",
			ZH: "别人的锁删不掉，自己的也删不掉。订单办完了，锁还占着，一直占到租期结束，" +
				"下一次点击白白被拒。值只在加锁时生成一次，留到解锁时用。",
		},
		Params: params(), Lights: verdicts(holds, breaks, breaks),
		File: "freshtoken.go", Func: "(*Shop).FreshToken", JavaFile: "FreshToken.java",
		Steps: []lessons.Step{
			acquire(),
			work(),
			{
				Go:   "lua.Unlock(ctx, s.Redis, key",
				Java: "stringRedisTemplate.execute(UNLOCK_SCRIPT",
				Say: lessons.Text{
					EN: "{actor} wants to release with a token made just now: {reply}. It never matches.",
					ZH: "{actor} 拿刚生成的值去解锁：{reply}。怎么也对不上。",
				},
			},
		},
		Scenario: clicks("fresh-token", (*misdeletion.Shop).FreshToken),
	}
}

func getThenDel() lessons.Variant {
	return lessons.Variant{
		Name: "get-then-del",
		Title: lessons.Text{
			EN: "GET, compare, DEL",
			ZH: "先 GET 比较，再 DEL",
		},
		Summary: lessons.Text{
			EN: "Every acquisition has a token of its own. The release reads the key, compares " +
				"in Go, and deletes if it matches.",
			ZH: "每次加锁都有自己的唯一值。解锁时先 GET 出来，在代码里比较，一致才 DEL。",
		},
		Moral: lessons.Text{
			EN: "Check, then act, once more: after the GET the lease can run out and the lock " +
				"change hands, and the DEL hits the new one. Only 6 of 76 interleavings show it, so " +
				"tests hardly ever do. Compare and delete must be one step: lesson lua-unlock.",
			ZH: "又是先查再改：GET 之后锁可能过期、换人，DEL 删的就是别人的了。" +
				"76 种里只有 6 种会出错，测试很难碰上。比较和删除必须是一步，见 lua-unlock。",
		},
		Params: params(), Lights: verdicts(breaks, holds, breaks),
		File: "getthendel.go", Func: "(*Shop).GetThenDel", JavaFile: "GetThenDel.java",
		Steps: []lessons.Step{
			acquire(),
			work(),
			{
				Go:   "s.Redis.Get(ctx, key)",
				Java: `.get("lock:" + name)`,
				Say: lessons.Text{
					EN: "{actor} looks whose lock it is: {reply}. From here on that is a memory.",
					ZH: "{actor} 看锁是谁的：{reply}。从这一刻起，这只是旧数据。",
				},
			},
			{
				Go:   "s.Redis.Del(ctx, key)",
				Java: `stringRedisTemplate.delete("lock:" + name)`,
				Say: lessons.Text{
					EN: "{actor} deletes the key, trusting what it has read: {reply}.",
					ZH: "{actor} 凭刚才看到的值把锁删掉：{reply}。",
				},
			},
		},
		Scenario: clicks("get-then-del", (*misdeletion.Shop).GetThenDel),
	}
}
