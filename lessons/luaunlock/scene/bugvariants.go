package scene

import (
	"flashlab/lessons"
	"flashlab/lessons/luaunlock"
	"flashlab/sim/scenario"
	"flashlab/sim/trace"
	"flashlab/sim/world"
)

// bugVariants are what the exercises of bugs.go run: code in which something is
// wrong, and mends, not all of which mend.
func bugVariants() []lessons.Variant {
	return []lessons.Variant{
		bugNumber(), numberOneSide(),
		bugNoScript(), noScriptLoad(), noScriptText(),
	}
}

// The scripts of bugs.go run in the place of unlock.lua.
const (
	numberScript = `-- KEYS[1]  the lock      ARGV[1]  the token of whoever releases it
-- Answers  1  deleted    0  no lock    -1  somebody else has it
local token = redis.call('GET', KEYS[1])
if not token then
  return 0
end
if tonumber(token) ~= tonumber(ARGV[1]) then
  return -1
end
return redis.call('DEL', KEYS[1])
`
	oneSideScript = `local token = redis.call('GET', KEYS[1])
if not token then
  return 0
end
if token ~= tonumber(ARGV[1]) then
  return -1
end
return redis.call('DEL', KEYS[1])
`
)

// replaced is a scenario with another script in the place of unlock.lua.
func replaced(variant, script string) func(scenario.Params) *scenario.Scenario {
	return lessons.Changed(clicks(variant, luaunlock.Lease, (*luaunlock.Shop).Lua), func(s *scenario.Scenario) {
		s.World.Replace = map[string][]string{"unlock": {script}}
	})
}

// lockLights declares the lights of a variant in which mutual exclusion breaks, with
// others as named.
func lockLights(exclusion scenario.Verdict, broken ...string) []lessons.LightVerdict {
	out := verdicts(exclusion)
	for i := range out {
		for _, b := range broken {
			if out[i].Light == b {
				out[i].Verdict = breaks
			}
		}
	}
	return out
}

func bugNumber() lessons.Variant {
	v := script()
	v.Name = "bug-number"
	v.Title = lessons.Text{EN: "Compare in the script", ZH: "脚本里比一比再删"}
	v.Summary = lessons.Text{
		EN: "A token of hexadecimal digits for each acquisition, a lease of 5 s, and another unlock.lua.",
		ZH: "每次加锁一个十六进制的唯一值，租期 5 秒，unlock.lua 换了一个写法。",
	}
	v.Moral = lessons.Text{
		EN: "tonumber of a token with letters is nil, on both sides, and nil is nil: every release deletes.",
		ZH: "唯一值里有字母，tonumber 两边都得到 nil，nil 等于 nil：谁来解锁都删。",
	}
	v.JavaFile, v.Steps = "", steps()
	v.Lights = lockLights(breaks, scenario.NoMisdeletionLight)
	v.Scenario = replaced("bug-number", numberScript)
	return v
}

func numberOneSide() lessons.Variant {
	v := bugNumber()
	v.Name = "number-one-side"
	v.Title = lessons.Text{EN: "One side a number", ZH: "只转一边"}
	v.Summary = lessons.Text{
		EN: "The same shop; the script makes a number of its argument and leaves the token as it is.",
		ZH: "程序一样，脚本只把参数转成数字，锁里的值不动。",
	}
	v.Moral = lessons.Text{
		EN: "A text never equals nil or a number: no release ever deletes, and each lock stays for its lease.",
		ZH: "字符串永远不等于 nil，也不等于数字：谁也删不掉，每把锁都要等到过期。",
	}
	v.Lights = lockLights(breaks, scenario.LockReleasedLight)
	v.Scenario = replaced("number-one-side", oneSideScript)
	return v
}

// steps are those of the code of lua, which needs no twin here.
func steps() []lessons.Step {
	return []lessons.Step{
		{Go: "s.Redis.SetNX(ctx, key", Say: acquire().Say},
		{Go: "SELECT stock FROM voucher", Say: work().Say},
		{Go: "lua.Unlock(ctx, s.Redis, key, token)", Say: lessons.Text{
			EN: "{actor} runs the script to release the lock: {reply}.",
			ZH: "{actor} 执行解锁脚本：{reply}。",
		}},
	}
}

// flushed makes the scene in which somebody empties the server's cache of scripts,
// at any moment, as a restart does.
func flushed(variant string, f buy) func(scenario.Params) *scenario.Scenario {
	return lessons.Changed(clicks(variant, luaunlock.Lease, f), func(s *scenario.Scenario) {
		first := s.Actors
		s.Actors = func(w *world.World) []scenario.Actor {
			return append(first(w), scenario.Actor{
				Name: trace.Verbatim("SCRIPT FLUSH"), Node: "n9",
				Body: (&luaunlock.Shop{Redis: w.Redis}).FlushScripts,
			})
		}
	})
}

// underLock is the step of taking the lock and of working under it.
func underLock(golang string) lessons.Step {
	return lessons.Step{Go: golang, Say: lessons.Text{
		EN: "{actor} asks for the lock, or works under it: {reply}.",
		ZH: "{actor} 抢锁，或者拿着锁办订单：{reply}。",
	}}
}

func flushes() lessons.Step {
	return lessons.Step{Go: "s.Redis.ScriptFlush(ctx)", Say: lessons.Text{
		EN: "{actor}: the server's cache of scripts is empty now.",
		ZH: "{actor}：服务器上的脚本缓存清空了。",
	}}
}

func bugNoScript() lessons.Variant {
	return lessons.Variant{
		Name: "bug-noscript",
		Title: lessons.Text{
			EN: "Forty characters instead of a script",
			ZH: "只发 SHA，不发脚本",
		},
		Summary: lessons.Text{
			EN: "unlock.lua was loaded at the start; a release sends its SHA. Somebody runs SCRIPT FLUSH meanwhile.",
			ZH: "启动时加载过 unlock.lua，解锁只发 SHA。这期间有人执行了 SCRIPT FLUSH。",
		},
		Moral: lessons.Text{
			EN: "The server's cache of scripts is no store: NOSCRIPT, nothing is deleted, the lock stays for its lease.",
			ZH: "脚本缓存不是存储：报 NOSCRIPT，什么也没删，锁要等到过期。",
		},
		Params: []scenario.Param{scenario.Standard("buyers", 2), scenario.Standard("work", 1)},
		Lights: lockLights(holds, scenario.LockReleasedLight),
		File:   "bugsha.go", Func: "(*Shop).BuyBySHA (*Shop).unlockBySHA (*Shop).FlushScripts",
		Steps: []lessons.Step{
			{Go: "s.Redis.EvalSha(ctx, unlockSHA", Say: lessons.Text{
				EN: "{actor} releases the lock by the SHA of the script: {reply}.",
				ZH: "{actor} 用脚本的 SHA 解锁：{reply}。",
			}},
			underLock("s.unlockBySHA)"),
			flushes(),
		},
		Scenario: flushed("bug-noscript", (*luaunlock.Shop).BuyBySHA),
	}
}

func noScriptLoad() lessons.Variant {
	v := bugNoScript()
	v.Name = "noscript-load"
	v.Title = lessons.Text{EN: "Load it before each order", ZH: "下单前先加载"}
	v.Summary = lessons.Text{
		EN: "SCRIPT LOAD before the lock is taken, and the SHA at its release.",
		ZH: "加锁之前先 SCRIPT LOAD，解锁时发 SHA。",
	}
	v.Moral = lessons.Text{
		EN: "Loaded before the work is not loaded after it: the flush comes in between.",
		ZH: "干活之前加载过，不等于干完还在：清空就发生在中间。",
	}
	v.Func = "(*Shop).BuyAfterLoad (*Shop).FlushScripts"
	v.Steps = append(v.Steps, lessons.Step{Go: "s.Redis.ScriptLoad(ctx, unlockText)", Say: lessons.Text{
		EN: "{actor} loads the script: {reply}.",
		ZH: "{actor} 加载脚本：{reply}。",
	}})
	v.Scenario = flushed("noscript-load", (*luaunlock.Shop).BuyAfterLoad)
	return v
}

func noScriptText() lessons.Variant {
	v := bugNoScript()
	v.Name = "noscript-text"
	v.Title = lessons.Text{EN: "The script itself", ZH: "发脚本全文"}
	v.Summary = lessons.Text{
		EN: "The release sends EVAL with the text of the script.",
		ZH: "解锁用 EVAL，带上脚本全文。",
	}
	v.Moral = lessons.Text{
		EN: "The text is always at hand, so it does not matter when the cache is emptied.",
		ZH: "全文一直带着，缓存什么时候被清空都无所谓。",
	}
	v.Lights = lockLights(holds)
	v.Func = "(*Shop).BuyByText (*Shop).unlockByText (*Shop).FlushScripts"
	v.Steps = []lessons.Step{
		{Go: "s.Redis.Eval(ctx, unlockText", Say: lessons.Text{
			EN: "{actor} releases the lock and sends the script along: {reply}.",
			ZH: "{actor} 带着脚本全文解锁：{reply}。",
		}},
		underLock("s.unlockByText)"),
		flushes(),
	}
	v.Scenario = flushed("noscript-text", (*luaunlock.Shop).BuyByText)
	return v
}
